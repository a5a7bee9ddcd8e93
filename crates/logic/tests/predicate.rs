//! Predicates: what they mean on rows, as text, as C and as solver terms, each compared with exact evaluation.

use dashu_int::IBig;
use dashu_ratio::RBig;
use exec::{Budget, Ending, Input, PointId, Recorder, Row, Scalar, Trace, ValueType, Variable};
use ir::{FloatKind, IntKind};
use logic::{Arithmetic, CStyle, Number, Operator, Predicate, Relation, Term, Undefined};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use replay::{Conditions, Recipe, Source, compile};
use std::fmt::Write;

const VARIABLES: [(&str, ValueType); 5] = [
    ("x", ValueType::Int(IntKind::Int)),
    ("y", ValueType::Int(IntKind::Long)),
    ("u", ValueType::Int(IntKind::UInt)),
    ("w", ValueType::Int(IntKind::ULong)),
    ("d", ValueType::Float(FloatKind::Double)),
];

fn type_of(name: &str) -> Option<ValueType> {
    VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
}

fn trace(rows: &[[Scalar; 5]]) -> Trace {
    let mut recorder = Recorder::new(Trace::new());
    let variables: Vec<Variable> = VARIABLES.iter().map(|(name, ty)| Variable::new(*name, *ty)).collect();
    let point = recorder.declare("p", &variables);
    rows.iter().for_each(|row| recorder.row(point, row));
    recorder.finish()
}

// ----- generators -----

fn fraction(above: i64, below: i64) -> RBig {
    RBig::from(IBig::from(above)) / RBig::from(IBig::from(below))
}

/// What generated terms may contain besides the plain operators.
#[derive(Clone, Copy, Default)]
struct Wanted {
    arrays: bool,
    /// Quotients of reals, which C rounds.
    quotients: bool,
    /// Powers of two, which the solver does not have.
    exponentials: bool,
}

const EVERYTHING: Wanted = Wanted { arrays: true, quotients: true, exponentials: true };

fn several(item: BoxedStrategy<Term>) -> impl Strategy<Value = Vec<Term>> {
    proptest::collection::vec(item, 2..4)
}

/// Terms of integer type; divisions included.
fn integer_term(wanted: Wanted) -> BoxedStrategy<Term> {
    let leaf = prop_oneof![
        2 => (-9i64..=9).prop_map(Term::int),
        3 => (0..4usize).prop_map(|i| Term::var(VARIABLES[i].0)),
    ];
    leaf.prop_recursive(3, 24, 3, move |inner| {
        let inner = inner.boxed();
        let operator =
            prop_oneof![Just(Operator::Quotient), Just(Operator::Remainder), Just(Operator::Div), Just(Operator::Mod)];
        // Mostly small, so that the power is defined and of a size that C can hold.
        let exponent =
            prop_oneof![1 => inner.clone(), 3 => Just(Term::parse("x mod 8").unwrap()), 1 => Just(Term::int(3))];
        let element = proptest::collection::vec(inner.clone(), 1..3).prop_map(|i| Term::Element("A".into(), i));
        let plain = prop_oneof![
            3 => several(inner.clone()).prop_map(Term::Sum),
            2 => several(inner.clone()).prop_map(Term::Product),
            1 => inner.clone().prop_map(|t| Term::Neg(Box::new(t))),
            1 => inner.clone().prop_map(Term::negated),
            1 => (inner.clone(), 0u32..4).prop_map(|(t, e)| t.power(e)),
            2 => (operator, inner.clone(), inner.clone()).prop_map(|(o, a, b)| Term::binary(o, a, b)),
            1 => several(inner.clone()).prop_map(Term::Min),
            1 => several(inner.clone()).prop_map(Term::Max),
            1 => inner.prop_map(|t| Term::Abs(Box::new(t))),
        ];
        prop_oneof![
            12 => plain,
            u32::from(wanted.arrays) => element,
            u32::from(wanted.exponentials) => exponent.prop_map(|t| Term::exponential(2, t)),
        ]
    })
    .boxed()
}

