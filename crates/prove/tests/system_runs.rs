//! Every run of the VM is a run of the transition system.
//!
//! Random small C programs (arithmetic on several types, loops of every kind, `switch`, `goto`, arrays, records,
//! pointers, calls) run in the VM on random inputs. The rows recorded at their trace points, in the order of a counter
//! that the program keeps, are then looked for in the system: from the entry with the inputs of the run, transition
//! by transition, with the solver choosing only the values the model left open. The two know nothing of each other.

use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Recorder, Scalar};
use prove::{CutId, Encoding, System, encode};
use smt::{Outcome, Solver, Sort, SortId, TermId};
use std::collections::HashMap;
use std::fmt::Write;
use symex::Ints;

/// A small generator of numbers; the same seed gives the same program.
struct Choices(u64);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

struct Writer {
    choices: Choices,
    text: String,
    traces: u32,
    labels: u32,
    counters: u32,
}

const TRACED: &str = "tick, x, y, u, c, s, w, d, g, arr[0], arr[1], arr[3], r.f, r.h[1], m[1][2], t[1].f";

impl Writer {
    fn leaf(&mut self) -> String {
        match self.choices.below(16) {
            0..=3 => self.choices.pick(&["x", "y", "a", "b"]).to_string(),
            4 => "u".into(),
            5 => "c".into(),
            6 => "s".into(),
            7 => "g".into(),
            8 => "w".into(),
            9 => format!("arr[{} & 3]", self.choices.pick(&["x", "y", "u", "c"])),
            10 => {
                self.choices.pick(&["r.f", "r.h[y & 1]", "t[x & 1].f", "m[x & 1][(unsigned)y % 3u]", "q->h[1]"]).into()
            }
            11 => self.choices.pick(&["*p", "p[0]", "(int)(p - arr)", "(p == arr + 1)", "k[2]", "r.bits"]).into(),
            _ => format!("{}", self.choices.below(9) as i64 - 2),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.choices.below(4) == 0 {
            return self.leaf();
        }
        let (left, right) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.choices.below(22) {
            0..=3 => format!("({left} + {right})"),
            4 | 5 => format!("({left} - {right})"),
            6 => format!("({left} * {right})"),
            7 => format!("({left} / ({right} | 1))"),
            8 => format!("({left} % (({right} & 7) + 1))"),
            9 => format!("({left} {} {})", self.choices.pick(&["<<", ">>"]), self.choices.below(4)),
            10 => format!("({left} {} {right})", self.choices.pick(&["&", "|", "^"])),
            11 => format!("({left} & {})", self.choices.pick(&["1", "7", "6", "255"])),
            12 => format!("({} {left})", self.choices.pick(&["-", "~", "!"])),
            13 | 14 => format!("({left} {} {right})", self.choices.pick(&["<", "<=", "==", "!=", ">", ">="])),
            15 => format!("({left} && {right})"),
            16 => format!("({left} || {right})"),
            17 => format!("({left} ? {right} : {})", self.leaf()),
            18 => format!(
                "(({}){left})",
                self.choices.pick(&["char", "unsigned char", "short", "unsigned", "long", "int", "_Bool"])
            ),
            19 => format!("({left} >> ({right} & 3))"),
            20 => format!("({right} != 0 && {left} / {right} > 1)"),
            _ => format!("({left} % ({right} | 1))"),
        }
    }

    fn target(&mut self) -> String {
        match self.choices.below(14) {
            0..=3 => self.choices.pick(&["x", "y"]).to_string(),
            4 => "u".into(),
            5 => "c".into(),
            6 => "s".into(),
            7 => "w".into(),
            8 => "g".into(),
            9 => format!("arr[{} & 3]", self.choices.pick(&["x", "y", "u", "2"])),
            10 => self.choices.pick(&["r.f", "r.h[x & 1]", "r.bits", "q->f", "q->h[c & 1]"]).into(),
            11 => self.choices.pick(&["m[y & 1][(unsigned)x % 3u]", "t[c & 1].f", "t[1].h[x & 1]"]).into(),
            _ => self.choices.pick(&["*p", "p[0]"]).into(),
        }
    }

    fn trace(&mut self) {
        self.traces += 1;
        let _ = writeln!(self.text, "vtrace{}({TRACED}); tick = tick + 1;", self.traces);
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.choices.below(3) {
            self.stmt(depth);
        }
    }

    fn stmt(&mut self, depth: u32) {
        let kind = self.choices.below(if depth == 0 { 10 } else { 18 });
        match kind {
            0..=3 => {
                let (target, value) = (self.target(), self.expr(2));
                let _ = writeln!(self.text, "{target} = {value};");
            }
            4 => {
                let text = match self.choices.below(9) {
                    0 => "p = &arr[x & 3];",
                    1 => "p = arr;",
                    2 => "if (p < arr + 3) p++;",
                    3 => "t[0] = r;",
                    4 => "r = t[y & 1];",
                    5 => "d = d + 0.5;",
                    6 => "d = x;",
                    7 => "x = d < 100.0 ? (int)d : 1;",
                    _ => "r = by_value(r);",
                };
                let _ = writeln!(self.text, "{text}");
            }
            5 => {
                let value = self.expr(1);
                let call = self.choices.pick(&["mix", "step", "down"]);
                let _ = writeln!(self.text, "x = {call}({value}, y);");
            }
            6 => {
                let text = self.choices.pick(&["poke(&y, x);", "poke(&arr[y & 3], 4);", "fill(arr, 3);", "bump();"]);
                let _ = writeln!(self.text, "{text}");
            }
            7 => {
                let _ = writeln!(self.text, "y = __VERIFIER_nondet_int();");
            }
            8 => self.trace(),
            9 => {
                let value = self.expr(1);
                let _ = writeln!(self.text, "d = d + ({value} < 3 ? 1 : 2); y = abs(y & 1023);");
            }
            10 | 11 => {
                let condition = self.expr(2);
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block(depth - 1);
                let _ = writeln!(self.text, "}} else {{");
                self.block(depth - 1);
                let _ = writeln!(self.text, "}}");
            }
            12 | 13 => {
                self.counters += 1;
                let i = format!("i{}", self.counters);
                let condition = self.expr(1);
                let bound = 1 + self.choices.below(4);
                match self.choices.below(3) {
                    0 => {
                        let _ = writeln!(
                            self.text,
                            "{{ int {i} = 0; while (1) {{ vtrace{}({TRACED}); tick = tick + 1;",
                            self.traces + 1
                        );
                        self.traces += 1;
                        let _ = writeln!(self.text, "if (!({i} < {bound} && ({condition} || {i} < 2))) break; {i}++;");
                        self.block(depth - 1);
                        let _ = writeln!(self.text, "}} }}");
                    }
                    1 => {
                        let _ = writeln!(self.text, "for (int {i} = 0; {i} < {bound}; {i}++) {{");
                        self.trace();
                        self.block(depth - 1);
                        let _ = writeln!(self.text, "if ({condition}) continue;");
                        self.block(depth - 1);
                        let _ = writeln!(self.text, "}}");
                    }
                    _ => {
                        let _ = writeln!(self.text, "{{ int {i} = 0; do {{");
                        self.trace();
                        self.block(depth - 1);
                        let _ = writeln!(self.text, "{i}++; }} while ({i} < {bound} && {condition}); }}");
                    }
                }
            }
            14 | 15 => {
                let value = self.expr(1);
                let _ = writeln!(self.text, "switch ({value}) {{ case 0:");
                self.block(depth - 1);
                let _ = writeln!(self.text, "break; case 1: case 2 :");
                self.block(depth - 1);
                let _ = writeln!(self.text, "default:");
                self.block(depth - 1);
                let _ = writeln!(self.text, "}}");
            }
            _ => {
                self.labels += 1;
                let label = format!("over{}", self.labels);
                let condition = self.expr(1);
                let _ = writeln!(self.text, "if ({condition}) goto {label};");
                self.block(depth - 1);
                let _ = writeln!(self.text, "{label}: ;");
            }
        }
    }
}

const PRELUDE: &str = "
struct R { int f; short h[2]; unsigned bits : 3; };
int g = 2; static unsigned char counter; const int k[3] = {3, 1, 4};
int abs(int); int __VERIFIER_nondet_int(void); void vassume(int);
int mix(int v, int n) { int o = v; if (n > 2) o = o + 1; else if (n < -3) return 7; g = g + (o & 1); return o; }
int step(int v, int n) { int total = 0; for (int i = 0; i < 2; i++) { total += i + (n & 1); } return v - total; }
int down(int v, int n) { if (v <= 0 || v > 5) return n; return down(v - 1, n); }
void poke(int *where, int what) { *where = what + *where % 3; }
void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }
struct R by_value(struct R v) { v.f = v.f + 1; v.h[0] = 9; return v; }
void bump(void) { static int times; times++; counter += 100; g = counter + times; }
";

