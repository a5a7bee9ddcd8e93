//! What a constant format string of `printf` or `scanf` writes or reads.
//!
//! Text is not binary: the number that `%d` prints is an `ascii-int`, of any length, and no `u32`. Literal characters
//! are `u8` with their value, also without `--values`: a comma is no semicolon. `printf` writes each blank and newline,
//! and blanks where it pads; `scanf` skips white space before most conversions, and leaves what stands behind its last
//! one to whoever reads next, which may be nobody.

use super::kinds::{Item, Kinds, Pattern, Repeat, What};
use super::table::Role;
use exec::format::directive::{
    Conversion, FormatError, Piece, Print, Radix, Scan, ScanConversion, parse_print, parse_scan,
};

/// Characters that one `%c` of `scanf` is taken apart into.
const MOST_CHARACTERS: u32 = 4096;

/// The pattern of a format and how many conversions `scanf` assigns, or what is odd about it.
pub(super) fn pattern(format: &[u8], role: Role, kinds: &mut Kinds) -> Result<(Pattern, i128), String> {
    let found = match role {
        Role::Producer => parse_print(format).map(|pieces| (written(&pieces, kinds), 0)),
        Role::Consumer => parse_scan(format).map(|pieces| (read(&pieces, kinds), assigned(&pieces))),
    };
    found.map_err(|error| match error {
        FormatError::Invalid(why) => why,
        FormatError::Unsupported(what) => format!("{what}: not known here"),
    })
}

fn written(pieces: &[Piece<'_, Print>], kinds: &mut Kinds) -> Pattern {
    let mut items = Vec::new();
    let padding = Item { what: What::Kind(kinds.builtin("blank")), repeat: Repeat::Any };
    for piece in pieces {
        let print = match piece {
            Piece::Literal(bytes) => {
                items.extend(text(bytes, kinds));
                continue;
            }
            Piece::Directive(print) => print,
        };
        let kind = match print.conversion {
            Conversion::Signed | Conversion::Unsigned(Radix::Decimal) => kinds.builtin("ascii-int"),
            Conversion::Unsigned(_) | Conversion::Pointer => kinds.builtin("ascii-hex"),
            Conversion::Float(..) => kinds.builtin("ascii-float"),
            Conversion::Str | Conversion::ErrorText => kinds.builtin("ascii-word"),
            Conversion::Char => kinds.unsigned(8),
            Conversion::Percent => {
                items.push(character(b'%', kinds));
                continue;
            }
            Conversion::Count => continue,
        };
        let pads = print.width.is_some() && !print.flags.zero;
        items.extend((pads && !print.flags.left).then_some(padding));
        items.push(Item::once(kind));
        items.extend((pads && print.flags.left).then_some(padding));
    }
    items
}

fn read(pieces: &[Piece<'_, Scan>], kinds: &mut Kinds) -> Pattern {
    let mut items = Vec::new();
    let white = Item::once(kinds.builtin("white"));
    for piece in pieces {
        let scan = match piece {
            Piece::Literal(bytes) => {
                items.extend(text(bytes, kinds));
                continue;
            }
            Piece::Directive(scan) => scan,
        };
        let kind = match &scan.conversion {
            ScanConversion::Integer { base: 8 | 16, .. } => kinds.builtin("ascii-hex"),
            ScanConversion::Integer { .. } => kinds.builtin("ascii-int"),
            ScanConversion::Float => kinds.builtin("ascii-float"),
            ScanConversion::Str | ScanConversion::Set(_) => kinds.builtin("ascii-word"),
            ScanConversion::Chars => {
                let count = scan.width.unwrap_or(1).min(MOST_CHARACTERS) as usize;
                items.extend(std::iter::repeat_n(Item::once(kinds.unsigned(8)), count));
                continue;
            }
            ScanConversion::Percent => {
                push_white(&mut items, white);
                items.push(character(b'%', kinds));
                continue;
            }
            ScanConversion::Space => {
                push_white(&mut items, white);
                continue;
            }
            ScanConversion::Count => continue,
        };
        if !matches!(scan.conversion, ScanConversion::Set(_)) {
            push_white(&mut items, white);
        }
        items.push(Item::once(kind));
    }
    if !items.is_empty() {
        push_white(&mut items, white);
    }
    items
}

fn assigned(pieces: &[Piece<'_, Scan>]) -> i128 {
    let assigns = |piece: &&Piece<'_, Scan>| match piece {
        Piece::Directive(scan) => {
            let none =
                matches!(scan.conversion, ScanConversion::Space | ScanConversion::Percent | ScanConversion::Count);
            !scan.suppress && !none
        }
        Piece::Literal(_) => false,
    };
    pieces.iter().filter(assigns).count() as i128
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
        assert_eq!(shown(written, "%*.*f%n").unwrap(), "blank* ascii-float");
        let assigned = pattern(b"%d%*d%n%% %c", read, &mut kinds).expect("a format of scanf").1;
        assert_eq!(assigned, 2);
    }
}
