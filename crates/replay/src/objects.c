/* Objects that are inputs, from the numbers of the input: whether there is one, its size, its bytes eight to a
   number, how many pointers are in it, and for each its place and the object it points to. A 2 instead of a 1 is a
   stream that reads the bytes; behind a 3 stand the number of an earlier argument and how many bytes into its object
   this one points. A 4 is a function that returns zero. */

/* By names of our own, because the user's text may declare these otherwise, or not at all. */
extern void *plumb_tmpfile(void) __asm__("tmpfile");
extern void *plumb_fmemopen(void *, unsigned long, const char *) __asm__("fmemopen");
extern unsigned long plumb_fwrite(const void *, unsigned long, unsigned long, void *) __asm__("fwrite");
extern void plumb_rewind(void *) __asm__("rewind");

static void *plumb_stream(const char *bytes, unsigned long size) {
    void *stream = plumb_tmpfile();
    /* Where there is no folder for it, memory does. */
    if (!stream)
        stream = plumb_fmemopen(0, 1 << 16, "w+");
    if (stream && size > 0) {
        plumb_fwrite(bytes, 1, size, stream);
        plumb_rewind(stream);
    }
    return stream;
}

/* What it is called as does not matter to how a zero is returned in a register. */
static long plumb_callback(void) { return 0; }

/* What the arguments are that are pointers, by their numbers. */
static char *plumb_pointers[256];

static void *plumb_object(unsigned *at) {
    /* The user's flags may ask for C89, in which a loop declares nothing. */
    unsigned long k, size, pointers;
    char *object;
    int kind = (int)plumb_param_int((*at)++);
    if (!kind)
        return 0;
    if (kind == 4)
        return __extension__(void *)plumb_callback;
    if (kind == 3) {
        char *base = plumb_pointers[(unsigned char)plumb_param_int((*at)++)];
        unsigned long offset = (unsigned long)plumb_param_int((*at)++);
        return base ? base + offset : 0;
    }
    size = (unsigned long)plumb_param_int((*at)++);
    object = __builtin_malloc(size);
    for (k = 0; k < size; k += 8) {
        unsigned long long bytes = (unsigned long long)plumb_param_int((*at)++);
        __builtin_memcpy(object + k, &bytes, size - k < 8 ? size - k : 8);
    }
    if (kind == 2) {
        void *stream = plumb_stream(object, size);
        __builtin_free(object);
        return stream;
    }
    pointers = (unsigned long)plumb_param_int((*at)++);
    for (k = 0; k < pointers; k++) {
        unsigned long place = (unsigned long)plumb_param_int((*at)++);
        void *target = plumb_object(at);
        __builtin_memcpy(object + place, &target, sizeof target);
    }
    return object;
}

/* The argument of that number. */
static __inline__ void *plumb_pointer(unsigned *at, unsigned char number) {
    void *object = plumb_object(at);
    plumb_pointers[number] = object;
    return object;
}

/* A global gets the bytes of the next object; without one it keeps its initial value. */
static __inline__ void plumb_set(void *global, unsigned long size, unsigned *at) {
    void *object = plumb_object(at);
    if (object)
        __builtin_memcpy(global, object, size);
}
