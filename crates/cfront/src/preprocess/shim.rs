//! Rewriting what `lang-c` has no grammar for into something it can parse, without moving anything away from
//! its origin.
//!
//! Noise is blanked (`__extension__`, attributes on statements, `[[…]]`); meaning is never dropped silently: it
//! is either spelled in another way that the lowering recognises, or reported in `Unit::unsupported`.
//!
//! | in the program | in the text |
//! |---|---|
//! | `a ?: b` | `a ? `[`MISSING_OPERAND`]` : b` |
//! | `&&label` | [`LABEL_ADDRESS_CALL`]`(label)` |
//! | `goto *p;` | [`COMPUTED_GOTO_CALL`]`(p);` |
//! | `asm goto (…)` | [`ASM_GOTO_CALL`]`()` |
//! | `__int128`, `unsigned __int128` | the typedef names [`SIGNED_INT128`], [`UNSIGNED_INT128`] |
//! | `__auto_type` | the typedef name [`AUTO_TYPE`] |
//! | `__float128`, `__float80` | typedef names declared at the beginning of the text |
//! | `__alignof__(e)` | `__alignof__(__typeof__(e))` |
//! | `__builtin_types_compatible_p(t, u)` | `__builtin_types_compatible_p(sizeof(t), sizeof(u))` |
//! | `struct __attribute__((a)) s {…}` | `struct s {…} __attribute__((a))`; likewise `union` and `enum` |
//! | `_Static_assert(e)` | `_Static_assert(e,"")` |
//! | `label: }`, `case 1: int x;` | an empty statement after the label |
//! | `main() {…}`, `static n;` | `int` before the name |
//! | identifiers with `$` or letters outside ASCII | each such byte as `_xHH` |
//!
//! *Invariant*: the inside of string and character literals is untouched, except that bytes that are not ASCII and
//! the backslash of `\u` and `\U` become filler; `Unit::bytes` has them.

use diagnostics::{Finding, Origin, Rule, Span};

use super::rewrite::{Replacement, rewrite};
use super::shape::{NONE, Shape, pair_brackets};
use super::tokens::{Token, TokenKind, tokens};
use super::{Pragma, Stripped};

/// Stands for the left-out middle operand of `a ?: b`.
pub const MISSING_OPERAND: &str = "__plumb_same";
/// `__plumb_label_address(l)` stands for `&&l`.
pub const LABEL_ADDRESS_CALL: &str = "__plumb_label_address";
/// `__plumb_computed_goto(e);` stands for `goto *e;`.
pub const COMPUTED_GOTO_CALL: &str = "__plumb_computed_goto";
/// `__plumb_asm_goto()` stands for an `asm goto` statement.
pub const ASM_GOTO_CALL: &str = "__plumb_asm_goto";
/// Typedef name of the signed 128-bit integer. The text declares it as `int`, which is to be ignored.
pub const SIGNED_INT128: &str = "__int128";
/// Typedef name of the unsigned 128-bit integer. The text declares it as `int`, which is to be ignored.
pub const UNSIGNED_INT128: &str = "__uns128";
/// Typedef name of a type to be taken from the initialiser. The text declares it as `int`, which is to be ignored.
pub const AUTO_TYPE: &str = "__auto_type";

pub(super) struct Shimmed {
    pub text: String,
    pub original: Option<Vec<u8>>,
    pub origins: Vec<Origin>,
    pub pragmas: Vec<Pragma>,
    pub unsupported: Vec<Finding>,
    pub plain_bytes: usize,
    pub shape: Shape,
}

/// Takes the backslash from `\u` and `\U` in literals, which `lang-c` does not know as escapes. Answers whether there
/// were any.
fn hide_universal_names(text: &[u8], tokens: &[Token], blanked: &mut [u8]) -> bool {
    let mut found = false;
    for token in tokens.iter().filter(|token| token.kind == TokenKind::Literal) {
        let (start, end) = (token.start as usize, token.end as usize);
        let mut i = start;
        while i + 1 < end {
            if text[i] == b'\\' {
                if matches!(text[i + 1], b'u' | b'U') && blanked[i] == b'\\' {
                    blanked[i] = b'x';
                    found = true;
                }
                i += 1;
            }
            i += 1;
        }
    }
    found
}

