//! The language of hand-written format specifications.
//!
//! ```text
//! # an icon file; the first rule is the format
//! type u8 u16 u32 pixels ;            # optional: then every other name must be a rule
//! icon    = header entry+ image+ ;
//! header  = u16 u16 u16 ;
//! entry   = u8{4} u16{2} u32{2} ;
//! image   = u32{3} u16{2} u32{6} pixels* ;
//! ```
//!
//! A rule is `name = expression ;`. Expressions: names one after the other, `|`, `( … )`, and behind any of these `*`,
//! `+`, `?`, `{n}`, `{n,}`, `{n,m}`. `()` is the empty message. A name that has a rule stands for it, any other is a
//! message type; names are letters, digits and `_ . : @ $ -` and begin with no digit or `-`, or are anything in double
//! quotes (always a message type). Rules may use each other and themselves. Comments: `#` or `//` to the end of the
//! line, `/* … */`.
//!
//! Each rule becomes a module; the tag of an emit or call edge is the number of a [`Place`].

use crate::alphabet::Alphabet;
use crate::recursive::{Edge, Label, Machine, Module, ModuleId, StateId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// States that a specification may have: repetitions such as `{1000000}` are written out.
const LARGEST: usize = 200_000;
/// Nesting of parentheses, which the parser follows by recursion.
const DEEPEST: usize = 200;
/// Signs of repetition in a row, which are nested as well.
const MOST_SIGNS: usize = 8;

#[derive(Clone, Debug)]
pub struct Spec {
    pub machine: Machine,
    /// Where each tag comes from.
    pub places: Vec<Place>,
    /// What is odd but has a meaning: rules that are never used.
    pub remarks: Vec<Problem>,
}

/// A place in the text, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub place: Place,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for Problem {}

/// Reads a specification.
pub fn parse(text: &str, alphabet: &mut Alphabet) -> Result<Spec, Problem> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0 };
    let mut rules: Vec<Rule> = Vec::new();
    let mut declared: Option<BTreeSet<String>> = None;
    while parser.peek().kind != Kind::End {
        let (name, place) = parser.name("a rule, `name = …;`, or `type …;`")?;
        if name == "type" && parser.peek().kind != Kind::Sign('=') {
            let declared = declared.get_or_insert_default();
            while parser.peek().kind != Kind::Sign(';') {
                if parser.peek().kind == Kind::Sign(',') {
                    parser.at += 1;
                    continue;
                }
                let token = parser.peek().clone();
                match token.kind {
                    Kind::Name(name) | Kind::Quoted(name) => declared.insert(name),
                    _ => return parser.expected("a message type or `;`"),
                };
                parser.at += 1;
            }
            parser.at += 1;
            continue;
        }
        if let Some(earlier) = rules.iter().find(|rule| rule.name == name) {
            let message = format!("the rule {name} is already defined in line {}", earlier.place.line);
            return Err(Problem { place, message });
        }
        parser.sign('=', "`=` after the name of a rule")?;
        let body = parser.alternatives()?;
        if parser.peek().kind != Kind::Sign(';') {
            return parser.expected("`;` at the end of the rule, or more of it");
        }
        parser.at += 1;
        rules.push(Rule { name, place, body });
    }
    if rules.is_empty() {
        let message = "there is no rule; a format is written `name = …;`".to_string();
        return Err(Problem { place: parser.peek().place, message });
    }
    build(&rules, declared.as_ref(), alphabet)
}

struct Rule {
    name: String,
    place: Place,
    body: Expr,
}

enum Expr {
    Name(String, Place),
    Type(String, Place),
    Sequence(Vec<Expr>),
    Choice(Vec<Expr>),
    /// From, and to at most, with the place of the sign.
    Repeat(Box<Expr>, usize, Option<usize>, Place),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Name(String),
    Quoted(String),
    Number(usize),
    Sign(char),
    End,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    place: Place,
}

