//! What a function may remember from one call to the next, or take from elsewhere than its arguments.
//!
//! A relation that holds of all calls in one order is proved only if the answers do not depend on the order. *Guarantee*:
//! where nothing is listed, the function's answers depend on its arguments alone, as long as its behaviour is defined.
//! Globals that are only read do not count. Of reads of what was never written those of plain variables are listed.

use ir::hazards::NodeKey;
use ir::{
    Base, Block, CallGraph, Callee, Expr, ExprKind, FunctionId, GlobalKind, Initialised, IntKind, LocalKind, Lvalue,
    Program, RecordKind, Step, StmtKind, Type, TypeId,
};
use std::collections::BTreeSet;

/// Headers whose functions answer by their arguments and by what these point to, apart from [`OUTSIDE`].
const BY_ARGUMENTS: [&str; 7] = ["string.h", "stdlib.h", "ctype.h", "wchar.h", "math.h", "compiler", "fortify"];

/// Functions of these headers whose results do not follow from their arguments.
const OUTSIDE: [&str; 17] = [
    "rand",
    "random",
    "srand",
    "srandom",
    "drand48",
    "lrand48",
    "mrand48",
    "srand48",
    "getenv",
    "secure_getenv",
    "strtok",
    "strerror",
    "malloc_usable_size",
    "__fgets_chk",
    "__fread_chk",
    "__read_chk",
    "__ctype_get_mb_cur_max",
];

/// Functions of other headers that answer by their arguments too. What is printed is taken to arrive.
const PRINTING: [&str; 24] = [
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "fflush",
    "perror",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "sscanf",
    "vsscanf",
    "asprintf",
    "vasprintf",
    "difftime",
    "gmtime_r",
    "timegm",
    "__errno_location",
];

/// Whether the answers of a library function follow from its arguments.
fn answers_by_arguments(name: &str, header: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    PRINTING.contains(&plain) || BY_ARGUMENTS.contains(&header) && !OUTSIDE.contains(&plain)
}

/// Clauses such as ``it changes the global `seen` ``, in alphabetical order; empty if there is nothing.
pub fn remembered(program: &Program, entry: FunctionId) -> Vec<String> {
    let graph = CallGraph::new(program);
    let mut found = BTreeSet::new();
    for id in graph.reachable(entry) {
        let function = &program.functions[id];
        let Some(body) = &function.body else {
            match exec::libc::lookup(&function.name) {
                Some(model) if answers_by_arguments(&function.name, model.header) => {}
                Some(_) => {
                    found.insert(format!("it calls `{}`", function.name));
                }
                None => {
                    found.insert(format!("it calls `{}`, of which nothing is known", function.name));
                }
            }
            continue;
        };
        read_unwritten(program, id, body, &mut found);
        read_errno(program, body, &mut found);
        body.walk(&mut |stmt| stmt.exprs().into_iter().for_each(|expr| from_elsewhere(program, expr, &mut found)));
        body.walk(&mut |stmt| {
            if let Some(what) = stmt.obstacle() {
                found.insert(format!("it contains {what}"));
            }
        });
        body.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { target, value } => {
                written(program, target, &mut found);
                addresses(program, value, &mut found);
                if holds_pointer(program, value.ty) {
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
            StmtKind::Return(Some(value)) => {
                addresses(program, value, &mut found);
                if holds_pointer(program, value.ty) {
                    pointers(program, value, &mut found);
                }
            }
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
            && holds_pointer(program, lvalue.ty)
        {
            found.insert(format!("it uses the pointer that the global `{}` holds", program.globals[*id].name));
        }
    });
}

/// Whether a value of the type is a pointer that may be written through, or has one in it.
fn holds_pointer(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Pointer { to, to_const } => !to_const && program.types.signature(*to).is_none(),
        Type::Array { of, .. } => holds_pointer(program, *of),
        Type::Record(id) => {
            let fields = program.types.records[*id].fields.iter().flatten();
            fields.into_iter().any(|field| holds_pointer(program, field.ty))
        }
        _ => false,
    }
}

/// Addresses that are looked at as numbers differ from process to process, and volatile objects from read to read.
fn from_elsewhere(program: &Program, expr: &Expr, found: &mut BTreeSet<String>) {
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Convert { value, .. }
            if program.types.is_pointer(value.ty)
                && !program.types.is_pointer(part.ty)
                && is_address(value)
                && !matches!(program.types.get(part.ty), Type::Void | Type::Int(IntKind::Bool)) =>
        {
            found.insert("it looks at an address as a number".to_string());
        }
        ExprKind::Load(Lvalue { base: Base::Global(id), .. }) if program.globals[*id].is_volatile => {
            found.insert(format!("the global `{}` is volatile", program.globals[*id].name));
        }
        _ => {}
    });
}

/// Whether a pointer comes from an object, not from a number as in `offsetof`.
fn is_address(pointer: &Expr) -> bool {
    let mut is_address = false;
    pointer.walk(&mut |part| match &part.kind {
        ExprKind::Load(_) | ExprKind::Function(_) => is_address = true,
        ExprKind::AddressOf(lvalue) => is_address |= !matches!(lvalue.base, Base::Deref(_)),
        _ => {}
    });
    is_address
}

