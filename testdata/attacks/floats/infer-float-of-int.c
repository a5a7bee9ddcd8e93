//@ class: floats
//@ args: infer --entry f
//@ never: proved
float f(int a) {
    float x = a;
    return x;
}
