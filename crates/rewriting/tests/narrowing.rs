//! Narrowing against what is known: worked examples, and on random rules the values found by trying all small ones.

use rewriting::{
    Bound, Decider, Decision, Ending, Found, Head, Limits, Names, Normaliser, Reading, Solution, SortId, Store, System,
    TermId, Undecided, VarId, narrow, read_rules, show,
};
use std::collections::{BTreeMap, BTreeSet};

struct Problem {
    system: System,
    store: Store,
    inputs: Vec<VarId>,
}

impl Problem {
    fn new(rules: &str, inputs: &[(&str, &str)]) -> Problem {
        let Reading { system, problems } = read_rules(rules);
        let errors: Vec<_> = problems.iter().filter(|p| p.severity == rewriting::Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?} in\n{rules}");
        let mut store = Store::new();
        let sort = |name: &str| system.signature.find_sort(name).expect("the sort should be declared");
        let inputs = inputs.iter().map(|(name, of)| store.fresh(name, sort(of))).collect();
        Problem { system, store, inputs }
    }

    /// A term in prefix form: words are applied to as many terms as they have arguments.
    fn term(&mut self, text: &str) -> TermId {
        let text = text.replace(['(', ')', ','], " ");
        let mut words = text.split_whitespace();
        let term = self.words(&mut words);
        assert!(words.next().is_none());
        term
    }

    fn words<'t>(&mut self, words: &mut impl Iterator<Item = &'t str>) -> TermId {
        let word = words.next().expect("a word should follow");
        if let Some(&var) = self.inputs.iter().find(|var| self.store.var_name(**var) == word) {
            return self.store.var(var);
        }
        if let Ok(value) = word.parse() {
            return self.store.int(value);
        }
        let symbol = self.system.signature.find_symbol(word).unwrap_or_else(|| panic!("`{word}` should be known"));
        let arity = self.system.signature.symbol(symbol).args.len();
        let args: Vec<TermId> = (0..arity).map(|_| self.words(words)).collect();
        self.store.apply(&self.system.signature, symbol, &args)
    }

    fn solve(&mut self, goal: &str, limits: &Limits, decider: &mut dyn Decider) -> Found {
        let goal = self.term(goal);
        narrow(&self.system, &mut self.store, &self.inputs, &[goal], limits, decider, &|| false)
    }

    fn shown(&self, solution: &Solution) -> String {
        let mut names = Names::default();
        self.inputs.iter().for_each(|var| names.set(*var, self.store.var_name(*var)));
        let one = |names: &mut Names, (var, term): &(VarId, TermId)| {
            format!("{} = {}", self.store.var_name(*var), show(&self.system, &self.store, *term, names))
        };
        solution.values.iter().map(|value| one(&mut names, value)).collect::<Vec<_>>().join(", ")
    }

    fn check(&mut self, goal: &str, limits: &Limits, expected: &[&str], ending: Ending) {
        let found = self.solve(goal, limits, &mut Undecided);
        let shown: Vec<String> = found.solutions.iter().map(|solution| self.shown(solution)).collect();
        assert_eq!(shown, expected, "{goal}");
        assert_eq!(found.ending, ending, "{goal}");
    }
}

const NATURAL: &str = "sort nat = z | s(nat)\nadd(z, Y) -> Y\nadd(s(X), Y) -> s(add(X, Y))\n\
    leq(z, _) -> true\nleq(s(_), z) -> false\nleq(s(X), s(Y)) -> leq(X, Y)\n\
    por(true, _) -> true\npor(_, true) -> true\npor(false, false) -> false\n\
    is3(s(s(s(z)))) -> true\nloop(X) -> loop(s(X))\ncoin(_) -> true\ncoin(s(_)) -> false\n\
    even(z) -> true\neven(s(z)) -> false\neven(s(s(X))) -> even(X)\n";