/// Terms with fractions and floating variables.
fn real_term(wanted: Wanted) -> BoxedStrategy<Term> {
    let leaf = prop_oneof![
        2 => (-9i64..=9, 1i64..=4).prop_map(|(a, b)| Term::Const(fraction(a, b))),
        2 => Just(Term::var("d")),
        2 => integer_term(wanted),
    ];
    leaf.prop_recursive(3, 24, 3, move |inner| {
        let inner = inner.boxed();
        prop_oneof![
            3 => several(inner.clone()).prop_map(Term::Sum),
            2 => several(inner.clone()).prop_map(Term::Product),
            1 => inner.clone().prop_map(Term::negated),
            1 => (inner.clone(), 0u32..3).prop_map(|(t, e)| t.power(e)),
            1 => several(inner.clone()).prop_map(Term::Min),
            1 => several(inner.clone()).prop_map(Term::Max),
            1 => inner.clone().prop_map(|t| Term::Abs(Box::new(t))),
            u32::from(wanted.quotients) =>
                (inner.clone(), inner).prop_map(|(a, b)| Term::binary(Operator::Quotient, a, b)),
        ]
    })
    .boxed()
}

fn predicate(wanted: Wanted) -> BoxedStrategy<Predicate> {
    let (term, whole) = (real_term(wanted), integer_term(wanted));
    let relation = proptest::sample::select(&Relation::ALL[..]);
    let leaf = prop_oneof![
        8 => (relation, term.clone(), term).prop_map(|(r, a, b)| a.compare(r, b)),
        2 => (whole.clone(), whole, 1i64..9).prop_map(|(a, b, m)| Predicate::Congruent(a, b, m.into())),
        1 => any::<bool>().prop_map(Predicate::Const),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let inner = inner.boxed();
        let parts = proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            parts.clone().prop_map(Predicate::And),
            parts.prop_map(Predicate::Or),
            inner.clone().prop_map(Predicate::negate),
            (inner.clone(), inner).prop_map(|(a, b)| a.implies(b)),
        ]
    })
    .boxed()
}

fn row(small: bool) -> BoxedStrategy<[Scalar; 5]> {
    let int = |kind: IntKind| {
        let near = (-12i128..=12).prop_map(move |v| Scalar::Int(kind.wrap(if kind.is_signed() { v } else { v.abs() })));
        let far = prop_oneof![Just(kind.min()), Just(kind.max()), any::<i128>().prop_map(move |v| kind.wrap(v))];
        if small { near.boxed() } else { prop_oneof![3 => near, 1 => far.prop_map(Scalar::Int)].boxed() }
    };
    let float = (-40i32..=40).prop_map(|k| Scalar::Float(f64::from(k) / 4.0));
    (int(IntKind::Int), int(IntKind::Long), int(IntKind::UInt), int(IntKind::ULong), float)
        .prop_map(|(x, y, u, w, d)| [x, y, u, w, d])
        .boxed()
}

// ----- text -----

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_are_inverse(p in predicate(EVERYTHING)) {
        let text = p.to_string();
        match Predicate::parse(&text) {
            Ok(again) => prop_assert_eq!(&again, &p, "{}", text),
            Err(error) => prop_assert!(false, "{}: {}", text, error),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-+*/%^()<>=!&|\\[\\], .0-9xymaxdivabstrue]{0,40}") {
        if let Ok(p) = Predicate::parse(&text) {
            prop_assert_eq!(Predicate::parse(&p.to_string()), Ok(p));
        }
    }
}

#[test]
fn the_notation_people_write() {
    for (text, expected) in [
        ("x*y**2 - 3*x >= 1/2", "x*y^2 - 3*x >= 1/2"),
        ("11 >= y >= 5", "11 >= y && y >= 5"),
        ("max(x, y, 0) == min(a,b)", "max(x, y, 0) == min(a, b)"),
        ("x > 0 ==> y > 0 ==> z > 0", "x > 0 ==> y > 0 ==> z > 0"),
        ("a === b + 1 (mod 4)", "a === b + 1 (mod 4)"),
        ("-x^2 == -2*x - 3 + 4*y", "-x^2 == -2*x - 3 + 4*y"),
        ("p->n.len % 2 == A[i + 1][2]", "p->n.len % 2 == A[i + 1][2]"),
        ("!(x < 1) || (y == 0.25 && true)", "!(x < 1) || y == 1/4 && true"),
        ("a - (b - c) == 7 / x / 2", "a - (b - c) == (7 / x) / 2"),
        ("x mod 3 == x div 2", "x mod 3 == x div 2"),
        ("mod(r, 256) == div(x + 1, 2)*y", "r mod 256 == ((x + 1) div 2)*y"),
        ("b == B*2^n1 && t == 3**(x - 1)", "b == B*2^n1 && t == 3^(x - 1)"),
        ("(2^x)^2 == 2^3 + 2^A[0]", "(2^x)^2 == 2^3 + 2^A[0]"),
    ] {
        let p = Predicate::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(p.to_string(), expected, "{text}");
    }
}

