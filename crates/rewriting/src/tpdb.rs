//! Reading the plain `.trs` format of the Termination Problems Data Base.
//!
//! ```text
//! (VAR x y) (RULES add(0, y) -> y  add(s(x), y) -> s(add(x, y))) (COMMENT anything)
//! ```

use crate::problem::{At, Problem};
use crate::raw::{Raw, RawKind, RawRule, RawTerm};
use std::collections::BTreeSet;

const DEEPEST: u32 = 500;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    Comma,
    Arrow,
    Name(String),
    End,
}

pub fn parse(text: &str) -> Raw {
    let mut parser = Parser { words: words(text), next: 0, depth: 0, vars: BTreeSet::new() };
    let mut raw = Raw { unsorted: true, ..Raw::default() };
    while parser.words[parser.next].0 != Token::End {
        if let Err(problem) = parser.section(&mut raw) {
            raw.problems.push(problem);
            break;
        }
    }
    raw
}

fn words(text: &str) -> Vec<(Token, At)> {
    let mut words = Vec::new();
    let mut last = At { line: 1, column: 1, length: 1 };
    for (line, content) in (1u32..).zip(text.lines()) {
        let mut rest = content;
        loop {
            rest = rest.trim_start();
            let column = (content.len() - rest.len()) as u32 + 1;
            last = At { line, column, length: 1 };
            let Some(start) = rest.chars().next() else { break };
            let (token, length) = match start {
                '(' => (Token::Open, 1),
                ')' => (Token::Close, 1),
                ',' => (Token::Comma, 1),
                _ => {
                    let end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',');
                    let length = rest.find(end).unwrap_or(rest.len());
                    // An arrow may touch its sides.
                    match rest[..length].find("->") {
                        Some(0) => (Token::Arrow, 2),
                        Some(before) => (Token::Name(rest[..before].to_string()), before),
                        None => (Token::Name(rest[..length].to_string()), length),
                    }
                }
            };
            words.push((token, At { line, column, length: length as u32 }));
            rest = &rest[length..];
        }
    }
    words.push((Token::End, last));
    words
}

struct Parser {
    words: Vec<(Token, At)>,
    next: usize,
    depth: u32,
    vars: BTreeSet<String>,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.words[self.next].0
    }

    fn at(&self) -> At {
        self.words[self.next].1
    }

    fn accept(&mut self, token: &Token) -> bool {
        let found = self.peek() == token && *token != Token::End;
        self.next += found as usize;
        found
    }

    fn expect(&mut self, token: &Token, what: &str) -> Result<(), Problem> {
        if self.accept(token) { Ok(()) } else { Err(Problem::error(self.at(), format!("{what} is expected here"))) }
    }

    fn section(&mut self, raw: &mut Raw) -> Result<(), Problem> {
        self.expect(&Token::Open, "a section such as `(RULES ...)`")?;
        let at = self.at();
        let Token::Name(name) = self.peek().clone() else {
            return Err(Problem::error(at, "the name of a section is expected here"));
        };
        self.next += 1;
        match name.as_str() {
            "VAR" => {
                while let Token::Name(name) = self.peek().clone() {
                    self.next += 1;
                    self.vars.insert(name);
                }
                self.expect(&Token::Close, "`)`")
            }
            "RULES" => {
                while !self.accept(&Token::Close) {
                    let left = self.term()?;
                    let at = self.at();
                    if matches!(self.peek(), Token::Name(sign) if sign == "->=") {
                        return Err(Problem::error(at, "relative rules (`->=`) are not read"));
                    }
                    self.expect(&Token::Arrow, "`->`")?;
                    if matches!(self.peek(), Token::Name(sign) if sign.starts_with('=')) {
                        return Err(Problem::error(at, "relative rules (`->=`) are not read"));
                    }
                    let right = self.term()?;
                    if matches!(self.peek(), Token::Name(sign) if sign == "|") {
                        return Err(Problem::error(self.at(), "conditional rules are not read"));
                    }
                    raw.rules.push(RawRule { left, right });
                }
                Ok(())
            }
            "THEORY" | "EQUATIONS" => Err(Problem::error(at, format!("rules modulo a theory (`{name}`) are not read"))),
            _ => {
                // COMMENT, STRATEGY and whatever else says nothing about what the rules mean.
                let mut open = 1;
                while open > 0 {
                    match self.peek() {
                        Token::Open => open += 1,
                        Token::Close => open -= 1,
                        Token::End => return Err(Problem::error(at, format!("the section `{name}` is not closed"))),
                        _ => {}
                    }
                    self.next += 1;
                }
                Ok(())
            }
        }
    }

    fn term(&mut self) -> Result<RawTerm, Problem> {
        let at = self.at();
        let Token::Name(name) = self.peek().clone() else {
            return Err(Problem::error(at, "a term is expected here"));
        };
        self.next += 1;
        let mut args = Vec::new();
        if self.accept(&Token::Open) && !self.accept(&Token::Close) {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(Problem::error(at, format!("terms nested more than {DEEPEST} deep are not read")));
            }
            loop {
                args.push(self.term()?);
                if !self.accept(&Token::Comma) {
                    break;
                }
            }
            self.depth -= 1;
            self.expect(&Token::Close, "`)`")?;
        }
        let is_var = self.vars.contains(&name);
        if is_var && !args.is_empty() {
            return Err(Problem::error(at, format!("`{name}` is a variable and cannot have arguments")));
        }
        let kind = if is_var { RawKind::Var(name) } else { RawKind::Name(name, args) };
        Ok(RawTerm { kind, at })
    }
}
