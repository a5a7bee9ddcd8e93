//! Leaving the calls of chosen macros in the text.
//!
//! The compiler first resolves includes and conditionals only (`-fdirectives-only`), so a condition that asks
//! whether the macro is defined still sees it. Then its definitions are taken out, line for line so that
//! positions stay, and the second pass of the compiler finds nothing to expand.

use super::tokens::{directive_end, word_end};

/// The text without the function-like definitions of the named macros, and which of them it had.
pub(super) fn without_definitions(text: &[u8], names: &[String]) -> (Vec<u8>, Vec<String>) {
    let mut out = Vec::with_capacity(text.len());
    let mut found = Vec::new();
    let mut i = 0;
    while i < text.len() {
        let blank = text[i..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let directive = text.get(i + blank) == Some(&b'#');
        let end = if directive {
            directive_end(text, i)
        } else {
            text[i..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| i + n + 1)
        };
        let defined = if directive { defined_name(&text[i + blank + 1..end]) } else { None };
        match defined.and_then(|name| names.iter().find(|n| n.as_bytes() == name)) {
            Some(name) => {
                if !found.contains(name) {
                    found.push(name.clone());
                }
                out.extend(text[i..end].iter().filter(|&&b| b == b'\n'));
            }
            None => out.extend_from_slice(&text[i..end]),
        }
        i = end;
    }
    (out, found)
}

/// The name a `#define NAME(` directive defines; the text begins after the `#`.
fn defined_name(directive: &[u8]) -> Option<&[u8]> {
    let rest = directive.trim_ascii_start().strip_prefix(b"define")?;
    let name = rest.trim_ascii_start();
    if name.len() == rest.len() {
        return None;
    }
    let end = word_end(name, 0);
    (name.get(end) == Some(&b'(')).then_some(&name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_go_and_lines_stay() {
        let text = b"#define put(c) \\\n  out(c)\n# define put2(c) 1\nint x;\n#define put 3\n#define other(c) put(c)\n";
        let (out, found) = without_definitions(text, &["put".to_string(), "absent".to_string()]);
        assert_eq!(
            String::from_utf8_lossy(&out),
            "\n\n# define put2(c) 1\nint x;\n#define put 3\n#define other(c) put(c)\n"
        );
        assert_eq!(found, ["put"]);
    }
}
