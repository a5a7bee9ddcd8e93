//! Cutting C text into tokens, as far as positions and rewriting need it.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier or keyword; `$` and bytes that are not ASCII count as letters.
    Word,
    Number,
    /// A string or character literal with its prefix.
    Literal,
    Punctuator,
    /// A quote that is never closed, or a byte that belongs to no token.
    Stray,
}

/// One token: where it begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub fn text(self, source: &[u8]) -> &[u8] {
        &source[self.start as usize..self.end as usize]
    }
}

pub(super) fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Which bytes go on a word, by value: most of a program is words.
static WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
        byte += 1;
    }
    table
};

pub(super) fn is_word(byte: u8) -> bool {
    WORD[byte as usize]
}

/// White space between tokens; null characters count as such, as for compilers.
pub(crate) fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b || byte == 0
}

/// The end of the word that begins at `start`.
pub(super) fn word_end(source: &[u8], start: usize) -> usize {
    start + source[start..].iter().take_while(|&&b| is_word(b)).count()
}

/// The end of the literal whose opening quote stands at `quote`, or `None` if the line ends first.
pub(super) fn literal_end(source: &[u8], quote: usize) -> Option<usize> {
    let mark = source[quote];
    let mut i = quote + 1;
    while i < source.len() {
        match source[i] {
            b'\\' => i += 2,
            b'\n' => return None,
            b if b == mark => return Some(i + 1),
            _ => i += 1,
        }
    }
    None
}

/// How many characters the punctuator has that begins a text.
fn punctuator_length(rest: &[u8]) -> usize {
    let second = rest.get(1).copied().unwrap_or(0);
    let third = rest.get(2).copied().unwrap_or(0);
    match (rest[0], second, third) {
        (b'%', b':', b'%') if rest.get(3) == Some(&b':') => 4,
        (b'<', b'<', b'=') | (b'>', b'>', b'=') | (b'.', b'.', b'.') => 3,
        (b'-', b'>' | b'-' | b'=', _)
        | (b'+', b'+' | b'=', _)
        | (b'<', b'<' | b'=' | b':' | b'%', _)
        | (b'>', b'>' | b'=', _)
        | (b'=' | b'!' | b'*' | b'/' | b'^', b'=', _)
        | (b'&', b'&' | b'=', _)
        | (b'|', b'|' | b'=', _)
        | (b'%', b'=' | b'>' | b':', _)
        | (b'#', b'#', _)
        | (b':', b'>', _) => 2,
        _ => 1,
    }
}

/// The token that begins at `start`, which must not be white space.
pub(crate) fn token_at(source: &[u8], start: usize) -> Token {
    let rest = &source[start..];
    let (kind, end) = match rest[0] {
        b if is_word_start(b) => {
            let end = word_end(source, start);
            let prefix = matches!(&source[start..end], b"L" | b"u" | b"U" | b"u8");
            match source.get(end) {
                Some(b'"' | b'\'') if prefix => match literal_end(source, end) {
                    Some(end) => (TokenKind::Literal, end),
                    None => (TokenKind::Word, end),
                },
                _ => (TokenKind::Word, end),
            }
        }
        b if b.is_ascii_digit() || (b == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) => {
            let mut i = start + 1;
            while i < source.len() {
                let exponent = matches!(source[i - 1], b'e' | b'E' | b'p' | b'P');
                match source[i] {
                    b if is_word(b) || b == b'.' => i += 1,
                    b'+' | b'-' if exponent => i += 1,
                    _ => break,
                }
            }
            (TokenKind::Number, i)
        }
        b'"' | b'\'' => match literal_end(source, start) {
            Some(end) => (TokenKind::Literal, end),
            None => (TokenKind::Stray, start + 1),
        },
        b if b.is_ascii_punctuation() => {
            let kind = if matches!(b, b'@' | b'`' | b'\\') { TokenKind::Stray } else { TokenKind::Punctuator };
            (kind, start + punctuator_length(rest))
        }
        _ => (TokenKind::Stray, start + 1),
    };
    Token { kind, start: start as u32, end: end as u32 }
}