#[test]
fn worked_examples() {
    let mut problem = Problem::new(NATURAL, &[("x", "nat"), ("y", "nat")]);
    let all = Limits::default();
    problem.check(
        "is3(add(x, y))",
        &all,
        &["x = z, y = s(s(s(z)))", "x = s(z), y = s(s(z))", "x = s(s(z)), y = s(z)", "x = s(s(s(z))), y = z"],
        Ending::Exhausted,
    );
    problem.check("leq(s(s(x)), s(z))", &all, &[], Ending::Exhausted);
    problem.check("leq(x, s(z))", &all, &["x = z, y = y", "x = s(z), y = y"], Ending::Exhausted);
    let two = Limits { solutions: Some(2), ..Limits::default() };
    problem.check("even(x)", &two, &["x = z, y = y", "x = s(s(z)), y = y"], Ending::Enough);
    let shallow = Limits { depth: Some(2), ..Limits::default() };
    problem.check("even(x)", &shallow, &["x = z, y = y"], Ending::Bounded(Bound::Depth));
}

/// Overlapping rules: either argument suffices, also when the other does not end.
#[test]
fn overlapping_rules() {
    let mut problem = Problem::new(NATURAL, &[("x", "nat"), ("y", "nat")]);
    let all = Limits::default();
    problem.check("por(is3(x), is3(y))", &all, &["x = s(s(s(z))), y = y", "x = x, y = s(s(s(z)))"], Ending::Exhausted);
    let shallow = Limits { depth: Some(4), ..Limits::default() };
    problem.check("por(is3(loop(z)), is3(y))", &shallow, &["x = x, y = s(s(s(z)))"], Ending::Bounded(Bound::Depth));
    // Rules that disagree: every choice is looked at.
    problem.check("por(is3(x), coin(s(y)))", &all, &["x = x, y = y"], Ending::Exhausted);
}

#[test]
fn searches_without_end_stop_at_a_bound() {
    let mut problem = Problem::new(NATURAL, &[("x", "nat")]);
    let shallow = Limits { depth: Some(4), ..Limits::default() };
    problem.check("is3(loop(x))", &shallow, &[], Ending::Bounded(Bound::Depth));
    let goal = problem.term("is3(loop(x))");
    let found = narrow(&problem.system, &mut problem.store, &[], &[goal], &Limits::default(), &mut Undecided, &|| true);
    assert_eq!(found.ending, Ending::Bounded(Bound::Stopped));
    let few = Limits { terms: 1_000, ..Limits::default() };
    problem.check("is3(loop(x))", &few, &[], Ending::Bounded(Bound::Terms));
}

/// Knows integers from -9 to 9 by trying all.
struct Small;

impl Decider for Small {
    fn decide(&mut self, store: &Store, literals: &[(TermId, bool)]) -> Decision {
        let terms: Vec<TermId> = literals.iter().map(|(term, _)| *term).collect();
        let vars = store.variables(&terms);
        assert!(vars.len() <= 3);
        let system = System::default();
        for number in 0..19i128.pow(vars.len() as u32) {
            let values: Vec<(VarId, i128)> =
                (0u32..).zip(&vars).map(|(i, var)| (*var, number / 19i128.pow(i) % 19 - 9)).collect();
            let mut store = store.clone();
            let bound = values.iter().map(|(var, value)| (*var, store.int(*value))).collect();
            let holds = literals.iter().all(|(term, wanted)| {
                let ground = store.substitute(&system.signature, *term, &bound);
                let value = Normaliser::new(&system, 1_000, 100).normalise(&mut store, ground);
                value.is_ok_and(|value| store.as_truth(value) == Some(*wanted))
            });
            if holds {
                return Decision::Yes(values);
            }
        }
        Decision::No
    }
}