#[test]
fn mistakes_are_named_with_their_column() {
    for (text, column, words) in [
        ("x = 3", 3, "`==`"),
        ("x +", 4, "missing"),
        ("x + 1", 1, "comparison"),
        ("x == (y < 3)", 6, "number"),
        ("f(x) == 1", 2, "not a function"),
        ("x^y == 1", 1, "whole number of at least two"),
        ("1^y == 1", 1, "whole number of at least two"),
        ("2^-y == 1", 3, "exponent"),
        ("2^x^y == 1", 4, "parentheses"),
        ("mod(x) == 1", 1, "two arguments"),
        ("x == div 2", 6, "between two numbers"),
        ("x == 1 # 2", 8, "`#`"),
        ("x === 1", 8, "`(` expected"),
        ("x === 1 (mod 0)", 14, "positive"),
        ("(x == 1", 8, "`)` expected"),
        ("x == 1 y", 8, "end here"),
    ] {
        let error = Predicate::parse(text).expect_err(text);
        assert_eq!(error.at + 1, column, "{text}: {error}");
        assert!(error.message.contains(words), "{text}: {error}");
    }
    let deep = "(".repeat(100_000) + "x";
    assert!(Predicate::parse(&deep).unwrap_err().message.contains("nested"));
    assert!(Predicate::parse(&("-".repeat(100_000) + "x == 1")).unwrap_err().message.contains("nested"));
    let long = vec!["x == 1"; 50_000].join(" && ");
    assert!(Predicate::parse(&long).is_ok());
}

// ----- meaning -----

#[test]
fn evaluation_is_exact_and_knows_what_is_undefined() {
    let int = Scalar::Int;
    let t = trace(&[
        [int(7), int(-2), int(u32::MAX.into()), int(u64::MAX.into()), Scalar::Float(0.1)],
        [int(1), int(0), int(0), int(0), Scalar::Float(f64::NAN)],
    ]);
    let point = t.point(PointId(0));
    let check = |row: usize, text: &str| Predicate::parse(text).unwrap().holds(&point.row(row));
    for text in [
        "x / y == -3 && x % y == 1 && -x / y == 3",
        "-x div 2 == -4 && -x mod 2 == 1 && x === 1 (mod 3)",
        "w^3 == 6277101735386680762814942322444851025767571854389858533375",
        "u > -1 && u - w < 0",
        "d != 1/10 && 10*d > 1",
        "max(x, d, y) == 7 && min(x, d, y) == -2 && abs(y) == 2",
        "y == 1 && 1/0 == 1 || x == 7",
        "x == 0 ==> 1 / 0 == 0",
        "2^x == 128 && 3^abs(y) == 9 && 2^(x*x) == 562949953421312",
    ] {
        assert_eq!(check(0, text), Ok(true), "{text}");
    }
    assert_eq!(check(1, "x / y == 1"), Err(Undefined::DivisionByZero));
    assert_eq!(check(1, "d == d"), Err(Undefined::NotFinite("d".into())));
    assert_eq!(check(1, "z == 1"), Err(Undefined::Unknown("z".into())));
    assert_eq!(check(0, "d % 2 == 0"), Err(Undefined::NotInteger("%")));
    assert_eq!(check(0, "2^y == 1"), Err(Undefined::NegativeExponent));
    assert_eq!(check(0, "2^d == 1"), Err(Undefined::NotInteger("^")));
    assert_eq!(check(0, "2^w == 1"), Err(Undefined::TooLarge));
    assert_eq!(check(0, "(w^10000)^10000 == 0"), Err(Undefined::TooLarge));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn normalising_keeps_the_meaning(
        p in predicate(Wanted { arrays: false, ..EVERYTHING }),
        rows in proptest::collection::vec(row(false), 6),
    ) {
        let normal = p.normalise();
        prop_assert_eq!(&normal.normalise(), &normal, "{}", p);
        let t = trace(&rows);
        for row in t.point(PointId(0)).rows() {
            if let Ok(expected) = p.holds(&row) {
                prop_assert_eq!(normal.holds(&row), Ok(expected), "{} to {} at {:?}", p, normal, row);
            }
        }
    }

    #[test]
    fn the_encoding_agrees_with_evaluation(
        p in predicate(Wanted { quotients: true, ..Wanted::default() }),
        rows in proptest::collection::vec(row(false), 4),
    ) {
        let pool = smt::TermPool::new();
        let lookup = |name: &str| {
            let sort = if type_of(name)?.is_int() { smt::SortId::INT } else { smt::SortId::REAL };
            Some(pool.var(name, sort))
        };
        let term = p.to_smt(&pool, &lookup).unwrap();
        let t = trace(&rows);
        for row in t.point(PointId(0)).rows() {
            let Ok(expected) = p.holds(&row) else { continue };
            let mut model = smt::Model::new(&pool);
            for (variable, value) in row.variables().iter().zip(row.values()) {
                let value = match value {
                    Scalar::Int(int) => smt::Value::Int(int.into()),
                    Scalar::Float(float) => smt::Value::Real(Number::float(float).unwrap().to_rational()),
                };
                model.set(lookup(&variable.name).unwrap(), value);
            }
            let found = model.eval(term).unwrap().as_bool();
            prop_assert_eq!(found, Some(expected), "{} at {:?}", p, row);
        }
    }
}

