//! Random terms: evaluator against Z3, simplified against plain, text against interface.
//!
//! Terms are generated from a list of bytes that drives a stack machine, so shrinking the bytes
//! shrinks the term. Plain terms are built with `raw`, hence no rule of the simplifier is involved
//! until `simplify` is called.

use proptest::prelude::*;
use smt::{Bits, Budget, Int, Model, Op, Options, Outcome, Rational, Solver, SortId, TermId, TermPool, Value, smtlib};

const WIDTH: u32 = 4;

/// Builds a term without simplification. `ground` leaves variables out.
fn plain_term(t: &TermPool, code: &[u8], ground: bool) -> TermId {
    let bv = t.bitvec_sort(WIDTH);
    let mut bools = vec![t.bool(true), t.bool(false)];
    let mut ints: Vec<TermId> = [0i64, 1, -3].iter().map(|n| t.int(*n)).collect();
    let mut reals = vec![t.real(Int::ONE), t.real(Rational::from_parts_signed((-1).into(), 2.into()))];
    let mut bits: Vec<TermId> = [0i64, 1, 8, 15].iter().map(|n| t.bits(WIDTH, *n)).collect();
    let sort = t.array_sort(bv, SortId::INT);
    let mut arrays = vec![t.raw(Op::ConstArray(sort), &[ints[2]])];
    if !ground {
        for name in ["p", "q"] {
            bools.push(t.var(name, SortId::BOOL));
        }
        for name in ["x", "y"] {
            ints.push(t.var(name, SortId::INT));
            reals.push(t.var(name, SortId::REAL));
            bits.push(t.var(name, bv));
        }
        arrays.push(t.var("a", sort));
    }
    for step in code.chunks_exact(4) {
        let pick = |list: &[TermId], i: usize| list[list.len() - 1 - step[i] as usize % list.len()];
        let (b, n, r, v, a) = (&bools, &ints, &reals, &bits, &arrays);
        let bv2 = |op: Op| t.raw(op, &[pick(v, 1), pick(v, 2)]);
        let (target, term) = match step[0] % 52 {
            0 => (0, t.raw(Op::Not, &[pick(b, 1)])),
            1 => (0, t.raw(Op::And, &[pick(b, 1), pick(b, 2), pick(b, 3)])),
            2 => (0, t.raw(Op::Or, &[pick(b, 1), pick(b, 2), pick(b, 3)])),
            3 => (0, t.raw(Op::Xor, &[pick(b, 1), pick(b, 2)])),
            4 => (0, t.raw(Op::Ite, &[pick(b, 1), pick(b, 2), pick(b, 3)])),
            5 => (0, t.raw(Op::Eq, &[pick(b, 1), pick(b, 2)])),
            6 => (0, t.raw(Op::Eq, &[pick(n, 1), pick(n, 2)])),
            7 => (0, t.raw(Op::Eq, &[pick(r, 1), pick(r, 2)])),
            8 => (0, t.raw(Op::Eq, &[pick(v, 1), pick(v, 2)])),
            9 => (0, t.raw(Op::Distinct, &[pick(n, 1), pick(n, 2), pick(n, 3)])),
            10 => (0, t.raw(Op::Le, &[pick(n, 1), pick(n, 2)])),
            11 => (0, t.raw(Op::Lt, &[pick(n, 1), pick(n, 2)])),
            12 => (0, t.raw(Op::Le, &[pick(r, 1), pick(r, 2)])),
            13 => (0, t.raw(Op::Lt, &[pick(r, 1), pick(r, 2)])),
            14 => (0, t.raw(Op::IsInt, &[pick(r, 1)])),
            15 => (0, bv2(Op::BvUlt)),
            16 => (0, bv2(Op::BvUle)),
            17 => (0, bv2(Op::BvSlt)),
            18 => (0, bv2(Op::BvSle)),
            19 => (0, bv2(Op::BvMulOverflow { signed: step[3] % 2 == 0 })),
            20 => (0, t.raw(Op::Eq, &[pick(a, 1), pick(a, 2)])),
            21 => (1, t.raw(Op::Add, &[pick(n, 1), pick(n, 2), pick(n, 3)])),
            22 => (1, t.raw(Op::Mul, &[pick(n, 1), pick(n, 2)])),
            23 => (1, t.raw(Op::IntDiv, &[pick(n, 1), pick(n, 2)])),
            24 => (1, t.raw(Op::IntMod, &[pick(n, 1), pick(n, 2)])),
            25 => (1, t.raw(Op::Ite, &[pick(b, 1), pick(n, 2), pick(n, 3)])),
            26 => (1, t.raw(Op::ToInt, &[pick(r, 1)])),
            27 => (1, t.raw(Op::BvToInt, &[pick(v, 1)])),
            28 => (1, t.raw(Op::Select, &[pick(a, 1), pick(v, 2)])),
            29 => (2, t.raw(Op::Add, &[pick(r, 1), pick(r, 2)])),
            30 => (2, t.raw(Op::Mul, &[pick(r, 1), pick(r, 2)])),
            31 => (2, t.raw(Op::RealDiv, &[pick(r, 1), pick(r, 2)])),
            32 => (2, t.raw(Op::ToReal, &[pick(n, 1)])),
            33 => (2, t.raw(Op::Ite, &[pick(b, 1), pick(r, 2), pick(r, 3)])),
            34 => (3, t.raw(Op::BvNot, &[pick(v, 1)])),
            35 => (3, t.raw(Op::BvNeg, &[pick(v, 1)])),
            36 => (3, bv2(Op::BvAnd)),
            37 => (3, bv2(Op::BvOr)),
            38 => (3, bv2(Op::BvXor)),
            39 => (3, bv2(Op::BvAdd)),
            40 => (3, bv2(Op::BvSub)),
            41 => (3, bv2(Op::BvMul)),
            42 => (3, bv2(Op::BvUdiv)),
            43 => (3, bv2(Op::BvUrem)),
            44 => (3, bv2(Op::BvSdiv)),
            45 => (3, bv2(Op::BvSrem)),
            46 => (3, bv2([Op::BvShl, Op::BvLshr, Op::BvAshr][step[3] as usize % 3].clone())),
            47 => {
                let wide = t.raw(Op::BvConcat, &[pick(v, 1), pick(v, 2)]);
                let low = u32::from(step[3]) % (WIDTH + 1);
                (3, t.raw(Op::BvExtract { high: low + WIDTH - 1, low }, &[wide]))
            }
            48 => {
                let by = u32::from(step[2]) % 4;
                let op = if step[3] % 2 == 0 { Op::BvZeroExtend(by) } else { Op::BvSignExtend(by) };
                let wide = t.raw(op, &[pick(v, 1)]);
                (3, t.raw(Op::BvExtract { high: by + WIDTH - 1, low: by }, &[wide]))
            }
            49 => (3, t.raw(Op::Ite, &[pick(b, 1), pick(v, 2), pick(v, 3)])),
            50 => (3, t.raw(Op::IntToBv(WIDTH), &[pick(n, 1)])),
            _ => (4, t.raw(Op::Store, &[pick(a, 1), pick(v, 2), pick(n, 3)])),
        };
        [&mut bools, &mut ints, &mut reals, &mut bits, &mut arrays][target].push(term);
    }
    // Every sort's last term takes part, so that most of the code matters.
    let last = |list: &[TermId]| list[list.len() - 1];
    let value = t.raw(Op::Select, &[last(&arrays), last(&bits)]);
    t.raw(Op::And, &[last(&bools), t.raw(Op::Le, &[last(&ints), value]), t.raw(Op::Lt, &[last(&reals), reals[0]])])
}

