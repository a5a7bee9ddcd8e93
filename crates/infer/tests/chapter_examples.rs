//! The examples of the source's chapter on numerical invariants, from rows that the loops make when written in Rust.
//!
//! Each claim is about the *program*: it must be shown, or follow from what is shown.

use infer::{Evidence, FormConfig, Location, LocationKind, Relations, Samples, Variable, relations};
use logic::{Number, Predicate};
use smt::{Budget, Options, Solver, SortId, TermPool};

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % limit as u64) as i64
    }

    /// Of magnitude up to the limit; often small, so that equal values and zeros occur.
    fn signed(&mut self, limit: i64) -> i64 {
        let limit = if self.below(3) == 0 { 3 } else { limit };
        self.below(2 * limit + 1) - limit
    }
}

struct Example {
    names: Vec<String>,
    guards: &'static [&'static str],
    evidence: Evidence,
}

impl Example {
    fn new(names: &str, guards: &'static [&'static str]) -> Example {
        let names: Vec<String> = names.split(' ').map(str::to_string).collect();
        let near = Samples::new(names.iter().map(Variable::int).collect());
        Example { names, guards, evidence: Evidence { far: near.clone(), near } }
    }

    fn row(&mut self, is_far: bool, row: &[i64]) {
        let part = if is_far { &mut self.evidence.far } else { &mut self.evidence.near };
        part.push(row);
    }

    fn relations(&self) -> Relations {
        let location = Location {
            name: "L".to_string(),
            kind: LocationKind::Label,
            pointers_valid: false,
            span: None,
            variables: self.evidence.variables().to_vec(),
            guards: self.guards.iter().map(|g| Predicate::parse(g).unwrap()).collect(),
        };
        relations(&location, &self.evidence, &FormConfig::default())
    }

    /// Checks that everything shown holds of every row, that each expected relation is shown or follows, and that the
    /// list stays short. Returns what is shown.
    fn check(&self, expected: &[&str], at_most: usize) -> Vec<String> {
        let shown: Vec<Predicate> = self.relations().invariants.into_iter().map(|i| i.predicate).collect();
        let texts: Vec<String> = shown.iter().map(Predicate::to_string).collect();
        for predicate in &shown {
            for row in self.evidence.rows() {
                let lookup = |name: &str, _: &[Number]| {
                    let column = self.names.iter().position(|n| n == name).expect("relations name columns");
                    Ok(Number::Small(row[column].into()))
                };
                assert_eq!(predicate.evaluate(&lookup), Ok(true), "{predicate} on {row:?}");
            }
        }
        for text in expected {
            let wanted = Predicate::parse(text).unwrap();
            let is_shown = shown.iter().any(|p| p.normalise() == wanted.normalise());
            assert!(is_shown || follows(&shown, &wanted), "{text} is missing from {texts:#?}");
        }
        assert!(shown.len() <= at_most, "{} relations: {texts:#?}", shown.len());
        texts
    }
}

fn follows(shown: &[Predicate], wanted: &Predicate) -> bool {
    let pool = TermPool::new();
    let options = Options { budget: Budget::resources(20_000_000), ..Options::default() };
    let mut solver = Solver::with_options(&pool, options);
    let lookup = |name: &str| Some(pool.var(name, SortId::INT));
    for predicate in shown {
        solver.assert(predicate.to_smt(&pool, &lookup).unwrap());
    }
    solver.assert(pool.not(wanted.to_smt(&pool, &lookup).unwrap()));
    solver.check().is_unsat()
}

#[test]
fn cohen() {
    let mut example = Example::new("x y q r a b", &["r >= 2*b"]);
    let mut numbers = Numbers(1);
    for run in 0..1000 {
        let is_far = run % 2 == 1;
        let scale = if is_far { 2 } else { 1 };
        let (x, y) = (numbers.below(if run % 3 == 0 { 12 } else { 150 * scale }), 1 + numbers.below(15 * scale));
        let (mut q, mut r) = (0, x);
        while r >= y {
            let (mut a, mut b) = (1, y);
            while r >= 2 * b {
                example.row(is_far, &[x, y, q, r, a, b]);
                a *= 2;
                b *= 2;
            }
            r -= b;
            q += a;
        }
    }
    let shown = example.check(&["b == y*a", "x == q*y + r", "r >= 2*y*a"], 16);
    assert_eq!(shown[..3], ["b == y*a", "x == y*q + r", "r >= 2*y*a"]);
}

#[test]
fn ex1() {
    let mut example = Example::new("x y", &[]);
    for start in -100..=100i64 {
        let (mut x, mut y) = (start.min(5), 5);
        loop {
            example.row(start.abs() > 50, &[x, y]);
            if x > 10 {
                break;
            }
            y += i64::from(x >= 5);
            x += 1;
        }
    }
    let cases = "(x < 5 && y == 5) || (5 <= x && x <= 11 && x == y)";
    example.check(&["11 >= y && y >= 5", "0 >= x - y", "max(0, x - 5) >= y - 5", cases], 3);
}

#[test]
fn ex2() {
    let mut example = Example::new("x y b", &[]);
    for x in -100..=100i64 {
        let y = if x >= 0 { x + 1 } else { x - 1 };
        example.row(x.abs() > 50, &[x, y, i64::from(y > 10)]);
    }
    example.check(&["1 >= b && b >= 0", "max(y - 10, 0) >= b", "b + 10 >= min(y, 11)"], 12);
}

