//! Random small programs with loops, and claims about them that look true.
//!
//! A program has places for claims. First it is written with trace points there, so that it can be run on all its
//! inputs; then with claims that hold of all rows seen, of some of them, or of none in particular.

use exec::{Budget, Input, Scalar};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Runs that take longer are not finished.
pub const BUDGET: Budget = Budget { steps: 20_000, memory: 1 << 24, depth: 200, output: 1 << 10, time_ms: 60_000 };

/// What an environment variable says, of how many programs there should be and the like.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// A program without its claims.
pub struct Sketch {
    rng: Rng,
    lines: Vec<Line>,
    /// Places for claims, by number from 1.
    pub places: usize,
    labels: u32,
    /// Whether it keeps to what is mostly decided: linear arithmetic, choices and loops.
    tame: bool,
    /// The values of the parameters, each a list.
    pub domain: Vec<Vec<i128>>,
    /// The values that the answer to the only `nondet` may have; empty if there is none.
    pub answers: Vec<i128>,
    params: [&'static str; 2],
    helpers: String,
}

enum Line {
    Text(String),
    Place(usize),
}

/// The variables a claim may speak of, as the trace shows them.
pub const SHOWN: [&str; 11] = ["a", "b", "x", "y", "z", "i", "j", "u", "c", "s", "g"];

pub type Row = BTreeMap<String, i128>;

impl Sketch {
    pub fn new(seed: u64) -> Sketch {
        let mut sketch = Sketch {
            rng: Rng::with_seed(seed),
            lines: Vec::new(),
            places: 0,
            labels: 0,
            tame: seed.is_multiple_of(2),
            domain: Vec::new(),
            answers: Vec::new(),
            params: ["int", "int"],
            helpers: String::new(),
        };
        sketch.write();
        sketch
    }

    /// All of its inputs.
    pub fn inputs(&self) -> Vec<Input> {
        let answers = if self.answers.is_empty() { vec![None] } else { self.answers.iter().map(Some).collect() };
        let mut inputs = Vec::new();
        for &a in &self.domain[0] {
            for &b in &self.domain[1] {
                for answer in &answers {
                    let nondet = answer.iter().map(|&&value| Scalar::Int(value)).collect();
                    inputs.push(Input { params: vec![Scalar::Int(a), Scalar::Int(b)], nondet, ..Input::default() });
                }
            }
        }
        inputs
    }

