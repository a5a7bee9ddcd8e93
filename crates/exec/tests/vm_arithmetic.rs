//! The specialised arithmetic instructions against a slow twin on mathematical integers.

use diagnostics::Rule;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Scalar};
use ir::IntKind;
use proptest::prelude::*;
use std::sync::LazyLock;

const KINDS: [IntKind; 10] = {
    use IntKind::*;
    [Char, UChar, Short, UShort, Int, UInt, Long, ULong, Int128, UInt128]
};
const OPS: [&str; 16] = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!="];
/// Right operands that have instructions of their own, or nearly.
const CONSTANTS: [i64; 7] = [-1, 0, 1, 3, 7, 31, 1000];

fn name(kind: IntKind) -> usize {
    KINDS.iter().position(|&other| other == kind).expect("the kind should be one of the tested")
}

/// A function for each operator, type, and form of the right operand.
static PROGRAM: LazyLock<ir::Program> = LazyLock::new(|| {
    let mut text = String::new();
    for kind in KINDS {
        let (number, c) = (name(kind), kind.c_name());
        for (i, op) in OPS.iter().enumerate() {
            let result = if i >= 10 { "int" } else { result_kind(kind).c_name() };
            text += &format!("{result} f{number}_{i}({c} a, {c} b) {{ return a {op} b; }}\n");
            text += &format!("int j{number}_{i}({c} a, {c} b) {{ if (a {op} b) return 1; else return 0; }}\n");
            for (j, constant) in CONSTANTS.iter().enumerate() {
                text += &format!("{result} k{number}_{i}_{j}({c} a) {{ return a {op} ({c})({constant}); }}\n");
            }
        }
        text += &format!("{} n{number}({c} a) {{ return -a; }}\n", result_kind(kind).c_name());
        for to in KINDS {
            text += &format!("{} c{number}_{}({c} a) {{ return ({})a; }}\n", to.c_name(), name(to), to.c_name());
        }
    }
    cfront::load_text(&[("arithmetic.c", &text)]).expect("the functions should be accepted").program
});

static IMAGE: LazyLock<Image<'static>> = LazyLock::new(|| Image::new(&PROGRAM, exec::libc::LIBRARY));

/// The type that C's promotions compute in.
fn result_kind(kind: IntKind) -> IntKind {
    if kind.bytes() < 4 { IntKind::Int } else { kind }
}

/// What the run of a function gives: a value, or the rule it breaks.
fn run(function: &str, params: &[i128]) -> Result<i128, Rule> {
    let entry = PROGRAM.find_function(function).expect("the function should exist");
    let params = params.iter().map(|&value| Scalar::Int(value)).collect();
    let input = Input { params, ..Input::default() };
    match Machine::new(&IMAGE).run(entry, &input, &Budget::default(), Options::default()).outcome.ending {
        Ending::Returned(Some(Scalar::Int(value))) => Ok(value),
        Ending::Faulted(finding) => Err(finding.rule),
        other => panic!("{function} should return a value: {other:?}"),
    }
}

/// An integer of 256 bits would be needed in general; sign and magnitude of the product are enough here.
fn multiplied(kind: IntKind, a: i128, b: i128) -> Result<i128, Rule> {
    match (kind, a.checked_mul(b)) {
        (IntKind::UInt128, _) => Ok((a as u128).wrapping_mul(b as u128) as i128),
        (_, Some(exact)) => fit(kind, exact),
        (_, None) => {
            if kind.is_signed() {
                Err(Rule::SignedOverflow)
            } else {
                Ok(kind.wrap(a.wrapping_mul(b)))
            }
        }
    }
}

fn fit(kind: IntKind, exact: i128) -> Result<i128, Rule> {
    if !kind.is_signed() {
        Ok(kind.wrap(exact))
    } else if kind.contains(exact) {
        Ok(exact)
    } else {
        Err(Rule::SignedOverflow)
    }
}

