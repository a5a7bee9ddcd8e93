int is_upward(int in,
    int up, int down){
    int bias, r;
    if (in)
        bias = down;
    else
        bias = up;
    if (bias > down)
        r = 1;
    else
        r = 0;
    return r;
}
