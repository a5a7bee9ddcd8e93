//! The text format of OpenNWA.
//!
//! ```text
//! nwa main: {
//!   Q: { s, t, u }
//!   Q0: { s }
//!   Qf: { u }
//!   Sigma: { int, call, ret }
//!   Delta_i: { (t, int, t) }
//!   Delta_c: { (s, call, t) }
//!   Delta_r: { (t, s, ret, u) }
//! }
//! ```
//!
//! Blocks come in any order and may be repeated; the braces and the frame are optional. A return names its state, the
//! state before the call, the symbol and the target. `*` is epsilon and `@` any symbol. A name is anything without
//! blanks, commas and closing brackets, except inside brackets of its own; a remark in parentheses after a name and a
//! blank, as in `s (=17)`, is skipped. States and symbols need not be listed. Beyond the original: keywords in any case,
//! a comma after the last entry, and comments from `//`, or from `#` at the beginning of a line, to the end of the line.

use super::{Call, Internal, Letter, Nested, Return};
use crate::alphabet::Alphabet;
use crate::recursive::StateId;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads one automaton.
pub fn read(text: &str, alphabet: &mut Alphabet) -> Result<Nested, ReadError> {
    let chars: Vec<char> = text.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0, alphabet, nested: Nested::default(), by_name: BTreeMap::new() };
    reader.automaton()?;
    Ok(reader.nested)
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
    alphabet: &'a mut Alphabet,
    nested: Nested,
    by_name: BTreeMap<String, StateId>,
}

const BLOCKS: [&str; 7] = ["Q", "Q0", "Qf", "Sigma", "Delta_i", "Delta_c", "Delta_r"];

