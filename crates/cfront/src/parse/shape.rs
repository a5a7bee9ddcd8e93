//! How deep and how well bracketed a text is, measured before the parser sees it.
//!
//! The parser recurses for each bracket and for each `else`, and whoever walks its tree for each operator of a chain as
//! well. The depth computed here is an upper bound of that: per open bracket the tokens since the last separator that may
//! each nest what follows by one level. Separators are `;` and `,`, and the end of a block that no `else` follows.

use super::tokens::{Kind, Token};

/// How deep and how well bracketed a text is.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Open brackets at the deepest place.
    pub brackets: Extreme,
    /// Upper bound of the depth of the syntax tree.
    pub depth: Extreme,
    /// The first bracket without its partner.
    pub unpaired: Option<Unpaired>,
    /// Per token the index of its partner, if it is a bracket.
    pub partners: Vec<u32>,
    /// Whether there are `[[…]]`, which begin with two brackets that end together.
    pub has_double_brackets: bool,
}

/// The largest value of a measure and where it is reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extreme {
    pub value: u32,
    pub at: u32,
}

impl Extreme {
    fn see(&mut self, value: u32, at: u32) {
        if value > self.value {
            *self = Extreme { value, at };
        }
    }
}

/// A bracket that does not pair up.
#[derive(Clone, Copy, Debug)]
pub struct Unpaired {
    /// The opening bracket, if it is that which lacks a partner.
    pub open: Option<u32>,
    /// Where the partner was missed: a wrong closing bracket, or the end of the text.
    pub at: u32,
}

/// The partner of a token that has none.
pub const NONE: u32 = u32::MAX;

struct Level {
    open: u32,
    close: Kind,
    /// Tokens since the last separator that may each nest what follows by one level.
    run: u32,
    questions: u32,
}

/// Pairs brackets and measures the nesting.
pub fn shape(tokens: &[Token]) -> Shape {
    let mut shape = Shape { partners: vec![NONE; tokens.len()], ..Shape::default() };
    let mut levels: Vec<Level> = Vec::new();
    let mut level = Level { open: NONE, close: Kind::End, run: 0, questions: 0 };
    let mut total = 0u32;
    for (i, token) in tokens.iter().enumerate() {
        use Kind::*;
        match token.kind {
            If | Else | For | While | Do | Switch | Case | Default | Sizeof | Goto => {
                level.run += 1;
                total += 1;
            }
            OpenParen | OpenBracket | OpenBrace => {
                total += 1;
                let close = match token.kind {
                    OpenParen => CloseParen,
                    OpenBracket => CloseBracket,
                    _ => CloseBrace,
                };
                levels.push(std::mem::replace(&mut level, Level { open: i as u32, close, run: 0, questions: 0 }));
                shape.brackets.see(levels.len() as u32, token.start);
            }
            CloseParen | CloseBracket | CloseBrace => {
                if level.close != token.kind {
                    let open = (level.open != NONE).then(|| tokens[level.open as usize].start);
                    shape.unpaired = Some(Unpaired { open, at: token.start });
                    return shape;
                }
                let open = level.open;
                shape.partners[i] = open;
                shape.partners[open as usize] = i as u32;
                shape.has_double_brackets |= token.kind == CloseBracket
                    && i > 0
                    && tokens[i - 1].kind == CloseBracket
                    && shape.partners[i - 1] == open + 1;
                total -= level.run + 1;
                level = levels.pop().expect("a level should be below, because this bracket was opened");
                let next = tokens[i + 1].kind;
                let ends_statement = token.kind == CloseBrace
                    && next != Else
                    && (next.is_keyword() || matches!(next, Name | Number | OpenBrace | CloseBrace | End));
                if ends_statement {
                    total -= level.run;
                    level.run = 0;
                } else {
                    level.run += 1;
                    total += 1;
                }
            }
            Semicolon => {
                if tokens[i + 1].kind != Else {
                    total -= level.run;
                    (level.run, level.questions) = (0, 0);
                }
            }
            Comma => {
                if level.questions == 0 {
                    total -= level.run;
                    level.run = 0;
                }
            }
            kind if kind.is_keyword() || matches!(kind, Name | Number | Text | Character | Stray | End) => {}
            mark => {
                level.questions += u32::from(mark == Question);
                level.run += 1;
                total += 1;
            }
        }
        shape.depth.see(total, token.start);
    }
    if level.open != NONE {
        let end = tokens.len().checked_sub(2).map_or(0, |last| tokens[last].end - 1);
        shape.unpaired = Some(Unpaired { open: Some(tokens[level.open as usize].start), at: end });
    }
    shape
}
