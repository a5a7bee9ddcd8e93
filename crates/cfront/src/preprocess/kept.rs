//! Leaving the calls of chosen macros in the text.
//!
//! The compiler first resolves includes and conditionals only (`-fdirectives-only`), so a condition that asks
//! whether the macro is defined still sees it. Then its definitions are taken out, line for line so that
//! positions stay, and the second pass of the compiler finds nothing to expand.
//!
//! In the first pass the compiler prints all definitions in a form of its own, on one line each. Those of the
//! user's files are put back as they are written, so that the second pass counts their lines and columns right.

use sandbox::VisibleFiles;
use std::collections::HashMap;

use super::compiler::read_shown;
use super::tags::Marker;
use super::tokens::{directive_end, skip_blank, token_at, word_end};

/// The text without the function-like definitions of the named macros, with other definitions in place of those to be
/// replaced, and which of the named ones it had.
pub(super) fn without_definitions(
    text: &[u8],
    names: &[String],
    replaced: &[(String, String)],
    shown: &VisibleFiles,
) -> (Vec<u8>, Vec<String>) {
    let mut out = Vec::with_capacity(text.len());
    let mut found = Vec::new();
    let mut files: HashMap<Vec<u8>, Option<Lines>> = HashMap::new();
    let mut file: Vec<u8> = Vec::new();
    let mut line = 1;
    let mut i = 0;
    while i < text.len() {
        let end = text[i..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| i + n + 1);
        let here = &text[i..end];
        i = end;
        if let Some(marker) = Marker::parse(here.trim_ascii_end()) {
            out.extend_from_slice(here);
            file = if marker.system { Vec::new() } else { marker.path };
            line = marker.line;
            continue;
        }
        let at = line;
        line += 1;
        let Some(directive) = here.trim_ascii_start().strip_prefix(b"#") else {
            out.extend_from_slice(here);
            continue;
        };
        let defined = defined_name(directive);
        if let Some((name, text)) = defined.and_then(|name| replaced.iter().find(|(n, _)| n.as_bytes() == name)) {
            let one_line = text.replace('\n', " ");
            out.extend_from_slice(format!("#define {name}{one_line}\n").as_bytes());
            continue;
        }
        if let Some(name) = defined.and_then(|name| names.iter().find(|n| n.as_bytes() == name)) {
            if !found.contains(name) {
                found.push(name.clone());
            }
            out.push(b'\n');
            continue;
        }
        let source = if file.is_empty() || file.starts_with(b"<") {
            None
        } else {
            let read = || read_shown(&String::from_utf8_lossy(&file), shown).map(Lines::new);
            files.entry(file.clone()).or_insert_with(read).as_ref()
        };
        let original = source.and_then(|s| s.directive(at)).filter(|original| same_tokens(original, here));
        match original {
            Some(original) => {
                // The compiler left as many empty lines as the definition has more.
                let more = original.iter().filter(|&&b| b == b'\n').count().saturating_sub(1);
                if text[i..].iter().take(more).filter(|&&b| b == b'\n').count() == more {
                    out.extend_from_slice(original);
                    i += more;
                    line += more as u32;
                } else {
                    out.extend_from_slice(here);
                }
            }
            None => out.extend_from_slice(here),
        }
    }
    (out, found)
}

/// A source file and where its lines begin.
struct Lines {
    text: String,
    starts: Vec<usize>,
}

impl Lines {
    fn new(mut text: String) -> Lines {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let starts =
            std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        Lines { starts: starts.collect(), text }
    }

    /// The directive that begins on a line.
    fn directive(&self, line: u32) -> Option<&[u8]> {
        let start = *self.starts.get(line.checked_sub(1)? as usize)?;
        let text = self.text.as_bytes();
        text[start..].trim_ascii_start().starts_with(b"#").then(|| &text[start..directive_end(text, start)])
    }
}

/// Whether two directives differ in white space and comments only.
fn same_tokens(a: &[u8], b: &[u8]) -> bool {
    fn next(text: &[u8], i: &mut usize) -> Option<std::ops::Range<usize>> {
        // Only the first `#` of a directive is at the start of a line, and it was taken off.
        *i = skip_blank(text, *i);
        if *i >= text.len() {
            return None;
        }
        let token = token_at(text, *i);
        *i = token.end as usize;
        Some(token.start as usize..token.end as usize)
    }
    let (Some(a), Some(b)) = (a.trim_ascii_start().strip_prefix(b"#"), b.trim_ascii_start().strip_prefix(b"#")) else {
        return false;
    };
    let (mut i, mut j) = (0, 0);
    loop {
        match (next(a, &mut i), next(b, &mut j)) {
            (None, None) => return true,
            (Some(x), Some(y)) if a[x.clone()] == b[y.clone()] => {}
            _ => return false,
        }
    }
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
    use sandbox::{Policy, View};

    #[test]
    fn definitions_go_and_lines_stay() {
        let text = b"#define put(c) out(c)\n\n# define put2(c) 1\nint x;\n#define put 3\n#define other(c) put(c)\n";
        let (out, found) = without_definitions(
            text,
            &["put".to_string(), "absent".to_string()],
            &[],
            &View::new(Policy::Preprocessor).shown(),
        );
        assert_eq!(
            String::from_utf8_lossy(&out),
            "\n\n# define put2(c) 1\nint x;\n#define put 3\n#define other(c) put(c)\n"
        );
        assert_eq!(found, ["put"]);
    }

    #[test]
    fn definitions_can_be_replaced() {
        let other = [("get".to_string(), "(v) v = read()".to_string())];
        let (out, found) =
            without_definitions(b"#define get(x) x\nint y;\n", &[], &other, &View::new(Policy::Preprocessor).shown());
        assert_eq!(String::from_utf8_lossy(&out), "#define get(v) v = read()\nint y;\n");
        assert!(found.is_empty());
    }

    #[test]
    fn directives_are_compared_without_blanks() {
        assert!(same_tokens(b"#define A(a, b)  a \\\n + /* c */ b\n", b"#define A(a,b) a + b\n"));
        assert!(!same_tokens(b"#define A(a, b) a + b\n", b"#define A(a,b) a - b\n"));
    }
}
