//@ unit
extern inline int level(int x)
{
    return x + 1;
}
