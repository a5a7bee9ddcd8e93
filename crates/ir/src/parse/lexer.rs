//! The words of the text form.

use super::ParseError;

/// What kind of thing a name with a sigil names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sigil {
    Local,
    Global,
    Function,
    Label,
}

impl Sigil {
    pub(super) fn of(c: u8) -> Option<Sigil> {
        match c {
            b'%' => Some(Sigil::Local),
            b'$' => Some(Sigil::Global),
            b'@' => Some(Sigil::Function),
            b':' => Some(Sigil::Label),
            _ => None,
        }
    }

    pub(super) fn noun(self) -> &'static str {
        match self {
            Sigil::Local => "local",
            Sigil::Global => "global",
            Sigil::Function => "function",
            Sigil::Label => "label",
        }
    }
}

/// A name, an id, or both: at least one is present.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    pub name: String,
    pub index: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Ident(String),
    /// Digits, perhaps with a fraction and exponent, and what follows an underscore.
    Number {
        digits: String,
        suffix: Option<String>,
    },
    Str(Vec<u8>),
    Ref(Sigil, Name),
    /// `#3`
    Hash(u32),
    Punct(&'static str),
    End,
}

impl Token {
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Ident(word) => format!("`{word}`"),
            Token::Number { digits, .. } => format!("`{digits}`"),
            Token::Str(_) => "a string".to_string(),
            Token::Ref(sigil, name) => format!("the {} `{}`", sigil.noun(), name.name),
            Token::Hash(index) => format!("`#{index}`"),
            Token::Punct(text) => format!("`{text}`"),
            Token::End => "the end of the text".to_string(),
        }
    }
}

/// Longest first, so that the first that fits is the right one.
const PUNCTUATION: [&str; 36] = [
    "...", "->", "=>", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "{", "}", "(", ")", "[", "]", ";", ",",
    ":", "?", "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", ".",
];

/// The tokens of a text with the byte offset each begins at; the last is `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let start = lexer.at;
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push((token, start));
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

fn starts_ident(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_'
}

fn continues_ident(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$'
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::at(self.text, self.at, message.into()))
    }

    fn skip_space(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    self.at = self.text[self.at..].find('\n').map_or(self.bytes.len(), |n| self.at + n);
                }
                _ => return,
            }
        }
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> String {
        let start = self.at;
        while self.at < self.bytes.len() && accept(self.bytes[self.at]) {
            self.at += 1;
        }
        self.text[start..self.at].to_string()
    }

    fn token(&mut self) -> Result<Token, ParseError> {
        if self.at == self.bytes.len() {
            return Ok(Token::End);
        }
        let c = self.peek(0);
        if let Some(sigil) = Sigil::of(c) {
            let next = self.peek(1);
            if starts_ident(next)
                || next == b'"'
                || (next == b'.' && starts_ident(self.peek(2)))
                || (next == b'#' && self.peek(2).is_ascii_digit())
            {
                self.at += 1;
                return Ok(Token::Ref(sigil, self.name()?));
            }
        }
        if starts_ident(c) {
            return Ok(Token::Ident(self.take_while(continues_ident)));
        }
        if c.is_ascii_digit() {
            return Ok(self.number());
        }
        if c == b'"' {
            return Ok(Token::Str(self.string()?));
        }
        if c == b'#' && self.peek(1).is_ascii_digit() {
            return Ok(Token::Hash(self.hash()?));
        }
        let rest = &self.bytes[self.at..];
        match PUNCTUATION.iter().find(|p| rest.starts_with(p.as_bytes())) {
            Some(punct) => {
                self.at += punct.len();
                Ok(Token::Punct(punct))
            }
            None => {
                let found = self.text[self.at..].chars().next().unwrap_or(' ');
                self.error(format!("no word begins with {found:?}"))
            }
        }
    }

    fn name(&mut self) -> Result<Name, ParseError> {
        let name = match self.peek(0) {
            b'"' => {
                let start = self.at;
                let bytes = self.string()?;
                String::from_utf8(bytes)
                    .map_err(|_| ParseError::at(self.text, start, "a name should be UTF-8".to_string()))?
            }
            b'.' => {
                self.at += 1;
                format!(".{}", self.take_while(continues_ident))
            }
            _ => self.take_while(continues_ident),
        };
        let index = if self.peek(0) == b'#' && self.peek(1).is_ascii_digit() { Some(self.hash()?) } else { None };
        Ok(Name { name, index })
    }

    fn hash(&mut self) -> Result<u32, ParseError> {
        self.at += 1;
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        // The largest number is reserved by the tables of ids.
        match digits.parse() {
            Ok(index) if index < u32::MAX => Ok(index),
            _ => Err(ParseError::at(self.text, start, format!("{digits} is too large for an id"))),
        }
    }

    fn number(&mut self) -> Token {
        let mut digits = String::new();
        if self.peek(0) == b'0' && self.peek(1) == b'x' {
            self.at += 2;
            digits.push_str("0x");
            digits.push_str(&self.take_while(|c| c.is_ascii_hexdigit()));
        } else {
            digits.push_str(&self.take_while(|c| c.is_ascii_digit()));
            if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
                self.at += 1;
                digits.push('.');
                digits.push_str(&self.take_while(|c| c.is_ascii_digit()));
            }
            let sign = matches!(self.peek(1), b'-' | b'+') as usize;
            if self.peek(0) == b'e' && self.peek(1 + sign).is_ascii_digit() {
                digits.push_str(&self.text[self.at..self.at + 1 + sign]);
                self.at += 1 + sign;
                digits.push_str(&self.take_while(|c| c.is_ascii_digit()));
            }
        }
        let suffix = (self.peek(0) == b'_').then(|| {
            self.at += 1;
            self.take_while(continues_ident)
        });
        Token::Number { digits, suffix }
    }

    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            if self.at >= self.bytes.len() {
                return Err(ParseError::at(self.text, start, "the string has no end".to_string()));
            }
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return Ok(bytes);
                }
                b'\n' => return self.error("a line break inside a string"),
                b'\\' => {
                    self.at += 1;
                    bytes.push(self.escape()?);
                }
                other => {
                    bytes.push(other);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self) -> Result<u8, ParseError> {
        let simple = match self.peek(0) {
            b'n' => Some(b'\n'),
            b't' => Some(b'\t'),
            b'"' => Some(b'"'),
            b'\\' => Some(b'\\'),
            _ => None,
        };
        if let Some(byte) = simple {
            self.at += 1;
            return Ok(byte);
        }
        let digit = |c: u8| (c as char).to_digit(16);
        match (self.peek(0), digit(self.peek(1)), digit(self.peek(2))) {
            (b'x', Some(high), Some(low)) => {
                self.at += 3;
                Ok((high * 16 + low) as u8)
            }
            _ => self.error("expected `n`, `t`, `\"`, `\\` or `x` and two digits after the backslash"),
        }
    }
}
