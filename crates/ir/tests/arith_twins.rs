//! The meaning of operators and conversions against the C compiler.
//!
//! One C program goes through all pairs of operands and prints, for each operator and left operand, a checksum of what
//! it finds; the same is done here with [`ir::arith`]. The compiler computes only where C defines a value. Where it
//! does not is found in C by other means: the compiler's overflow builtins, and bounds of the types.

use ir::arbitrary::{floats, operands};
use ir::arith::{self, Case, Defined, Float, Scalar};
use ir::{BinaryOp, FloatKind, IntKind};
use std::fmt::Write as _;
use std::process::Command;

/// The kinds that have a name of their own in C here; `char` is one of them, whichever it is.
fn kinds() -> impl Iterator<Item = IntKind> {
    IntKind::ALL.into_iter().filter(|kind| *kind != IntKind::PlainUChar)
}

const OPS: [BinaryOp; 16] = BinaryOp::NUMERIC;
const FLOATS: [FloatKind; 3] = [FloatKind::Float, FloatKind::Double, FloatKind::Extended];

/// The checksum both sides make of a sequence of results.
struct Sum(u64);

impl Sum {
    fn new() -> Sum {
        Sum(0xcbf2_9ce4_8422_2325)
    }

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x100_0000_01b3);
    }

    fn int(&mut self, result: Defined<i128>) {
        match result {
            Ok(value) => {
                self.word(value as u64);
                self.word((value >> 64) as u64);
            }
            Err(undefined) => {
                self.word(0xdead_0000 + Case::ALL.iter().position(|c| *c == undefined.case).unwrap() as u64)
            }
        }
    }

    /// Any NaN is as good as any other.
    fn float(&mut self, value: Float) {
        let bits = match value {
            _ if !value.compare(BinaryOp::Eq, value) => 0x7ff,
            Float::Single(value) => value.to_bits().into(),
            Float::Double(value) => value.to_bits().into(),
            Float::Extended(bits) => bits,
        };
        self.word(bits as u64);
        self.word((bits >> 64) as u64);
    }
}

/// What C computes in where the type is narrower than `int`: unsigned types in `unsigned`, so that a product that the
/// type would wrap is no overflow of `int`.
fn wide(kind: IntKind) -> &'static str {
    match kind {
        IntKind::UChar | IntKind::UShort => "unsigned",
        _ if kind.bytes() < 4 => "int",
        _ => kind.c_name(),
    }
}

fn words(values: impl Iterator<Item = u128>) -> String {
    values
        .map(|value| format!("{{{:#x}ull, {:#x}ull}}", value as u64, (value >> 64) as u64))
        .collect::<Vec<_>>()
        .join(",")
}

const HEAD: &str = r#"
#include <stdio.h>
#include <string.h>
typedef unsigned long long u64;
typedef unsigned __int128 u128;
struct words { u64 low, high; };
static u64 sum;
static void begin(void) { sum = 0xcbf29ce484222325ull; }
static void word(u64 w) { sum = (sum ^ w) * 0x100000001b3ull; }
static void value(__int128 v) { word((u64)v); word((u64)(v >> 64)); }
static void undefined(int which) { word(0xdead0000ull + which); }
static void end(const char *what, int index) { printf("%s %d %llx\n", what, index, sum); }
enum { OVERFLOW, ZERO, QUOTIENT, AMOUNT, LEFT, UNREPRESENTABLE };
#define WHOLE(w) ((__int128)((u128)(w).high << 64 | (w).low))
static void put_float(float x) {
    unsigned bits; memcpy(&bits, &x, 4);
    word(x != x ? 0x7ff : bits); word(0);
}
static void put_double(double x) {
    u64 bits; memcpy(&bits, &x, 8);
    word(x != x ? 0x7ff : bits); word(0);
}
static void put_extended(long double x) {
    struct words w = {0, 0}; memcpy(&w, &x, 10);
    word(x != x ? 0x7ff : w.low); word(x != x ? 0 : w.high);
}
static float get_float(struct words w) { float x; unsigned b = w.low; memcpy(&x, &b, 4); return x; }
static double get_double(struct words w) { double x; memcpy(&x, &w.low, 8); return x; }
static long double get_extended(struct words w) { long double x = 0; memcpy(&x, &w, 10); return x; }
"#;

fn short(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::Extended => "extended",
    }
}

/// A loop over the values of a table, with the checksum of each turn.
fn each(text: &mut String, name: &str, table: usize, take: &str, body: &str) {
    writeln!(
        text,
        "begin_{name}:; for (int i = 0; i < n{table}; i++) {{ {take} begin(); {body} end(\"{name}\", i); }}"
    )
    .unwrap();
}