pub(super) fn shim(stripped: Stripped, base: u32) -> Shimmed {
    let Stripped { text, origins, pragmas, plain_bytes } = stripped;
    let tokens = tokens(&text);
    let (partners, mut shape) = pair_brackets(&text, &tokens);
    let mut shim = Shim {
        blanked: text.clone(),
        source: &text,
        tokens: &tokens,
        partners: &partners,
        edits: Vec::new(),
        lost: Vec::new(),
        levels: Vec::new(),
        previous: None,
        statement_start: true,
        in_initialiser: false,
        ended_function: false,
        names: Names::default(),
    };
    shim.walk();
    let Shim { mut blanked, mut edits, lost, names, .. } = shim;
    let declarations = names.declarations();
    if !declarations.is_empty() {
        edits.push(Replacement { start: 0, end: 0, text: declarations });
    }
    edits.sort_by_key(|e| (e.start, e.end));

    let ascii = text.iter().all(|b| b.is_ascii() && *b != 0);
    let universal = hide_universal_names(&text, &tokens, &mut blanked);
    let original = (!ascii || universal).then(|| rewrite(text.clone(), Vec::new(), Vec::new(), edits.clone()).text);
    if !ascii {
        for byte in &mut blanked {
            if *byte == 0 {
                *byte = b' ';
            } else if !byte.is_ascii() {
                *byte = b'x';
            }
        }
    }
    let rewritten = rewrite(blanked, origins, pragmas, edits);
    for extreme in [&mut shape.brackets, &mut shape.depth, &mut shape.typeofs, &mut shape.inner_structs] {
        extreme.at = rewritten.moved(extreme.at);
    }
    if let Some(unpaired) = &mut shape.unpaired {
        unpaired.open = unpaired.open.map(|at| rewritten.moved(at));
        unpaired.at = rewritten.moved(unpaired.at);
    }
    let unsupported = lost
        .into_iter()
        .map(|(start, end, what)| {
            let span =
                Span::new(base + rewritten.moved(start), base + rewritten.moved(end).max(rewritten.moved(start)));
            Finding::new(Rule::Unsupported, span, what)
        })
        .collect();
    let pragmas = rewritten.pragmas.into_iter().map(|p| Pragma { at: p.at + base, ..p }).collect();
    let text = String::from_utf8(rewritten.text).expect("the text should be ASCII, because other bytes were replaced");
    Shimmed { text, original, origins: rewritten.origins, pragmas, unsupported, plain_bytes, shape }
}

/// What a brace (or another bracket) encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Block,
    Record,
    Other,
}

/// The names that the text uses and that have to be declared at its beginning.
#[derive(Default)]
struct Names {
    signed_128: bool,
    unsigned_128: bool,
    typedef_signed_128: bool,
    typedef_unsigned_128: bool,
    auto_type: bool,
    float_128: bool,
    float_80: bool,
}

impl Names {
    fn declarations(&self) -> String {
        let mut text = String::new();
        let mut declare = |used: bool, what: &str, name: &str| {
            if used {
                text.push_str(&format!("typedef {what} {name}; "));
            }
        };
        declare(self.signed_128 || self.typedef_signed_128, "int", SIGNED_INT128);
        declare(self.unsigned_128 || self.typedef_unsigned_128, "int", UNSIGNED_INT128);
        declare(self.typedef_signed_128, SIGNED_INT128, "__int128_t");
        declare(self.typedef_unsigned_128, UNSIGNED_INT128, "__uint128_t");
        declare(self.auto_type, "int", AUTO_TYPE);
        declare(self.float_128, "_Float128", "__float128");
        declare(self.float_80, "long double", "__float80");
        text
    }
}