fn program(seed: u64) -> String {
    let mut writer = Writer { choices: Choices(seed), text: String::new(), traces: 0, labels: 0, counters: 0 };
    writer.trace();
    for _ in 0..4 {
        writer.stmt(2);
    }
    writer.trace();
    let mut text = String::from(PRELUDE);
    for n in 1..=writer.traces {
        let _ = writeln!(text, "void vtrace{n}();");
    }
    let _ = writeln!(text, "int mainQ(int a, int b) {{");
    let _ = writeln!(text, "int tick = 0, x = a, y = b; unsigned u = b; unsigned char c = a; short s = 3; long w = a;");
    let _ = writeln!(
        text,
        "double d = 0; int arr[4] = {{1, a}}; int *p = arr; struct R r = {{2, {{b, 5}}, 1}}; struct R *q = &r;"
    );
    let _ = writeln!(text, "int m[2][3] = {{{{1, 2}}, {{3}}}}; struct R t[2] = {{{{4}}}};");
    text.push_str(&writer.text);
    text.push_str("return x; }\n");
    text
}

/// A row of the run: the point's name and the values by name.
type Seen = (String, Vec<(String, Scalar)>);

fn literal(system: &System, like: TermId, value: Scalar) -> TermId {
    let pool = &system.pool;
    match (pool.sort(pool.sort_of(like)), value) {
        (Sort::Int, Scalar::Int(value)) => pool.int(value),
        (Sort::BitVec(width), Scalar::Int(value)) => pool.bits(*width, value),
        (Sort::Real, Scalar::Float(value)) => {
            // The programs keep to halves.
            let halves = (value * 2.0) as i128;
            assert_eq!(halves as f64, value * 2.0, "the programs should keep to halves");
            pool.real(smt::Rational::from(smt::Int::from(halves)) / smt::Rational::from(smt::Int::from(2)))
        }
        (Sort::Float(format), Scalar::Float(value)) => pool.float(ieee::Value::from_f64(*format, value)),
        other => panic!("{other:?}"),
    }
}

