//! Constant folding against [`ir::arith`]: initialisers of `static` objects have the concrete value, wrapped where an
//! overflow of a signed type is folded, and what has no value is no constant.

use ir::arbitrary::borders;
use ir::{BinaryOp, ExprKind, InitValue, IntKind, arith};
use std::fmt::Write as _;

const OPS: [BinaryOp; 16] = BinaryOp::NUMERIC;

/// The operand as C writes it; the least number of a type has no literal.
fn operand(kind: IntKind, value: i128) -> String {
    let c = kind.c_name();
    match kind.is_signed() {
        true => format!("({c})({}LL - 1)", value + 1),
        false => format!("({c}){value}ULL"),
    }
}

#[test]
fn initialisers_have_the_concrete_value() {
    let (mut text, mut expected) = (String::new(), Vec::new());
    for kind in [IntKind::SChar, IntKind::UShort, IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong] {
        let promoted = kind.promoted();
        for op in OPS {
            let result = if op.is_comparison() { IntKind::Int } else { promoted };
            for a in borders(kind) {
                for b in borders(kind).into_iter().step_by(2) {
                    let value = match arith::binary(op, promoted, a, promoted, b) {
                        Ok(value) => Some(value),
                        Err(undefined) => undefined.wrapped(),
                    };
                    let Some(value) = value else { continue };
                    let (a, b, number) = (operand(kind, a), operand(kind, b), expected.len());
                    writeln!(text, "static {} g{number} = {a} {} {b};", result.c_name(), op.symbol()).unwrap();
                    expected.push(value);
                }
            }
        }
    }
    writeln!(text, "int main(void) {{ return 0; }}").unwrap();
    let program = cfront::load_text(&[("folding.c", &text)]).expect("the initialisers should be constant").program;
    for (number, expected) in expected.into_iter().enumerate() {
        let name = format!("g{number}");
        let global = program.globals.values().find(|global| global.name == name);
        let init = global.and_then(|global| global.init.as_ref()).expect("the object should have an initialiser");
        let found = match init.items.first().map(|item| &item.value) {
            Some(InitValue::Expr(value)) => match value.kind {
                ExprKind::Int(value) => value,
                ref other => panic!("{name} is {other:?}"),
            },
            // Zeros are left out.
            _ => 0,
        };
        assert_eq!(found, expected, "{}", text.lines().nth(number).unwrap_or_default());
    }
}

#[test]
fn what_has_no_value_is_no_constant() {
    for value in ["1 / 0", "1 % 0", "1 << 32", "1 << -1", "(int)1e10", "(unsigned)-1.0"] {
        let text = format!("static int g = {value}; int main(void) {{ return g; }}");
        assert!(cfront::load_text(&[("folding.c", &text)]).is_err(), "{value}");
    }
}