fn tokens(text: &str) -> Result<Vec<Token>, Problem> {
    let mut tokens = Vec::new();
    let mut chars = Chars { rest: text.chars().peekable(), place: Place { line: 1, column: 1 } };
    while let Some(&c) = chars.rest.peek() {
        let place = chars.place;
        let problem = |message: String| Err(Problem { place, message });
        match c {
            _ if c.is_whitespace() => _ = chars.next(),
            '#' => _ = chars.take(|c| c != '\n'),
            '/' => {
                chars.next();
                match chars.next() {
                    Some('/') => _ = chars.take(|c| c != '\n'),
                    Some('*') => {
                        let mut last = ' ';
                        loop {
                            match chars.next() {
                                Some('/') if last == '*' => break,
                                Some(c) => last = c,
                                None => return problem("this comment has no end, `*/`".to_string()),
                            }
                        }
                    }
                    _ => return problem("a lone `/`; comments begin with `//` or `/*`".to_string()),
                }
            }
            '"' => {
                chars.next();
                let name = chars.take(|c| c != '"' && c != '\n');
                if chars.next() != Some('"') {
                    return problem("this quoted name has no end, `\"`, in its line".to_string());
                }
                if name.is_empty() {
                    return problem("a message type needs a name; the empty message is `()`".to_string());
                }
                tokens.push(Token { kind: Kind::Quoted(name), place });
            }
            '0'..='9' => {
                let digits = chars.take(|c| c.is_ascii_alphanumeric() || c == '_');
                let Ok(number) = digits.parse() else {
                    return problem(format!("`{digits}` is no number; a name that begins with a digit must be quoted"));
                };
                tokens.push(Token { kind: Kind::Number(number), place });
            }
            _ if c.is_alphabetic() || "_.:@$".contains(c) => {
                let name = chars.take(|c| c.is_alphanumeric() || "_.:@$-".contains(c));
                tokens.push(Token { kind: Kind::Name(name), place });
            }
            '=' | ';' | '|' | '*' | '+' | '?' | '(' | ')' | '{' | '}' | ',' => {
                chars.next();
                tokens.push(Token { kind: Kind::Sign(c), place });
            }
            _ => return problem(format!("`{c}` has no meaning here; names with such characters must be quoted")),
        }
    }
    tokens.push(Token { kind: Kind::End, place: chars.place });
    Ok(tokens)
}

struct Chars<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
}

impl Chars<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(&c) = self.rest.peek()
            && wanted(c)
        {
            taken.push(c);
            self.next();
        }
        taken
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn expected<T>(&self, what: &str) -> Result<T, Problem> {
        let found = match &self.peek().kind {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Quoted(name) => format!("`\"{name}\"`"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end of the text".to_string(),
        };
        Err(Problem { place: self.peek().place, message: format!("found {found}, expected {what}") })
    }

    fn name(&mut self, what: &str) -> Result<(String, Place), Problem> {
        let Token { kind: Kind::Name(name), place } = self.peek().clone() else { return self.expected(what) };
        self.at += 1;
        Ok((name, place))
    }

    fn sign(&mut self, sign: char, what: &str) -> Result<(), Problem> {
        if self.peek().kind != Kind::Sign(sign) {
            return self.expected(what);
        }
        self.at += 1;
        Ok(())
    }

    fn alternatives(&mut self) -> Result<Expr, Problem> {
        let mut choices = vec![self.sequence()?];
        while self.peek().kind == Kind::Sign('|') {
            self.at += 1;
            choices.push(self.sequence()?);
        }
        Ok(if choices.len() == 1 { choices.remove(0) } else { Expr::Choice(choices) })
    }

    fn sequence(&mut self) -> Result<Expr, Problem> {
        let mut parts = Vec::new();
        loop {
            let place = self.peek().place;
            let part = match self.peek().kind.clone() {
                Kind::Name(name) => {
                    if self.tokens[self.at + 1].kind == Kind::Sign('=') {
                        return self.expected("`;` before the next rule");
                    }
                    self.at += 1;
                    Expr::Name(name, place)
                }
                Kind::Quoted(name) => {
                    self.at += 1;
                    Expr::Type(name, place)
                }
                Kind::Sign('(') => {
                    self.at += 1;
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        let message = format!("parentheses are nested more than {DEEPEST} deep");
                        return Err(Problem { place, message });
                    }
                    let inside = if self.peek().kind == Kind::Sign(')') {
                        Expr::Sequence(Vec::new())
                    } else {
                        self.alternatives()?
                    };
                    self.sign(')', "`)`")?;
                    self.depth -= 1;
                    inside
                }
                _ if parts.is_empty() => return self.expected("a name or `(`; the empty message is `()`"),
                _ => break,
            };
            parts.push(self.repeated(part)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Sequence(parts) })
    }

    fn repeated(&mut self, mut part: Expr) -> Result<Expr, Problem> {
        let mut signs = 0;
        loop {
            let place = self.peek().place;
            let (from, to) = match self.peek().kind {
                Kind::Sign('*') => (0, None),
                Kind::Sign('+') => (1, None),
                Kind::Sign('?') => (0, Some(1)),
                Kind::Sign('{') => {
                    self.at += 1;
                    let from = self.number()?;
                    let mut to = Some(from);
                    if self.peek().kind == Kind::Sign(',') {
                        self.at += 1;
                        to = if self.peek().kind == Kind::Sign('}') { None } else { Some(self.number()?) };
                    }
                    if self.peek().kind != Kind::Sign('}') {
                        return self.expected("`}`");
                    }
                    if to.is_some_and(|to| to < from) {
                        let message = format!("{{{from},{}}} can never be met", to.unwrap_or(0));
                        return Err(Problem { place, message });
                    }
                    (from, to)
                }
                _ => return Ok(part),
            };
            self.at += 1;
            signs += 1;
            if signs > MOST_SIGNS {
                return Err(Problem { place, message: format!("more than {MOST_SIGNS} signs of repetition in a row") });
            }
            part = Expr::Repeat(Box::new(part), from, to, place);
        }
    }

    fn number(&mut self) -> Result<usize, Problem> {
        let Kind::Number(number) = self.peek().kind else { return self.expected("a number") };
        self.at += 1;
        Ok(number)
    }
}