/// All tokens of a text without comments and directives.
pub fn tokens(source: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(source.len() / 4);
    let mut i = 0;
    while i < source.len() {
        if is_blank(source[i]) {
            i += 1;
            continue;
        }
        let token = token_at(source, i);
        i = token.end as usize;
        tokens.push(token);
    }
    tokens
}

/// Skips white space, comments, spliced line ends and directive lines of a source file.
pub(super) fn skip_blank(source: &[u8], mut i: usize) -> usize {
    while i < source.len() {
        let rest = &source[i..];
        match rest[0] {
            b if b.is_ascii_whitespace() || b == 0x0b => i += 1,
            b'\\' if rest.starts_with(b"\\\n") || rest.starts_with(b"\\\r\n") => i += 2,
            b'/' if rest.starts_with(b"/*") => {
                i += 2 + rest[2..].windows(2).position(|w| w == b"*/").map_or(rest.len() - 2, |p| p + 2);
            }
            b'/' if rest.starts_with(b"//") => i += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
            b'#' if at_line_start(source, i) => i = directive_end(source, i),
            _ => break,
        }
    }
    i.min(source.len())
}

fn at_line_start(source: &[u8], i: usize) -> bool {
    source[..i].iter().rev().take_while(|&&b| b != b'\n').all(|b| b.is_ascii_whitespace())
}

/// The end of the directive that begins at `i`, with its continuation lines.
pub(super) fn directive_end(source: &[u8], mut i: usize) -> usize {
    loop {
        match source[i..].iter().position(|&b| b == b'\n') {
            None => return source.len(),
            Some(n) => {
                let line = &source[i..i + n];
                i += n + 1;
                if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
                    return i;
                }
            }
        }
    }
}

/// The offset after the parenthesis that closes the one at `open`, or `None`.
pub(super) fn closing(source: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = open;
    loop {
        i = skip_blank(source, i);
        if i >= source.len() {
            return None;
        }
        match source[i] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
        i = token_at(source, i).end as usize;
    }
}

/// The end of the macro call whose name begins at `name` in a source file. `next` is where the text after the call
/// stands, if it is known: a parenthesis there does not belong to the call.
pub(crate) fn call_end(source: &[u8], name: usize, next: Option<usize>) -> usize {
    let end = word_end(source, name).max(name + 1).min(source.len());
    let open = skip_blank(source, end);
    if source.get(open) == Some(&b'(') && next != Some(open) { closing(source, open).unwrap_or(end) } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(source: &str) -> Vec<&str> {
        tokens(source.as_bytes()).iter().map(|t| &source[t.start as usize..t.end as usize]).collect()
    }

    #[test]
    fn text_is_cut_as_c_does() {
        assert_eq!(cut("a+++b->c"), ["a", "++", "+", "b", "->", "c"]);
        assert_eq!(cut("1.5e-3f+.5 0x1p+2 1..2"), ["1.5e-3f", "+", ".5", "0x1p+2", "1..2"]);
        assert_eq!(cut(r#"L"a\"b" u8'c' x"y""#), [r#"L"a\"b""#, "u8'c'", "x", "\"y\""]);
        assert_eq!(cut("a<<=b ... c%:d"), ["a", "<<=", "b", "...", "c", "%:", "d"]);
        assert_eq!(cut("don't"), ["don", "'", "t"]);
    }

    #[test]
    fn blanks_and_calls_are_skipped() {
        let source = b"f /* ( */ (a, \")\", ( b // )\n )) + c";
        assert_eq!(skip_blank(source, 1), 10);
        assert_eq!(closing(source, 10), Some(31));
        assert_eq!(closing(b"(()", 0), None);
        assert_eq!(skip_blank(b"\n# define X \\\n 1\n y", 0), 18);
    }
}