/// The program, function by function in the order in which [`expected`] computes.
fn program() -> String {
    let mut text = HEAD.to_string();
    let mut calls = String::new();
    for (index, kind) in kinds().enumerate() {
        let values = operands(kind);
        writeln!(text, "enum {{ n{index} = {} }};", values.len()).unwrap();
        writeln!(text, "static const struct words t{index}[] = {{{}}};", words(values.iter().map(|v| *v as u128)))
            .unwrap();
    }
    for (index, kind) in FLOATS.into_iter().enumerate() {
        let (index, values) = (index + 100, floats(kind));
        writeln!(text, "enum {{ n{index} = {} }};", values.len()).unwrap();
        let bits = values.iter().map(|value| match value {
            Float::Single(value) => value.to_bits().into(),
            Float::Double(value) => value.to_bits().into(),
            Float::Extended(bits) => *bits,
        });
        writeln!(text, "static const struct words t{index}[] = {{{}}};", words(bits)).unwrap();
    }
    for (index, kind) in kinds().enumerate() {
        writeln!(text, "static void int{index}(void) {{").unwrap();
        integers(&mut text, index, kind);
        writeln!(text, "}}").unwrap();
        writeln!(calls, "int{index}();").unwrap();
    }
    for (index, kind) in FLOATS.into_iter().enumerate() {
        writeln!(text, "static void float{index}(void) {{").unwrap();
        floating(&mut text, index + 100, kind);
        writeln!(text, "}}").unwrap();
        writeln!(calls, "float{index}();").unwrap();
    }
    format!("{text}int main(void) {{\n{calls}return 0; }}\n")
}

fn integers(text: &mut String, index: usize, kind: IntKind) {
    let (c, w) = (kind.c_name(), wide(kind));
    let judged = if kind == IntKind::Bool { "int" } else { c };
    let signed = kind.is_signed() || kind == IntKind::Bool;
    let width = if kind == IntKind::Bool { 32 } else { kind.bits() };
    let take = format!("{c} a = ({c})WHOLE(t{index}[i]);");
    for op in OPS {
        let (name, symbol) = (format!("{op:?}_{index}"), op.symbol());
        let result = if op.is_comparison() { "int" } else { c };
        let compute = format!("value(({result})(({w})a {symbol} ({w})b));");
        let guarded = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if signed => {
                let builtin = format!("{op:?}").to_lowercase();
                format!("{judged} r; if (__builtin_{builtin}_overflow(a, b, &r)) undefined(OVERFLOW); else {compute}")
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let overflow = match signed {
                    true => format!(
                        "{judged} r; if (b == -1 && __builtin_sub_overflow(0, a, &r)) undefined(QUOTIENT); else"
                    ),
                    false => String::new(),
                };
                format!("if (b == 0) undefined(ZERO); else {{ {overflow} {compute} }}")
            }
            _ => compute,
        };
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            // The amount may have any type.
            for (right, amount) in kinds().enumerate() {
                let r = amount.c_name();
                let past = match op {
                    BinaryOp::Shl if signed => {
                        format!(
                            "if (a < 0 || a > ({judged})((((u128)1 << {}) - 1) >> b)) undefined(LEFT); else",
                            width - 1
                        )
                    }
                    _ => String::new(),
                };
                let body = format!(
                    "for (int j = 0; j < n{right}; j++) {{ {r} b = ({r})WHOLE(t{right}[j]);
                     if (b < 0 || b >= {width}) undefined(AMOUNT); else {{ {past} value(({c})(({w})a {symbol} b)); }} }}"
                );
                each(text, &format!("{name}_{right}"), index, &take, &body);
            }
            continue;
        }
        let body = format!("for (int j = 0; j < n{index}; j++) {{ {c} b = ({c})WHOLE(t{index}[j]); {guarded} }}");
        each(text, &name, index, &take, &body);
    }
    let negate = match signed {
        true => format!("{judged} r; if (__builtin_sub_overflow(0, a, &r)) undefined(OVERFLOW); else value(({c})-a);"),
        false => format!("value(({c})-({w})a);"),
    };
    let converted: String = kinds().map(|to| format!("value(({})a);", to.c_name())).collect();
    let floated = FLOATS.into_iter().map(|to| format!("put_{}(({})a);", short(to), to.c_name())).collect::<String>();
    let body = format!("{negate} value(({c})~({w})a); value(!a); {converted} {floated}");
    each(text, &format!("unary_{index}"), index, &take, &body);
}

