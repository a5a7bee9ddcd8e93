//! The numbers that a function's text mentions: where behaviour changes, a domain should have values.
//!
//! *Order*: what is compared with comes first (conditions and cases, outermost function first), then where one operation
//! leads there (12 and 36 of `3 * x == 36`), then what is computed with, then the elements of short tables and the characters
//! of short strings. Each number once.

use ir::{Base, BinaryOp, CallGraph, Expr, ExprKind, FunctionId, GlobalId, GlobalKind, InitValue, Program, StmtKind};
use std::collections::BTreeSet;

/// Strings longer than this are messages, whose characters say nothing.
const LONGEST_STRING: usize = 16;

/// Tables longer than this are data, of which a few numbers would say nothing.
const LONGEST_TABLE: usize = 16;

/// The numbers of a text, whole ones and fractions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Constants {
    pub whole: Vec<i128>,
    pub fractions: Vec<f64>,
}

/// The numbers that the function and what it calls mention.
pub(super) fn mentioned(program: &Program, entry: FunctionId) -> Constants {
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
    let Mentioned { compared, led_there, computed, listed, characters, fractions, .. } = found;
    let mut seen = BTreeSet::new();
    let all = compared.into_iter().chain(led_there).chain(computed).chain(listed).chain(characters);
    Constants { whole: all.filter(|number| seen.insert(*number)).collect(), fractions }
}

#[derive(Default)]
struct Mentioned {
    compared: Vec<i128>,
    led_there: Vec<i128>,
    computed: Vec<i128>,
    listed: Vec<i128>,
    characters: Vec<i128>,
    fractions: Vec<f64>,
    tables: BTreeSet<GlobalId>,
}

impl Mentioned {
    fn note(&mut self, program: &Program, part: &Expr) {
        match &part.kind {
            ExprKind::Float(value) if !self.fractions.contains(value) => self.fractions.push(*value),
            ExprKind::Load(lvalue) => {
                if let Base::Global(id) = lvalue.base {
                    self.list(program, id);
                }
            }
            ExprKind::Binary(op, a, b) => {
                let numbers = [a, b].into_iter().filter_map(|side| literal(side));
                match op.is_comparison() {
                    true => {
                        self.compared.extend(numbers);
                        self.lead_there(a, b);
                        self.lead_there(b, a);
                    }
                    false if *op != BinaryOp::PointerAdd => self.computed.extend(numbers),
                    false => {}
                }
            }
            ExprKind::AddressOf(lvalue) => {
                let Base::Global(id) = lvalue.base else { return };
                self.list(program, id);
            }
            _ => {}
        }
    }

    /// The numbers in a string or a table.
    fn list(&mut self, program: &Program, id: GlobalId) {
        let global = &program.globals[id];
        let items = global.init.as_ref().map_or(&[][..], |init| &init.items);
        if !self.tables.insert(id) || items.len() > LONGEST_TABLE {
            return;
        }
        for item in items {
            match &item.value {
                InitValue::Bytes(bytes) if bytes.len() <= LONGEST_STRING => {
                    let bytes = bytes.iter().map(|byte| i128::from(*byte));
                    if global.kind == GlobalKind::StringLiteral {
                        self.characters.extend(bytes);
                    } else {
                        self.listed.extend(bytes);
                    }
                }
                InitValue::Bytes(_) => {}
                InitValue::Expr(value) => match &value.kind {
                    ExprKind::Float(value) => self.fractions.push(*value),
                    _ => self.listed.extend(literal(value)),
                },
            }
        }
    }

    /// The numbers that an operation takes to what they are compared with.
    fn lead_there(&mut self, computed: &Expr, compared: &Expr) {
        let Some(number) = literal(compared) else { return };
        computed.walk(&mut |part| {
            let ExprKind::Binary(op, a, b) = &part.kind else { return };
            for other in [literal(a), literal(b)].into_iter().flatten() {
                self.led_there.extend(match op {
                    BinaryOp::Add => number.checked_sub(other),
                    BinaryOp::Sub => number.checked_add(other),
                    BinaryOp::Mul => number.checked_div(other),
                    BinaryOp::Div => number.checked_mul(other),
                    BinaryOp::BitXor => Some(number ^ other),
                    BinaryOp::Shl => u32::try_from(other).ok().and_then(|by| number.checked_shr(by)),
                    BinaryOp::Shr if (0..64).contains(&other) => number.checked_mul(1 << other),
                    _ => None,
                });
            }
        });
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
        let mut first = mentioned(&program, entry).whole;
        assert_eq!(first.pop(), Some(7));
        first.sort_unstable();
        assert_eq!(first, [73, 86, 1000]);
    }

    #[test]
    fn tables_fractions_and_what_leads_to_a_comparison_count() {
        let text = "static const int t[] = {5, 120000}; \
                    int f(int x, double y) { return x == t[1] || y == 0.25 || 3 * x == 36 || x >> 4 == 50; }";
        let program = cfront::load_text(&[("t.c", text)]).unwrap_or_else(|_| panic!("{text} should be read")).program;
        let entry = program.find_function("f").expect("the text should define f");
        let found = mentioned(&program, entry);
        assert_eq!(found.fractions, [0.25]);
        for number in [120_000, 12, 800] {
            assert!(found.whole.contains(&number), "{number} should be in {:?}", found.whole);
        }
    }
}
