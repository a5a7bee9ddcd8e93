//! Reading `.rules` files.
//!
//! ```text
//! file  = { "sort" NAME [ "=" constructor { "|" constructor } ] | "op" NAME ":" [ sorts "->" ] NAME | term "->" term }
//! constructor = NAME [ "(" NAME { "," NAME } ")" ]
//! sorts = NAME { [ "," | "*" ] NAME }
//! term  = disjunctions of conjunctions of comparisons of sums of products of: NAME [ "(" terms ")" ] | VARIABLE | INT
//!         | "_" | "(" term ")" | "!" term | "-" term
//! ```
//! Variables start with a capital letter. A semicolon or full stop may end a declaration or rule. After a mistake
//! reading goes on with the next line that starts at the margin.

use crate::lexer::{Token, Word, words};
use crate::problem::{At, Problem};
use crate::raw::{Raw, RawKind, RawRule, RawSort, RawSymbol, RawTerm};
use crate::term::Builtin;

/// Parentheses and operators nest at most so deeply, because reading them uses the stack.
const DEEPEST: u32 = 500;

pub fn parse(text: &str) -> Raw {
    let (words, problems) = words(text);
    let mut parser = Parser { words, next: 0, depth: 0 };
    let mut raw = Raw { problems, ..Raw::default() };
    while parser.peek() != &Token::End {
        let start = parser.next;
        if let Err(problem) = parser.declaration(&mut raw) {
            raw.problems.push(problem);
            parser.recover(start);
        }
    }
    raw
}

struct Parser {
    words: Vec<Word>,
    next: usize,
    depth: u32,
}

type Parsed<T> = Result<T, Problem>;

impl Parser {
    fn peek(&self) -> &Token {
        &self.words[self.next].token
    }

    fn at(&self) -> At {
        self.words[self.next].at
    }

