//! What the text of a program tells about the values it tells apart: numbers, characters and strings.

use ir::{BinaryOp, Callee, ExprKind, GlobalKind, InitValue, Intrinsic, Program, StmtKind};
use std::collections::BTreeSet;

/// Whether the program asks for values while it runs.
pub fn asks(program: &Program) -> bool {
    let mut asks = false;
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            asks |= matches!(&stmt.kind, StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::Nondet), .. });
        });
    }
    asks
}

/// The numbers that the program compares something with, and the values its switches tell apart.
pub fn constants(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::new();
    let mut note = |value: i128| {
        if value.abs() <= 1 << 31 {
            found.insert(value);
        }
    };
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Switch { arms, .. } = &stmt.kind {
                arms.iter().take(64).for_each(|arm| note(arm.low));
            }
            for expr in stmt.exprs() {
                expr.walk(&mut |e| {
                    if let ExprKind::Binary(op, a, b) = &e.kind
                        && (op.is_comparison() || *op == BinaryOp::Rem)
                    {
                        for side in [a, b] {
                            side.walk(&mut |part| {
                                if let ExprKind::Int(value) = part.kind {
                                    note(value);
                                }
                            });
                        }
                    }
                });
            }
        });
    }
    found.into_iter().take(200).collect()
}

/// The characters that the program compares something with, and those of its short strings.
pub fn characters(program: &Program) -> Vec<u8> {
    let mut found: BTreeSet<u8> =
        constants(program).into_iter().filter_map(|value| u8::try_from(value).ok()).filter(|c| *c > 0).collect();
    for text in texts(program) {
        if text.len() <= 8 {
            found.extend(text);
        }
    }
    found.into_iter().collect()
}

/// The strings of the program's text that could be input: short ones.
pub fn texts(program: &Program) -> Vec<Vec<u8>> {
    let mut found = BTreeSet::new();
    for global in program.globals.values().filter(|global| global.kind == GlobalKind::StringLiteral) {
        for item in global.init.iter().flat_map(|init| &init.items) {
            if let InitValue::Bytes(bytes) = &item.value {
                let text: Vec<u8> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
                // Formats of `printf` are no input, and an input with a conversion in it would be taken for one.
                if (1..=24).contains(&text.len()) && !text.contains(&b'%') {
                    found.insert(text);
                }
            }
        }
    }
    found.into_iter().take(200).collect()
}