struct Builder<'a> {
    rules: BTreeMap<&'a str, ModuleId>,
    declared: Option<&'a BTreeSet<String>>,
    alphabet: &'a mut Alphabet,
    places: Vec<Place>,
    tags: BTreeMap<Place, u32>,
    states: usize,
}

fn build(rules: &[Rule], declared: Option<&BTreeSet<String>>, alphabet: &mut Alphabet) -> Result<Spec, Problem> {
    let numbers = rules.iter().enumerate().map(|(number, rule)| (rule.name.as_str(), ModuleId::new(number))).collect();
    let mut builder =
        Builder { rules: numbers, declared, alphabet, places: Vec::new(), tags: BTreeMap::new(), states: 0 };
    let mut modules = Vec::new();
    for rule in rules {
        if declared.is_some_and(|declared| declared.contains(&rule.name)) {
            let message = format!("{} is declared as a message type and cannot be a rule", rule.name);
            return Err(Problem { place: rule.place, message });
        }
        let mut module = Module::new(rule.name.clone());
        let exit = builder.expr(&mut module, &rule.body, StateId::new(0))?;
        module.add_exit(exit);
        modules.push(module);
    }
    let places = builder.places;
    let machine = Machine { modules, main: ModuleId::new(0) };

    let mut used = vec![false; rules.len()];
    let mut open = vec![0];
    while let Some(number) = open.pop() {
        if !std::mem::replace(&mut used[number], true) {
            let called =
                |edge: &Edge| if let Label::Call { module, .. } = edge.label { Some(module.index()) } else { None };
            open.extend(machine.modules[number].edges.iter().filter_map(called));
        }
    }
    let ending = rules_that_end(&machine);
    if let Some(number) = (0..rules.len()).find(|&number| used[number] && !ending[number]) {
        let Rule { name, place, .. } = &rules[number];
        let message = format!("the rule {name} never comes to an end: each of its ways needs itself again");
        return Err(Problem { place: *place, message });
    }
    let unused = rules.iter().zip(&used).filter(|(_, used)| !**used);
    let remarks = unused.map(|(rule, _)| Problem {
        place: rule.place,
        message: format!("the rule {} is not used by the first rule, which is the format", rule.name),
    });
    Ok(Spec { remarks: remarks.collect(), machine, places })
}

