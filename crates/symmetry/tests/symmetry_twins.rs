//! The two procedures give one verdict, that of trying every permutation; and the generated loop gives the verdict of its
//! slow twin.

use algebra::permutation::{Homomorphism, Permutation};
use diagnostics::Deadline;
use exec::Scalar;
use proptest::prelude::*;
use std::collections::HashMap;
use std::time::Duration;
use symmetry::answer::{Answer, Compare, Object, Value};
use symmetry::conversing::{Asked, Conversing, Target};
use symmetry::domain::Values;
use symmetry::engine::{Engine, EngineError, Extent, Found, Limits, Method, Search};
use symmetry::native::{Build, Native};
use symmetry::relation::Follow;
use symmetry::shape::{Output, Problem, Request, Shape, lay_out};
use symmetry::signature::{Parameter, ParameterKind, ResultKind, Signature, signature};

/// A function given by its table.
#[derive(Clone, Debug)]
struct Table {
    answers: HashMap<Vec<i128>, Vec<i128>>,
}

fn ints(input: &[Scalar]) -> Vec<i128> {
    let int = |value: &Scalar| match value {
        Scalar::Int(int) => *int,
        Scalar::Float(float) => *float as i128,
    };
    input.iter().map(int).collect()
}

impl Table {
    fn answer(&self, input: &[i128]) -> Answer {
        let values = self.answers[input].iter().map(|v| Value::Int(*v)).collect();
        Answer { objects: vec![Object { name: "return".into(), values, scalar: false }] }
    }
}

