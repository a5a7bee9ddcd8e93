//! The VM's instructions against [`ir::arith`], which is compared with the C compiler elsewhere: every operator and
//! conversion on every type, with operands in variables, as conditions and as constants, which have instructions of
//! their own.

use diagnostics::Rule;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Scalar};
use ir::arbitrary::{borders, floats};
use ir::arith::{self, Defined, Float};
use ir::{BinaryOp, FloatKind, IntKind};
use std::fmt::Write as _;
use std::sync::LazyLock;

/// The kinds that have a name of their own in C here; `char` is one of them, whichever it is.
fn kinds() -> impl Iterator<Item = IntKind> {
    IntKind::ALL.into_iter().filter(|kind| *kind != IntKind::PlainUChar)
}

const OPS: [BinaryOp; 16] = BinaryOp::NUMERIC;
const FLOAT_OPS: [BinaryOp; 10] = {
    use BinaryOp::*;
    [Add, Sub, Mul, Div, Eq, Ne, Lt, Le, Gt, Ge]
};
/// A `long double` cannot be handed to a function from outside, nor come back; its operators are reached by converting
/// a `double`, and what comes back is rounded to one.
const FLOATS: [FloatKind; 3] = [FloatKind::Float, FloatKind::Double, FloatKind::Extended];
/// Right operands that have instructions of their own, or nearly.
const CONSTANTS: [i64; 8] = [-1, 0, 1, 3, 7, 31, 63, 1000];

/// A function for each operator, type, and form of the right operand.
static PROGRAM: LazyLock<ir::Program> = LazyLock::new(|| {
    let mut text = String::new();
    for (k, kind) in kinds().enumerate() {
        let (c, promoted) = (kind.c_name(), kind.promoted().c_name());
        for op in OPS {
            let symbol = op.symbol();
            let result = if op.is_comparison() { "int" } else { promoted };
            writeln!(text, "{result} f{k}_{op:?}({c} a, {c} b) {{ return a {symbol} b; }}").unwrap();
            writeln!(text, "int j{k}_{op:?}({c} a, {c} b) {{ if (a {symbol} b) return 1; else return 0; }}").unwrap();
            for (j, constant) in CONSTANTS.iter().enumerate() {
                writeln!(text, "{result} k{k}_{op:?}_{j}({c} a) {{ return a {symbol} ({c})({constant}); }}").unwrap();
            }
        }
        writeln!(text, "{promoted} n{k}({c} a) {{ return -a; }} {promoted} i{k}({c} a) {{ return ~a; }}").unwrap();
        for (t, to) in kinds().enumerate() {
            writeln!(text, "{} c{k}_{t}({c} a) {{ return ({})a; }}", to.c_name(), to.c_name()).unwrap();
        }
        for (t, to) in FLOATS.into_iter().enumerate() {
            writeln!(text, "double cf{k}_{t}({c} a) {{ return ({})a; }}", to.c_name()).unwrap();
        }
    }
    for (k, kind) in FLOATS.into_iter().enumerate() {
        let c = kind.c_name();
        for op in FLOAT_OPS {
            let (result, symbol) = (if op.is_comparison() { "int" } else { "double" }, op.symbol());
            writeln!(text, "{result} ff{k}_{op:?}(double a, double b) {{ return ({c})a {symbol} ({c})b; }}").unwrap();
            writeln!(
                text,
                "int fj{k}_{op:?}(double a, double b) {{ if (({c})a {symbol} ({c})b) return 1; return 0; }}"
            )
            .unwrap();
        }
        writeln!(text, "double fn{k}(double a) {{ return -({c})a; }} int ft{k}(double a) {{ return !({c})a; }}")
            .unwrap();
        for (t, to) in kinds().enumerate() {
            writeln!(text, "{} fc{k}_{t}(double a) {{ return ({})({c})a; }}", to.c_name(), to.c_name()).unwrap();
        }
    }
    // All pairs of bytes, in loops of the VM.
    for op in OPS {
        let defined = match op {
            BinaryOp::Div | BinaryOp::Rem => "b != 0",
            BinaryOp::Shl => "a >= 0 && b >= 0 && b < 23",
            BinaryOp::Shr => "b >= 0 && b < 32",
            _ => "1",
        };
        for (name, first) in [("signed", -128), ("unsigned", 0)] {
            writeln!(
                text,
                "unsigned long bytes_{name}_{op:?}(void) {{
                     unsigned long sum = 0;
                     for (int i = {first}; i < {first} + 256; i++)
                         for (int j = {first}; j < {first} + 256; j++) {{
                             {name} char a = i, b = j;
                             if ({defined}) sum = sum * 31 + (a {} b);
                         }}
                     return sum;
                 }}",
                op.symbol()
            )
            .unwrap();
        }
    }
    cfront::load_text(&[("arithmetic.c", &text)]).expect("the functions should be accepted").program
});

static IMAGE: LazyLock<Image<'static>> = LazyLock::new(|| Image::new(&PROGRAM, exec::libc::LIBRARY));

