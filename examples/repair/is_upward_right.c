int is_upward(int in, int up, int down)
{
    return (in ? up + 100 : up) > down;
}