struct Shim<'a> {
    source: &'a [u8],
    blanked: Vec<u8>,
    tokens: &'a [Token],
    partners: &'a [u32],
    edits: Vec<Replacement>,
    /// Meaning that was taken out: start, end, what.
    lost: Vec<(u32, u32, String)>,
    levels: Vec<Level>,
    /// The last token that was not blanked.
    previous: Option<usize>,
    /// Whether the next token begins a file-level declaration.
    statement_start: bool,
    /// Whether a file-level `=` was seen in the current declaration.
    in_initialiser: bool,
    /// Whether the last file-level brace ended a function body.
    ended_function: bool,
    names: Names,
}

impl<'a> Shim<'a> {
    fn text(&self, i: usize) -> &'a [u8] {
        match self.tokens.get(i) {
            Some(token) => token.text(self.source),
            None => b"",
        }
    }

    fn is_word(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| t.kind == TokenKind::Word)
    }

    fn previous_text(&self) -> &'a [u8] {
        self.previous.map_or(b"", |i| self.text(i))
    }

    fn partner(&self, i: usize) -> Option<usize> {
        self.partners.get(i).filter(|&&p| p != NONE).map(|&p| p as usize)
    }

    /// The partner of the parenthesis that `i` should be.
    fn parenthesis(&self, i: usize) -> Option<usize> {
        (self.text(i) == b"(").then(|| self.partner(i)).flatten()
    }

    fn blank(&mut self, first: usize, last: usize) {
        let (start, end) = (self.tokens[first].start as usize, self.tokens[last].end as usize);
        self.blanked[start..end].fill(b' ');
    }

    fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.edits.push(Replacement { start: at, end: at, text: text.into() });
    }

    fn replace(&mut self, first: usize, last: usize, text: impl Into<String>) {
        let (start, end) = (self.tokens[first].start, self.tokens[last].end);
        self.edits.push(Replacement { start, end, text: text.into() });
    }

    fn lose(&mut self, first: usize, last: usize, what: impl Into<String>) {
        self.lost.push((self.tokens[first].start, self.tokens[last].end, what.into()));
    }

    fn top(&self) -> Option<Level> {
        self.levels.last().copied()
    }

    /// Whether a `)` closes the head of an `if`, `for`, `while` or `switch`.
    fn closes_head(&self, close: usize) -> bool {
        let open = if self.text(close) == b")" { self.partner(close) } else { None };
        open.and_then(|open| open.checked_sub(1))
            .is_some_and(|i| matches!(self.text(i), b"if" | b"for" | b"while" | b"switch"))
    }

    /// The token after an attribute (or several) at `i`.
    fn after_attributes(&self, mut i: usize) -> usize {
        while matches!(self.text(i), b"__attribute__" | b"__attribute") {
            match self.parenthesis(i + 1) {
                Some(close) => i = close + 1,
                None => break,
            }
        }
        i
    }

    fn walk(&mut self) {
        let mut i = 0;
        while i < self.tokens.len() {
            let done = match self.tokens[i].kind {
                TokenKind::Word => self.word(i),
                TokenKind::Punctuator => self.punctuator(i),
                _ => None,
            };
            match done {
                // The rule took care of everything up to this token.
                Some(next) => i = next,
                None => {
                    self.previous = Some(i);
                    self.statement_start = self.levels.is_empty()
                        && (self.text(i) == b";" || matches!(self.text(i), b"}" | b"%>") && self.ended_function);
                    if self.statement_start {
                        self.in_initialiser = false;
                    }
                    i += 1;
                }
            }
        }
    }

    /// Handles a word; returns the next token to look at if this one is done with.
    fn word(&mut self, i: usize) -> Option<usize> {
        let word = self.text(i);
        if self.statement_start {
            self.implicit_int(i);
            self.statement_start = false;
        }
        match word[0] {
            b'_' => self.reserved_word(i, word),
            b'a' if word == b"asm" => self.assembler(i),
            b'g' if word == b"goto" && self.text(i + 1) == b"*" => self.computed_goto(i),
            b's' if word == b"sizeof" => {
                // `sizeof (T){…}`: the grammar stops after the type.
                if let Some(close) = self.parenthesis(i + 1)
                    && self.text(close + 1) == b"{"
                    && let Some(end) = self.partner(close + 1)
                {
                    self.insert(self.tokens[i + 1].start, "(");
                    self.insert(self.tokens[end].end, ")");
                }
                None
            }
            _ => {
                if word.iter().any(|b| !b.is_ascii() || *b == b'$') {
                    self.mangle(i);
                }
                None
            }
        }
    }

    fn reserved_word(&mut self, i: usize, word: &[u8]) -> Option<usize> {
        match word {
            b"__attribute__" | b"__attribute" => return self.attribute(i),
            b"__extension__" | b"_Nonnull" | b"_Nullable" | b"_Null_unspecified" => {
                self.blank(i, i);
                return Some(i + 1);
            }
            b"__asm__" | b"__asm" => return self.assembler(i),
            b"__int128" => self.int128(i),
            b"__int128_t" => self.names.typedef_signed_128 = true,
            b"__uint128_t" => self.names.typedef_unsigned_128 = true,
            b"__auto_type" => self.names.auto_type = true,
            b"__float128" => self.names.float_128 = true,
            b"__float80" => self.names.float_80 = true,
            b"__thread" => self.replace(i, i, "_Thread_local"),
            b"__label__" => {
                let end = (i..self.tokens.len()).find(|&j| self.text(j) == b";")?;
                self.blank(i, end);
                return Some(end + 1);
            }
            b"__real__" | b"__real" | b"__imag__" | b"__imag" => {
                self.lose(i, i, format!("complex arithmetic: `{}`", String::from_utf8_lossy(word)));
                self.blank(i, i);
                return Some(i + 1);
            }
            b"_Static_assert" => {
                if let Some(close) = self.parenthesis(i + 1)
                    && self.commas(i + 1, close).is_empty()
                {
                    self.insert(self.tokens[close].start, ",\"\"");
                }
            }
            b"_Alignas" if self.top() == Some(Level::Record) => {
                // The grammar has it for objects, not for members; there the attribute says the same.
                if let Some(close) = self.parenthesis(i + 1) {
                    let of_type = is_type_word(self.text(i + 2));
                    let (open, end) = if of_type { ("aligned(_Alignof(", ")))") } else { ("aligned(", "))") };
                    self.replace(i, i, format!("__attribute__(({open}"));
                    self.blank(i + 1, i + 1);
                    self.insert(self.tokens[close].end, end);
                }
            }
            b"_Alignof" | b"__alignof__" | b"__alignof" => {
                if let Some(close) = self.parenthesis(i + 1)
                    && !is_type_word(self.text(i + 2))
                {
                    self.insert(self.tokens[i + 2].start, "__typeof__(");
                    self.insert(self.tokens[close].start, ")");
                }
            }
            b"__builtin_types_compatible_p" => {
                if let Some(close) = self.parenthesis(i + 1)
                    && let [comma] = self.commas(i + 1, close)[..]
                {
                    self.insert(self.tokens[i + 2].start, "sizeof(");
                    self.insert(self.tokens[comma].start, ")");
                    self.insert(self.tokens[comma + 1].start, "sizeof(");
                    self.insert(self.tokens[close].start, ")");
                }
            }
            _ if word.iter().any(|b| !b.is_ascii() || *b == b'$') => self.mangle(i),
            _ => {}
        }
        None
    }

    /// The commas directly within a pair of brackets.
    fn commas(&self, open: usize, close: usize) -> Vec<usize> {
        let mut commas = Vec::new();
        let mut i = open + 1;
        while i < close {
            match self.text(i) {
                b"," => commas.push(i),
                b"(" | b"[" | b"{" => i = self.partner(i).unwrap_or(close),
                _ => {}
            }
            i += 1;
        }
        commas
    }

    /// Keeps attributes where the grammar has them, which is in declarations.
    fn attribute(&mut self, i: usize) -> Option<usize> {
        let close = self.parenthesis(i + 1)?;
        let after = self.after_attributes(i);
        let before = self.previous_text();
        let statement_start = matches!(before, b";" | b"{" | b"}" | b"else" | b"do")
            || self.previous.is_some_and(|p| self.closes_head(p));
        let on_statement = self.top() == Some(Level::Block)
            && (before == b":" || statement_start && matches!(self.text(after), b";" | b"return" | b"}"));
        let empty = close == i + 4;
        if matches!(before, b"struct" | b"union" | b"enum") {
            // The grammar takes the word for the tag, and a definition then for something else entirely. The same
            // attribute may stand behind the definition; without a definition it has no effect.
            let body = if self.is_word(after) { after + 1 } else { after };
            if self.text(body) == b"{"
                && let Some(end) = self.partner(body)
            {
                let (start, stop) = (self.tokens[i].start as usize, self.tokens[after - 1].end as usize);
                let text = String::from_utf8_lossy(&self.source[start..stop]).replace(|c: char| !c.is_ascii(), "?");
                self.insert(self.tokens[end].end, format!(" {text} "));
            }
            self.blank(i, after - 1);
            return Some(after);
        }
        if on_statement || empty {
            self.blank(i, close);
            return Some(close + 1);
        }
        // Nothing within an attribute is ours to rewrite.
        self.previous = Some(close);
        Some(close + 1)
    }

    fn assembler(&mut self, i: usize) -> Option<usize> {
        let mut j = i + 1;
        let mut goto = false;
        let mut volatile = false;
        while matches!(
            self.text(j),
            b"volatile" | b"__volatile__" | b"__volatile" | b"inline" | b"__inline__" | b"__inline" | b"goto"
        ) {
            match self.text(j) {
                b"goto" => {
                    goto = true;
                    self.blank(j, j);
                }
                b"volatile" | b"__volatile__" | b"__volatile" if !volatile => volatile = true,
                _ => self.blank(j, j),
            }
            j += 1;
        }
        let close = self.parenthesis(j)?;
        if self.levels.is_empty() && matches!(self.previous_text(), b"" | b";" | b"}") && self.text(close + 1) == b";" {
            self.lose(i, close, "assembler code at file level");
            self.blank(i, close + 1);
            self.statement_start = true;
            return Some(close + 2);
        }
        if goto {
            self.replace(i, close, format!("{ASM_GOTO_CALL}()"));
        }
        self.previous = Some(close);
        Some(close + 1)
    }

    fn computed_goto(&mut self, i: usize) -> Option<usize> {
        let mut end = i + 2;
        while end < self.tokens.len() && self.text(end) != b";" {
            end = match self.text(end) {
                b"(" | b"[" | b"{" => self.partner(end)? + 1,
                _ => end + 1,
            };
        }
        let end = self.tokens.get(end)?.start;
        self.replace(i, i + 1, format!("{COMPUTED_GOTO_CALL}("));
        self.insert(end, ")");
        self.previous = Some(i);
        Some(i + 2)
    }

    /// `__int128` with the `signed` or `unsigned` that may stand anywhere among its specifiers.
    fn int128(&mut self, i: usize) {
        let is_specifier = |word: &[u8]| {
            matches!(
                word,
                b"const"
                    | b"volatile"
                    | b"static"
                    | b"extern"
                    | b"register"
                    | b"typedef"
                    | b"inline"
                    | b"restrict"
                    | b"unsigned"
                    | b"signed"
                    | b"__signed__"
                    | b"__signed"
                    | b"__const"
                    | b"__volatile__"
                    | b"__inline"
                    | b"__inline__"
                    | b"_Atomic"
                    | b"__extension__"
                    | b"_Thread_local"
                    | b"__thread"
                    | b"auto"
            )
        };
        let first = (0..i).rev().take_while(|&j| is_specifier(self.text(j))).last().unwrap_or(i);
        let last = (i + 1..self.tokens.len()).take_while(|&j| is_specifier(self.text(j))).last().unwrap_or(i);
        let mut unsigned = false;
        for j in first..=last {
            match self.text(j) {
                b"unsigned" => unsigned = true,
                b"signed" | b"__signed__" | b"__signed" => {}
                _ => continue,
            }
            self.blank(j, j);
        }
        if unsigned {
            self.names.unsigned_128 = true;
            let start = self.tokens[i].start as usize;
            self.blanked[start..start + UNSIGNED_INT128.len()].copy_from_slice(UNSIGNED_INT128.as_bytes());
        } else {
            self.names.signed_128 = true;
        }
    }

    /// Gives an identifier with letters outside `lang-c`'s a name of its own.
    fn mangle(&mut self, i: usize) {
        let mut name = String::new();
        for &byte in self.text(i) {
            match byte {
                b if b.is_ascii_alphanumeric() || b == b'_' => name.push(b as char),
                b => name.push_str(&format!("_x{b:02X}")),
            }
        }
        self.replace(i, i, name);
    }

    /// Old programs leave out `int` in file-level definitions.
    fn implicit_int(&mut self, i: usize) {
        let mut name = i;
        while matches!(self.text(name), b"static" | b"extern" | b"register" | b"const") {
            name += 1;
        }
        if !self.is_word(name) || is_type_word(self.text(name)) || self.text(name).starts_with(b"_") {
            return;
        }
        let missing = match self.text(name + 1) {
            b"(" => self.partner(name + 1).is_some_and(|close| {
                let after = self.text(close + 1);
                after == b"{" || (is_type_word(after) && after != b"extern" && after != b"static")
            }),
            b"=" | b";" | b"," | b"[" => name > i,
            _ => false,
        };
        if missing {
            self.insert(self.tokens[name].start, "int ");
        }
    }

    fn punctuator(&mut self, i: usize) -> Option<usize> {
        match self.text(i) {
            b"{" | b"<%" => {
                let level = self.brace_level();
                self.levels.push(level);
                self.digraph(i, b"{ ");
            }
            b"(" => {
                self.levels.push(Level::Other);
            }
            b"[" | b"<:" => {
                if self.text(i) == b"["
                    && self.text(i + 1) == b"["
                    && let (Some(close), Some(inner)) = (self.partner(i), self.partner(i + 1))
                    && close == inner + 1
                {
                    let contents = &self.source[self.tokens[i].start as usize..self.tokens[close].end as usize];
                    if changes_layout(contents) {
                        self.lose(i, close, "a `[[…]]` attribute that changes a layout");
                    }
                    self.blank(i, close);
                    return Some(close + 1);
                }
                self.levels.push(Level::Other);
                self.digraph(i, b"[ ");
            }
            b")" | b"]" => _ = self.levels.pop(),
            b"}" | b"%>" => {
                self.ended_function = self.levels.pop() == Some(Level::Block) && self.levels.is_empty();
                self.digraph(i, b"} ");
            }
            b"=" if self.levels.is_empty() => self.in_initialiser = true,
            b":>" => {
                self.levels.pop();
                self.digraph(i, b"] ");
            }
            b"?" if self.text(i + 1) == b":" => self.insert(self.tokens[i].end, format!(" {MISSING_OPERAND} ")),
            b"&&" if self.is_word(i + 1) && !self.ends_operand() => {
                self.replace(i, i, format!("{LABEL_ADDRESS_CALL}("));
                self.insert(self.tokens[i + 1].end, ")");
            }
            b":" if self.top() == Some(Level::Block) => self.label_end(i),
            b";" => return self.semicolon(i),
            _ => {}
        }
        None
    }

    fn digraph(&mut self, i: usize, plain: &[u8; 2]) {
        if self.tokens[i].end - self.tokens[i].start == 2 {
            let start = self.tokens[i].start as usize;
            self.blanked[start..start + 2].copy_from_slice(plain);
        }
    }

    /// Whether the token before is the end of an operand, so that an operator here has a left operand.
    fn ends_operand(&self) -> bool {
        let Some(previous) = self.previous else { return false };
        match self.tokens[previous].kind {
            TokenKind::Word => !matches!(self.text(previous), b"return" | b"case" | b"else" | b"do" | b"goto"),
            TokenKind::Number | TokenKind::Literal => true,
            _ => matches!(self.text(previous), b")" | b"]" | b"}" | b"++" | b"--"),
        }
    }

    /// A label needs a statement after it; a declaration or the end of the block is none in C11.
    fn label_end(&mut self, colon: usize) {
        let next = self.after_attributes(colon + 1);
        let word = self.text(next);
        let before = self.previous.and_then(|p| p.checked_sub(1)).map_or(&b""[..], |i| self.text(i));
        let is_label =
            self.previous.is_some_and(|p| self.is_word(p)) && matches!(before, b";" | b"{" | b"}" | b":" | b")");
        let is_declaration =
            is_type_word(word) || is_label && self.is_word(next) && self.is_word(next + 1) && !is_statement_word(word);
        if word == b"}" || is_declaration {
            self.insert(self.tokens[colon].end, ";");
        }
    }

    /// Blanks semicolons that end nothing where the grammar has no empty declaration.
    fn semicolon(&mut self, i: usize) -> Option<usize> {
        let empty = match self.top() {
            None => match self.previous {
                None => true,
                Some(p) => match self.text(p) {
                    b";" => true,
                    b"}" => self.ended_function,
                    _ => false,
                },
            },
            Some(Level::Record) => matches!(self.previous_text(), b"{" | b";"),
            _ => false,
        };
        if !empty {
            return None;
        }
        self.blank(i, i);
        self.statement_start = self.levels.is_empty();
        Some(i + 1)
    }

    fn brace_level(&self) -> Level {
        let Some(previous) = self.previous else { return Level::Block };
        let mut p = previous;
        // `struct __attribute__((packed)) s {` and the like: step over the attribute.
        while self.text(p) == b")"
            && let Some(open) = self.partner(p)
            && open >= 2
            && matches!(self.text(open - 1), b"__attribute__" | b"__attribute")
        {
            p = open - 2;
        }
        let record = |j: usize| matches!(self.text(j), b"struct" | b"union");
        let named = if self.is_word(p) { p.checked_sub(1).map(|q| self.skip_attribute_back(q)) } else { None };
        if record(p) || named.is_some_and(record) {
            return Level::Record;
        }
        match self.text(previous) {
            b")" if self.levels.is_empty() && !self.in_initialiser || self.closes_head(previous) => Level::Block,
            b")" => Level::Other,
            b"(" => Level::Block,
            b"=" | b"," | b"[" | b"]" => Level::Other,
            _ if self.is_word(previous) && !matches!(self.text(previous), b"else" | b"do") => Level::Other,
            _ if self.levels.is_empty() => Level::Block,
            _ if self.top() == Some(Level::Block) => Level::Block,
            _ => Level::Other,
        }
    }

    fn skip_attribute_back(&self, q: usize) -> usize {
        if self.text(q) == b")"
            && let Some(open) = self.partner(q)
            && open >= 2
            && matches!(self.text(open - 1), b"__attribute__" | b"__attribute")
        {
            return open - 2;
        }
        q
    }
}

