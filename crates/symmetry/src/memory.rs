//! What a function may remember from one call to the next, or take from elsewhere than its arguments.
//!
//! A relation that holds of all calls in one order is proved only if the answers do not depend on the order. *Guarantee*:
//! where nothing is listed, no call of the C library aside, the function's answers depend on its arguments alone, as long
//! as its behaviour is defined. Globals that are only read do not count.

use ir::{Base, CallGraph, Expr, ExprKind, FunctionId, GlobalKind, Lvalue, Program, StmtKind, Type};
use std::collections::BTreeSet;

/// Library functions whose results do not follow from their arguments.
const OUTSIDE: [&str; 36] = [
    "rand",
    "random",
    "srand",
    "srandom",
    "drand48",
    "lrand48",
    "mrand48",
    "time",
    "clock",
    "gettimeofday",
    "clock_gettime",
    "getenv",
    "getpid",
    "getcwd",
    "open",
    "close",
    "lseek",
    "stat",
    "lstat",
    "fstat",
    "access",
    "opendir",
    "readdir",
    "tmpnam",
    "raise",
    "signal",
    "sigaction",
    "read",
    "fread",
    "fgets",
    "getc",
    "getchar",
    "fgetc",
    "scanf",
    "fscanf",
    "strtok",
];

/// Clauses such as ``it changes the global `seen` ``, in alphabetical order; empty if there is nothing.
pub fn remembered(program: &Program, entry: FunctionId) -> Vec<String> {
    let graph = CallGraph::new(program);
    let mut found = BTreeSet::new();
    for id in graph.reachable(entry) {
        let function = &program.functions[id];
        let Some(body) = &function.body else {
            if OUTSIDE.contains(&function.name.as_str()) {
                found.insert(format!("it calls `{}`", function.name));
            } else if exec::libc::lookup(&function.name).is_none() {
                found.insert(format!("it calls `{}`, of which nothing is known", function.name));
            }
            continue;
        };
        body.walk(&mut |stmt| {
            if let Some(what) = stmt.obstacle() {
                found.insert(format!("it contains {what}"));
            }
        });
        body.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { target, value } => {
                written(program, target, &mut found);
                addresses(program, value, &mut found);
                if program.types.is_pointer(value.ty) {
                    pointers(program, value, &mut found);
                }
            }
            StmtKind::Zero(target) => written(program, target, &mut found),
            StmtKind::Call { result, args, .. } => {
                if let Some(target) = result {
                    written(program, target, &mut found);
                }
                for arg in args {
                    addresses(program, arg, &mut found);
                    pointers(program, arg, &mut found);
                }
            }
            StmtKind::Return(Some(value)) => addresses(program, value, &mut found),
            StmtKind::Unordered(open) => {
                found.insert(format!("the order of evaluation is open: {}", open.what));
            }
            _ => {}
        });
    }
    found.into_iter().collect()
}

fn written(program: &Program, target: &Lvalue, found: &mut BTreeSet<String>) {
    match &target.base {
        Base::Global(id) => {
            found.insert(format!("it changes the global `{}`", program.globals[*id].name));
        }
        // A pointer that a global holds outlives the call, and so does what it points to.
        Base::Deref(pointer) => pointer.walk(&mut |part| {
            if let ExprKind::Load(lvalue) = &part.kind
                && let Base::Global(id) = &lvalue.base
                && program.types.is_pointer(lvalue.ty)
            {
                found.insert(format!("it changes what the global `{}` points to", program.globals[*id].name));
            }
        }),
        Base::Local(_) => {}
    }
}

/// A pointer that is read from a global may be written through.
fn pointers(program: &Program, expr: &Expr, found: &mut BTreeSet<String>) {
    expr.walk(&mut |part| {
        if let ExprKind::Load(lvalue) = &part.kind
            && let Base::Global(id) = &lvalue.base
            && matches!(program.types.get(lvalue.ty), Type::Pointer { to, to_const: false } if program.types.signature(*to).is_none())
        {
            found.insert(format!("it uses the pointer that the global `{}` holds", program.globals[*id].name));
        }
    });
}

/// A pointer to a global that is not constant may be written through.
fn addresses(program: &Program, expr: &Expr, found: &mut BTreeSet<String>) {
    expr.walk(&mut |expr| {
        let ExprKind::AddressOf(lvalue) = &expr.kind else { return };
        let Base::Global(id) = &lvalue.base else { return };
        let global = &program.globals[*id];
        if !global.is_const && global.kind != GlobalKind::StringLiteral {
            found.insert(format!("it uses a pointer to the global `{}`", global.name));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let program = cfront::load_text(&[("t.c", text)]).unwrap_or_else(|_| panic!("{text} should be read")).program;
        let entry = program.find_function("f").expect("the text should define f");
        assert_eq!(remembered(&program, entry), expected, "{text}");
    }

    #[test]
    fn what_is_remembered_is_named() {
        check("int f(int x) { int y = x; int *p = &y; *p = 3; return y; }", &[]);
        check("static const int t[3] = {1, 2, 3}; int f(int x) { return t[x]; }", &[]);
        check("int t[3]; int f(int x) { return t[x]; }", &[]);
        check("int n; int f(int x) { n = x; return n; }", &["it changes the global `n`"]);
        check("int f(int x) { static int n; return n++ + x; }", &["it changes the global `n`"]);
        check("int n; int f(int x) { int *p = &n; *p = x; return x; }", &["it uses a pointer to the global `n`"]);
        check("int n; void g(void) { n++; } int f(int x) { g(); return x; }", &["it changes the global `n`"]);
        check(
            "static int n, *p = &n; int f(int x) { return x + ++*p; }",
            &["it changes what the global `p` points to"],
        );
        check(
            "static int n, *p = &n; int f(int x) { int *q = p; return x + ++*q; }",
            &["it uses the pointer that the global `p` holds"],
        );
        check("int rand(void); int f(int x) { return rand() + x; }", &["it calls `rand`"]);
        check("int odd(int); int f(int x) { return odd(x); }", &["it calls `odd`, of which nothing is known"]);
    }
}
