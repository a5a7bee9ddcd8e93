//! Where a normalisation program may compute otherwise than with whole numbers.
//!
//! The inverse knows whole numbers; C's unsigned operations wrap around, and conversions can change a value. A representation
//! that needs this is not found, so that a search that ends has not excluded it. *Guarantee*: if nothing is found here, every
//! operation gives what whole numbers give, signed overflow aside, which is undefined. The steps of loops that count are
//! not looked at: a counter stays below the bound that ends its loop.

use diagnostics::Span;
use ir::{BinaryOp, Block, Expr, ExprKind, Function, IntKind, LocalId, LocalKind, Program, StmtKind, UnaryOp};

/// The first operation that may wrap around, or conversion that may change a value.
pub fn may_wrap(program: &Program, function: &Function) -> Option<Span> {
    let mut ranges = Ranges { program, function, wraps: None };
    let lengths = function.params.iter().filter_map(|&param| function.locals[param].declared_length.as_ref());
    for length in lengths {
        ranges.length(length);
    }
    if let Some(body) = &function.body {
        ranges.block(body);
    }
    ranges.wraps
}

struct Ranges<'p> {
    program: &'p Program,
    function: &'p Function,
    wraps: Option<Span>,
}

impl Ranges<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assign { target, value }
                    if target.as_local().is_some_and(|local| self.is_temporary(local)) =>
                {
                    self.length(value);
                }
                _ => stmt.exprs().into_iter().for_each(|expr| _ = self.of(expr)),
            }
            match &stmt.kind {
                StmtKind::Loop(looped) => [&looped.pre, &looped.body].into_iter().for_each(|inner| self.block(inner)),
                _ => stmt.blocks().into_iter().for_each(|inner| self.block(inner)),
            }
        }
    }

    fn is_temporary(&self, local: LocalId) -> bool {
        self.function.locals[local].kind == LocalKind::Temporary
    }

    /// A length, which declarators keep in variables of their own: it is converted to the type of sizes, and a negative one is
    /// undefined.
    fn length(&mut self, length: &Expr) {
        match &length.kind {
            ExprKind::Convert { value, .. } => self.of(value),
            _ => self.of(length),
        };
    }

    /// The least and the largest value, by types and constants alone.
    fn of(&mut self, expr: &Expr) -> (i128, i128) {
        let kind = self.program.types.int_kind(expr.ty);
        let any = kind.map_or((0, 0), |kind| (kind.min(), kind.max()));
        let whole = match &expr.kind {
            ExprKind::Int(value) => (*value, *value),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let (low, high) = self.of(a);
                (high.saturating_neg(), low.saturating_neg())
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                bounds(*op, a, b).unwrap_or(any)
            }
            ExprKind::Logical(_, a, b) => {
                self.of(a);
                self.of(b);
                (0, 1)
            }
            ExprKind::Conditional(c, a, b) => {
                self.of(c);
                let (a, b) = (self.of(a), self.of(b));
                (a.0.min(b.0), a.1.max(b.1))
            }
            ExprKind::Convert { value, .. } if self.program.types.int_kind(value.ty).is_some() => self.of(value),
            _ => {
                for child in expr.children() {
                    self.of(child);
                }
                any
            }
        };
        let Some(kind) = kind else { return any };
        if kind.contains(whole.0) && kind.contains(whole.1) {
            return whole;
        }
        // Where a signed operation leaves its type nothing is defined; a conversion is.
        let defined = !kind.is_signed() || matches!(expr.kind, ExprKind::Convert { .. });
        if defined && kind != IntKind::Bool {
            self.wraps.get_or_insert(expr.span);
        }
        any
    }
}

/// Between what the exact result of an operator lies whose operands lie between these; `None` where only the type says.
fn bounds(op: BinaryOp, a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    match op {
        BinaryOp::Add => Some((a.0.saturating_add(b.0), a.1.saturating_add(b.1))),
        BinaryOp::Sub => Some((a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))),
        BinaryOp::Mul => {
            let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| x.saturating_mul(y));
            Some((ends.into_iter().fold(i128::MAX, i128::min), ends.into_iter().fold(i128::MIN, i128::max)))
        }
        BinaryOp::Div if b.0 == b.1 && b.0 > 0 => Some((a.0 / b.0, a.1 / b.0)),
        BinaryOp::Rem if b.0 == b.1 && b.0 > 0 => Some((a.0.min(0).max(1 - b.0), a.1.max(0).min(b.0 - 1))),
        _ if op.is_comparison() => Some((0, 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::arith;

    /// All pairs of small intervals: no value that C defines lies outside.
    #[test]
    fn bounds_hold_for_all_members() {
        let intervals: Vec<(i128, i128)> = (-4..=4).flat_map(|low| (low..=4).map(move |high| (low, high))).collect();
        for op in BinaryOp::NUMERIC {
            for &a in &intervals {
                for &b in &intervals {
                    let Some((low, high)) = bounds(op, a, b) else { continue };
                    for x in a.0..=a.1 {
                        for y in b.0..=b.1 {
                            let Ok(value) = arith::binary(op, IntKind::Int, x, IntKind::Int, y) else { continue };
                            assert!((low..=high).contains(&value), "{x} {op:?} {y} in {a:?} and {b:?}");
                        }
                    }
                }
            }
        }
    }

    fn wraps(text: &str) -> bool {
        let program = cfront::load_text(&[("t.c", text)]).unwrap_or_else(|_| panic!("{text} should be read")).program;
        let id = program.find_function("f").expect("the text should define f");
        may_wrap(&program, &program.functions[id]).is_some()
    }

    #[test]
    fn unsigned_operations_and_conversions_are_seen() {
        assert!(wraps("void f(unsigned x, unsigned *y) { *y = x * x; }"));
        assert!(wraps("void f(signed char x, unsigned *y) { *y = x; }"));
        assert!(wraps("void f(unsigned char x, unsigned *y) { *y = x - 250u; }"));
        assert!(wraps("void f(unsigned char x, unsigned char *y) { *y = x + 1; }"));
        assert!(wraps("void f(int x, int *y) { *y = x < 10u; }"));
        assert!(wraps("void f(unsigned n, const char a[n - 1], char *y) { *y = a[0]; }"));
        assert!(!wraps("void f(unsigned char x, int *y) { *y = x / 16 * 10 + x % 7; }"));
        assert!(!wraps("void f(unsigned char x, unsigned char *y) { *y = x / 2 + (x > 3 ? 1 : 0); }"));
        assert!(!wraps("void f(int n, const int a[n], int b[n]) { for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; }"));
        assert!(!wraps(
            "void f(unsigned n, const int a[n], int b[n]) { for (unsigned i = 0; i < n; i++) b[i] = a[i]; }"
        ));
    }
}