/// What the run of a function gives: a value, or the rule it breaks.
fn run(machine: &mut Machine<'_>, function: &str, params: Vec<Scalar>) -> Result<Scalar, Rule> {
    let entry = PROGRAM.find_function(function).expect("the function should exist");
    let input = Input { params, ..Input::default() };
    match machine.run(entry, &input, &Budget::default(), Options::default()).outcome.ending {
        Ending::Returned(Some(value)) => Ok(value),
        Ending::Faulted(finding) => Err(finding.rule),
        other => panic!("{function} should return a value: {other:?}"),
    }
}

fn int(result: Defined<i128>) -> Result<Scalar, Rule> {
    result.map(Scalar::Int).map_err(|undefined| undefined.rule())
}

fn truth(result: Result<Scalar, Rule>) -> Result<Scalar, Rule> {
    result.map(|value| Scalar::Int((value != Scalar::Int(0)).into()))
}

fn same(found: Result<Scalar, Rule>, expected: Result<Scalar, Rule>) -> bool {
    match (found, expected) {
        (Ok(Scalar::Float(a)), Ok(Scalar::Float(b))) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (found, expected) => found == expected,
    }
}

#[test]
fn integer_instructions_have_the_concrete_meaning() {
    let mut machine = Machine::new(&IMAGE);
    let mut check = |function: String, params: &[i128], expected: Result<Scalar, Rule>| {
        let given = params.iter().map(|value| Scalar::Int(*value)).collect();
        assert_eq!(run(&mut machine, &function, given), expected, "{function}{params:?}");
    };
    for (k, kind) in kinds().enumerate() {
        let promoted = kind.promoted();
        for a in borders(kind) {
            for op in OPS {
                for b in borders(kind) {
                    let expected = int(arith::binary(op, promoted, a, promoted, b));
                    check(format!("f{k}_{op:?}"), &[a, b], expected);
                    check(format!("j{k}_{op:?}"), &[a, b], truth(expected));
                }
                for (j, constant) in CONSTANTS.into_iter().enumerate() {
                    let b = kind.wrap(constant.into());
                    check(format!("k{k}_{op:?}_{j}"), &[a], int(arith::binary(op, promoted, a, promoted, b)));
                }
            }
            check(format!("n{k}"), &[a], int(arith::negate(promoted, a)));
            check(format!("i{k}"), &[a], int(Ok(arith::complement(promoted, a))));
            for (t, to) in kinds().enumerate() {
                check(format!("c{k}_{t}"), &[a], int(Ok(to.wrap(a))));
            }
            for (t, to) in FLOATS.into_iter().enumerate() {
                check(format!("cf{k}_{t}"), &[a], Ok(Scalar::Float(Float::from_int(kind, a, to).to_f64())));
            }
        }
    }
}

#[test]
fn floating_instructions_have_the_concrete_meaning() {
    let mut machine = Machine::new(&IMAGE);
    let mut check = |function: String, params: &[f64], expected: Result<Scalar, Rule>| {
        let found = run(&mut machine, &function, params.iter().map(|value| Scalar::Float(*value)).collect());
        assert!(same(found, expected), "{function}{params:?}: {found:?}, not {expected:?}");
    };
    let values: Vec<f64> = floats(FloatKind::Double).iter().map(|value| value.to_f64()).collect();
    for (k, kind) in FLOATS.into_iter().enumerate() {
        for &x in values.iter().step_by(3) {
            let a = Float::from_f64(kind, x);
            for &y in values.iter().step_by(7) {
                let b = Float::from_f64(kind, y);
                for op in FLOAT_OPS {
                    let expected = match op.is_comparison() {
                        true => Scalar::Int(a.compare(op, b).into()),
                        false => Scalar::Float(a.binary(op, b).to_f64()),
                    };
                    check(format!("ff{k}_{op:?}"), &[x, y], Ok(expected));
                    if op.is_comparison() {
                        check(format!("fj{k}_{op:?}"), &[x, y], Ok(expected));
                    }
                }
            }
            check(format!("fn{k}"), &[x], Ok(Scalar::Float(a.negate().to_f64())));
            check(format!("ft{k}"), &[x], Ok(Scalar::Int(a.is_zero().into())));
            for (t, to) in kinds().enumerate() {
                check(format!("fc{k}_{t}"), &[x], int(a.to_int(to)));
            }
        }
    }
}

#[test]
fn all_pairs_of_bytes_have_the_concrete_meaning() {
    let mut machine = Machine::new(&IMAGE);
    for op in OPS {
        for (name, first) in [("signed", -128i128), ("unsigned", 0)] {
            let mut sum = 0u64;
            for a in first..first + 256 {
                for b in first..first + 256 {
                    // Larger amounts shift bytes out of an `int`, and are among the borders.
                    if op == BinaryOp::Shl && b >= 23 {
                        continue;
                    }
                    if let Ok(value) = arith::binary(op, IntKind::Int, a, IntKind::Int, b) {
                        sum = sum.wrapping_mul(31).wrapping_add(value as u64);
                    }
                }
            }
            let found = run(&mut machine, &format!("bytes_{name}_{op:?}"), Vec::new());
            assert_eq!(found, Ok(Scalar::Int(sum.into())), "{name} {op:?}");
        }
    }
}