#[test]
fn sqrt() {
    let mut example = Example::new("n a s t", &[]);
    for n in 0..300i64 {
        let (mut a, mut s, mut t) = (0, 1, 1);
        loop {
            example.row(n > 150, &[n, a, s, t]);
            if s > n {
                break;
            }
            a += 1;
            t += 2;
            s += t;
        }
    }
    let shown = example.check(&["t == 2*a + 1", "4*s == t^2 + 2*t + 1", "s == (a + 1)^2"], 14);
    assert_eq!(shown[..3], ["t == 2*a + 1", "s == a^2 + 2*a + 1", "4*s == t^2 + 2*t + 1"]);
}

#[test]
fn flatten() {
    let mut example = Example::new("M N i j k", &["i < M", "j < N"]);
    for m in 0..9i64 {
        for n in 0..9i64 {
            for i in 0..m {
                for j in 0..n {
                    example.row(m > 5 || n > 5, &[m, n, i, j, i * n + j]);
                }
            }
        }
    }
    let shown = example.check(&["k == i*N + j", "0 <= k", "k <= M*N - 1", "i < M", "j < N"], 14);
    assert!(shown.contains(&"k <= M*N - 1".to_string()), "{shown:#?}");
}

/// Rows of a sort: the elements before and after.
fn sorted(count: usize) -> Example {
    let before: Vec<String> = (0..count).map(|n| format!("x{n}")).collect();
    let after: Vec<String> = (0..count).map(|n| format!("y{n}")).collect();
    let mut example = Example::new(&[before, after].concat().join(" "), &[]);
    let mut numbers = Numbers(3);
    for run in 0..900 {
        let is_far = run % 2 == 1;
        let mut row: Vec<i64> = (0..count).map(|_| numbers.signed(if is_far { 50 } else { 25 })).collect();
        if run % 9 == 0 {
            let first = row[0];
            row.fill(first);
        }
        let mut after = row.clone();
        after.sort_unstable();
        row.extend(after);
        example.row(is_far, &row);
    }
    example
}

#[test]
fn sorts_of_three_four_and_five() {
    sorted(3).check(&["y0 == min(x0, x1, x2)", "y2 == max(x0, x1, x2)", "y0 <= y1", "y1 <= y2"], 12);
    let four = ["y0 == min(x0, x1, x2, x3)", "y3 == max(x0, x1, x2, x3)", "y0 <= y1", "y1 <= y2", "y2 <= y3"];
    sorted(4).check(&four, 16);
    let five = ["y0 == min(x0, x1, x2, x3, x4)", "y4 == max(x0, x1, x2, x3, x4)", "y3 <= y4", "y0 <= y1"];
    sorted(5).check(&five, 16);
}

#[test]
fn partial_decrement_and_increment() {
    let [mut least, mut largest, mut middle] = std::array::from_fn(|_| Example::new("n p q r s i", &[]));
    let mut numbers = Numbers(5);
    for run in 0..800 {
        let is_far = run % 2 == 1;
        let [n, p, q, r, s] = std::array::from_fn(|_| numbers.signed(if is_far { 30 } else { 15 }));
        least.row(is_far, &[n, p, q, r, s, n.min(p).min(q).min(r).min(s)]);
        largest.row(is_far, &[n, p, q, r, s, n.max(p).max(q).max(r).max(s)]);
        let mut i = n.min(p);
        loop {
            middle.row(is_far, &[n, p, q, r, s, i]);
            if i <= q {
                break;
            }
            i -= 1;
        }
    }
    least.check(&["i == min(n, p, q, r, s)"], 3);
    largest.check(&["i == max(n, p, q, r, s)"], 3);
    middle.check(&["i <= n", "i <= p", "i >= min(n, p, q)"], 6);
}

#[test]
fn strncpy() {
    let (mut inside, mut after) = (Example::new("n s d i", &[]), Example::new("n s d", &[]));
    let mut numbers = Numbers(7);
    for run in 0..600 {
        let is_far = run % 2 == 1;
        let limit = if is_far { 40 } else { 20 };
        let (n, s, mut d) = (numbers.below(limit), 1 + numbers.below(limit), 1 + numbers.below(limit));
        let mut i = 0;
        loop {
            inside.row(is_far, &[n, s, d, i]);
            if i >= n || i >= s {
                break;
            }
            i += 1;
            if i == s {
                d = s;
            } else if d == i {
                d = i + 1;
            }
        }
        after.row(is_far, &[n, s, d]);
    }
    let cases = "(i == s && d == s) || (i < s && d > i)";
    inside.check(&["i <= n", "i <= s", "i >= 0", cases, "min(d, i + 1) == min(s, i + 1)"], 12);
    after.check(&["(n >= s && d == s) || (n < s && d >= n)", "min(d, n + 1) == min(s, n + 1)"], 8);
}

/// No rows, one row, values at the limits, many variables: an answer, and a note where something is missing.
#[test]
fn odd_evidence() {
    let found = Example::new("x", &[]).relations();
    assert_eq!((found.invariants.len(), found.notes.len()), (0, 1));
    let mut single = Example::new("x y", &[]);
    single.row(false, &[3, -4]);
    single.check(&["x == 3", "y == -4"], 2);
    let mut limits = Example::new("x y", &[]);
    for shift in 0..20 {
        limits.row(shift % 2 == 1, &[i64::MIN + shift, i64::MAX - shift]);
    }
    limits.check(&["x + y == -1"], 8);
    let names: Vec<String> = (0..60).map(|n| format!("v{n}")).collect();
    let mut many = Example::new(&names.join(" "), &[]);
    let mut numbers = Numbers(9);
    for run in 0..200 {
        let mut row: Vec<i64> = (0..60).map(|_| numbers.signed(if run % 2 == 1 { 100 } else { 50 })).collect();
        row[59] = row[0] + row[1];
        many.row(run % 2 == 1, &row);
    }
    many.check(&["v59 == v0 + v1"], 400);
    assert!(!many.relations().notes.is_empty());
}
