#if defined(FIRST) && !defined(SECOND)
int first;
#elif defined(SECOND) || LEVEL > 3
int second;
#else
int neither;
#endif
#ifdef FIRST
int always;
#else
int never;
#endif
