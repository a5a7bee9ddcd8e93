int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x[1];
    switch (x[argc - 1]) { //~ ERROR uninitialised-read
    case 7: return 1;
    }
    return 0;
#else
    int x[1] = {0};
    switch (x[argc - 1]) {
    case 7: return 1;
    }
    return 0;
#endif
}