#[test]
fn equal_statements_have_one_normal_form() {
    for (a, b) in [
        ("2*x <= 4*y - 6", "y >= 1/2*x + 3/2"),
        ("x^2 + 2*x*y + y^2 == 0", "(y + x)^2 == 0"),
        ("!(x < 3 && y > 4)", "y <= 4 || x >= 3"),
        ("max(x, y) - 1 == 0", "0 == 1 - max(y, x)"),
        ("y == 2^(x + 1)", "0 == -y + 2^(1 + x)"),
    ] {
        let normal = |text| Predicate::parse(text).unwrap().normalise();
        assert_eq!(normal(a).to_string(), normal(b).to_string());
    }
    let normal = |text| Predicate::parse(text).unwrap().normalise().to_string();
    assert_eq!(normal("2*x <= 4*y - 6"), "x - 2*y <= -3");
    assert_eq!(normal("x - x == 0 || y == 1"), "true");
}

#[test]
fn arrays_reach_the_solver_and_the_trace() {
    let p = Predicate::parse("A[i + 1] == 2*A[i]").unwrap();
    let pool = smt::TermPool::new();
    let array = pool.array_sort(smt::SortId::INT, smt::SortId::INT);
    let lookup = |name: &str| Some(if name == "A" { pool.var(name, array) } else { pool.var(name, smt::SortId::INT) });
    let term = p.to_smt(&pool, &lookup).unwrap();
    assert_eq!(pool.sort_of(term), smt::SortId::BOOL);
    assert!(p.to_smt(&pool, &|name| Some(pool.var(name, smt::SortId::INT))).is_err());

    let mut recorder = Recorder::new(Trace::new());
    let point = recorder.declare("p", &["i", "A[0]", "A[1]"].map(Variable::int));
    recorder.row(point, &[Scalar::Int(0), Scalar::Int(21), Scalar::Int(42)]);
    assert_eq!(p.holds(&recorder.trace().point(point).row(0)), Ok(true));
    assert_eq!(p.to_c(&CStyle { types: &|_| None, arithmetic: Arithmetic::AsDeclared }).unwrap(), "A[i + 1] == 2*A[i]");
}

#[test]
fn substitution_replaces_all_at_once() {
    let p = Predicate::parse("x*y == 2^x && A[x] >= min(y, 1) || x === 1 (mod 3)").unwrap();
    let swapped = p.substitute(&|name| match name {
        "x" => Some(Term::parse("y + 1").unwrap()),
        "y" => Some(Term::var("x")),
        _ => None,
    });
    assert_eq!(swapped.to_string(), "(y + 1)*x == 2^(y + 1) && A[y + 1] >= min(x, 1) || y + 1 === 1 (mod 3)");
    assert_eq!(Predicate::parse(&swapped.to_string()), Ok(swapped));
}