    fn advance(&mut self) -> Word {
        let word = self.words[self.next].clone();
        if word.token != Token::End {
            self.next += 1;
        }
        word
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(known) if *known == sign);
        if found {
            self.next += 1;
        }
        found
    }

    fn describe(&self) -> String {
        match self.peek() {
            Token::Name(name) => format!("`{name}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the text".to_string(),
        }
    }

    fn expected(&self, what: &str) -> Problem {
        Problem::error(self.at(), format!("{what} is expected here, not {}", self.describe()))
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn name(&mut self, what: &str) -> Parsed<(String, At)> {
        match self.peek() {
            Token::Name(name) if name != "_" => {
                let name = name.clone();
                let word = self.advance();
                Ok((name, word.at))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// To the next line that starts at the margin, past where the mistake was.
    fn recover(&mut self, start: usize) {
        self.depth = 0;
        self.next = self.next.max(start + 1).min(self.words.len() - 1);
        while self.peek() != &Token::End && !(self.words[self.next].first && self.at().column == 1) {
            self.next += 1;
        }
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        let next = &self.words[(self.next + 1).min(self.words.len() - 1)].token;
        matches!(self.peek(), Token::Name(name) if name == keyword) && matches!(next, Token::Name(_))
    }

    fn declaration(&mut self, raw: &mut Raw) -> Parsed<()> {
        if self.is_keyword("sort") {
            self.advance();
            raw.sorts.push(self.sort()?);
        } else if self.is_keyword("op") {
            self.advance();
            raw.operations.push(self.operation()?);
        } else {
            let left = self.term()?;
            if matches!(self.peek(), Token::Sign("=")) {
                return Err(self.expected("`->`").with_help("rules are read from left to right: `left(...) -> right`"));
            }
            self.expect("->")?;
            let right = self.term()?;
            raw.rules.push(RawRule { left, right });
        }
        if !self.accept(";") {
            self.accept(".");
        }
        let next = &self.words[self.next];
        match next.token {
            Token::End => Ok(()),
            _ if next.first || matches!(self.words[self.next - 1].token, Token::Sign(";" | ".")) => Ok(()),
            _ => Err(self.expected("the end of the line")),
        }
    }

    fn sort(&mut self) -> Parsed<RawSort> {
        let (name, at) = self.name("the name of a sort")?;
        let mut constructors = Vec::new();
        if self.accept("=") {
            loop {
                let (constructor, at) = self.name("the name of a constructor")?;
                let mut args = Vec::new();
                if self.accept("(") && !self.accept(")") {
                    loop {
                        args.push(self.name("the name of a sort")?);
                        if !self.accept(",") {
                            break;
                        }
                    }
                    self.expect(")")?;
                }
                constructors.push(RawSymbol { name: constructor, at, args, result: Some((name.clone(), at)) });
                if !self.accept("|") {
                    break;
                }
            }
        }
        Ok(RawSort { name, at, constructors })
    }

    fn operation(&mut self) -> Parsed<RawSymbol> {
        let (name, at) = self.name("the name of an operation")?;
        self.expect(":")?;
        let mut args = Vec::new();
        loop {
            if self.accept("->") {
                let result = self.name("the sort of the result")?;
                return Ok(RawSymbol { name, at, args, result: Some(result) });
            }
            // A constant: `op origin : point`.
            if args.len() == 1 && (self.words[self.next].first || matches!(self.peek(), Token::Sign(";" | "."))) {
                let result = args.pop();
                return Ok(RawSymbol { name, at, args, result });
            }
            if !args.is_empty() && !self.accept(",") {
                self.accept("*");
            }
            args.push(self.name("the name of a sort, or `->`")?);
        }
    }

    fn term(&mut self) -> Parsed<RawTerm> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::error(self.at(), format!("terms nested more than {DEEPEST} deep are not read")));
        }
        let term = self.level(0);
        self.depth -= 1;
        term
    }

    /// Operators by how strongly they bind: their sign, what they mean, whether the operands change places, and whether
    /// the result is negated.
    fn operator(&self, level: usize) -> Option<(Builtin, bool, bool)> {
        let Token::Sign(sign) = self.peek() else { return None };
        Some(match (level, *sign) {
            (0, "||") => (Builtin::Or, false, false),
            (1, "&&") => (Builtin::And, false, false),
            (2, "==") => (Builtin::Eq, false, false),
            (2, "!=") => (Builtin::Eq, false, true),
            (2, "<") => (Builtin::Lt, false, false),
            (2, "<=") => (Builtin::Le, false, false),
            (2, ">") => (Builtin::Lt, true, false),
            (2, ">=") => (Builtin::Le, true, false),
            (3, "+") => (Builtin::Add, false, false),
            (3, "-") => (Builtin::Sub, false, false),
            (4, "*") => (Builtin::Mul, false, false),
            (4, "/") => (Builtin::Div, false, false),
            (4, "%") => (Builtin::Rem, false, false),
            _ => return None,
        })
    }

    fn level(&mut self, level: usize) -> Parsed<RawTerm> {
        if level == 5 {
            return self.primary();
        }
        let mut left = self.level(level + 1)?;
        while let Some((builtin, swapped, negated)) = self.operator(level) {
            let at = self.advance().at;
            let right = self.level(level + 1)?;
            let args = if swapped { vec![right, left] } else { vec![left, right] };
            left = RawTerm { kind: RawKind::Builtin(builtin, args), at };
            if negated {
                left = RawTerm { kind: RawKind::Builtin(Builtin::Not, vec![left]), at };
            }
            if level == 2 {
                break;
            }
        }
        Ok(left)
    }

    fn primary(&mut self) -> Parsed<RawTerm> {
        let at = self.at();
        if self.accept("!") {
            let inner = self.nested()?;
            return Ok(RawTerm { kind: RawKind::Builtin(Builtin::Not, vec![inner]), at });
        }
        if self.accept("-") {
            let inner = self.nested()?;
            let kind = match inner.kind {
                RawKind::Int(value) => RawKind::Int(-value),
                _ => RawKind::Builtin(Builtin::Neg, vec![inner]),
            };
            return Ok(RawTerm { kind, at });
        }
        if self.accept("(") {
            let inner = self.term()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Token::Int(value) = *self.peek() {
            self.advance();
            return Ok(RawTerm { kind: RawKind::Int(value), at });
        }
        if matches!(self.peek(), Token::Name(name) if name == "_") {
            self.advance();
            return Ok(RawTerm { kind: RawKind::Anything, at });
        }
        let (name, at) = self.name("a term")?;
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            if matches!(self.peek(), Token::Sign("(")) {
                return Err(Problem::error(at, format!("`{name}` is a variable and cannot have arguments"))
                    .with_help("names of sorts, constructors and operations start with a small letter"));
            }
            return Ok(RawTerm { kind: RawKind::Var(name), at });
        }
        let mut args = Vec::new();
        // A parenthesis on the next line belongs to it.
        if !self.words[self.next].first && self.accept("(") && !self.accept(")") {
            loop {
                args.push(self.term()?);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(RawTerm { kind: RawKind::Name(name, args), at })
    }

    fn nested(&mut self) -> Parsed<RawTerm> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::error(self.at(), format!("terms nested more than {DEEPEST} deep are not read")));
        }
        let inner = self.primary();
        self.depth -= 1;
        inner
    }
}