impl Target for Table {
    fn ask(&mut self, _: &Shape, inputs: &[Vec<Scalar>]) -> Result<Asked, EngineError> {
        Ok(Asked { answers: inputs.iter().map(|i| self.answer(&ints(i))).collect(), fault: None })
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// All tuples of `k` numbers below `n`.
fn tuples(n: i128, k: usize) -> Vec<Vec<i128>> {
    (0..k).fold(vec![Vec::new()], |all, _| {
        all.iter().flat_map(|t: &Vec<i128>| (0..n).map(move |v| [t.as_slice(), &[v]].concat())).collect()
    })
}

/// A table that has the relation: chosen on ascending tuples, made invariant under the stabiliser, carried to all others.
fn symmetric_table(n: i128, relation: &Homomorphism, fixed: i128, random: &mut fastrand::Rng) -> Table {
    let k = relation.k();
    let mut answers = HashMap::new();
    for y in 0..fixed {
        for s in tuples(n, k).into_iter().filter(|t| t.is_sorted()) {
            let mut r: Vec<i128> = (0..relation.l()).map(|_| random.i128(0..3)).collect();
            let stabiliser: Vec<Permutation> = Permutation::all(k).filter(|t| t.apply(&s) == s).collect();
            let copy = r.clone();
            // All positions of an orbit of the stabiliser have the same least member, so they get the same value.
            for (i, value) in r.iter_mut().enumerate() {
                let least = stabiliser.iter().map(|t| relation.of(t).at(i)).min().unwrap_or(i);
                *value = copy[least];
            }
            for theta in Permutation::all(k) {
                answers.insert([&[y], theta.apply(&s).as_slice()].concat(), relation.of(&theta).apply(&r));
            }
        }
    }
    Table { answers }
}

/// What the relation means.
fn brute_force(table: &Table, relation: &Homomorphism, compare: Compare) -> bool {
    table.answers.keys().all(|x| {
        Permutation::all(relation.k()).all(|theta| {
            let permuted = [&x[..1], theta.apply(&x[1..]).as_slice()].concat();
            table.answer(&permuted).is_permuted(&table.answer(x), &relation.of(&theta), compare)
        })
    })
}

/// A problem of one number that stays and k that are permuted.
fn problem(n: i128, fixed: i128, relation: &Homomorphism, compare: Compare) -> Problem {
    let names: Vec<String> = (0..relation.k()).map(|i| format!("x{i}")).collect();
    let parameters = std::iter::once("y".to_string()).chain(names.iter().cloned());
    let parameters = parameters.map(|name| Parameter { name, kind: ParameterKind::Scalar(None) }).collect();
    let signature =
        Signature { name: "p".into(), parameters, result: ResultKind::Any, unit: None, constants: Default::default() };
    let mut request = Request::new(names.clone());
    request.compare = compare;
    request.domains = names.into_iter().map(|name| (name, Values::Range { lo: 0, hi: n - 1 })).collect();
    request.domains.push(("y".into(), Values::Range { lo: 0, hi: fixed - 1 }));
    let (tau, sigma) = (Some(relation.tau().to_string()), Some(relation.sigma().to_string()));
    let mut problem = lay_out(signature, request).expect("the problem should be laid out");
    let shape = &mut problem.shapes[0];
    shape.outputs =
        vec![Output { name: "return".into(), parameter: None, types: vec![None; relation.l()], scalar: false }];
    shape.relate(&Follow::Images { tau, sigma }).expect("the relation should be one");
    problem
}

fn limits(deadline: &Deadline) -> Limits<'_> {
    Limits { deadline, call: Duration::from_secs(20), jobs: 2 }
}

fn by(problem: &Problem, table: &Table, method: Method) -> Search {
    let deadline = Deadline::default();
    let assumption = |_: &Shape, _: &[Scalar]| true;
    let engine = Conversing {
        problem,
        target: table.clone().into(),
        assumption: &assumption,
        method,
        limits: limits(&deadline),
    };
    let space = problem.space(&problem.shapes[0]).expect("the domains should join");
    engine.search(0, &space, Extent::First).expect("a table should answer")
}

/// All homomorphisms for small numbers.
fn relations() -> Vec<Homomorphism> {
    let mut all = Vec::new();
    for (k, l) in [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)] {
        for tau in Permutation::all(l) {
            for sigma in Permutation::all(l) {
                all.extend(Homomorphism::new(k, tau.clone(), sigma));
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// One table in three has the relation, one misses it in one place, one is anything.
    #[test]
    fn the_procedures_agree_with_trying_all(seed in any::<u64>(), kind in 0..3, which in any::<usize>(), multiset in any::<bool>()) {
        let mut random = fastrand::Rng::with_seed(seed);
        let relations = relations();
        let relation = &relations[which % relations.len()];
        let (n, fixed) = (random.i128(1..4), random.i128(1..3));
        let mut table = symmetric_table(n, relation, fixed, &mut random);
        let compare = if multiset { Compare::Multiset } else { Compare::Exact };
        if kind == 1 {
            let mut keys: Vec<&Vec<i128>> = table.answers.keys().collect();
            keys.sort();
            let key = keys[random.usize(0..keys.len())].clone();
            if let Some(answer) = table.answers.get_mut(&key) {
                let at = random.usize(0..answer.len());
                answer[at] += 1;
            }
        }
        if kind == 2 {
            for answer in table.answers.values_mut() {
                answer.iter_mut().for_each(|v| *v = random.i128(0..2));
            }
        }
        let expected = brute_force(&table, relation, compare);
        if kind == 0 {
            prop_assert!(expected, "a table made to have the relation should have it");
        }
        let problem = problem(n, fixed, relation, compare);
        let size = (fixed * n.pow(relation.k() as u32)) as u64;
        for method in [Method::Orbits, Method::Generators] {
            let search = by(&problem, &table, method);
            prop_assert_eq!(search.found.is_none(), expected, "{:?}", method);
            match search.found {
                None => {
                    let per_tuple = if method == Method::Orbits { 1 } else if relation.k() == 2 { 2 } else { 3 };
                    prop_assert_eq!((search.tally.tuples, search.tally.calls), (size, per_tuple * size));
                }
                Some(Found::Violation { input, theta }) => {
                    let x = ints(&input);
                    let permuted = [&x[..1], theta.apply(&x[1..]).as_slice()].concat();
                    let eta = relation.of(&theta);
                    prop_assert!(!table.answer(&permuted).is_permuted(&table.answer(&x), &eta, compare));
                }
                Some(fault) => prop_assert!(false, "{fault:?}"),
            }
        }
    }
}

/// The table as a C function that fills an array.
fn c_text(table: &Table, n: i128, relation: &Homomorphism) -> String {
    let (k, l) = (relation.k(), relation.l());
    let mut keys: Vec<&Vec<i128>> = table.answers.keys().collect();
    keys.sort();
    let rows: Vec<String> = keys
        .iter()
        .map(|key| {
            let row: Vec<String> = table.answers[*key].iter().map(i128::to_string).collect();
            format!("{{ {} }}", row.join(", "))
        })
        .collect();
    let parameters: Vec<String> = (0..k).map(|i| format!("int x{i}")).collect();
    let index = (0..k).fold("y".to_string(), |index, i| format!("({index} * {n} + x{i})"));
    let (rows, parameters) = (rows.join(", "), parameters.join(", "));
    let head = format!("static const int table[][{l}] = {{ {rows} }};\n");
    match l {
        1 => format!("{head}int p(int y, {parameters}) {{ return table[{index}][0]; }}\n"),
        _ => format!(
            "{head}void p(int y, {parameters}, int out[{l}]) {{ for (int i = 0; i < {l}; i++) out[i] = table[{index}][i]; }}\n"
        ),
    }
}

#[test]
fn the_generated_loop_agrees_with_its_twin() {
    let folder = tempfile::tempdir().expect("a temporary folder should be had");
    let mut random = fastrand::Rng::with_seed(5);
    let relations = relations();
    let mut held = 0;
    for case in 0..14 {
        let relation = &relations[random.usize(0..relations.len())];
        let (n, fixed) = (random.i128(2..4), 2);
        let mut table = symmetric_table(n, relation, fixed, &mut random);
        if case % 2 == 1 {
            let mut keys: Vec<Vec<i128>> = table.answers.keys().cloned().collect();
            keys.sort();
            let key = keys[random.usize(0..keys.len())].clone();
            table.answers.get_mut(&key).expect("the key should be the table's")[0] += 1;
        }
        let path = folder.path().join(format!("t{case}.c"));
        std::fs::write(&path, c_text(&table, n, relation)).expect("the file should be written");
        let program =
            cfront::load(std::slice::from_ref(&path), &Default::default()).expect("the text should be C").program;
        let entry = program.find_function("p").expect("p should be defined");
        let twin = problem(n, fixed, relation, Compare::Exact);
        let mut request = twin.request.clone();
        request.follow =
            Follow::Images { tau: Some(relation.tau().to_string()), sigma: Some(relation.sigma().to_string()) };
        let laid_out =
            lay_out(signature(&program, entry).expect("p should have a signature"), request).expect("laid out");
        let build = Build {
            files: vec![path],
            texts: Vec::new(),
            unit: 0,
            flags: Vec::new(),
            compiler: None,
            sanitize: false,
            has_main: false,
            total: case % 4 < 2,
            watch: None,
            compiled: Default::default(),
        };
        for method in [Method::Orbits, Method::Generators] {
            let deadline = Deadline::default();
            let engine = Native::new(&laid_out, &build, method, limits(&deadline)).expect("the loop should compile");
            let space = laid_out.space(&laid_out.shapes[0]).expect("the domains should join");
            let (found, expected) =
                (engine.search(0, &space, Extent::First).expect("it should run"), by(&twin, &table, method));
            assert_eq!(found.found, expected.found, "case {case}, {method:?}");
            let counts = |s: &Search| (s.tally.tuples, s.tally.calls, s.tally.checks);
            assert_eq!(counts(&found), counts(&expected), "case {case}, {method:?}");
            held += usize::from(found.found.is_none());
            let answers = engine.answers(0, &[vec![Scalar::Int(0); relation.k() + 1]]).expect("it should answer");
            let values: Vec<Value> = answers[0].iter().flat_map(|a| a.values().cloned()).collect();
            let wanted: Vec<Value> = table.answer(&vec![0; relation.k() + 1]).values().cloned().collect();
            assert_eq!(values, wanted);
        }
    }
    assert!(held >= 10, "{held}");
}