// ----- C -----

#[test]
fn c_reads_as_one_would_write_it() {
    let style = CStyle { types: &type_of, arithmetic: Arithmetic::AsDeclared };
    for (text, expected) in [
        ("x^2 + y == 1/2*x", "2*x*x + 2*y == x"),
        ("11 >= y >= 5", "11 >= y && y >= 5"),
        ("u - x >= -1", "(long long)u - x >= -1"),
        ("max(x, y) == 3", "(x >= y ? x : y) == 3"),
        ("x > 0 ==> y > 0 && x > 1", "!(x > 0) || (y > 0 && x > 1)"),
        ("x === 1 (mod 4)", "(x - 1) % 4 == 0"),
        ("y == 3*2^x", "y == 3*(1L << x)"),
    ] {
        assert_eq!(Predicate::parse(text).unwrap().to_c(&style).unwrap(), expected);
    }
    assert!(Predicate::parse("d % 2 == 0").unwrap().to_c(&style).is_err());
    assert!(Predicate::parse("3^x == 0").unwrap().to_c(&style).is_err());
    assert!(Predicate::parse("2^d == 0").unwrap().to_c(&style).is_err());
    assert!(Predicate::parse("x^9999^1 == 0").is_err());
    assert!(Predicate::parse("(x + y)^4000 == (x + y)^4000").unwrap().to_c(&style).is_ok());
    assert!(Predicate::parse("((x + y)^9999)^9999 == 0").unwrap().to_c(&style).is_err());
}

/// Whether every intermediate value, with room for what clearing fractions multiplies in, fits that many bits.
fn fits(p: &Predicate, row: &Row<'_>, bits: usize) -> bool {
    let lookup = |name: &str, _: &[Number]| {
        Ok(match row.named(name).unwrap() {
            Scalar::Int(int) => Number::Small(int),
            Scalar::Float(float) => Number::float(float).unwrap(),
        })
    };
    let mut fits = true;
    let mut scale = 1u64;
    p.walk_terms(&mut |term| {
        if let Term::Const(value) = term {
            scale = scale.saturating_mul(u64::try_from(value.denominator().clone()).unwrap().pow(4));
        }
        if let Ok(value) = term.evaluate(&lookup) {
            let size = value.to_rational().to_f64().value().abs().max(1.0).log2() as usize;
            fits &= size < bits;
        }
    });
    fits && scale < 1 << 12
}

/// Compiles many predicates in one file and compares each result with exact evaluation.
fn check_c(arithmetic: Arithmetic, small: bool, bits: usize, predicates: usize) {
    let mut runner = TestRunner::deterministic();
    let strategy =
        (predicate(Wanted { exponentials: true, ..Wanted::default() }), proptest::collection::vec(row(small), 8));
    let style = CStyle { types: &type_of, arithmetic };
    let mut code = String::from("#include <stdio.h>\n");
    let mut calls = String::from("int main(void) {\n");
    let mut expected = Vec::new();
    for number in 0..predicates {
        let (p, rows) = strategy.new_tree(&mut runner).unwrap().current();
        let c = p.to_c(&style).unwrap_or_else(|e| panic!("{p}: {e}"));
        writeln!(code, "static int p{number}(int x, long y, unsigned u, unsigned long w, double d) {{ return {c}; }}")
            .unwrap();
        let t = trace(&rows);
        for row in t.point(PointId(0)).rows() {
            let Ok(truth) = p.holds(&row) else { continue };
            if !fits(&p, &row, bits) {
                continue;
            }
            let mut values = row.values();
            let mut int = || match values.next() {
                Some(Scalar::Int(value)) => value,
                other => panic!("{other:?}"),
            };
            let (x, y, u, w) = (int(), int(), int(), int());
            let Some(Scalar::Float(d)) = values.next() else { panic!() };
            // The smallest long has no literal.
            let y = if y == i64::MIN.into() { format!("({} - 1)", y + 1) } else { y.to_string() };
            writeln!(calls, "putchar('0' + p{number}({x}, {y}, {u}u, {w}u, {d:?}));").unwrap();
            expected.push((truth, p.clone(), format!("{row:?}"), c.clone()));
        }
    }
    assert!(expected.len() > 2 * predicates, "{} rows should be enough to mean something", expected.len());
    assert!(expected.iter().any(|e| e.0) && expected.iter().any(|e| !e.0));
    code += &calls;
    code += "return 0; }\n";
    let binary = compile(&Recipe::new([Source::text("predicates.c", code)]), None).unwrap_or_else(|e| panic!("{e}"));
    let run = binary.run(&Input::default(), &Budget::default(), &Conditions::default()).unwrap();
    assert_eq!(run.outcome.ending, Ending::Exited(0));
    assert_eq!(run.outcome.stdout.len(), expected.len());
    for (found, (truth, p, row, c)) in run.outcome.stdout.iter().zip(&expected) {
        assert_eq!(*found == b'1', *truth, "{p} is {truth} at {row}, but not in C: {c}");
    }
}