struct Search<'a> {
    system: &'a System,
    solver: Solver,
    rows: &'a [Seen],
    steps: u32,
    tried: u32,
    /// How many rows were found, and why none of the ways to the next one was possible.
    furthest: usize,
    failures: Vec<String>,
}

impl Search<'_> {
    /// Whether the rows from `row` on can follow a state at the cut; `silent` cuts have been passed since the last row.
    fn follow(&mut self, cut: CutId, state: &HashMap<TermId, TermId>, row: usize, silent: u32) -> bool {
        let Some((point, values)) = self.rows.get(row) else { return true };
        let system = self.system;
        let pool = &system.pool;
        self.tried += 1;
        if row > self.furthest {
            self.furthest = row;
            self.failures.clear();
        }
        if self.tried > 20_000 {
            panic!("the search for a run should not take this long");
        }
        for transition in system.transitions.iter().filter(|t| t.from == cut) {
            let to = &system.cuts[transition.to.0 as usize];
            let observed = !to.name.starts_with("loop");
            if observed && to.name != *point || !observed && silent > 40 {
                continue;
            }
            self.steps += 1;
            let mut map = state.clone();
            for fresh in &transition.path.fresh {
                map.insert(
                    *fresh,
                    pool.var(&format!("step {} {}", self.steps, fresh_name(system, *fresh)), pool.sort_of(*fresh)),
                );
            }
            let mut facts: Vec<TermId> = Vec::new();
            for term in transition.path.conditions.iter().chain(&transition.path.definitions) {
                facts.push(pool.substitute(*term, &map));
            }
            let mut next: HashMap<TermId, TermId> = state.clone();
            for (variable, value) in &transition.updates {
                next.insert(system.variables[variable.0 as usize].symbol, pool.substitute(*value, &map));
            }
            for fact in &to.facts {
                facts.push(pool.substitute(*fact, &next));
            }
            if observed {
                for (name, value) in values {
                    let Some(named) = to.names.get(name) else { panic!("{name} should be known at {point}") };
                    let expected = literal(system, named.term, *value);
                    facts.push(pool.eq(pool.substitute(named.term, &next), expected));
                    if next.contains_key(&named.term) {
                        next.insert(named.term, expected);
                    }
                }
            }
            if facts.contains(&pool.bool(false)) {
                let first = facts.iter().position(|fact| *fact == pool.bool(false));
                let conditions = transition.path.conditions.len() + transition.path.definitions.len();
                self.failures.push(format!(
                    "{cut:?} -> {:?}: fact {first:?} of {} with {conditions} on the path",
                    transition.to,
                    facts.len()
                ));
                continue;
            }
            self.solver.push();
            facts.iter().for_each(|fact| self.solver.assert(*fact));
            let possible =
                facts.iter().all(|fact| *fact == pool.bool(true)) || matches!(self.solver.check(), Outcome::Sat(_));
            let found = possible
                && match observed {
                    true => self.follow(transition.to, &next, row + 1, 0),
                    false => self.follow(transition.to, &next, row, silent + 1),
                };
            if found {
                return true;
            }
            if !possible {
                self.failures.push(format!("{cut:?} -> {:?}: not possible", transition.to));
            }
            self.solver.pop();
        }
        false
    }
}

