//! `file:line`, the way texts name places: the one reader of that notation.
//!
//! A file name may hold anything, blanks, parentheses and colons too, so the notation is read from its end. A remark in
//! parentheses may follow the line, as in `a.c:7 (called from main)`.

/// A line of a file of the user.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

impl Place {
    /// The place of `file:line`, with a remark in parentheses behind it perhaps.
    pub fn parse(text: &str) -> Option<Place> {
        // A parenthesis may belong to the remark or to the name: the shortest remark that leaves a place is one.
        let before_remarks = text.rmatch_indices(" (").map(|(at, _)| &text[..at]).filter(|_| text.ends_with(')'));
        std::iter::once(text).chain(before_remarks).find_map(Place::plain)
    }

    /// The place of `file:line:column`.
    pub fn parse_with_column(text: &str) -> Option<Place> {
        Place::plain(numbered(text)?.0)
    }

    fn plain(text: &str) -> Option<Place> {
        let (file, line) = numbered(text).filter(|(file, _)| !file.is_empty())?;
        Some(Place { file: file.to_string(), line })
    }
}

/// What is before a colon and a number at the end of a text. Only the digits are looked at, because the texts of a
/// document can be long and have many parentheses.
fn numbered(text: &str) -> Option<(&str, u32)> {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    Some((before.strip_suffix(':')?, text[before.len()..].parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: Option<Place>, expected: Option<(&str, u32)>, text: &str) {
        let found = found.as_ref().map(|place| (place.file.as_str(), place.line));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn places_are_read_from_their_end() {
        for (text, expected) in [
            ("a.c:7", Some(("a.c", 7))),
            ("src/a.c:12 (main)", Some(("src/a.c", 12))),
            ("a.c:12 (called from f (twice))", Some(("a.c", 12))),
            ("a.c:12 (see b.c:3)", Some(("a.c", 12))),
            // Blanks, parentheses and colons in names.
            ("my file.c:7", Some(("my file.c", 7))),
            (" a.c:7", Some((" a.c", 7))),
            ("my file (copy).c:7", Some(("my file (copy).c", 7))),
            ("my file (copy).c:7 (main)", Some(("my file (copy).c", 7))),
            ("odd:3:name.c:7", Some(("odd:3:name.c", 7))),
            ("C:\\src\\a.c:7", Some(("C:\\src\\a.c", 7))),
            ("C:/my src/a.c:7 (main)", Some(("C:/my src/a.c", 7))),
            // No line.
            ("", None),
            ("?", None),
            ("a.c", None),
            ("a.c:", None),
            ("a.c (main)", None),
            ("C:\\src\\a.c", None),
            (":7", None),
            ("a.c:+7", None),
            ("a.c:-7", None),
            ("a.c:7x", None),
            ("a.c: 7", None),
            ("a.c:7 main", None),
            ("a.c:99999999999", None),
        ] {
            check(Place::parse(text), expected, text);
        }
    }

    #[test]
    fn columns_are_read_where_they_are_expected() {
        for (text, expected) in [
            ("a.c:7:3", Some(("a.c", 7))),
            ("C:\\my src\\a.c:7:3", Some(("C:\\my src\\a.c", 7))),
            ("a.c:7", None),
            ("a.c:7:x", None),
            ("a.c", None),
        ] {
            check(Place::parse_with_column(text), expected, text);
        }
    }
}
