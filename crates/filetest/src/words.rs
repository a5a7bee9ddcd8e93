//! Splitting into words, and escapes.

/// Splits as a shell does: blanks separate, quotes of either kind hold together, a backslash outside of single
/// quotes takes the next character as it is.
pub fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => match chars.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("a backslash at the end".to_string()),
            },
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote has no end".to_string());
    }
    words.extend(word);
    Ok(words)
}

/// Replaces the escapes `\n \t \r \0 \\ \" \xNN`.
pub fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let (&escape, after) = rest.split_first().ok_or("a backslash at the end")?;
        rest = after;
        out.push(match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'0' => 0,
            b'\\' => b'\\',
            b'"' => b'"',
            b'x' => {
                let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                rest = rest.get(2..).unwrap_or_default();
                digits.and_then(|d| u8::from_str_radix(d, 16).ok()).ok_or("two digits should follow `\\x`")?
            }
            other => return Err(format!("unknown escape `\\{}`", other as char)),
        });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(split_words(r#"one "two words" 3 --flag=x """#).unwrap(), ["one", "two words", "3", "--flag=x", ""]);
        assert_eq!(split_words(r#"  a\ b 'c "d' "#).unwrap(), ["a b", "c \"d"]);
        assert_eq!(split_words("").unwrap(), Vec::<String>::new());
        assert!(split_words("\"open").is_err());
        assert!(split_words("end\\").is_err());
    }

    #[test]
    fn escapes_are_those_of_c() {
        assert_eq!(unescape(r"a\tb\n\x41\\\0").unwrap(), b"a\tb\nA\\\0");
        assert!(unescape(r"\q").is_err());
        assert!(unescape(r"\x4").is_err());
        assert!(unescape("\\").is_err());
    }
}
