//! How deep and how well bracketed a text is, measured before the parser sees it.
//!
//! The parser recurses for each bracket, for each operator of a chain and for each `else`. The depth computed here
//! is an upper bound of that: per open bracket the tokens since the last separator that may each nest what follows
//! by one level. Separators are `;` and `,`, and the end of a block that no `else` follows.

use super::tokens::{Token, TokenKind};

/// How deep and how well bracketed a text is; the parser refuses what would exhaust its stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Open brackets at the deepest place.
    pub brackets: Extreme,
    /// Upper bound of the depth of the syntax tree.
    pub depth: Extreme,
    /// `typeof` within `typeof`.
    pub typeofs: Extreme,
    /// Structure definitions within parentheses within structure definitions, which `lang-c` reads four times each.
    pub inner_structs: Extreme,
    /// The first bracket without its partner.
    pub unpaired: Option<Unpaired>,
}

/// The largest value of a measure and where it is reached.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extreme {
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
pub(crate) struct Unpaired {
    /// The opening bracket, if it is that which lacks a partner.
    pub open: Option<u32>,
    /// Where the partner was missed: a wrong closing bracket, or the end of the text.
    pub at: u32,
}

pub(super) const NONE: u32 = u32::MAX;

/// Pairs brackets and measures the nesting. Returns for each token the index of its partner.
pub(super) fn pair_brackets(source: &[u8], tokens: &[Token]) -> (Vec<u32>, Shape) {
    struct Level {
        open: u32,
        mark: u8,
        /// Tokens since the last separator that may each nest what follows by one level.
        run: u32,
        questions: u32,
        is_typeof: bool,
        is_struct: bool,
    }
    let mut partners = vec![NONE; tokens.len()];
    let mut shape = Shape::default();
    let ground = Level { open: NONE, mark: 0, run: 0, questions: 0, is_typeof: false, is_struct: false };
    let mut levels = vec![ground];
    let (mut total, mut typeofs, mut structs) = (0u32, 0u32, 0u32);
    let text = |i: usize| tokens[i].text(source);
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map(|t| t.text(source));
        let level = levels.last_mut().expect("there should always be the ground level");
        match token.kind {
            TokenKind::Word => {
                if matches!(
                    token.text(source),
                    b"if"
                        | b"else"
                        | b"for"
                        | b"while"
                        | b"do"
                        | b"switch"
                        | b"case"
                        | b"default"
                        | b"sizeof"
                        | b"goto"
                ) {
                    level.run += 1;
                    total += 1;
                }
            }
            TokenKind::Punctuator => match token.text(source) {
                open @ (b"(" | b"[" | b"{") => {
                    let is_typeof = i > 0 && matches!(text(i - 1), b"typeof" | b"__typeof__" | b"__typeof");
                    let record = |j: usize| matches!(text(j), b"struct" | b"union" | b"enum");
                    let is_struct = open == b"{"
                        && (i > 0 && record(i - 1) || i > 1 && record(i - 2))
                        && levels.iter().any(|l| l.mark == b'(');
                    typeofs += u32::from(is_typeof);
                    structs += u32::from(is_struct);
                    total += 1;
                    levels.push(Level { open: i as u32, mark: open[0], run: 0, questions: 0, is_typeof, is_struct });
                    shape.brackets.see(levels.len() as u32 - 1, token.start);
                    shape.typeofs.see(typeofs, token.start);
                    shape.inner_structs.see(structs, token.start);
                }
                close @ (b")" | b"]" | b"}") => {
                    let fits = matches!((level.mark, close[0]), (b'(', b')') | (b'[', b']') | (b'{', b'}'));
                    if !fits {
                        let open = (level.open != NONE).then(|| tokens[level.open as usize].start);
                        shape.unpaired = Some(Unpaired { open, at: token.start });
                        return (partners, shape);
                    }
                    partners[i] = level.open;
                    partners[level.open as usize] = i as u32;
                    total -= level.run + 1;
                    typeofs -= u32::from(level.is_typeof);
                    structs -= u32::from(level.is_struct);
                    levels.pop();
                    let level = levels.last_mut().expect("the ground level should remain, because it closes nothing");
                    let ends_statement = close == b"}"
                        && next.is_none_or(|n| {
                            n != b"else" && (n[0].is_ascii_alphanumeric() || n[0] == b'_' || b"{}#".contains(&n[0]))
                        });
                    if ends_statement {
                        total -= level.run;
                        level.run = 0;
                    } else {
                        level.run += 1;
                        total += 1;
                    }
                }
                b";" => {
                    if next != Some(b"else") {
                        total -= level.run;
                        (level.run, level.questions) = (0, 0);
                    }
                }
                b"," => {
                    if level.questions == 0 {
                        total -= level.run;
                        level.run = 0;
                    }
                }
                mark => {
                    level.questions += u32::from(mark == b"?");
                    level.run += 1;
                    total += 1;
                }
            },
            _ => {}
        }
        shape.depth.see(total, token.start);
    }
    if let Some(level) = levels.get(1..).and_then(|open| open.last()) {
        let end = tokens.last().map_or(0, |t| t.end - 1);
        shape.unpaired = Some(Unpaired { open: Some(tokens[level.open as usize].start), at: end });
    }
    (partners, shape)
}