    fn below(&mut self, n: u32) -> u32 {
        self.rng.u32(0..n)
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u32) as usize]
    }

    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Text(text.into()));
    }

    fn place(&mut self) {
        self.places += 1;
        self.lines.push(Line::Place(self.places));
    }

    /// A small number, now and then negative.
    fn number(&mut self) -> i32 {
        self.rng.i32(-3..=7)
    }

    fn write(&mut self) {
        self.write_inputs();
        self.write_helpers();
        let starts = ["0", "1", "a", "b", "a + b", "5", "a - b", "2 * a", "a * b", "-a"];
        let (x, y, z) = (self.pick(&starts), self.pick(&starts), self.pick(&starts));
        self.line(format!("int x = {x}, y = {y}, z = {z}, i = 0, j = 0;"));
        let (u, c, s) = (self.pick(&["0", "a", "7", "b"]), self.pick(&["0", "b", "250"]), self.pick(&["0", "a", "3"]));
        self.line(format!("unsigned u = {u}; unsigned char c = {c}; short s = {s}; int arr[4] = {{1, a, 3}};"));
        if self.chance(4) {
            self.answers = (0..3).collect();
            self.line("z = __VERIFIER_nondet_int();");
            self.line("vassume(z >= 0 && z <= 2);");
        }
        for _ in 0..self.below(3) {
            self.stmt(0, false);
        }
        for _ in 0..1 + self.below(2) {
            self.repeat(1, "i");
            if self.chance(2) {
                self.stmt(1, false);
            }
        }
        self.place();
    }

    fn write_inputs(&mut self) {
        let most = [12, 12];
        for (n, most) in most.into_iter().enumerate() {
            let name = ["a", "b"][n];
            if n == 0 && self.chance(12) {
                // All values of the type, without any assumption.
                let (ty, low, high) =
                    [("unsigned char", 0, 255), ("signed char", -128, 127), ("_Bool", 0, 1)][self.below(3) as usize];
                self.params[n] = ty;
                self.domain.push((low..=high).collect());
                continue;
            }
            let most = if self.domain.first().is_some_and(|values| values.len() > 12) { 2 } else { most };
            let low = i128::from(self.rng.i32(-4..=3));
            let high = low + i128::from(self.rng.i32(0..most));
            self.params[n] = match self.below(10) {
                0 if low >= 0 => "unsigned",
                1 => "short",
                2 => "long",
                _ => "int",
            };
            let values = low..=high;
            let bounds = match self.below(3) {
                0 => format!("vassume({name} >= {low} && {name} <= {high});"),
                1 => format!("vassume({low} <= {name}); vassume({name} < {});", high + 1),
                _ => format!("if ({name} < {low} || {name} > {high}) return 0;"),
            };
            self.line(bounds);
            self.domain.push(values.collect());
        }
        if self.chance(5) {
            let relation = self.pick(&["a <= b", "a != b", "a < b || b == 0", "a + b > 0"]);
            self.line(format!("vassume({relation});"));
        }
    }

    fn write_helpers(&mut self) {
        let (k, m, n) = (self.number(), self.number(), self.number());
        let inner = if self.chance(3) { format!("__VERIFIER_assert(v <= {});", 5 * m.abs() + 10) } else { "".into() };
        self.helpers = format!(
            "int g = {k};\n\
             int limit(int v, int n) {{ if (v > n) return n; return v; }}\n\
             int total(int n) {{ if (n <= 0 || n > 20) return {m}; return n + total(n - 1); }}\n\
             int twist(int v) {{ if (v > {n}) v = v - {m};\n{inner}\n else if (v < -30) return {k}; return v + 1; }}\n\
             int odd(int v); int even(int v) {{ if (v <= 0) return 1; g = v & 1; return odd(v - 1); }}\n\
             int odd(int v) {{ if (v <= 0) return 0; return even(v - 1); }}\n\
             int fold(int n, int v) {{ if (n <= 0) return v; n = n - 1; v = fold(n, v + {m}); g = g + 1;\n{inner}\n\
             return v - {k}; }}\n\
             void spread(int n, int *p) {{ if (n <= 0) return; *p = *p + {n}; spread(n - 1, p); }}\n\
             int sum(int n) {{ int t = 0; for (int q = 0; q < n && q < 9; q++) t += q; return t; }}\n\
             void shift(int *p, int d) {{ *p = *p + d; }}\n\
             void bump(void) {{ static int times; times++; g = g + times; }}\n"
        );
        if inner.is_empty() {
            self.helpers = self.helpers.replace("\n\n else", " else");
        } else {
            self.helpers = self.helpers.replace("\n else if", "\nif");
        }
    }

    fn variable(&mut self) -> &'static str {
        self.pick(&["x", "x", "y", "y", "z"])
    }

    fn leaf(&mut self) -> String {
        let kind = if self.tame { [0, 1, 5, 6, 8, 9][self.below(6) as usize] } else { self.below(12) };
        match kind {
            0..=4 => self.variable().into(),
            5 => self.pick(&["a", "b"]).into(),
            6 => self.pick(&["i", "j"]).into(),
            7 => self.pick(&["u", "c", "s", "g", "arr[1]", "arr[x & 3]", "arr[i & 3]"]).into(),
            _ => self.number().to_string(),
        }
    }

    fn expr(&mut self) -> String {
        let (left, right, k) = (self.leaf(), self.leaf(), 1 + self.below(5));
        let kind = if self.tame { self.below(8) } else { self.below(22) };
        match kind {
            0..=4 => format!("{left} + {right}"),
            5..=6 => format!("{left} - {right}"),
            7 => format!("{k} * {left} + {right}"),
            8 => format!("{left} * {right}"),
            9 => format!("{left} / {k}"),
            10 => format!("{left} % {k}"),
            11 => format!("{left} / ({right} * {right} + 1)"),
            12 => {
                let op = self.pick(&["/", "%"]);
                format!("({right} != 0 ? {left} {op} {right} : {k})")
            }
            13 => {
                let op = self.pick(&["/", "%"]);
                format!("{left} {op} {right}")
            }
            14 => format!("({left} > {right} ? {left} : {right})"),
            15 => format!("({left} < {right} ? {left} : {k})"),
            16 => format!("-{left}").replace("--", "- -"),
            17 => format!("({left} == {right}) + ({right} > {k} && {left} < 3)"),
            18 => format!("({left} & {k})"),
            19 => {
                let ty = self.pick(&["unsigned char", "signed char", "unsigned", "short", "long"]);
                format!("({ty})({left} + {right})").replace("--", "- -")
            }
            20 => format!("({left} & 15) {} {}", self.pick(&["<<", ">>"]), k % 3),
            _ => left,
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.leaf(), self.leaf());
        let relation = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.below(8) {
            0 => format!("{left} {relation} {right} && {} > 0", self.variable()),
            1 => format!("{left} {relation} {right} || {} == 2", self.variable()),
            2 => format!("{left} % 2 {} 0", self.pick(&["==", "!="])),
            3 => format!("!({left} {relation} {right})"),
            _ => format!("{left} {relation} {right}"),
        }
    }

    fn block(&mut self, depth: u32, looping: bool) {
        for _ in 0..1 + self.below(3) {
            self.stmt(depth, looping);
        }
    }

    fn stmt(&mut self, depth: u32, looping: bool) {
        let most = if depth == 0 { 20 } else { 25 };
        let kind = if self.tame { [0, 7, 7, 11, 12, 15, 16, 17][self.below(8) as usize] } else { self.below(most) };
        match kind {
            0..=6 => {
                let (target, value) = (self.variable(), self.expr());
                self.line(format!("{target} = {value};"));
            }
            7 => {
                let (target, k) = (self.variable(), 1 + self.below(4));
                let op = self.pick(&["+=", "-=", "+="]);
                self.line(format!("{target} {op} {k};"));
            }
            8 => {
                let text = self.pick(&[
                    "u = u + 3;",
                    "u = u - 5;",
                    "u = u * 7;",
                    "u = u * u;",
                    "u = x;",
                    "c = c + 50;",
                    "c = c * 3;",
                    "c = x;",
                    "s = s - 1;",
                    "s = x;",
                    "x = (int)(u % 10);",
                    "x = c;",
                    "u = u / 3;",
                    "c--;",
                    "if (u > 4000000000u) u = 1;",
                ]);
                self.line(text);
            }
            9 => {
                let (index, value) = (self.pick(&["x & 3", "i & 3", "2", "y & 1"]), self.expr());
                self.line(format!("arr[{index}] = {value};"));
            }
            10 => {
                let (index, target) = (self.pick(&["x & 3", "i & 3", "1", "j & 3", "i"]), self.variable());
                self.line(format!("{target} = arr[{index}];"));
            }
            11 => {
                let (small, large) = (self.leaf(), self.variable());
                let relation = self.pick(&["<", ">"]);
                self.line(format!("if ({large} {relation} {small}) {large} = {small};"));
            }
            12 | 13 => {
                let (target, value, other) = (self.variable(), self.leaf(), self.leaf());
                let call = match self.below(9) {
                    0 => format!("{target} = limit({value}, {other});"),
                    1 => format!("{target} = total({value});"),
                    2 => format!("{target} = twist({value});"),
                    3 => format!("{target} = even({value} & 7);"),
                    4 => format!("{target} = sum({value});"),
                    5 => format!("shift(&{target}, {value});"),
                    6 => format!("{target} = fold({value} & 7, {other});"),
                    7 => format!("spread({value} & 3, &{target});"),
                    _ => "bump();".into(),
                };
                self.line(call);
            }
            14 => {
                let text = self.pick(&[
                    "{ int t = x; x = y; y = t; }",
                    "{ int t = x; x = y; y = z; z = t; }",
                    "g = g + 1;",
                    "g = x;",
                    "{ int *p = x > 0 ? &x : &y; *p = 4; }",
                    "{ int *p = arr; p++; *p = x; y = p[1]; }",
                ]);
                self.line(text);
            }
            15 if looping => {
                let condition = self.condition();
                let jump = self.pick(&["break", "continue", "break"]);
                self.line(format!("if ({condition}) {jump};"));
            }
            16 if looping && self.places < 2 => self.place(),
            17..=19 => {
                let condition = self.condition();
                let (left, right) = (self.simple(), self.simple());
                match self.chance(2) {
                    true => self.line(format!("if ({condition}) {{ {left} }} else {{ {right} }}")),
                    false => self.line(format!("if ({condition}) {{ {left} {right} }}")),
                }
            }
            20 => {
                let condition = self.condition();
                self.line(format!("if ({condition}) {{"));
                self.block(depth - 1, looping);
                self.line("} else {");
                self.block(depth - 1, looping);
                self.line("}");
            }
            21 => {
                let value = self.expr();
                self.line(format!("switch ({value}) {{"));
                self.line("case 0:");
                let simple = self.simple();
                self.line(simple);
                if self.chance(2) {
                    self.line("break;");
                }
                self.line("case 1: case 3:");
                let simple = self.simple();
                self.line(format!("{simple} break;"));
                if self.chance(2) {
                    self.line("default:");
                    let simple = self.simple();
                    self.line(simple);
                }
                self.line("}");
            }
            22 => {
                self.labels += 1;
                let (label, condition) = (format!("over{}", self.labels), self.condition());
                self.line(format!("if ({condition}) goto {label};"));
                self.block(depth - 1, looping);
                self.line(format!("{label}: ;"));
            }
            23 | 24 if looping => self.repeat(depth - 1, "j"),
            _ => {
                let (target, value) = (self.variable(), self.leaf());
                self.line(format!("{target} = {target} + {value};"));
            }
        }
    }

    fn simple(&mut self) -> String {
        let (target, value) = (self.variable(), self.expr());
        format!("{target} = {value};")
    }

    fn repeat(&mut self, depth: u32, counter: &str) {
        let k = 1 + self.below(3);
        let bound = match self.below(4) {
            0 => "a".into(),
            1 => "b".into(),
            2 => format!("{}", 2 + self.below(8)),
            _ => self.variable().to_string(),
        };
        let condition = self.condition();
        match self.below(9) {
            0..=2 => {
                self.line(format!("for ({counter} = 0; {counter} < {bound}; {counter}++) {{"));
                self.block(depth, true);
                self.line("}");
            }
            3 => {
                self.line(format!("{counter} = {bound};"));
                self.line(format!("while ({counter} > 0) {{ {counter} = {counter} - {k};"));
                self.block(depth, true);
                self.line("}");
            }
            4 => {
                self.line(format!("do {{ {counter} = {counter} + {k};"));
                self.block(depth, true);
                self.line(format!("}} while ({counter} < {bound});"));
            }
            5 => {
                self.line(format!("while (1) {{ if ({counter} >= 9 || {condition}) break; {counter}++;"));
                self.block(depth, true);
                self.line("}");
            }
            6 => {
                let (counted, other) = (self.variable(), self.variable());
                self.line(format!("while ({counted} > {k}) {{"));
                self.block(depth, true);
                match self.below(3) {
                    0 => self.line(format!("{counted} = {counted} / 2; }}")),
                    1 => self.line(format!("{counted} = {counted} - {k}; {other} = {other} + 1; }}")),
                    _ => self.line(format!("{counted}--; {other} += {k}; }}")),
                }
            }
            7 => {
                self.labels += 1;
                let label = format!("again{}", self.labels);
                self.line(format!("{label}: ;"));
                self.block(depth, false);
                self.line(format!("if ({counter} < {bound} && {counter} < 12) {{ {counter}++; goto {label}; }}"));
            }
            _ => {
                self.line("if (x > 0 && y > 0) while (x != y) {");
                self.line("if (x > y) x = x - y; else y = y - x;");
                if self.places < 2 && self.chance(2) {
                    self.place();
                }
                self.line("}");
            }
        }
    }

    /// The text of the program, with what stands at each place.
    fn text(&self, at: &dyn Fn(usize) -> String) -> String {
        let mut text =
            String::from("int __VERIFIER_nondet_int(void); void vassume(int); void __VERIFIER_assert(int);\n");
        text.push_str("void reach_error(void);\n");
        for place in 1..=self.places {
            let _ = writeln!(text, "void vtrace{place}();");
        }
        text.push_str(&self.helpers);
        let _ = writeln!(text, "int mainQ({} a, {} b) {{", self.params[0], self.params[1]);
        for line in &self.lines {
            match line {
                Line::Text(line) => text.push_str(line),
                Line::Place(place) => text.push_str(&at(*place)),
            }
            text.push('\n');
        }
        text.push_str("return x;\n}\n");
        text
    }

    fn trace(place: usize) -> String {
        format!("vtrace{place}({});", SHOWN.join(", "))
    }

    /// With a trace point at each place.
    pub fn traced(&self) -> String {
        self.text(&Sketch::trace)
    }

    /// With a claim at each place; `rows` are those seen there.
    pub fn claimed(&mut self, rows: &[Vec<Row>]) -> String {
        let mut claims = Vec::new();
        for (n, rows) in rows.iter().enumerate() {
            let claim = self.claim(rows);
            let trace = if self.chance(4) { Sketch::trace(n + 1) } else { String::new() };
            claims.push(match self.chance(5) {
                true => format!("{trace} if (!({claim})) reach_error();"),
                false => format!("{trace} __VERIFIER_assert({claim});"),
            });
        }
        self.text(&|place| claims[place - 1].clone())
    }

    fn shown(&mut self) -> &'static str {
        self.pick(&["x", "x", "y", "y", "z", "i", "j", "a", "b", "g", "u", "c", "s", "x", "y"])
    }

    /// A claim that holds of the rows it is made from: all, the first few, or one.
    fn claim(&mut self, all: &[Row]) -> String {
        let rows = match self.below(10) {
            0 => &all[..all.len().min(1)],
            1 | 2 => &all[..all.len().min(6)],
            _ => all,
        };
        if rows.is_empty() {
            return "x * 2 == 7".into();
        }
        for _ in 0..200 {
            if let Some(claim) = self.try_claim(rows) {
                return claim;
            }
        }
        "x <= 1000".into()
    }

    fn try_claim(&mut self, rows: &[Row]) -> Option<String> {
        let (v, w, t) = (self.shown(), self.shown(), self.shown());
        let written = |name: &str| if name == "u" { "(long)u".to_string() } else { name.to_string() };
        let (cv, cw, ct) = (written(v), written(w), written(t));
        let values = |f: &dyn Fn(&Row) -> i128| rows.iter().map(f).collect::<Vec<i128>>();
        let fits = |value: i128| (value.abs() < 1 << 31).then_some(value);
        // Now and then a claim that is off by one.
        let off = if self.chance(12) { 1 } else { 0 };
        let slack = if self.chance(3) { i128::from(self.below(4)) } else { 0 };
        let only = |values: Vec<i128>| values.iter().all(|value| *value == values[0]).then(|| values[0]);
        Some(match self.below(13) {
            0 => format!("{cv} <= {}", fits(*values(&|r| r[v]).iter().max()? - off + slack)?),
            1 => format!("{cv} >= {}", fits(*values(&|r| r[v]).iter().min()? + off - slack)?),
            2 if v != w => format!("{cv} - {cw} <= {}", fits(*values(&|r| r[v] - r[w]).iter().max()? - off + slack)?),
            3 if v != w => format!("{cv} + {cw} >= {}", fits(*values(&|r| r[v] + r[w]).iter().min()? + off - slack)?),
            4 | 5 if v != w => {
                let (p, q) = (i128::from(1 + self.below(3)), i128::from(self.rng.i32(-3..=3)));
                let sum = only(values(&|r| p * r[v] + q * r[w]))?;
                format!("{p} * {cv} + {q} * {cw} == {}", fits(sum + off)?)
            }
            6 if v != w && w != t && v != t => {
                let q = i128::from(self.rng.i32(-2..=2));
                let sum = only(values(&|r| r[v] + r[w] + q * r[t]))?;
                format!("{cv} + {cw} + {q} * {ct} == {}", fits(sum + off)?)
            }
            7 => {
                let m = i128::from(2 + self.below(4));
                let rest = only(values(&|r| r[v] % m))?;
                format!("{cv} % {m} == {}", rest + off)
            }
            8 if v != w => {
                let rest = only(values(&|r| r[v] - r[w] * r[t]))?;
                format!("{cv} == {cw} * {ct} + {}", fits(rest + off)?)
            }
            9 if v != w && v != t => {
                rows.iter().all(|r| r[v] == r[w] || r[v] == r[t]).then(|| format!("{cv} == {cw} || {cv} == {ct}"))?
            }
            10 if v != w => {
                let k = rows[self.below(rows.len() as u32) as usize][v];
                let most = rows.iter().filter(|r| r[v] > k).map(|r| r[w]).max().unwrap_or(0);
                format!("!({cv} > {}) || {cw} <= {}", fits(k)?, fits(most - off)?)
            }
            11 if v != w => {
                rows.iter().all(|r| r[v] >= r[w]).then(|| format!("{cv} >= {cw} {}", ["", "+ 1"][off as usize]))?
            }
            12 => {
                let k = rows[self.below(rows.len() as u32) as usize][v] + i128::from(self.rng.i32(-9..9));
                format!("{cv} != {}", fits(k)?)
            }
            _ => return None,
        })
    }
}
