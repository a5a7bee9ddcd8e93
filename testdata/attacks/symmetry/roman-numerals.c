//@ class: symmetry
//@ args: symmetry --entry roman --discover --terminated
//@ never: holds
//@ never: observed
static int worth(char c) {
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    default: return 0;
    }
}
int roman(const char *s) {
    int sum = 0;
    for (; *s; s++) sum += worth(s[0]) < worth(s[1]) ? -worth(*s) : worth(*s);
    return sum;
}
