//! The notation of paths, after the syntax of the program.
//!
//! ```text
//! sequence  = { item } [ ".." ]                    the branching statements in order; ".." stops before the next one
//! item      = ( "T" | "F" ) [ "(" sequence ")" ]   an if, and the choices inside the branch taken
//!           | "[" [ iterations ] "]"               a loop
//!           | "{" ( INT | "default" ) "}" [ "(" sequence ")" ]   a switch, and the choices after the label
//! iterations = entry { ";" entry } [ ";" ".." ]    each iteration, and then the loop is left; or not, with ".."
//!           | ".." | "#" INT [ ";" ".." ]          so many iterations, whatever happens in them
//! entry     = sequence | "(" sequence ")"          "()" is an iteration without choices
//! ```
//! `[]` is a loop that is left at once.

/// A place in the text of a path; both count from 1, columns in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    pub items: Vec<Item>,
    /// Where the path stops although the program may go on.
    pub stop: Option<At>,
    /// Where it ends in the text.
    pub end: At,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub at: At,
    pub kind: ItemKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemKind {
    Branch { taken: bool, inner: Option<Sequence> },
    Loop(LoopPath),
    Case { value: CaseValue, inner: Option<Sequence> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseValue {
    Int(i128),
    Default,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopPath {
    /// Each iteration; `leaves` if the loop is left then.
    Each { iterations: Vec<Sequence>, leaves: bool },
    /// Exactly so many iterations, with any choices in them.
    Count { times: u32, leaves: bool },
}

/// What is wrong with the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    pub at: At,
    pub message: String,
}

/// More than this nests too deeply, or iterates too often, to be meant.
const DEEPEST: u32 = 200;
const MOST_TIMES: u32 = 10_000;

pub fn parse(text: &str) -> Result<Sequence, Malformed> {
    let mut reader = Reader { rest: text, at: At { line: 1, column: 1 }, depth: 0 };
    let sequence = reader.sequence()?;
    match reader.peek() {
        None => Ok(sequence),
        Some(c) => Err(reader.error(match c {
            ';' => "`;` separates iterations and stands inside `[ ]` only".to_string(),
            ')' | ']' => format!("`{c}` closes nothing"),
            _ => format!("`{}` does not belong here: a path is made of T, F, ( ), [ ], ;, .. and #", c.escape_debug()),
        })),
    }
}

struct Reader<'a> {
    rest: &'a str,
    at: At,
    depth: u32,
}

impl Reader<'_> {
    fn error(&self, message: String) -> Malformed {
        Malformed { at: self.at, message }
    }

    fn skip(&mut self, count: usize) {
        for c in self.rest[..count].chars() {
            if c == '\n' {
                self.at = At { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += c.len_utf8() as u32;
            }
        }
        self.rest = &self.rest[count..];
    }

    /// The next character after blanks and comments (`// …`).
    fn peek(&mut self) -> Option<char> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.skip(blanks);
            if !self.rest.starts_with("//") {
                return self.rest.chars().next();
            }
            let line = self.rest.find('\n').unwrap_or(self.rest.len());
            self.skip(line);
        }
    }

    fn accept(&mut self, word: &str) -> bool {
        self.peek();
        let found = self.rest.starts_with(word);
        if found {
            self.skip(word.len());
        }
        found
    }

    fn expect(&mut self, word: &str, why: &str) -> Result<(), Malformed> {
        if self.accept(word) {
            return Ok(());
        }
        let found = self.peek().map_or("the path ends".to_string(), |c| format!("`{}` stands", c.escape_debug()));
        Err(self.error(format!("`{word}` should close {why}, but {found} here")))
    }

    fn enter(&mut self) -> Result<(), Malformed> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(format!("paths nested more than {DEEPEST} deep are not read")));
        }
        Ok(())
    }

    fn sequence(&mut self) -> Result<Sequence, Malformed> {
        let mut items = Vec::new();
        let mut stop = None;
        loop {
            self.peek();
            let at = self.at;
            if self.accept("..") {
                stop = Some(at);
                break;
            }
            let kind = if self.accept("T") {
                ItemKind::Branch { taken: true, inner: self.inner()? }
            } else if self.accept("F") {
                ItemKind::Branch { taken: false, inner: self.inner()? }
            } else if self.accept("[") {
                self.enter()?;
                let iterations = self.iterations(at)?;
                self.depth -= 1;
                ItemKind::Loop(iterations)
            } else if self.accept("{") {
                let value = if self.accept("default") { CaseValue::Default } else { CaseValue::Int(self.number()?) };
                self.expect("}", "the case of a switch")?;
                ItemKind::Case { value, inner: self.inner()? }
            } else {
                break;
            };
            items.push(Item { at, kind });
        }
        self.peek();
        Ok(Sequence { items, stop, end: self.at })
    }

    fn inner(&mut self) -> Result<Option<Sequence>, Malformed> {
        if !self.accept("(") {
            return Ok(None);
        }
        self.enter()?;
        let sequence = self.sequence()?;
        self.expect(")", "the choices inside")?;
        self.depth -= 1;
        Ok(Some(sequence))
    }

    fn number(&mut self) -> Result<i128, Malformed> {
        self.peek();
        let sign = self.rest.starts_with('-') as usize;
        let digits = self.rest[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len() - sign);
        let value = self.rest[..sign + digits].parse();
        let value = value.map_err(|_| self.error("a number is expected here".to_string()))?;
        self.skip(sign + digits);
        Ok(value)
    }

    fn iterations(&mut self, open: At) -> Result<LoopPath, Malformed> {
        if self.accept("]") {
            return Ok(LoopPath::Each { iterations: Vec::new(), leaves: true });
        }
        if self.accept("#") {
            let at = self.at;
            let times = self.number()?;
            let times = u32::try_from(times).ok().filter(|times| *times <= MOST_TIMES);
            let Some(times) = times else {
                let message = format!("the number of iterations should be between 0 and {MOST_TIMES}");
                return Err(Malformed { at, message });
            };
            let stops = self.accept(";");
            if stops && !self.accept("..") {
                return Err(self.error("only `..` can follow a number of iterations".to_string()));
            }
            self.expect("]", "the loop")?;
            return Ok(LoopPath::Count { times, leaves: !stops });
        }
        let mut iterations = Vec::new();
        loop {
            if self.accept("..") {
                self.expect("]", "the loop after `..`")?;
                return Ok(LoopPath::Each { iterations, leaves: false });
            }
            iterations.push(match self.peek() {
                Some('(') => self.inner()?.unwrap_or_else(|| unreachable!("a parenthesis was seen")),
                _ => self.sequence()?,
            });
            if self.accept(";") {
                continue;
            }
            if self.peek().is_none() {
                return Err(Malformed { at: open, message: "`[` is not closed".to_string() });
            }
            self.expect("]", "the loop")?;
            return Ok(LoopPath::Each { iterations, leaves: true });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read() {
        let path = parse("T([F T; T F; ..])").expect("the path of the paper should be read");
        let ItemKind::Branch { taken: true, inner: Some(inner) } = &path.items[0].kind else { panic!("{path:?}") };
        let ItemKind::Loop(LoopPath::Each { iterations, leaves: false }) = &inner.items[0].kind else {
            panic!("{inner:?}")
        };
        assert_eq!(iterations.len(), 2);
        for (text, count, leaves) in
            [("[]", 0, true), ("[..]", 0, false), ("[()]", 1, true), ("[;]", 2, true), ("[T;..]", 1, false)]
        {
            let path = parse(text).expect(text);
            let ItemKind::Loop(LoopPath::Each { iterations, leaves: found }) = &path.items[0].kind else {
                panic!("{text} should be a loop")
            };
            assert_eq!((iterations.len(), *found), (count, leaves), "{text}");
        }
        for (text, times, leaves) in [("[#3]", 3, true), ("[ # 12 ; .. ]", 12, false)] {
            let path = parse(text).expect(text);
            assert_eq!(path.items[0].kind, ItemKind::Loop(LoopPath::Count { times, leaves }), "{text}");
        }
        assert!(parse("").expect("an empty path should be read").items.is_empty());
        assert!(parse("T // done\n F ..").expect("comments should be skipped").stop.is_some());
        assert!(matches!(parse("{-3}(T) {default}").expect("cases").items[1].kind, ItemKind::Case { .. }));
    }

    #[test]
    fn mistakes_have_a_place() {
        for (text, line, column, said) in [
            ("T(", 1, 3, "`)` should close the choices inside, but the path ends here"),
            ("T X", 1, 3, "`X` does not belong here"),
            ("T\n F]", 2, 3, "`]` closes nothing"),
            ("[T; F", 1, 1, "`[` is not closed"),
            ("T; F", 1, 2, "`;` separates iterations"),
            ("[#x]", 1, 3, "a number is expected here"),
            ("[#-1]", 1, 3, "the number of iterations"),
            ("[#3; T]", 1, 6, "only `..` can follow"),
            ("[..; T]", 1, 4, "`]` should close the loop after `..`"),
        ] {
            let wrong = parse(text).expect_err(text);
            assert_eq!((wrong.at.line, wrong.at.column), (line, column), "{text}: {}", wrong.message);
            assert!(wrong.message.contains(said), "{text}: {}", wrong.message);
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
