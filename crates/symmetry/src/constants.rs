//! The numbers that a function's text mentions: where behaviour changes, a domain should have values.
//!
//! *Order*: what is compared with comes first (conditions and cases, outermost function first), then what is computed
//! with, then the characters of short strings. Each number once.

use ir::{Base, BinaryOp, CallGraph, Expr, ExprKind, FunctionId, GlobalKind, InitValue, Program, StmtKind};
use std::collections::BTreeSet;

/// Strings longer than this are messages, whose characters say nothing.
const LONGEST_STRING: usize = 16;

/// The numbers that the function and what it calls mention.
pub(super) fn mentioned(program: &Program, entry: FunctionId) -> Vec<i128> {
    let mut found = Mentioned::default();
    for id in CallGraph::new(program).reachable(entry) {
        let Some(body) = &program.functions[id].body else { continue };
        body.walk(&mut |stmt| {
            if let StmtKind::Switch { arms, .. } = &stmt.kind {
                arms.iter().for_each(|arm| found.compared.extend([arm.low, arm.high]));
            }
            stmt.exprs().into_iter().for_each(|expr| expr.walk(&mut |part| found.note(program, part)));
        });
    }
    let Mentioned { compared, computed, characters } = found;
    let mut seen = BTreeSet::new();
    compared.into_iter().chain(computed).chain(characters).filter(|number| seen.insert(*number)).collect()
}

#[derive(Default)]
struct Mentioned {
    compared: Vec<i128>,
    computed: Vec<i128>,
    characters: Vec<i128>,
}

impl Mentioned {
    fn note(&mut self, program: &Program, part: &Expr) {
        match &part.kind {
            ExprKind::Binary(op, a, b) => {
                let numbers = [a, b].into_iter().filter_map(|side| literal(side));
                match op.is_comparison() {
                    true => self.compared.extend(numbers),
                    false if *op != BinaryOp::PointerAdd => self.computed.extend(numbers),
                    false => {}
                }
            }
            ExprKind::AddressOf(lvalue) => {
                let Base::Global(id) = lvalue.base else { return };
                let global = &program.globals[id];
                if global.kind != GlobalKind::StringLiteral {
                    return;
                }
                for item in global.init.iter().flat_map(|init| &init.items) {
                    if let InitValue::Bytes(bytes) = &item.value
                        && bytes.len() <= LONGEST_STRING
                    {
                        self.characters.extend(bytes.iter().map(|byte| i128::from(*byte)));
                    }
                }
            }
            _ => {}
        }
    }
}

fn literal(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Convert { value, .. } => literal(value),
        ExprKind::Unary(ir::UnaryOp::Neg, inner) => literal(inner).and_then(i128::checked_neg),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_with_comes_first() {
        let text = "static int g(int c) { switch (c) { case 'I': return 1; case 'V': return 5; } return -1; } \
                    int f(int x) { return x > 1000 ? g(x % 7) : g(x); }";
        let program = cfront::load_text(&[("t.c", text)]).unwrap_or_else(|_| panic!("{text} should be read")).program;
        let entry = program.find_function("f").expect("the text should define f");
        let mut first = mentioned(&program, entry);
        assert_eq!(first.pop(), Some(7));
        first.sort_unstable();
        assert_eq!(first, [73, 86, 1000]);
    }
}
