//! What a function may remember from one call to the next, or take from elsewhere than its arguments.
//!
//! A relation that holds of all calls in one order is proved only if the answers do not depend on the order. *Guarantee*:
//! where nothing is listed, the function's answers depend on its arguments alone, as long as its behaviour is defined.
//! Globals that nothing can have changed do not count. Of reads of what was never written those of plain variables are listed.

use crate::addresses;
use ir::hazards::NodeKey;
use ir::{
    Base, Block, CallGraph, Callee, Expr, ExprKind, FunctionId, GlobalId, InitValue, Initialised, LocalKind, Lvalue,
    Program, RecordKind, Step, Stmt, StmtKind, Type, TypeId, changeable_globals,
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
    let world = World { program, changeable: changeable_globals(program) };
    let mut found = BTreeSet::new();
    for id in called(program, entry) {
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
        body.walk(&mut |stmt| {
            stmt.exprs().into_iter().for_each(|expr| world.uses(expr, &mut found));
            if let Some(Base::Global(id)) = target(stmt).map(|target| &target.base) {
                found.insert(format!("{CHANGES}`{}`", program.globals[*id].name));
            }
            if let Some(what) = stmt.obstacle() {
                found.insert(format!("it contains {what}"));
            }
            if let StmtKind::Unordered(open) = &stmt.kind {
                found.insert(format!("the order of evaluation is open: {}", open.what));
            }
            if addresses::are_read(program, function, stmt) {
                found.insert("it looks at an address as a number".to_string());
            }
        });
    }
    let also_changed = |clause: &String| {
        let name = clause.strip_prefix(USES).and_then(|rest| rest.strip_suffix(CHANGED));
        name.is_some_and(|name| found.contains(&format!("{CHANGES}{name}")))
    };
    found.iter().filter(|clause| !also_changed(clause)).cloned().collect()
}

/// The parts of clauses about a global that is named between or behind them.
const CHANGES: &str = "it changes the global ";
const USES: &str = "it uses the global ";
const CHANGED: &str = ", which may have been changed";

/// The functions that a call may come to, also those that library functions are given.
pub fn called(program: &Program, entry: FunctionId) -> BTreeSet<FunctionId> {
    let graph = CallGraph::new(program);
    let mut all = BTreeSet::new();
    let mut open = vec![entry];
    while let Some(next) = open.pop() {
        for id in graph.reachable(next) {
            if all.insert(id) && takes_functions(program, id) {
                open.extend(graph.may_call_back(program, id));
            }
        }
    }
    all
}

fn takes_functions(program: &Program, id: FunctionId) -> bool {
    let is_function = |ty: TypeId| program.types.pointee(ty).is_some_and(|to| program.types.signature(to).is_some());
    program
        .types
        .signature(program.functions[id].ty)
        .is_none_or(|taken| taken.unprototyped || taken.params.iter().any(|ty| is_function(*ty)))
}

fn target(stmt: &Stmt) -> Option<&Lvalue> {
    match &stmt.kind {
        StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
        StmtKind::Call { result, .. } => result.as_ref(),
        _ => None,
    }
}

/// What lies around the calls.
struct World<'p> {
    program: &'p Program,
    /// Globals that hold something else than their initial values once something has run.
    changeable: BTreeSet<GlobalId>,
}

impl World<'_> {
    fn uses(&self, expr: &Expr, found: &mut BTreeSet<String>) {
        let program = self.program;
        expr.walk(&mut |part| {
            let (lvalue, is_load) = match &part.kind {
                ExprKind::Load(lvalue) => (lvalue, true),
                ExprKind::AddressOf(lvalue) => (lvalue, false),
                _ => return,
            };
            let Base::Global(id) = &lvalue.base else { return };
            let global = &program.globals[*id];
            let name = &global.name;
            if is_load && global.is_volatile {
                found.insert(format!("the global `{name}` is volatile"));
            } else if self.changeable.contains(id) {
                found.insert(match is_load {
                    true => format!("{USES}`{name}`{CHANGED}"),
                    false => format!("it uses a pointer to the global `{name}`"),
                });
            } else if program.types.holds_pointers(lvalue.ty) && self.leads_to_changeable(*id) {
                found.insert(format!("it uses the pointer that the global `{name}` holds"));
            }
        });
    }

    /// Whether the pointers in a global that keeps its initial value lead to what may be changed.
    fn leads_to_changeable(&self, from: GlobalId) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            // Another file says where these lead.
            let Some(init) = &self.program.globals[id].init else { return true };
            for item in &init.items {
                let InitValue::Expr(value) = &item.value else { continue };
                value.walk(&mut |part| {
                    if let ExprKind::AddressOf(Lvalue { base: Base::Global(to), .. }) = &part.kind {
                        open.push(*to);
                    }
                });
            }
            if open.iter().any(|to| self.changeable.contains(to)) {
                return true;
            }
        }
        false
    }
}