/// The definition: C11 6.5.5 to 6.5.14 on the promoted operands.
fn twin(op: &str, kind: IntKind, a: i128, b: i128) -> Result<i128, Rule> {
    let kind = result_kind(kind);
    let unsigned = kind == IntKind::UInt128;
    let order = if unsigned { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) };
    let lossy = |exact: Option<i128>, wrapped: i128| match exact {
        Some(exact) if !unsigned => fit(kind, exact),
        None if kind.is_signed() => Err(Rule::SignedOverflow),
        _ => Ok(wrapped),
    };
    let width = i128::from(kind.bits());
    match op {
        "+" => lossy(a.checked_add(b), kind.wrap(a.wrapping_add(b))),
        "-" => lossy(a.checked_sub(b), kind.wrap(a.wrapping_sub(b))),
        "*" => multiplied(kind, a, b),
        "/" | "%" if b == 0 => Err(Rule::DivisionByZero),
        "/" if unsigned => Ok((a as u128 / b as u128) as i128),
        "%" if unsigned => Ok((a as u128 % b as u128) as i128),
        "/" | "%" if a == kind.min() && b == -1 && kind.is_signed() => Err(Rule::SignedOverflow),
        "/" => Ok(a / b),
        "%" => Ok(a % b),
        "&" => Ok(a & b),
        "|" => Ok(a | b),
        "^" => Ok(a ^ b),
        "<<" | ">>" if !(0..width).contains(&b) => Err(Rule::BadShift),
        ">>" if unsigned => Ok((a as u128 >> b) as i128),
        ">>" => Ok(a >> b),
        "<<" if kind.is_signed() => match a >= 0 && a.leading_zeros() as i128 - 1 - (128 - width) >= b {
            true => Ok(a << b),
            false => Err(Rule::BadShift),
        },
        "<<" => Ok(kind.wrap(((a as u128) << b) as i128)),
        "<" => Ok(order.is_lt() as i128),
        "<=" => Ok(order.is_le() as i128),
        ">" => Ok(order.is_gt() as i128),
        ">=" => Ok(order.is_ge() as i128),
        "==" => Ok(order.is_eq() as i128),
        _ => Ok(order.is_ne() as i128),
    }
}

/// Small numbers, the neighbourhood of the limits, shift amounts, and anything.
fn operand() -> impl Strategy<Value = i128> {
    prop_oneof![
        -3i128..130,
        any::<i128>(),
        any::<i64>().prop_map(i128::from),
        (prop_oneof![Just(8u32), Just(16), Just(32), Just(64), Just(127)], -2i128..3)
            .prop_map(|(bits, near)| (1i128 << (bits - 1)).wrapping_add(near)),
        (prop_oneof![Just(8u32), Just(16), Just(32), Just(64), Just(127)], -2i128..3)
            .prop_map(|(bits, near)| (-(1i128 << (bits - 1))).wrapping_add(near)),
        Just(i128::MIN),
        Just(i128::MAX),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn operators_agree_with_their_definition(kind in 0..KINDS.len(), op in 0..OPS.len(), a in operand(), b in operand()) {
        let (number, kind) = (kind, KINDS[kind]);
        let (a, b) = (kind.wrap(a), kind.wrap(b));
        let expected = twin(OPS[op], kind, a, b);
        prop_assert_eq!(run(&format!("f{number}_{op}"), &[a, b]), expected, "{} {} {}", a, OPS[op], b);
        let truth = expected.map(|value| (value != 0) as i128);
        prop_assert_eq!(run(&format!("j{number}_{op}"), &[a, b]), truth, "if ({} {} {})", a, OPS[op], b);
    }

    #[test]
    fn operators_with_a_constant_agree_with_their_definition(
        kind in 0..KINDS.len(), op in 0..OPS.len(), constant in 0..CONSTANTS.len(), a in operand(),
    ) {
        let (number, kind) = (kind, KINDS[kind]);
        let (a, b) = (kind.wrap(a), kind.wrap(i128::from(CONSTANTS[constant])));
        let expected = twin(OPS[op], kind, a, b);
        prop_assert_eq!(run(&format!("k{number}_{op}_{constant}"), &[a]), expected, "{} {} {}", a, OPS[op], b);
    }

    #[test]
    fn negation_and_conversions_agree_with_their_definition(kind in 0..KINDS.len(), to in 0..KINDS.len(), a in operand()) {
        let (number, kind) = (kind, KINDS[kind]);
        let a = kind.wrap(a);
        let promoted = result_kind(kind);
        let negated = if promoted.is_signed() && a == promoted.min() {
            Err(Rule::SignedOverflow)
        } else {
            Ok(promoted.wrap(a.wrapping_neg()))
        };
        prop_assert_eq!(run(&format!("n{number}"), &[a]), negated, "-({})", a);
        prop_assert_eq!(run(&format!("c{number}_{to}"), &[a]), Ok(KINDS[to].wrap(a)), "{}", a);
    }
}