/// Whether each module has a word at all.
fn rules_that_end(machine: &Machine) -> Vec<bool> {
    let mut ending = vec![false; machine.modules.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (number, module) in
            machine.modules.iter().enumerate().filter(|&(number, _)| !ending[number]).collect::<Vec<_>>()
        {
            let mut out = vec![Vec::new(); module.states];
            for edge in &module.edges {
                if !matches!(edge.label, Label::Call { module, .. } if !ending[module.index()]) {
                    out[edge.from.index()].push(edge.to);
                }
            }
            if crate::finite::spread(module.states, &[module.entry], &out).binary_search(&module.exits[0]).is_ok() {
                ending[number] = true;
                changed = true;
            }
        }
    }
    ending
}

/// Whether a name can be written without quotes.
pub fn is_bare(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || "_.:@$".contains(c))
        && chars.all(|c| c.is_alphanumeric() || "_.:@$-".contains(c))
}

impl Builder<'_> {
    fn state(&mut self, module: &mut Module, place: Place) -> Result<StateId, Problem> {
        self.states += 1;
        if self.states > LARGEST {
            let message = format!("written out, this is more than {LARGEST} states");
            return Err(Problem { place, message });
        }
        Ok(module.add_state())
    }

    fn tag(&mut self, place: Place) -> u32 {
        // Repetitions write one place many times.
        let fresh = self.places.len() as u32;
        let tag = *self.tags.entry(place).or_insert(fresh);
        if tag == fresh {
            self.places.push(place);
        }
        tag
    }

    /// Adds an expression that begins in a state; returns the state where it ends.
    fn expr(&mut self, module: &mut Module, expr: &Expr, from: StateId) -> Result<StateId, Problem> {
        match expr {
            Expr::Name(name, place) if self.rules.contains_key(name.as_str()) => {
                let label = Label::Call { module: self.rules[name.as_str()], exit: 0 };
                self.edge(module, from, label, *place)
            }
            Expr::Name(name, place) | Expr::Type(name, place) => {
                if self.declared.is_some_and(|declared| !declared.contains(name)) {
                    let message = format!("{name} is neither a rule nor declared by `type`");
                    return Err(Problem { place: *place, message });
                }
                let label = Label::Emit(self.alphabet.intern(name));
                self.edge(module, from, label, *place)
            }
            Expr::Sequence(parts) => parts.iter().try_fold(from, |at, part| self.expr(module, part, at)),
            Expr::Choice(choices) => {
                let place = self.places.last().copied();
                let end = self.state(module, place.unwrap_or(Place { line: 1, column: 1 }))?;
                for choice in choices {
                    let at = self.expr(module, choice, from)?;
                    module.add_edge(at, end, Label::Silent, 0);
                }
                Ok(end)
            }
            Expr::Repeat(part, least, most, place) => {
                let mut at = from;
                for _ in 0..*least {
                    at = self.expr(module, part, at)?;
                    // Empty parts add no states and would otherwise be repeated without end.
                    self.states += 1;
                    if self.states > LARGEST {
                        let message = format!("written out, this is more than {LARGEST} states");
                        return Err(Problem { place: *place, message });
                    }
                }
                let Some(most) = most else {
                    // A head of its own: the loop must not swallow other edges of the state before it.
                    let head = self.state(module, *place)?;
                    module.add_edge(at, head, Label::Silent, 0);
                    let back = self.expr(module, part, head)?;
                    module.add_edge(back, head, Label::Silent, 0);
                    let end = self.state(module, *place)?;
                    module.add_edge(head, end, Label::Silent, 0);
                    return Ok(end);
                };
                let end = self.state(module, *place)?;
                module.add_edge(at, end, Label::Silent, 0);
                for _ in *least..*most {
                    at = self.expr(module, part, at)?;
                    let next = self.state(module, *place)?;
                    module.add_edge(at, next, Label::Silent, 0);
                    module.add_edge(next, end, Label::Silent, 0);
                    at = next;
                }
                Ok(end)
            }
        }
    }

    fn edge(&mut self, module: &mut Module, from: StateId, label: Label, place: Place) -> Result<StateId, Problem> {
        let to = self.state(module, place)?;
        let tag = self.tag(place);
        module.add_edge(from, to, label, tag);
        Ok(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str, good: &[&str], bad: &[&str]) {
        let mut alphabet = Alphabet::new();
        let spec = parse(text, &mut alphabet).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        spec.machine.validate().unwrap();
        for (words, wanted) in [(good, true), (bad, false)] {
            for word in words {
                let symbols: Vec<_> = word.split_whitespace().map(|name| alphabet.intern(name)).collect();
                assert_eq!(spec.machine.accepts(&symbols), wanted, "{word:?} in {text}");
            }
        }
    }

    #[test]
    fn expressions() {
        accepts("f = a b | c ;", &["a b", "c"], &["", "a", "b", "a c", "a b c"]);
        accepts("f = (a | b)* c? ;", &["", "a b a", "c", "b c"], &["c a", "c c"]);
        accepts(
            "f = a{2} b{1,2} c{2,} ;",
            &["a a b c c", "a a b b c c c"],
            &["a b c c", "a a c c", "a a b b b c c", "a a b c"],
        );
        accepts("f = a{0} b{0,1} ;", &["", "b"], &["a", "b b"]);
        accepts("f = a+ (b | ()) ;", &["a", "a a b"], &["", "b"]);
        accepts("f = (a*)* (b?)+ ;", &["", "a", "a a b b"], &["b a"]);
        accepts("f = \"x y\" | a-b:1 ;", &["a-b:1"], &["x y"]);
    }

    #[test]
    fn rules_call_each_other() {
        accepts(
            "f = head body* ; head = m m ; # magic\nbody = n | x /* nested */ body y ;",
            &["m m", "m m n x x n y y"],
            &["m m x n"],
        );
        accepts(
            "tree = leaf | node tree tree ;",
            &["leaf", "node leaf leaf", "node node leaf leaf leaf"],
            &["node leaf", "leaf leaf"],
        );
    }

    #[test]
    fn problems_have_places() {
        let cases = [
            ("", "1:1: there is no rule; a format is written `name = …;`"),
            ("f = a\ng = b ;", "2:1: found `g`, expected `;` before the next rule"),
            ("f = a", "1:6: found the end of the text, expected `;` at the end of the rule, or more of it"),
            ("f = (a ;", "1:8: found `;`, expected `)`"),
            ("f = ;", "1:5: found `;`, expected a name or `(`; the empty message is `()`"),
            ("f = a | ;", "1:9: found `;`, expected a name or `(`; the empty message is `()`"),
            ("f = a{3,2} ;", "1:6: {3,2} can never be met"),
            ("f = a{x} ;", "1:7: found `x`, expected a number"),
            ("f = a{1000000} ;", "1:5: written out, this is more than 200000 states"),
            ("f = ()*{999}{999}{999} ;", "1:8: written out, this is more than 200000 states"),
            ("f = a f ;", "1:1: the rule f never comes to an end: each of its ways needs itself again"),
            ("f = a ;\nf = b ;", "2:1: the rule f is already defined in line 1"),
            ("type a ;\nf = a b ;", "2:7: b is neither a rule nor declared by `type`"),
            ("type a ;\na = a ;", "2:1: a is declared as a message type and cannot be a rule"),
            ("f = 8u ;", "1:5: `8u` is no number; a name that begins with a digit must be quoted"),
            ("f = \"a ;\n", "1:5: this quoted name has no end, `\"`, in its line"),
            ("f = a & b ;", "1:7: `&` has no meaning here; names with such characters must be quoted"),
            ("/* f", "1:1: this comment has no end, `*/`"),
            ("= a ;", "1:1: found `=`, expected a rule, `name = …;`, or `type …;`"),
        ];
        for (text, message) in cases {
            match parse(text, &mut Alphabet::new()) {
                Err(problem) => assert_eq!(problem.to_string(), message, "{text}"),
                Ok(_) => panic!("{text} should have a problem"),
            }
        }
        let deep = format!("f = {}a{} ;", "(".repeat(5000), ")".repeat(5000));
        assert!(parse(&deep, &mut Alphabet::new()).is_err());
    }

    #[test]
    fn unused_rules_are_remarked() {
        let spec = parse("f = a ;\ng = b ;", &mut Alphabet::new()).unwrap();
        assert_eq!(spec.remarks[0].to_string(), "2:1: the rule g is not used by the first rule, which is the format");
    }
}