/// Whether a word can only begin a declaration or a type name.
fn is_type_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"int"
            | b"char"
            | b"short"
            | b"long"
            | b"float"
            | b"double"
            | b"void"
            | b"unsigned"
            | b"signed"
            | b"struct"
            | b"union"
            | b"enum"
            | b"const"
            | b"volatile"
            | b"static"
            | b"register"
            | b"extern"
            | b"typedef"
            | b"auto"
            | b"inline"
            | b"_Bool"
            | b"_Complex"
            | b"_Atomic"
            | b"_Alignas"
            | b"_Noreturn"
            | b"_Thread_local"
            | b"__inline"
            | b"__inline__"
            | b"__const"
            | b"__volatile__"
            | b"__signed__"
            | b"__signed"
            | b"__thread"
            | b"__int128"
            | b"__auto_type"
            | b"typeof"
            | b"__typeof__"
            | b"__typeof"
            | b"_Static_assert"
            | b"__label__"
    )
}

/// Whether a word begins a statement or an expression, so that another word after it makes no declaration.
fn is_statement_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"goto"
            | b"case"
            | b"default"
            | b"if"
            | b"else"
            | b"for"
            | b"while"
            | b"do"
            | b"switch"
            | b"break"
            | b"continue"
            | b"sizeof"
            | b"asm"
            | b"__asm__"
            | b"__asm"
            | b"__extension__"
            | b"__real__"
            | b"__imag__"
    )
}

fn changes_layout(attribute: &[u8]) -> bool {
    [&b"packed"[..], b"mode", b"aligned"].iter().any(|word| attribute.windows(word.len()).any(|w| w == *word))
}
