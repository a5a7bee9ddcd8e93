//! The SMT-LIB text: what it looks like, and that Z3 reads it back to the same answer.

use smt::smtlib::{TextAnswer, check_text, query};
use smt::{Budget, DatatypeDecl, FieldSort, Op, Outcome, Rational, Solver, SortId, TermId, TermPool};

#[track_caller]
fn same_answer(t: &TermPool, claims: &[TermId]) {
    let mut solver = Solver::new(t);
    claims.iter().for_each(|c| solver.assert(*c));
    let text = query(t, claims);
    let read = check_text(&text, Budget::UNLIMITED);
    match solver.check() {
        Outcome::Sat(_) => assert_eq!(read, Ok(TextAnswer::Sat), "{text}"),
        Outcome::Unsat { .. } => assert_eq!(read, Ok(TextAnswer::Unsat), "{text}"),
        Outcome::Unknown { why } => panic!("{why}\n{text}"),
    }
}

#[test]
fn a_small_query_reads_as_one_would_write_it() {
    let t = TermPool::new();
    let x = t.var("x", SortId::INT);
    let claim = t.lt(t.mul(x, x), t.int(-2));
    assert_eq!(
        query(&t, &[claim]),
        "(set-logic ALL)\n(declare-fun x () Int)\n(assert (<= (* x x) (- 3)))\n(check-sat)\n"
    );
    same_answer(&t, &[claim]);
}

#[test]
fn awkward_names_stay_apart() {
    let t = TermPool::new();
    let names = ["and", "and!2", "a b", "a|b", "a_b", "1x", "_", "@s", "x", "let", "t!1", "Int", "größe"];
    let mut claims = Vec::new();
    for (i, name) in names.iter().enumerate() {
        claims.push(t.eq(t.var(name, SortId::INT), t.int(i as i64)));
        // The same name at another sort is another symbol.
        let other = t.real(Rational::from_parts_signed((i as i64).into(), 7.into()));
        claims.push(t.eq(t.var(name, SortId::REAL), other));
    }
    same_answer(&t, &claims);
}

#[test]
fn every_kind_of_term_is_read_back() {
    let t = TermPool::new();
    let byte = t.bitvec_sort(8);
    let odd = t.bitvec_sort(5);
    let (u, v) = (t.var("u", byte), t.var("v", byte));
    same_answer(&t, &[t.bv_mul_overflows(u, v, true), t.not(t.bv_mul_overflows(u, v, false))]);
    same_answer(&t, &[t.eq(t.bv_concat(t.bits(5, -3), t.var("o", odd)), t.bits(10, 933))]);
    same_answer(&t, &[t.eq(t.bv_to_int(u), t.int(9)), t.ne(t.int_to_bv(t.int(9), 8), u)]);
    let thing = t.uninterpreted_sort("a thing");
    let f = t.function("f", &[thing, SortId::BOOL], thing);
    let s = t.var("s", thing);
    same_answer(&t, &[t.ne(t.app(f, &[s, t.bool(true)]), s)]);
    let array = t.array_sort(thing, t.array_sort(byte, SortId::REAL));
    let inner =
        t.const_array(t.array_sort(byte, SortId::REAL), t.real(Rational::from_parts_signed((-5).into(), 3.into())));
    same_answer(&t, &[t.eq(t.var("arr", array), t.const_array(array, inner))]);

    let tree = DatatypeDecl::new("Tree")
        .constructor("node", &[("label", FieldSort::Of(byte)), ("children", FieldSort::Group(1))]);
    let forest = DatatypeDecl::new("Forest")
        .constructor("nil", &[])
        .constructor("more", &[("label", FieldSort::Group(0)), ("rest", FieldSort::Group(1))]);
    let ids = t.declare_datatypes(&[tree, forest]);
    let node = t.constructor(ids[0], "node").unwrap();
    let more = t.constructor(ids[1], "more").unwrap();
    let root = t.var("root", t.datatype_sort(ids[0]));
    let children = t.field(node, 1, root);
    same_answer(&t, &[t.is(more, children), t.eq(t.field(node, 0, root), u)]);
    same_answer(
        &t,
        &[t.not(t.is(more, children)), t.ne(children, t.construct(t.constructor(ids[1], "nil").unwrap(), &[]))],
    );
}

#[test]
fn quantified_bodies_share_without_leaving_their_scope() {
    let t = TermPool::new();
    let (x, y) = (t.var("x", SortId::INT), t.var("y", SortId::INT));
    let f = t.function("f", &[SortId::INT], SortId::INT);
    // A body whose tree would have two to the 60 leaves.
    let doubled = (0..60).fold(t.app(f, &[x]), |acc, _| t.app(f, &[t.raw(Op::Add, &[acc, acc])]));
    let claim = t.forall(&[x], t.exists(&[y], t.and(&[t.gt(y, doubled), t.gt(doubled, x)])));
    let text = query(&t, &[claim]);
    assert!(text.len() < 10_000);
    assert!(text.contains("(x Int)"), "{text}");
    let read = check_text(&text, Budget::resources(100_000));
    assert!(read.is_ok(), "{read:?}");
    let trigger = t.quantify(true, &[x], t.gt(t.app(f, &[x]), x), &[vec![t.app(f, &[x])]]);
    same_answer(&t, &[trigger, t.lt(t.app(f, &[t.int(3)]), t.int(2))]);
}