impl Reader<'_> {
    fn problem<T>(&self, message: impl Into<String>) -> Result<T, ReadError> {
        let before = &self.chars[..self.at];
        let line = before.iter().filter(|&&c| c == '\n').count() + 1;
        let column = before.iter().rev().take_while(|&&c| c != '\n').count() + 1;
        Err(ReadError { line, column, message: message.into() })
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn found(&self) -> String {
        self.peek().map_or("the end of the text".to_string(), |c| format!("`{c}`"))
    }

    fn blanks(&mut self) {
        while let Some(c) = self.peek() {
            // Looking back is only for that sign: done for every blank, a line of blanks would take their square.
            let comment = match c {
                '#' => self.chars[..self.at].iter().rev().take_while(|&&c| c != '\n').all(|c| c.is_whitespace()),
                '/' => self.chars.get(self.at + 1) == Some(&'/'),
                _ => false,
            };
            if comment {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            } else if c.is_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn sign(&mut self, sign: char) -> bool {
        self.blanks();
        let there = self.peek() == Some(sign);
        self.at += usize::from(there);
        there
    }

    fn need(&mut self, sign: char) -> Result<(), ReadError> {
        if self.sign(sign) { Ok(()) } else { self.problem(format!("found {}, expected `{sign}`", self.found())) }
    }

    /// The keyword of a block at this place, with its colon.
    fn block(&mut self) -> Option<usize> {
        self.blanks();
        let rest = &self.chars[self.at..];
        let word: String = rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
        let number = BLOCKS.iter().position(|block| block.eq_ignore_ascii_case(&word))?;
        let gap = rest[word.chars().count()..].iter().take_while(|c| c.is_whitespace()).count();
        let length = word.chars().count() + gap;
        (rest.get(length) == Some(&':')).then(|| {
            self.at += length + 1;
            number
        })
    }

    fn automaton(&mut self) -> Result<(), ReadError> {
        self.blanks();
        let start = self.at;
        let frame = self.word_is("nwa");
        if frame {
            self.blanks();
            if !matches!(self.peek(), Some(':' | '{')) {
                self.name()?;
            }
            self.sign(':');
        }
        let brace = self.sign('{');
        if frame && !brace && self.peek().is_none() {
            self.at = start;
            return self.problem("the automaton has no blocks such as `Q0: { … }`");
        }
        while let Some(block) = self.block() {
            self.entries(block)?;
        }
        self.blanks();
        if brace {
            self.need('}')?;
            self.blanks();
        }
        if self.peek().is_some() {
            if self.word_is("nwa") {
                return self.problem("a second automaton begins here; one file should hold one");
            }
            return self.problem(format!(
                "found {}, expected one of the blocks {}",
                self.found(),
                BLOCKS.map(|block| format!("`{block}:`")).join(", ")
            ));
        }
        for (states, block, what) in [(&self.nested.initial, "Q0", "initial"), (&self.nested.accepting, "Qf", "final")]
        {
            if states.is_empty() {
                return self.problem(format!("there is no {what} state (`{block}: {{ … }}`), so no word is accepted"));
            }
        }
        Ok(())
    }

    fn word_is(&mut self, word: &str) -> bool {
        let length = word.chars().count();
        let there = self.chars[self.at..].iter().take(length).copied().eq(word.chars())
            && self.chars.get(self.at + length).is_none_or(|c| c.is_whitespace() || matches!(c, ':' | '{'));
        self.at += if there { length } else { 0 };
        there
    }

    fn entries(&mut self, block: usize) -> Result<(), ReadError> {
        let brace = self.sign('{');
        loop {
            self.blanks();
            let over = match self.peek() {
                None | Some('}') => true,
                Some('(') => false,
                Some(_) if block >= 4 => true,
                Some(_) => {
                    let at = self.at;
                    let next = self.block();
                    self.at = at;
                    next.is_some()
                }
            };
            if over {
                break;
            }
            self.entry(block)?;
            if !self.sign(',') {
                break;
            }
        }
        if brace {
            self.blanks();
            if self.peek() != Some('}') {
                return self.problem(format!("found {}, expected `,` or `}}`", self.found()));
            }
            self.at += 1;
        }
        Ok(())
    }

    fn entry(&mut self, block: usize) -> Result<(), ReadError> {
        match block {
            0..=2 => {
                let state = self.state()?;
                let list = match block {
                    0 => return Ok(()),
                    1 => &mut self.nested.initial,
                    _ => &mut self.nested.accepting,
                };
                if !list.contains(&state) {
                    list.push(state);
                }
            }
            3 => _ = self.letter()?,
            _ => {
                self.need('(')?;
                let from = self.state()?;
                self.need(',')?;
                let call = if block == 6 {
                    let call = self.state()?;
                    self.need(',')?;
                    Some(call)
                } else {
                    None
                };
                self.blanks();
                let place = self.at;
                let letter = self.letter()?;
                if block != 4 && letter == Letter::Epsilon {
                    self.at = place;
                    return self.problem("only internal transitions (`Delta_i`) can be epsilon");
                }
                self.need(',')?;
                let to = self.state()?;
                self.blanks();
                if self.peek() == Some(',') {
                    let shape = if block == 6 {
                        "(state, state before the call, symbol, state)"
                    } else {
                        "(state, symbol, state)"
                    };
                    return self.problem(format!("too many parts; a transition of `{}` is {shape}", BLOCKS[block]));
                }
                self.need(')')?;
                match (block, call) {
                    (4, _) => self.nested.internals.push(Internal { from, letter, to }),
                    (_, Some(call)) => self.nested.returns.push(Return { from, call, letter, to }),
                    (_, None) => self.nested.calls.push(Call { from, letter, to }),
                }
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<StateId, ReadError> {
        let name = self.name()?;
        let nested = &mut self.nested;
        Ok(*self.by_name.entry(name.clone()).or_insert_with(|| nested.add_state(name)))
    }

    fn letter(&mut self) -> Result<Letter, ReadError> {
        let name = self.name()?;
        Ok(match name.as_str() {
            "*" => Letter::Epsilon,
            "@" => Letter::Any,
            _ => Letter::Is(self.alphabet.intern(&name)),
        })
    }

    fn name(&mut self) -> Result<String, ReadError> {
        self.blanks();
        let start = self.at;
        let mut depth = 0usize;
        while let Some(c) = self.peek() {
            if depth == 0 && (c.is_whitespace() || matches!(c, ',' | ')' | '}')) {
                break;
            }
            match c {
                '(' | '{' | '[' | '<' => depth += 1,
                ')' | '}' | ']' | '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
        let name: String = self.chars[start..self.at].iter().collect();
        if depth > 0 {
            self.at = start;
            return self.problem("this name has an opening bracket that is not closed");
        }
        if name.is_empty() {
            return self.problem(format!("found {}, expected a name", self.found()));
        }
        self.blanks();
        if self.peek() == Some('(') {
            let remark = self.at;
            while self.peek().is_some_and(|c| c != ')') {
                self.at += 1;
            }
            if self.peek().is_none() {
                self.at = remark;
                return self.problem("this remark has no end, `)`");
            }
            self.at += 1;
        }
        Ok(name)
    }
}

impl Nested {
    /// The automaton in the text format.
    pub fn write(&self, alphabet: &Alphabet) -> String {
        let mut text = String::new();
        let name = |state: StateId| self.names[state.index()].clone();
        let letter = |letter: Letter| match letter {
            Letter::Epsilon => "*".to_string(),
            Letter::Any => "@".to_string(),
            Letter::Is(symbol) => alphabet.name(symbol).to_string(),
        };
        let symbols = self.symbols();
        let blocks: [(&str, Vec<String>); 7] = [
            ("Q", self.names.clone()),
            ("Q0", self.initial.iter().map(|&state| name(state)).collect()),
            ("Qf", self.accepting.iter().map(|&state| name(state)).collect()),
            ("Sigma", symbols.iter().map(|&symbol| alphabet.name(symbol).to_string()).collect()),
            (
                "Delta_i",
                self.internals
                    .iter()
                    .map(|at| format!("({}, {}, {})", name(at.from), letter(at.letter), name(at.to)))
                    .collect(),
            ),
            (
                "Delta_c",
                self.calls
                    .iter()
                    .map(|at| format!("({}, {}, {})", name(at.from), letter(at.letter), name(at.to)))
                    .collect(),
            ),
            (
                "Delta_r",
                self.returns
                    .iter()
                    .map(|at| format!("({}, {}, {}, {})", name(at.from), name(at.call), letter(at.letter), name(at.to)))
                    .collect(),
            ),
        ];
        for (block, entries) in blocks {
            if block.starts_with("Delta") && !entries.is_empty() {
                _ = writeln!(text, "{block}: {{\n  {}\n}}", entries.join(",\n  "));
            } else {
                _ = writeln!(text, "{block}: {{ {} }}", entries.join(", "));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let text = "nwa main: { Q: {(k,1) (=2), b}\n# remark\nQ0: (k,1) (=2) Qf: { b, } // the end\n\
            Sigma: {<{#f}>, x}\n\
            delta_i: ((k,1) (=2), x, b), (b, *, b)\nDelta_c: {((k,1), <{#f}>, b)} Delta_r: { (b, (k,1) (=2) , @, b) } }";
        let mut alphabet = Alphabet::new();
        let nested = read(text, &mut alphabet).unwrap();
        assert_eq!(nested.names, ["(k,1)", "b"]);
        assert_eq!((nested.internals.len(), nested.calls.len(), nested.returns.len()), (2, 1, 1));
        assert_eq!(nested.internals[1].letter, Letter::Epsilon);
        assert_eq!(nested.returns[0].letter, Letter::Any);
        assert_eq!(read(&nested.write(&alphabet), &mut alphabet).unwrap(), nested);
    }

    #[test]
    fn empty_blocks_need_no_braces() {
        let nested = read("Q: Q0: a Qf: a Sigma: Delta_i: Delta_c: {} Delta_r:", &mut Alphabet::new()).unwrap();
        assert_eq!((nested.states(), nested.initial.len(), nested.accepting.len()), (1, 1, 1));
    }

    #[test]
    fn problems_have_places() {
        let cases = [
            ("", "1:1: there is no initial state (`Q0: { … }`), so no word is accepted"),
            ("Q0: a", "1:6: there is no final state (`Qf: { … }`), so no word is accepted"),
            (
                "hello",
                "1:1: found `h`, expected one of the blocks `Q:`, `Q0:`, `Qf:`, `Sigma:`, `Delta_i:`, `Delta_c:`, `Delta_r:`",
            ),
            ("Q0: {a}\nDelta_i: { (a, b) }", "2:17: found `)`, expected `,`"),
            (
                "Q0: {a}\nDelta_i: { (a, b, c, d) }",
                "2:20: too many parts; a transition of `Delta_i` is (state, symbol, state)",
            ),
            ("Q0: {a}\nDelta_c: (a, *, c)", "2:14: only internal transitions (`Delta_i`) can be epsilon"),
            ("Q0: {a", "1:7: found the end of the text, expected `,` or `}`"),
            ("Q0: {a b}", "1:8: found `b`, expected `,` or `}`"),
            ("nwa a { Q0: a Qf: a } nwa b { Q0: a }", "1:26: a second automaton begins here; one file should hold one"),
            ("Q0: (a", "1:5: this name has an opening bracket that is not closed"),
        ];
        for (text, message) in cases {
            match read(text, &mut Alphabet::new()) {
                Err(problem) => assert_eq!(problem.to_string(), message, "{text}"),
                Ok(_) => panic!("{text} should have a problem"),
            }
        }
    }
}