/// A model for the free variables, from bytes.
fn model(t: &TermPool, values: &[u8; 8]) -> Model {
    let bv = t.bitvec_sort(WIDTH);
    let mut model = Model::new(t);
    let small = |byte: u8| Int::from(i64::from(byte % 11) - 5);
    for (i, name) in ["p", "q"].into_iter().enumerate() {
        model.set(t.var(name, SortId::BOOL), Value::Bool(values[i] % 2 == 1));
    }
    for (i, name) in ["x", "y"].into_iter().enumerate() {
        let half = Rational::from_parts_signed(small(values[4 + i]), 2.into());
        model.set(t.var(name, SortId::INT), Value::Int(small(values[2 + i])));
        model.set(t.var(name, SortId::REAL), Value::Real(half));
        let bits = Bits::new(WIDTH, &Int::from(values[6 + i]));
        model.set(t.var(name, bv), Value::Bits(bits));
    }
    model
}

/// Division by zero is left to the model, so a claim about all models must not contain it.
fn divides_by_zero(t: &TermPool, term: TermId) -> bool {
    let model = Model::new(t);
    t.postorder(&[term]).into_iter().any(|s| {
        let zero = |v| v == Ok(Value::Int(Int::ZERO)) || v == Ok(Value::Real(Rational::ZERO));
        matches!(t.op(s), Op::IntDiv | Op::IntMod | Op::RealDiv) && zero(model.eval(t.args(s)[1]))
    })
}

