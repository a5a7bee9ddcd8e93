// Characters and what they stand for.
int base64_digit(int c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

int hex_digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

unsigned hex_word(unsigned char a, unsigned char b, unsigned char c, unsigned char d) {
    int w = hex_digit(a), x = hex_digit(b), y = hex_digit(c), z = hex_digit(d);
    if (w < 0 || x < 0 || y < 0 || z < 0) return 65536;
    unsigned h = w << 12 | x << 8 | y << 4 | z;
    return h;
}

int utf8_length(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xC2) return 0;
    if (first < 0xE0) return 2;
    if (first < 0xF0) return 3;
    if (first < 0xF5) return 4;
    return 0;
}

int to_upper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

int rot13(int c) {
    if (c >= 'a' && c <= 'z') return (c - 'a' + 13) % 26 + 'a';
    if (c >= 'A' && c <= 'Z') return (c - 'A' + 13) % 26 + 'A';
    return c;
}

int digits(unsigned n) {
    int count = 1;
    while (n >= 10) {
        n /= 10;
        count++;
    }
    return count;
}

int tab_stop(int column, int width) {
    if (column < 0 || width < 1) return -1;
    return column / width * width + width;
}

int roman_weight(int c) {
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    default: return 0;
    }
}
