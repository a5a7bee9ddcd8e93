//! A unit's text cut into groups of whole external declarations, which can be parsed side by side.
//!
//! C cannot be parsed without knowing which names are types at that place. At file level those are the names of the
//! `typedef`s before it, and a `typedef` is an external declaration of its own, so the cut finds those declarations,
//! parses them alone, in order, and gives every group the names that stand before it.
//!
//! *Guarantee*: none is needed of the cut. It goes by brackets and by the token before a brace; where that is wrong (a
//! definition in the style of K&R, say), the pieces do not parse, and the caller parses the whole text instead. What it
//! must not do is hide a `typedef`: one that does not begin its declaration means that there is no cut.
//!
//! *Cost*: one pass over the bytes, and parsing the `typedef`s twice.

use super::tree_of;
use lang_c::ast::{Declarator, DeclaratorKind, ExternalDeclaration};
use std::ops::Range;

/// Texts shorter than this are parsed in less time than a thread takes to start.
const WORTH_CUTTING: usize = 1 << 16;

/// A piece of the text, and the names that are types when it begins.
pub struct Group {
    pub range: Range<usize>,
    pub typenames: Vec<String>,
}

impl Group {
    /// A text in which the group stands where it stands in the whole, behind one declaration of the names that are types
    /// ([`Group::is_preceded`]). The names were all written before, so there is room for them.
    pub fn text(&self, whole: &str) -> String {
        let mut text = match self.is_preceded() {
            true => format!("typedef int {};", self.typenames.join(",")),
            false => String::new(),
        };
        text.extend(std::iter::repeat_n(' ', self.range.start.saturating_sub(text.len())));
        text.push_str(&whole[self.range.clone()]);
        text
    }

    /// Whether the first declaration of [`Group::text`] is not the group's own.
    pub fn is_preceded(&self) -> bool {
        !self.typenames.is_empty()
    }
}

/// Cuts the text into at most `parts` groups of about the same size.
pub fn groups(text: &str, parts: usize) -> Option<Vec<Group>> {
    if parts < 2 || text.len() < WORTH_CUTTING {
        return None;
    }
    let declarations = declarations(text.as_bytes())?;
    let mut cuts: Vec<usize> = (1..parts)
        .map(|part| {
            let aim = text.len() / parts * part;
            let index = declarations.partition_point(|declaration| declaration.end < aim);
            declarations.get(index).map_or(text.len(), |declaration| declaration.end)
        })
        .collect();
    cuts.insert(0, 0);
    cuts.push(text.len());
    cuts.dedup();
    let mut known: Vec<String> = Vec::new();
    let mut groups = Vec::new();
    for window in cuts.windows(2) {
        let range = window[0]..window[1];
        groups.push(Group { range: range.clone(), typenames: known.clone() });
        let own =
            declarations.iter().filter(|d| d.is_typedef && range.contains(&d.start)).map(|d| &text[d.start..d.end]);
        // A group's types may rest on those before it.
        let before = known.iter().map(|name| format!("typedef int {name};"));
        let typedefs: String = before.chain(own.map(str::to_string)).collect();
        known = declared_names(typedefs)?;
    }
    (groups.len() > 1).then_some(groups)
}

/// The names that these declarations, all of them `typedef`s, declare.
fn declared_names(text: String) -> Option<Vec<String>> {
    let tree = tree_of(text).ok()?;
    let mut names = Vec::new();
    for node in &tree.0 {
        if let ExternalDeclaration::Declaration(declaration) = &node.node {
            let declarators = declaration.node.declarators.iter();
            names.extend(declarators.filter_map(|d| declared_name(&d.node.declarator.node)).map(str::to_string));
        }
    }
    names.sort();
    names.dedup();
    Some(names)
}

fn declared_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}

struct Declaration {
    start: usize,
    end: usize,
    is_typedef: bool,
}

/// What the text declares, one after the other; nothing if a `typedef` stands where it is not looked for.
fn declarations(text: &[u8]) -> Option<Vec<Declaration>> {
    let mut found = Vec::new();
    let (mut start, mut is_typedef, mut words) = (0, false, 0u32);
    let mut depth = 0u32;
    let mut before = b';'; // the last byte that is no white space
    let mut is_body = false; // whether the open brace at file level begins the body of a function
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        let mut next = at + 1;
        let mut ends = false;
        match byte {
            b'"' | b'\'' => next = literal_end(text, at),
            b'(' | b'[' | b'{' => {
                if depth == 0 && byte == b'{' {
                    is_body = before == b')';
                }
                depth += 1;
            }
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                ends = depth == 0 && byte == b'}' && is_body && begins_declaration(&text[next..]);
            }
            b';' => ends = depth == 0,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' if depth == 0 => {
                next = at + text[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
                match &text[at..next] {
                    b"typedef" if words == 0 => is_typedef = true,
                    b"typedef" => return None,
                    b"__extension__" => {}
                    _ => words += 1,
                }
            }
            _ => {}
        }
        if ends {
            found.push(Declaration { start, end: next, is_typedef });
            (start, is_typedef, words) = (next, false, 0);
        }
        if !byte.is_ascii_whitespace() {
            before = text[next - 1];
        }
        at = next;
    }
    Some(found)
}

/// Whether the text goes on with a word, as a declaration does and the rest of an initialiser does not.
fn begins_declaration(rest: &[u8]) -> bool {
    let first = rest.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_none_or(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

/// The end of the literal that begins at `start`.
fn literal_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < text.len() && text[at] != text[start] && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Option<Vec<String>> {
        let found = declarations(text.as_bytes())?;
        Some(found.iter().map(|d| text[d.start..d.end].trim().to_string()).collect())
    }

    #[test]
    fn declarations_end_where_they_should() {
        let text = "typedef struct s { int a; } s; int x = sizeof(struct s), y[] = { 1, 2 };\n\
                    int f(void) { char c = '}'; return \"};\"[0]; } s g(s v) { return v; }\nint *p = (int[]){ 1 };";
        let expected = [
            "typedef struct s { int a; } s;",
            "int x = sizeof(struct s), y[] = { 1, 2 };",
            "int f(void) { char c = '}'; return \"};\"[0]; }",
            "s g(s v) { return v; }",
            "int *p = (int[]){ 1 };",
        ];
        assert_eq!(cut(text).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_cut_is_not() {
        assert_eq!(cut("int typedef t;"), None);
        assert_eq!(cut("int f(void) { } }"), None);
        assert!(groups("int a;", 2).is_none());
    }

    #[test]
    fn groups_know_the_types_before_them() {
        let text = format!("typedef int early; {} typedef int late; {}", "int a;".repeat(9000), "int b;".repeat(11000));
        let groups = groups(&text, 2).unwrap();
        assert_eq!(groups.len(), 2);
        assert_eq!((groups[0].range.start, groups[1].range.end), (0, text.len()));
        assert!(!groups[0].typenames.contains(&"early".to_string()));
        for name in ["early", "late"] {
            assert!(groups[1].typenames.contains(&name.to_string()));
        }
    }
}