fn fresh_name(system: &System, term: TermId) -> String {
    smt::smtlib::excerpt(&system.pool, term, 100)
}

fn check(seed: u64, encoding: &Encoding) -> usize {
    let text = program(seed);
    let loaded = cfront::load_text(&[("random.c", &text)]).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let program = &loaded.program;
    let entry = program.find_function("mainQ").expect("mainQ should be there");
    let system = encode(program, entry, encoding);
    let image = Image::new(program, exec::libc::LIBRARY);
    let mut machine = Machine::new(&image);
    let mut choices = Choices(seed ^ 0x5555);
    let mut rows_seen = 0;
    for _ in 0..3 {
        let params: Vec<Scalar> = (0..2).map(|_| Scalar::Int(choices.below(12) as i128 - 4)).collect();
        let nondet: Vec<Scalar> = (0..20).map(|_| Scalar::Int(choices.below(9) as i128 - 4)).collect();
        let input = Input { params: params.clone(), nondet, ..Input::default() };
        let options = Options { recorder: Some(Recorder::new(image.points().clone())), ..Options::default() };
        let run = machine.run(entry, &input, &Budget { steps: 20_000, ..Budget::default() }, options);
        assert!(!matches!(run.outcome.ending, Ending::Unsupported { .. }), "{:?}\n{text}", run.outcome.ending);
        let trace = run.trace.expect("a recorder was given");
        let mut rows: Vec<(i128, Seen)> = Vec::new();
        for (_, point) in trace.points() {
            for row in point.rows() {
                let Some(Scalar::Int(tick)) = row.named("tick") else { panic!("no tick") };
                let values = point.variables().iter().zip(row.values()).map(|(v, s)| (v.name.clone(), s)).collect();
                rows.push((tick, (point.name().to_string(), values)));
            }
        }
        rows.sort_by_key(|(tick, _)| *tick);
        let rows: Vec<Seen> = rows.into_iter().map(|(_, row)| row).take(40).collect();
        rows_seen += rows.len();
        let pool = &system.pool;
        let mut state: HashMap<TermId, TermId> = HashMap::new();
        for variable in &system.variables {
            let sort = pool.sort_of(variable.symbol);
            state.insert(variable.symbol, pool.var(&format!("start {}", variable.name), sort));
        }
        for (input, value) in system.inputs.iter().zip(&params) {
            state.insert(input.symbol, literal(&system, input.symbol, *value));
        }
        let mut search = Search {
            system: &system,
            solver: Solver::new(pool),
            rows: &rows,
            steps: 0,
            tried: 0,
            furthest: 0,
            failures: Vec::new(),
        };
        let found = search.follow(CutId(0), &state, 0, 0);
        let Search { furthest, failures, .. } = search;
        assert!(
            found,
            "seed {seed}, {encoding:?}, input {params:?}: no run of the system shows row {furthest}: {:?}\nafter {:?}\n{failures:#?}\n{text}",
            rows.get(furthest),
            rows[..furthest].last(),
        );
    }
    rows_seen
}