#[test]
fn integers_are_asked_of_the_decider() {
    let rules = "sort list = nil | cons(int, list)\n\
        sorted(nil) -> true\nsorted(cons(X, L)) -> from(X, L)\n\
        from(_, nil) -> true\nfrom(X, cons(Y, L)) -> X < Y && from(Y, L)\n\
        sum(nil) -> 0\nsum(cons(X, L)) -> X + sum(L)\n\
        length(nil) -> 0\nlength(cons(_, L)) -> 1 + length(L)\n\
        goal(L) -> length(L) == 2 && sum(L) == 5 && sorted(L)\n\
        sign(0) -> 0\nsign(1) -> 5\n zero(N) -> sign(N) == 5\n\
        third(N) -> 6 / N == 3\n";
    let mut problem = Problem::new(rules, &[("l", "list"), ("n", "int")]);
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let found = problem.solve("goal(l)", &limits, &mut Small);
    assert_eq!(found.solutions.len(), 1);
    let solution = &found.solutions[0];
    let values = solution.concrete(&problem.system, &mut problem.store);
    let numbers: Vec<i128> = {
        let store = &problem.store;
        let (_, list) = values[0];
        let second = store.arg(list, 1);
        [list, second].iter().filter_map(|cell| store.as_int(store.arg(*cell, 0))).collect()
    };
    assert!(numbers.len() == 2 && numbers[0] < numbers[1] && numbers[0] + numbers[1] == 5, "{numbers:?}");
    // An integer in a pattern, and a divisor that must not be zero.
    let found = problem.solve("zero(n)", &limits, &mut Small);
    assert_eq!(problem.shown(&found.solutions[0]), "l = l, n = 1");
    assert_eq!((found.solutions.len(), found.ending), (1, Ending::Exhausted));
    let found = problem.solve("third(n)", &limits, &mut Small);
    assert_eq!(found.solutions.len(), 1);
    assert_eq!(found.solutions[0].integers.len(), 1);
    assert_eq!(found.solutions[0].integers[0].1, 2);
    // Who knows nothing about integers cannot answer.
    let found = problem.solve("zero(n)", &limits, &mut Undecided);
    assert_eq!((found.solutions.len(), found.ending), (0, Ending::Bounded(Bound::Undecided)));
}

/// Random rules that always end: an operation calls earlier ones, or itself with a part of its first argument.
fn random_rules(random: &mut fastrand::Rng, overlapping: bool) -> (String, Vec<String>) {
    let mut text = String::from(
        "sort t = a | b(t) | c(t, t)\nop start : t -> bool\nstart(a) -> true\nstart(b(_)) -> false\nstart(c(_, _)) -> true\n",
    );
    // Name, arity, whether the result is a truth value.
    let mut known: Vec<(String, usize, bool)> = vec![("start".into(), 1, true)];
    for number in 0..random.usize(2..5) {
        let name = format!("f{number}");
        let (arity, truth) = (random.usize(1..3), random.bool());
        let mut rules: Vec<(Vec<String>, Vec<String>, Vec<String>)> = vec![split_patterns(random, arity)];
        // Splitting a variable of a pattern by constructors keeps the rules inductively sequential.
        for _ in 0..random.usize(0..3) {
            if rules.is_empty() {
                break;
            }
            let index = random.usize(..rules.len());
            let (patterns, vars, parts) = rules.remove(index);
            let Some(var) = (!vars.is_empty()).then(|| vars[random.usize(..vars.len())].clone()) else {
                rules.push((patterns, vars, parts));
                continue;
            };
            for (constructor, count) in [("a", 0), ("b", 1), ("c", 2)] {
                if random.usize(..6) == 0 {
                    continue; // The operation has no value there.
                }
                let new: Vec<String> = (0..count).map(|i| format!("{var}{i}")).collect();
                let term =
                    if count == 0 { constructor.to_string() } else { format!("{constructor}({})", new.join(", ")) };
                let replaced = patterns.iter().map(|p| replace_var(p, &var, &term)).collect();
                let kept = vars.iter().filter(|v| **v != var).cloned().chain(new.clone()).collect();
                let in_first = parts.contains(&var) || var == "X0";
                let more = parts.iter().filter(|v| **v != var).cloned();
                let more = more.chain(if in_first { new } else { Vec::new() }).collect();
                rules.push((replaced, kept, more));
            }
        }
        let mut written = Vec::new();
        for (patterns, vars, parts) in &rules {
            let right = random_right(random, vars, parts, &known, (&name, arity, truth), truth, 3);
            written.push((patterns.clone(), vars.clone(), right.clone()));
            text += &format!("{name}({}) -> {right}\n", patterns.join(", "));
        }
        if overlapping && !written.is_empty() {
            // An instance of a rule says the same once more.
            let (patterns, vars, right) = written[random.usize(..written.len())].clone();
            if let Some(var) = vars.first() {
                let patterns: Vec<String> = patterns.iter().map(|p| replace_var(p, var, "b(W)")).collect();
                text += &format!("{name}({}) -> {}\n", patterns.join(", "), replace_var(&right, var, "b(W)"));
            }
        }
        if rules.is_empty() {
            continue;
        }
        known.push((name, arity, truth));
    }
    let goals = known.iter().filter(|(_, _, truth)| *truth).map(|(name, arity, _)| {
        let args = ["x", "y"][..*arity].join(", ");
        format!("{name}({args})")
    });
    (text.clone(), goals.collect())
}

