//! Terms 100,000 operators deep go through every operation without exhausting the stack.
//!
//! Z3's own preprocessing is quadratic on some chains (it flattens connectives again and again), so
//! those are translated, asserted and dropped at full depth but solved at a twentieth of it, which
//! is still past what an ordinary stack would carry.

use smt::{Budget, DatatypeDecl, FieldSort, Model, Op, Options, Solver, SortId, TermId, TermPool, Value, smtlib};
use std::collections::HashMap;

const DEPTH: usize = 100_000;
const SOLVED: usize = 5_000;

/// Evaluates, simplifies, substitutes and prints. The term must be true when the variable has the
/// value.
fn without_z3(t: &TermPool, term: TermId, variable: TermId, value: TermId) {
    assert!(t.depth(term) >= SOLVED, "{}", t.depth(term));
    let mut model = Model::new(t);
    model.set(variable, Model::new(t).eval(value).unwrap());
    let expected = model.eval(term).unwrap();
    assert_eq!(expected, Value::Bool(true));
    let simple = t.simplify(term);
    assert_eq!(model.eval(simple).unwrap(), expected);
    let replaced = t.substitute(term, &HashMap::from([(variable, value)]));
    assert_eq!(Model::new(t).eval(replaced).unwrap(), expected);
    assert!(smtlib::excerpt(t, term, 100).len() < 200);
    let text = smtlib::query(t, &[term]);
    let nest = text.chars().scan(0i32, |open, c| {
        *open += i32::from(c == '(') - i32::from(c == ')');
        Some(*open)
    });
    assert!(nest.max().unwrap() < 200, "the text should nest shallowly");
}

/// Translates, asserts and drops, in a solver that was asked something: before that, nothing is translated.
fn assert_alone(t: &TermPool, term: TermId) {
    let mut solver = Solver::new(t);
    solver.assert(t.var("asked before", SortId::BOOL));
    assert!(solver.check().is_sat());
    solver.assert(term);
    assert!(solver.statistics().translated >= DEPTH as u64);
}

/// The solver may run out of its budget, but must not crash, and must not refute what holds.
fn solve(t: &TermPool, term: TermId) {
    let budget = Budget::resources(5_000_000).and_millis(10_000);
    let options = Options { budget, ..Options::default() };
    let mut solver = Solver::with_options(t, options);
    solver.assert(term);
    let outcome = solver.check();
    assert!(!outcome.is_unsat(), "{outcome:?}");
}

/// Builds the term at both depths; `value` of the variable makes it true.
fn check(t: &TermPool, variable: TermId, value: TermId, build: impl Fn(usize) -> TermId) {
    let deep = build(DEPTH);
    without_z3(t, deep, variable, value);
    assert_alone(t, deep);
    solve(t, build(SOLVED));
}

#[test]
fn deep_integer_terms() {
    let t = TermPool::new();
    let x = t.var("x", SortId::INT);
    let build = |depth: usize| {
        let deep = (0..depth).fold(x, |acc, i| {
            let op = if i % 2 == 0 { Op::Add } else { Op::Mul };
            t.raw(op, &[acc, t.int(1)])
        });
        t.raw(Op::Eq, &[deep, t.int(3 + depth as i64 / 2)])
    };
    check(&t, x, t.int(3), build);
    // The simplifier sees through it: what is left is an equation on x.
    assert_eq!(t.simplify(build(DEPTH)), t.eq(x, t.int(3)));
}

#[test]
fn deep_choices() {
    let t = TermPool::new();
    let x = t.var("x", SortId::INT);
    let build = |depth: i64| {
        let deep = (0..depth).fold(x, |acc, i| t.ite(t.le(x, t.int(i)), acc, t.int(i)));
        t.eq(deep, t.int(-4))
    };
    without_z3(&t, build(DEPTH as i64), x, t.int(-4));
    // Z3 moves the equation into the choices when it is asserted, which is the quadratic case.
    solve(&t, build(SOLVED as i64));
}

#[test]
fn deep_connectives() {
    let t = TermPool::new();
    let p = t.var("p", SortId::BOOL);
    check(&t, p, t.bool(true), |depth| {
        (0..depth).fold(p, |acc, i| {
            let q = t.var(&format!("q{}", i % 10), SortId::BOOL);
            if i % 2 == 0 { t.raw(Op::And, &[acc, t.raw(Op::Not, &[q])]) } else { t.raw(Op::Or, &[q, acc]) }
        })
    });
    check(&t, p, t.bool(true), |depth| (0..depth).fold(p, |acc, _| t.raw(Op::Eq, &[acc, p])));
    let negations = (0..DEPTH).fold(p, |acc, _| t.raw(Op::Not, &[acc]));
    assert_eq!(t.simplify(negations), p);
}

#[test]
fn deep_bit_vectors_and_stores() {
    let t = TermPool::new();
    let byte = t.bitvec_sort(8);
    let x = t.var("x", byte);
    check(&t, x, t.bits(8, 7), |depth| {
        let chain = |start: TermId| {
            (0..depth).fold(start, |acc, i| {
                let op = if i % 2 == 0 { Op::BvXor } else { Op::BvAdd };
                t.raw(op, &[acc, t.bits(8, i as i64)])
            })
        };
        let expected = Model::new(&t).eval(chain(t.bits(8, 7))).unwrap();
        t.raw(Op::Eq, &[chain(x), expected.to_term(&t).unwrap()])
    });

    let memory = t.array_sort(SortId::INT, SortId::INT);
    let m = t.var("m", memory);
    let i = t.var("i", SortId::INT);
    let stores = (0..DEPTH as i64).fold(m, |acc, k| t.store(acc, t.int(k), t.int(k)));
    let mut model = Model::new(&t);
    model.set(i, Value::Int(77.into()));
    assert_eq!(model.eval(t.select(stores, i)).unwrap(), Value::Int(77.into()));
    assert_eq!(t.select(stores, t.int(99_999)), t.int(99_999));
}

#[test]
fn deep_datatype_values() {
    let t = TermPool::new();
    let list = DatatypeDecl::new("List")
        .constructor("nil", &[])
        .constructor("cons", &[("head", FieldSort::Of(SortId::INT)), ("tail", FieldSort::Group(0))]);
    let id = t.declare_datatypes(&[list])[0];
    let (nil, cons) = (t.constructor(id, "nil").unwrap(), t.constructor(id, "cons").unwrap());
    let build = |last: TermId| {
        (0..DEPTH).fold(t.construct(nil, &[]), |acc, i| {
            let head = if i == 0 { last } else { t.int(i as i64) };
            t.construct(cons, &[head, acc])
        })
    };
    let (x, y) = (t.var("x", SortId::INT), t.var("y", SortId::INT));
    let (a, b) = (build(x), build(y));
    assert_eq!(t.eq(a, b), t.eq(x, y));
    assert_eq!(t.eq(build(t.int(1)), build(t.int(2))), t.bool(false));
    let model = Model::new(&t);
    let (one, other) = (model.eval(a).unwrap(), model.eval(b).unwrap());
    assert_eq!(one, other);
    assert!(one.to_string().len() > DEPTH);
    let term = one.to_term(&t).unwrap();
    assert_eq!(model.eval(term).unwrap(), other);
    drop((one, other));
}