fn rounds(default: u64) -> u64 {
    std::env::var("PLUMB_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn every_run_of_the_vm_is_a_run_of_the_system_over_unbounded_integers() {
    let rows: usize = (0..rounds(60)).map(|seed| check(seed, &Encoding::default())).sum();
    assert!(rows > 100, "the programs should come by their trace points");
}

#[test]
fn every_run_is_one_of_the_system_where_ways_are_merged() {
    let encoding = Encoding { states: 1, ..Encoding::default() };
    (1000..1000 + rounds(40)).for_each(|seed| {
        check(seed, &encoding);
    });
}

#[test]
fn every_run_is_one_of_the_system_with_checks() {
    let encoding = Encoding { checks: true, ..Encoding::default() };
    (2000..2000 + rounds(20)).for_each(|seed| {
        check(seed, &encoding);
    });
}

#[test]
fn every_run_is_one_of_the_system_over_bit_vectors() {
    let encoding = Encoding { ints: Ints::Machine, ..Encoding::default() };
    (3000..3000 + rounds(40)).for_each(|seed| {
        check(seed, &encoding);
    });
}

/// A sort of sanity: the search can fail.
#[test]
fn a_run_that_is_none_is_not_found() {
    let text = "void vtrace1(); int mainQ(int a, int b) { int tick = a + 1; vtrace1(tick); return b; }";
    let loaded = cfront::load_text(&[("wrong.c", text)]).expect("the program should load");
    let entry = loaded.program.find_function("mainQ").expect("mainQ should be there");
    let system = encode(&loaded.program, entry, &Encoding::default());
    let input = system.inputs[0].symbol;
    let state = HashMap::from([(input, system.pool.int(3))]);
    let rows = |tick: i128| vec![("vtrace1".to_string(), vec![("tick".to_string(), Scalar::Int(tick))])];
    let holds = |tick| {
        let rows = rows(tick);
        let mut search = Search {
            system: &system,
            solver: Solver::new(&system.pool),
            rows: &rows,
            steps: 0,
            tried: 0,
            furthest: 0,
            failures: Vec::new(),
        };
        search.follow(CutId(0), &state, 0, 0)
    };
    assert!(holds(4));
    assert!(!holds(5));
    assert_eq!(system.pool.sort_of(input), SortId::INT);
}