fn split_patterns(_: &mut fastrand::Rng, arity: usize) -> (Vec<String>, Vec<String>, Vec<String>) {
    let vars: Vec<String> = (0..arity).map(|i| format!("X{i}")).collect();
    (vars.clone(), vars, Vec::new())
}

fn replace_var(text: &str, var: &str, by: &str) -> String {
    let mut result = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
        } else {
            result += if word == var { by } else { &word };
            word.clear();
            result.push(c);
        }
    }
    result.trim_end().to_string()
}

fn random_right(
    random: &mut fastrand::Rng,
    vars: &[String],
    parts: &[String],
    known: &[(String, usize, bool)],
    own: (&str, usize, bool),
    truth: bool,
    depth: usize,
) -> String {
    let calls: Vec<&(String, usize, bool)> = known.iter().filter(|(_, _, t)| *t == truth).collect();
    let arg =
        |random: &mut fastrand::Rng| random_right(random, vars, parts, known, own, false, depth.saturating_sub(1));
    if depth > 0 && random.usize(..3) == 0 && own.2 == truth && !parts.is_empty() {
        let mut args = vec![parts[random.usize(..parts.len())].clone()];
        args.extend((1..own.1).map(|_| arg(random)));
        return format!("{}({})", own.0, args.join(", "));
    }
    if depth > 0 && random.bool() && !calls.is_empty() {
        let (name, arity, _) = calls[random.usize(..calls.len())];
        let args: Vec<String> = (0..*arity).map(|_| arg(random)).collect();
        return format!("{name}({})", args.join(", "));
    }
    if truth {
        return if random.bool() { "true" } else { "false" }.to_string();
    }
    match random.usize(..5) {
        0 => "a".to_string(),
        1 if depth > 0 => format!("b({})", arg(random)),
        2 if depth > 0 => format!("c({}, {})", arg(random), arg(random)),
        _ if !vars.is_empty() => vars[random.usize(..vars.len())].clone(),
        _ => "a".to_string(),
    }
}

/// All values of a sort by size.
fn values(system: &System, store: &mut Store, sort: SortId, largest: usize) -> Vec<(usize, TermId)> {
    let mut by_size: BTreeMap<usize, Vec<TermId>> = BTreeMap::new();
    for size in 1..=largest {
        let mut made = Vec::new();
        for &constructor in &system.signature.sort(sort).constructors {
            let arity = system.signature.symbol(constructor).args.len();
            let mut lists: Vec<(usize, Vec<TermId>)> = vec![(1, Vec::new())];
            for _ in 0..arity {
                let mut longer = Vec::new();
                for (used, list) in &lists {
                    for (&s, terms) in &by_size {
                        if used + s <= size {
                            longer.extend(terms.iter().map(|t| (used + s, [list.as_slice(), &[*t]].concat())));
                        }
                    }
                }
                lists = longer;
            }
            for (used, list) in lists {
                if used == size {
                    made.push(store.construct(constructor, &list));
                }
            }
        }
        by_size.insert(size, made);
    }
    by_size.into_iter().flat_map(|(size, terms)| terms.into_iter().map(move |t| (size, t))).collect()
}