/// A read of the last error, which earlier calls have set. That it is set says nothing.
fn read_errno(program: &Program, body: &Block, found: &mut BTreeSet<String>) {
    let mut places = BTreeSet::new();
    body.walk(&mut |stmt| {
        if let StmtKind::Call { result: Some(Lvalue { base: Base::Local(local), .. }), callee, .. } = &stmt.kind
            && let Callee::Function(id) = callee
            && program.functions[*id].name == "__errno_location"
        {
            places.insert(*local);
        }
    });
    let is_place = |pointer: &Expr| {
        let mut is_place = false;
        pointer.walk(&mut |part| {
            if let ExprKind::Load(Lvalue { base: Base::Local(local), .. }) = &part.kind {
                is_place |= places.contains(local);
            }
        });
        is_place
    };
    body.walk(&mut |stmt| {
        for expr in stmt.exprs() {
            expr.walk(&mut |part| {
                if let ExprKind::Load(Lvalue { base: Base::Deref(pointer), .. }) = &part.kind
                    && is_place(pointer)
                {
                    found.insert("it looks at `errno`".to_string());
                }
            });
        }
    });
}

/// Variables that may be read before they are written: they hold what the stack holds. Those that others may fill, through
/// a pointer, element by element or by another member of a union, are taken to be filled.
fn read_unwritten(program: &Program, id: FunctionId, body: &Block, found: &mut BTreeSet<String>) {
    let known = Initialised::of(program, id);
    let function = &program.functions[id];
    let mut filled = BTreeSet::new();
    body.walk(&mut |stmt| {
        for expr in stmt.exprs() {
            expr.walk(&mut |part| {
                if let ExprKind::AddressOf(Lvalue { base: Base::Local(local), .. }) = &part.kind {
                    filled.insert(*local);
                }
            });
        }
        if let StmtKind::Assign { target, .. } | StmtKind::Call { result: Some(target), .. } = &stmt.kind
            && let Base::Local(local) = target.base
            && target
                .path
                .iter()
                .any(|step| matches!(step, Step::Index(index) if !matches!(index.kind, ExprKind::Int(_))))
        {
            filled.insert(local);
        }
    });
    body.walk(&mut |stmt| {
        for expr in stmt.exprs() {
            expr.walk(&mut |part| {
                if let ExprKind::Load(Lvalue { base: Base::Local(local), .. }) = &part.kind
                    && function.locals[*local].kind == LocalKind::Variable
                    && !filled.contains(local)
                    && !known.loads.contains(&NodeKey::of(part))
                    && !has_union(program, function.locals[*local].ty)
                {
                    found.insert(format!("`{}` may be read before it is written", function.locals[*local].name));
                }
            });
        }
    });
}

fn has_union(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Array { of, .. } => has_union(program, *of),
        Type::Record(id) => {
            let record = &program.types.records[*id];
            record.kind == RecordKind::Union || record.fields.iter().flatten().any(|field| has_union(program, field.ty))
        }
        _ => false,
    }
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
        check(
            "static int n; static struct { int *p; } g = {&n}; int f(int x) { __typeof__(g) s = g; return x + ++*s.p; }",
            &["it uses the pointer that the global `g` holds"],
        );
        check(
            "static int n, *p = &n; static int *at(void) { return p; } int f(int x) { return x + ++*at(); }",
            &["it uses the pointer that the global `p` holds"],
        );
        check("int f(int x) { return x + ((long)&x % 7 == 3); }", &["it looks at an address as a number"]);
        check(
            "int f(int x) { int *p = &x; return !p + (p ? x : 0) + __builtin_offsetof(struct { int a, b; }, b); }",
            &[],
        );
        check("volatile int n; int f(int x) { return x + n; }", &["the global `n` is volatile"]);
        check("int f(int x) { int r; if (x > 5) r = x; return r; }", &["`r` may be read before it is written"]);
        check("int f(int x) { int a[2]; a[0] = x; return a[0] + a[1]; }", &["`a` may be read before it is written"]);
        check("int f(int x) { int a[2]; for (int i = 0; i < 2; i++) a[i] = x; return a[1]; }", &[]);
        check(
            "int *__errno_location(void); int f(int x) { return *__errno_location() ? x : 0; }",
            &["it looks at `errno`"],
        );
        check("int *__errno_location(void); int f(int x) { *__errno_location() = x; return x; }", &[]);
        check(
            "char *setlocale(int, const char *); int f(int x) { return x + !setlocale(0, 0); }",
            &["it calls `setlocale`"],
        );
        check("int sprintf(char *, const char *, ...); int f(int x) { char b[9]; return sprintf(b, \"%d\", x); }", &[]);
        check("int odd(int); int f(int x) { return odd(x); }", &["it calls `odd`, of which nothing is known"]);
    }
}
