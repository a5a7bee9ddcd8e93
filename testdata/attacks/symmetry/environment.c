//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
extern char **environ;
int f(int a, int b) { return a + (environ[0] != 0 && environ[0][0] == '#' ? 0 : b); }