fn solver(t: &TermPool) -> Solver {
    let budget = Budget::resources(3_000_000);
    Solver::with_options(t, Options { budget, ..Options::default() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// Z3 refutes that a ground term differs from what we evaluate it to.
    #[test]
    fn evaluator_agrees_with_z3(code in prop::collection::vec(any::<u8>(), 0..80)) {
        let t = TermPool::new();
        let term = plain_term(&t, &code, true);
        prop_assume!(!divides_by_zero(&t, term));
        let value = Model::new(&t).eval(term).unwrap() == Value::Bool(true);
        let mut solver = solver(&t);
        let claim = if value { t.raw(Op::Not, &[term]) } else { term };
        solver.assert(claim);
        let outcome = solver.check();
        prop_assert!(outcome.is_unsat(), "{outcome:?} for {}", smtlib::query(&t, &[claim]));
    }

    /// Simplification keeps the value under every model tried.
    #[test]
    fn simplified_terms_keep_their_value(
        code in prop::collection::vec(any::<u8>(), 0..160),
        values in prop::collection::vec(any::<[u8; 8]>(), 8),
    ) {
        let t = TermPool::new();
        let term = plain_term(&t, &code, false);
        let simple = t.simplify(term);
        // The rules reach a normal form at once or nearly so; values must hold in any case.
        let again = t.simplify(simple);
        for values in &values {
            let model = model(&t, values);
            let expected = model.eval(term);
            prop_assert_eq!(&model.eval(simple), &expected);
            prop_assert_eq!(&model.eval(again), &expected);
        }
    }

    /// Whatever Z3 says about a plain term it says about the simplified one, and about the text.
    #[test]
    fn answers_survive_simplification_and_printing(
        code in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let t = TermPool::new();
        let term = plain_term(&t, &code, false);
        let simple = t.simplify(term);
        let answer = |claim: TermId| {
            let mut solver = solver(&t);
            solver.assert(claim);
            solver.check()
        };
        let (plain, simplified) = (answer(term), answer(simple));
        if let Outcome::Sat(model) = &plain {
            prop_assert_eq!(model.eval(simple), Ok(Value::Bool(true)));
            prop_assert!(!simplified.is_unsat());
        }
        if let Outcome::Sat(model) = &simplified {
            prop_assert_eq!(model.eval(term), Ok(Value::Bool(true)));
            prop_assert!(!plain.is_unsat());
        }
        for claim in [term, simple] {
            let text = smtlib::query(&t, &[claim]);
            let read = smtlib::check_text(&text, Budget::resources(3_000_000));
            let agrees = match &read {
                Ok(smtlib::TextAnswer::Sat) => !plain.is_unsat(),
                Ok(smtlib::TextAnswer::Unsat) => !plain.is_sat(),
                Ok(smtlib::TextAnswer::Unknown(_)) => true,
                Err(_) => false,
            };
            prop_assert!(agrees, "{read:?} for\n{text}");
        }
    }

    /// The text depends on the structure alone, not on what else the pool holds.
    #[test]
    fn text_does_not_depend_on_ids(code in prop::collection::vec(any::<u8>(), 0..60)) {
        let first = TermPool::new();
        let expected = plain_term(&first, &code, false);
        let second = TermPool::new();
        for (i, name) in ["y", "x", "p"].into_iter().enumerate() {
            second.add(second.var(name, SortId::INT), second.int(i as i64));
        }
        let term = plain_term(&second, &code, false);
        for (a, b) in [(expected, term), (first.simplify(expected), second.simplify(term))] {
            prop_assert_eq!(smtlib::query(&first, &[a]), smtlib::query(&second, &[b]));
        }
    }
}
