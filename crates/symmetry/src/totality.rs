//! Functions of which no call can crash, hang or end the process: nothing but arithmetic and branches.
//!
//! *Guarantee*: of a function that is total here every call comes back, on any machine on which overflow and shifts do
//! not trap. Everything that could fail counts as failing: division, memory through pointers and indices, loops, jumps,
//! recursion, functions outside the program.

use ir::{Base, BinaryOp, CallGraph, Expr, ExprKind, FunctionId, Lvalue, Program, Step, StmtKind};

pub fn is_total(program: &Program, entry: FunctionId) -> bool {
    let graph = CallGraph::new(program);
    graph.reachable(entry).into_iter().all(|id| {
        let Some(body) = &program.functions[id].body else { return false };
        let mut total = !graph.is_recursive(id) && graph.sites(id).iter().all(|site| site.direct);
        body.walk(&mut |stmt| {
            total &= match &stmt.kind {
                _ if stmt.obstacle().is_some() => false,
                StmtKind::Assign { target, value } => plain(target) && simple(value),
                StmtKind::Zero(target) => plain(target),
                StmtKind::Call { result, args, .. } => result.iter().all(plain) && args.iter().all(simple),
                StmtKind::If { cond, .. } => simple(cond),
                StmtKind::Switch { value, .. } => simple(value),
                StmtKind::Return(value) => value.iter().all(simple),
                StmtKind::Live(_) | StmtKind::Block(_) | StmtKind::Break | StmtKind::Label(_) => true,
                StmtKind::Loop(_)
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::Assume(_)
                | StmtKind::Assert { .. }
                | StmtKind::Trace(_)
                | StmtKind::Unordered(_)
                | StmtKind::Unsupported(_) => false,
            }
        });
        total
    })
}

/// A variable or a field of one.
fn plain(lvalue: &Lvalue) -> bool {
    !matches!(lvalue.base, Base::Deref(_)) && lvalue.path.iter().all(|step| matches!(step, Step::Field(_)))
}

fn simple(expr: &Expr) -> bool {
    let mut simple = true;
    expr.walk(&mut |expr| {
        simple &= match &expr.kind {
            ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => plain(lvalue),
            ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
            _ => true,
        }
    });
    simple
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_fail_is_not_total() {
        let total = |text: &str| {
            let program =
                cfront::load_text(&[("t.c", text)]).unwrap_or_else(|_| panic!("{text} should be read")).program;
            is_total(&program, program.find_function("f").expect("the text should define f"))
        };
        assert!(total("int f(int x, int y) { if (x < y) return x; return y + 1; }"));
        assert!(total(
            "static int g(int x) { return x * 2; } int f(int x) { switch (x) { case 1: return 3; } return g(x); }"
        ));
        for text in [
            "int f(int x) { return 6 / x; }",
            "int f(int x) { while (x) x--; return x; }",
            "int f(int *p) { return *p; }",
            "int t[3]; int f(int x) { return t[x]; }",
            "int f(int x) { return x ? f(x - 1) : 0; }",
            "int g(int); int f(int x) { return g(x); }",
            "int f(int x) { again: x--; if (x) goto again; return x; }",
        ] {
            assert!(!total(text), "{text}");
        }
    }
}
