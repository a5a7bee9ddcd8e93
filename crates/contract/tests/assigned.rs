//! What functions may change, as a list of places or as "anything": never less than they do.

use contract::assigned::assigned;
use ir::CallGraph;
use ir::effects::Effects;

/// The places of a function in a program of these declarations, as ACSL writes them; `anything` where that is not known.
fn places(text: &str, name: &str) -> String {
    let folder = std::env::temp_dir().join(format!("plumb-assigned-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder should be made");
    let path = folder.join("program.c");
    std::fs::write(&path, text).expect("a file should be written");
    let loaded = cfront::load(&[path], &cfront::preprocess::Options::default());
    std::fs::remove_dir_all(&folder).expect("the folder should go");
    let Ok(loaded) = loaded else { panic!("this should be C: {text}") };
    let program = loaded.program;
    let function = program.find_function(name).expect("the function should be there");
    let found = &assigned(&program, &CallGraph::new(&program), &Effects::new(&program))[function];
    if found.everything.is_some() {
        return "anything".to_string();
    }
    let about = &program.functions[function];
    found.places.iter().map(|place| place.text(&program, about)).collect::<Vec<_>>().join(", ")
}

const NODES: &str = "#include <stdlib.h>\n#include <string.h>\n\
    struct node { struct node *next; int value; };\nstruct vec { int *items; int count; };\n\
    union both { int number; char bytes[4]; };\nint level;\n";

#[test]
fn changes_are_never_less_than_they_are() {
    let table = [
        ("void f(struct node *n) { n->value = 1; }", "n->value"),
        ("void f(struct node *n) { n->next->value = 1; }", "n->next->value"),
        // A pointer that is set leads elsewhere than it did before the call.
        ("void f(struct node *n, struct node *m) { n->next = m; n->next->value = 1; }", "anything"),
        ("void f(struct node *n, struct node *m) { *n = *m; n->next->value = 1; }", "anything"),
        ("void f(struct node *n, struct node *m) { memcpy(n, m, sizeof *n); n->next->value = 1; }", "anything"),
        (
            "static void g(struct node *n, struct node *m) { n->next = m; }\n\
          void f(struct node *n, struct node *m) { g(n, m); n->next->value = 1; }",
            "anything",
        ),
        ("void f(struct node **n, struct node *m) { *n = m; (*n)->value = 1; }", "anything"),
        // New memory is nobody's.
        ("void f(struct vec *v) { v->items = malloc(8); if (v->items) v->items[0] = 1; }", "v->items, v->items[..]"),
        ("void f(struct vec *v) { v->items[v->count++] = 1; }", "v->count, v->items[..]"),
        ("void f(struct vec *v) { free(v->items); v->items = 0; }", "v->items"),
        // A call that fills goes as far as its object.
        ("void f(struct vec *v) { memset(&v->count, 0, sizeof v->count); }", "v->count"),
        ("void f(struct vec *v) { memset(&v->count, 0, 99); }", "anything"),
        ("void f(int *a, int n) { memset(a, 0, n); }", "a[..]"),
        ("void f(union both *b) { b->bytes[0] = 1; }", "what b reaches"),
        ("void f(struct node *n) { ((char *)n)[3] = 1; }", "what n reaches"),
        ("static void g(int k) { level = k; }\nstatic void h(int k) { g(k); }\nvoid f(int k) { h(k); }", "level"),
        ("void f(struct node *n, void (*g)(struct node *)) { g(n); }", "anything"),
        ("void unknown(void);\nvoid f(void) { unknown(); }", "anything"),
        ("struct node *head;\nvoid f(void) { head->value = 1; }", "anything"),
        ("void f(int **p) { **p = 1; }", "what p reaches"),
        (
            "void f(struct node *n, struct node *m) { struct node *k = level ? n : m; k->value = 1; }",
            "what n reaches, what m reaches",
        ),
        ("int f(int n) { int a[4]; a[n & 3] = 1; return a[0]; }", ""),
        ("void f(unsigned n, int *out) { if (n) f(n - 1, out); else *out = 1; }", "*out"),
    ];
    let mut wrong = Vec::new();
    for (text, expected) in table {
        let found = places(&format!("{NODES}{text}\n"), "f");
        if found != expected {
            wrong.push(format!("{text}\n    `{found}`, and not `{expected}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