/// A read of the last error, which earlier calls have set. That it is set says nothing; a pointer to it that is passed on
/// may be read through.
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
    let is_place = |part: &Expr| matches!(&part.kind, ExprKind::Load(Lvalue { base: Base::Local(local), .. }) if places.contains(local));
    body.walk(&mut |stmt| {
        let sets = match &stmt.kind {
            StmtKind::Assign { target: Lvalue { base: Base::Deref(pointer), .. }, .. } if is_place(pointer) => {
                Some(&**pointer)
            }
            _ => None,
        };
        for expr in stmt.exprs() {
            expr.walk(&mut |part| {
                if is_place(part) && !sets.is_some_and(|pointer| std::ptr::eq(pointer, part)) {
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
        check("static int t[3]; int f(int x) { return t[x]; }", &[]);
        check("int t[3]; int f(int x) { return t[x]; }", &["it uses the global `t`, which may have been changed"]);
        check(
            "static int n; void set(int x) { n = x; } int f(int x) { return n + x; }",
            &["it uses the global `n`, which may have been changed"],
        );
        check(
            "static int n; int f(int x) { *(unsigned *)&n = x; return x; }",
            &["it uses a pointer to the global `n`"],
        );
        check(
            "static int n; static const int *p = &n; int f(int x) { const int *q = p; *(int *)q = x; return x; }",
            &["it uses the pointer that the global `p` holds"],
        );
        check(
            "static const int n; static const int *const p = &n; int f(int x) { const int *q = p; return *q + x; }",
            &[],
        );
        check("int n; int f(int x) { n = x; return x; }", &["it changes the global `n`"]);
        check("int f(int x) { static int n; return n++ + x; }", &["it changes the global `n`"]);
        check("int n; int f(int x) { int *p = &n; *p = x; return x; }", &["it uses a pointer to the global `n`"]);
        check("int n; void g(void) { n++; } int f(int x) { g(); return x; }", &["it changes the global `n`"]);
        check(
            "static int n, *p = &n; int f(int x) { return x + ++*p; }",
            &["it uses the pointer that the global `p` holds"],
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
        let number = ["it looks at an address as a number"];
        check("int f(int x) { union { int *p; long n; } u; u.p = &x; return u.n % 9; }", &number);
        check("int f(int x) { int *p = &x; return ((char *)&p)[1]; }", &number);
        check(
            "void *memcpy(void *, const void *, unsigned long); \
             int f(int x) { int *p = &x; long n; memcpy(&n, &p, 8); return n % 9; }",
            &number,
        );
        check(
            "void *memcpy(void *, const void *, unsigned long); \
             int f(int x) { int *p = &x, *q; memcpy(&q, &p, sizeof q); return *q; }",
            &[],
        );
        check(
            "int sprintf(char *, const char *, ...); int f(int x) { char b[99]; sprintf(b, \"%-20p\", &x); return b[9]; }",
            &number,
        );
        check(
            "static int n; static int order(const void *a, const void *b) { return ++n; } \
             void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); \
             int f(int x) { int v[2] = {x, 1}; qsort(v, 2, sizeof *v, order); return v[0]; }",
            &["it changes the global `n`"],
        );
        check("int odd(int); int f(int x) { return odd(x); }", &["it calls `odd`, of which nothing is known"]);
    }
}