fn is_instance(store: &Store, general: TermId, special: TermId, bound: &mut BTreeMap<VarId, TermId>) -> bool {
    match store.head(general) {
        Head::Var(var) => *bound.entry(var).or_insert(special) == special,
        head => {
            head == store.head(special)
                && store.args(general).iter().zip(store.args(special)).all(|(g, s)| is_instance(store, *g, *s, bound))
        }
    }
}

/// Solutions are right and none is missing: exactly the values that evaluate to true are instances of solutions.
fn compare_with_enumeration(seed: u64, overlapping: bool, checked: &mut usize, solutions: &mut usize) {
    const LARGEST: usize = 5;
    let mut random = fastrand::Rng::with_seed(seed);
    let (rules, goals) = random_rules(&mut random, overlapping);
    for goal in goals {
        let mut problem = Problem::new(&rules, &[("x", "t"), ("y", "t")]);
        for (id, symbol) in problem.system.signature.symbols() {
            let name = &symbol.name;
            assert!(overlapping || problem.system.is_inductively_sequential(id), "{name} in\n{rules}");
        }
        // A step gives a variable its constructor, so small values are found within as many steps as they are large.
        let limits = Limits { depth: Some(2 * LARGEST as u32), terms: 300_000, ..Limits::default() };
        let found = problem.solve(&goal, &limits, &mut Undecided);
        if !matches!(found.ending, Ending::Exhausted | Ending::Bounded(Bound::Depth)) {
            continue;
        }
        let sort = problem.system.signature.find_sort("t").unwrap();
        let all = values(&problem.system, &mut problem.store, sort, LARGEST);
        let term = problem.term(&goal);
        for (size, x) in &all {
            for (other, y) in &all {
                if size + other > LARGEST + 1 {
                    continue;
                }
                let bound = [(problem.inputs[0], *x), (problem.inputs[1], *y)].into_iter().collect();
                let ground = problem.store.substitute(&problem.system.signature, term, &bound);
                let value = Normaliser::new(&problem.system, 200_000, 2_000).normalise(&mut problem.store, ground);
                let expected = value.is_ok_and(|value| problem.store.as_truth(value) == Some(true));
                let covering = found.solutions.iter().filter(|solution| {
                    let mut bound = BTreeMap::new();
                    let pairs = solution.values.iter().zip([x, y]);
                    pairs.into_iter().all(|((_, g), s)| is_instance(&problem.store, *g, *s, &mut bound))
                });
                let covering = covering.count();
                assert_eq!(covering > 0, expected, "seed {seed}, {goal} for {x:?} {y:?} in\n{rules}");
                // Needed narrowing does not find the same twice.
                assert!(overlapping || covering <= 1, "seed {seed}, {goal} in\n{rules}");
                *checked += 1;
            }
        }
        let distinct: BTreeSet<String> = found.solutions.iter().map(|s| problem.shown(s)).collect();
        assert_eq!(distinct.len(), found.solutions.len(), "seed {seed}, {goal} in\n{rules}");
        *solutions += found.solutions.len();
    }
}

#[test]
fn random_sequential_rules_agree_with_enumeration() {
    let (mut checked, mut solutions) = (0, 0);
    for seed in 0..400 {
        compare_with_enumeration(seed, false, &mut checked, &mut solutions);
    }
    assert!(checked > 40_000 && solutions > 10_000, "{checked} values and {solutions} solutions compared");
}

#[test]
fn random_overlapping_rules_agree_with_enumeration() {
    let (mut checked, mut solutions) = (0, 0);
    for seed in 0..200 {
        compare_with_enumeration(seed, true, &mut checked, &mut solutions);
    }
    assert!(checked > 20_000 && solutions > 5_000, "{checked} values and {solutions} solutions compared");
}
