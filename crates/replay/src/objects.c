/* Objects that are inputs, from the numbers of the input: whether there is one, its size, its bytes eight to a
   number, how many pointers are in it, and for each its place and the object it points to. */
static void *plumb_object(unsigned *at) {
    /* The user's flags may ask for C89, in which a loop declares nothing. */
    unsigned long k, size, pointers;
    char *object;
    if (!plumb_param_int((*at)++))
        return 0;
    size = (unsigned long)plumb_param_int((*at)++);
    object = __builtin_malloc(size);
    for (k = 0; k < size; k += 8) {
        unsigned long long bytes = (unsigned long long)plumb_param_int((*at)++);
        __builtin_memcpy(object + k, &bytes, size - k < 8 ? size - k : 8);
    }
    pointers = (unsigned long)plumb_param_int((*at)++);
    for (k = 0; k < pointers; k++) {
        unsigned long place = (unsigned long)plumb_param_int((*at)++);
        void *target = plumb_object(at);
        __builtin_memcpy(object + place, &target, sizeof target);
    }
    return object;
}

/* A global gets the bytes of the next object; without one it keeps its initial value. */
static __inline__ void plumb_set(void *global, unsigned long size, unsigned *at) {
    void *object = plumb_object(at);
    if (object)
        __builtin_memcpy(global, object, size);
}
