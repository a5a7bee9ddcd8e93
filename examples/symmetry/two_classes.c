/* Two classes that implement the same method differently, and a user of either. An object of class B stands for the
   pair (B, C), one of class C for (C, B), the answer 0 for the pair (0, 1) and 1 for (1, 0). If the classes change
   places, so do the answers: Ψ2,2. */
enum class { B, C };

struct pair {
    int own, other;
};

static int method_of_b(void) { return 0; }
static int method_of_c(void) { return 1; }

static int method(enum class object) { return object == B ? method_of_b() : method_of_c(); }

struct pair use(enum class first, enum class second) {
    struct pair answer;
    (void)second;
    answer.own = method(first);
    answer.other = 1 - answer.own;
    return answer;
}