fn floating(text: &mut String, index: usize, kind: FloatKind) {
    let (c, name) = (kind.c_name(), short(kind));
    let take = format!("{c} a = get_{name}(t{index}[i]);");
    for op in OPS {
        let put = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => format!("put_{name}"),
            _ if op.is_comparison() => "value".to_string(),
            _ => continue,
        };
        let body = format!(
            "for (int j = 0; j < n{index}; j++) {{ {c} b = get_{name}(t{index}[j]); {put}(a {} b); }}",
            op.symbol()
        );
        each(text, &format!("{op:?}_{index}"), index, &take, &body);
    }
    let mut body = format!("put_{name}(-a); value(!a);");
    for to in FLOATS {
        write!(body, "put_{}(({})a);", short(to), to.c_name()).unwrap();
    }
    for to in kinds() {
        let c = to.c_name();
        if to == IntKind::Bool {
            write!(body, "value(({c})a);").unwrap();
            continue;
        }
        // The integer part lies between two powers of two, or one of them and zero, which are exact.
        let (low, bits) = if to.is_signed() { ("-l", to.bits() - 1) } else { ("0 * l", to.bits()) };
        write!(
            body,
            "{{ long double l = 1, t = __builtin_truncl(a); for (int k = 0; k < {bits}; k++) l *= 2;
               if (t >= {low} && t < l) value(({c})a); else undefined(UNREPRESENTABLE); }}"
        )
        .unwrap();
    }
    each(text, &format!("unary_{index}"), index, &take, &body);
}

/// The lines that the program should print.
fn expected() -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |what: &str, index: usize, sum: Sum| lines.push(format!("{what} {index} {:x}", sum.0));
    for (index, kind) in kinds().enumerate() {
        let values = operands(kind);
        for op in OPS {
            let mut against = |name: &str, right_kind: IntKind, rights: &[i128]| {
                for (i, &a) in values.iter().enumerate() {
                    let mut sum = Sum::new();
                    rights.iter().for_each(|&b| sum.int(arith::binary(op, kind, a, right_kind, b)));
                    line(name, i, sum);
                }
            };
            if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                for (right, right_kind) in kinds().enumerate() {
                    against(&format!("{op:?}_{index}_{right}"), right_kind, &operands(right_kind));
                }
            } else {
                against(&format!("{op:?}_{index}"), kind, &values);
            }
        }
        for (i, &a) in values.iter().enumerate() {
            let mut sum = Sum::new();
            sum.int(arith::negate(kind, a));
            sum.int(Ok(arith::complement(kind, a)));
            sum.int(Ok((!Scalar::Int(kind, a).is_true()).into()));
            kinds().for_each(|to| sum.int(Ok(to.wrap(a))));
            FLOATS.iter().for_each(|to| sum.float(Float::from_int(kind, a, *to)));
            line(&format!("unary_{index}"), i, sum);
        }
    }
    for (index, kind) in FLOATS.into_iter().enumerate() {
        let (index, values) = (index + 100, floats(kind));
        for op in OPS {
            let computes = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
            if !computes && !op.is_comparison() {
                continue;
            }
            for (i, a) in values.iter().enumerate() {
                let mut sum = Sum::new();
                for b in &values {
                    if computes { sum.float(a.binary(op, *b)) } else { sum.int(Ok(a.compare(op, *b).into())) }
                }
                line(&format!("{op:?}_{index}"), i, sum);
            }
        }
        for (i, a) in values.iter().enumerate() {
            let mut sum = Sum::new();
            sum.float(a.negate());
            sum.int(Ok(a.is_zero().into()));
            FLOATS.iter().for_each(|to| sum.float(a.convert(*to)));
            kinds().for_each(|to| sum.int(a.to_int(to)));
            line(&format!("unary_{index}"), i, sum);
        }
    }
    lines
}

#[test]
fn operators_mean_what_the_compiler_makes_of_them() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join("arith_twins.c"), folder.join("arith_twins"));
    std::fs::write(&source, program()).unwrap();
    // Warnings are about what is tested: comparisons that are always false, conversions that lose something.
    let compiled =
        Command::new("cc").args(["-std=gnu11", "-O0", "-w", "-o"]).arg(&binary).arg(&source).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).output().unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let expected = expected();
    assert_eq!(printed.lines().count(), expected.len());
    let apart: Vec<(&str, &String)> = printed.lines().zip(&expected).filter(|(c, ours)| c != ours).collect();
    assert!(apart.is_empty(), "{} checksums differ, the first: {:?}", apart.len(), &apart[..apart.len().min(5)]);
}
