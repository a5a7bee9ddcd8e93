//! What a constant format string of `printf` or `scanf` writes or reads.
//!
//! Text is not binary: the number that `%d` prints is an `ascii-int`, of any length, and no `u32`. Literal characters
//! are `u8` with their value, also without `--values`: a comma is no semicolon. `printf` writes each blank and newline,
//! and blanks where it pads; `scanf` skips white space before most conversions, and leaves what stands behind its last
//! one to whoever reads next, which may be nobody.

use super::kinds::{Item, Kinds, Pattern, Repeat, What};
use super::table::Role;

/// One conversion of a format.
struct Conversion<'f> {
    letter: u8,
    /// Whether it asks for a least width, or for `scanf` a greatest.
    width: Option<usize>,
    left: bool,
    zero: bool,
    suppressed: bool,
    rest: &'f [u8],
}

/// The pattern of a format and how many of its arguments do not count in the result, or what is odd about it.
pub(super) fn pattern(format: &[u8], role: Role, kinds: &mut Kinds) -> Result<(Pattern, i128), String> {
    let mut items = Vec::new();
    let mut uncounted = 0;
    let mut rest = format;
    let reads = role == Role::Consumer;
    let white = Item::once(kinds.builtin("white"));
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            match (byte.is_ascii_whitespace(), reads) {
                (true, true) => push_white(&mut items, white),
                _ => items.push(character(byte, kinds)),
            }
            continue;
        }
        let conversion = conversion(rest)?;
        rest = conversion.rest;
        let kind = match conversion.letter {
            b'%' => {
                items.push(character(b'%', kinds));
                continue;
            }
            b'n' => {
                uncounted += 1;
                continue;
            }
            b'd' | b'i' | b'u' => kinds.builtin("ascii-int"),
            b'x' | b'X' | b'o' | b'p' => kinds.builtin("ascii-hex"),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => kinds.builtin("ascii-float"),
            b's' | b'S' | b'[' => kinds.builtin("ascii-word"),
            b'c' | b'C' => {
                let count = if reads { conversion.width.unwrap_or(1) } else { 1 };
                items.extend(std::iter::repeat_n(Item::once(kinds.unsigned(8)), count.min(4096)));
                continue;
            }
            other => return Err(format!("the conversion `%{}` of a format is not known", other.escape_ascii())),
        };
        let padding = Item { what: What::Kind(kinds.builtin("blank")), repeat: Repeat::Any };
        let pads = !reads && conversion.width.is_some() && !conversion.zero;
        if reads && conversion.letter != b'[' {
            push_white(&mut items, white);
        }
        items.extend((pads && !conversion.left).then_some(padding));
        items.push(Item::once(kind));
        items.extend((pads && conversion.left).then_some(padding));
        // A width of `*` takes an argument of its own; for `scanf` the star means that nothing is assigned.
        uncounted += i128::from(!reads && conversion.suppressed);
    }
    if reads && !items.is_empty() {
        push_white(&mut items, white);
    }
    Ok((items, uncounted))
}

fn push_white(items: &mut Pattern, white: Item) {
    if items.last() != Some(&white) {
        items.push(white);
    }
}

/// The characters of a constant string that is written as it is.
pub(super) fn text(bytes: &[u8], kinds: &mut Kinds) -> Pattern {
    bytes.iter().map(|byte| character(*byte, kinds)).collect()
}

fn character(byte: u8, kinds: &mut Kinds) -> Item {
    match byte {
        b'\n' => Item::once(kinds.builtin("newline")),
        b' ' => Item::once(kinds.builtin("blank")),
        _ => Item { what: What::Literal(kinds.unsigned(8), byte.into()), repeat: Repeat::Once },
    }
}

/// A conversion without its percent sign.
fn conversion(text: &[u8]) -> Result<Conversion<'_>, String> {
    let flags = text.iter().take_while(|byte| b"-+ #0'*".contains(byte)).count();
    let (flags, after) = text.split_at(flags);
    let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, after) = after.split_at(digits);
    let width = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
    let skipped = after.iter().take_while(|byte| b".0123456789*$hlLqjzt".contains(byte)).count();
    let Some((&letter, rest)) = after[skipped..].split_first() else {
        return Err("a format ends inside a conversion".to_string());
    };
    let starred = flags.contains(&b'*');
    let mut found = Conversion {
        letter,
        width: width.or(starred.then_some(1)),
        left: flags.contains(&b'-'),
        zero: flags.contains(&b'0'),
        suppressed: starred,
        rest,
    };
    if letter != b'[' {
        return Ok(found);
    }
    // A set of characters ends at the first bracket that is not its first member.
    let start = rest.iter().take_while(|byte| **byte == b'^').count() + 1;
    match rest.iter().skip(start).position(|byte| *byte == b']') {
        Some(end) => {
            found.rest = &rest[start + end + 1..];
            Ok(found)
        }
        None => Err("a set of characters in a format does not end".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_become_kinds() {
        let mut kinds = Kinds::default();
        let mut shown =
            |role, format: &str| pattern(format.as_bytes(), role, &mut kinds).map(|(pattern, _)| kinds.show(&pattern));
        let written = Role::Producer;
        assert_eq!(shown(written, "%d %lf\n").unwrap(), "ascii-int blank ascii-float newline");
        assert_eq!(shown(written, "%5d|%-8s").unwrap(), "blank* ascii-int u8 ascii-word blank*");
        assert_eq!(shown(written, "x=%08lx%%").unwrap(), "u8 u8 ascii-hex u8");
        let read = Role::Consumer;
        assert_eq!(shown(read, "%d %lf\n").unwrap(), "white ascii-int white ascii-float white");
        assert_eq!(shown(read, "%*d,%[^],]%2c").unwrap(), "white ascii-int u8 ascii-word u8 u8 white");
        for wrong in ["%", "%y", "%[abc"] {
            assert!(shown(read, wrong).is_err());
        }
    }
}