#[test]
fn wide_c_agrees_with_evaluation() {
    check_c(Arithmetic::Wide, false, 90, 300);
}

#[test]
fn declared_c_agrees_on_small_values() {
    check_c(Arithmetic::AsDeclared, true, 16, 300);
}

/// Where C defines a value and it is the exact one, the operators of predicates have it: evaluated, over unbounded
/// integers and over bit-vectors.
#[test]
fn operators_have_the_meaning_of_c_where_it_is_exact() {
    use ir::{BinaryOp::*, arith};
    let pool = smt::TermPool::new();
    let names = ["x", "y", "z"];
    let whole = names.map(|name| pool.var(name, smt::SortId::INT));
    for kind in [IntKind::Int, IntKind::UInt, IntKind::SChar, IntKind::ULong] {
        let bits = names.map(|name| pool.var(&format!("{kind:?} {name}"), pool.bitvec_sort(kind.bits())));
        let at = |name: &str| names.iter().position(|known| *known == name);
        for op in [Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Gt, Ge] {
            let text =
                if op.is_comparison() { format!("x {} y", op.symbol()) } else { format!("x {} y == z", op.symbol()) };
            let predicate = Predicate::parse(&text).expect("the operator should be one of predicates");
            let exact = predicate.to_smt(&pool, &|name| Some(whole[at(name)?])).expect("it should be encodable");
            let machine = predicate.to_smt_machine(&pool, &|name| Some((bits[at(name)?], kind.is_signed())));
            let machine = machine.expect("it should be encodable");
            for a in ir::arbitrary::borders(kind) {
                for b in ir::arbitrary::borders(kind) {
                    let defined = match arith::binary(op, kind, a, kind, b) {
                        Err(undefined) if undefined.case != arith::Case::ZeroDivisor => continue,
                        defined => defined,
                    };
                    // What wraps in C is exact in a predicate.
                    if arith::binary(op, IntKind::Int128, a, IntKind::Int128, b).ok() != defined.as_ref().ok().copied()
                    {
                        continue;
                    }
                    let wanted = *defined.as_ref().unwrap_or(&0);
                    let values = [a, b, wanted];
                    let found =
                        predicate.evaluate(&|name, _| Ok(Number::integer(IBig::from(values[at(name).unwrap()]))));
                    let what = format!("{a} {op:?} {b} in {kind:?}");
                    let Ok(wanted) = defined else {
                        assert_eq!(found, Err(Undefined::DivisionByZero), "{what}");
                        continue;
                    };
                    let holds = !op.is_comparison() || wanted != 0;
                    assert_eq!(found, Ok(holds), "{what}");
                    let mut model = smt::Model::new(&pool);
                    for (index, value) in values.into_iter().enumerate() {
                        model.set(whole[index], smt::Value::Int(value.into()));
                        model.set(bits[index], smt::Value::Bits(smt::Bits::new(kind.bits(), &smt::Int::from(value))));
                    }
                    assert_eq!(model.eval(exact).unwrap(), smt::Value::Bool(holds), "{what}");
                    assert_eq!(model.eval(machine).unwrap(), smt::Value::Bool(holds), "{what}, bit-vectors");
                }
            }
        }
    }
}
