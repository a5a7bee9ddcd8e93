//! ctype.h in the C locale: the functions, and the tables that glibc's macros read in their place.
//!
//! The argument must be an `unsigned char` or `EOF`. glibc's own tables go down to -128 and so forgive programs that
//! pass a negative `char`; C does not, and neither do ours: such a read lies outside the table.

use super::{Answer, Entry, Library, bad_argument, int};
use crate::memory::{Address, Memory, ObjectKind};
use crate::vm::{Call, Stop, Value};
use diagnostics::Span;

pub(super) const MODELS: &[Entry] = &[
    ("int isupper(int)", |call| is(call, UPPER)),
    ("int islower(int)", |call| is(call, LOWER)),
    ("int isalpha(int)", |call| is(call, ALPHA)),
    ("int isdigit(int)", |call| is(call, DIGIT)),
    ("int isxdigit(int)", |call| is(call, XDIGIT)),
    ("int isspace(int)", |call| is(call, SPACE)),
    ("int isprint(int)", |call| is(call, PRINT)),
    ("int isgraph(int)", |call| is(call, GRAPH)),
    ("int isblank(int)", |call| is(call, BLANK)),
    ("int iscntrl(int)", |call| is(call, CNTRL)),
    ("int ispunct(int)", |call| is(call, PUNCT)),
    ("int isalnum(int)", |call| is(call, ALNUM)),
    ("int isascii(int)", |call| {
        let c = call.i32(0)?;
        int(i32::from((0..128).contains(&c)))
    }),
    ("int toascii(int)", |call| int(call.i32(0)? & 0x7f)),
    ("int toupper(int)", |call| change(call, upper)),
    ("int tolower(int)", |call| change(call, lower)),
    ("int _toupper(int)", |call| change(call, upper)),
    ("int _tolower(int)", |call| change(call, lower)),
    ("const unsigned short **__ctype_b_loc(void)", |call| tables(call).map(|t| Value::pointer(t.class))),
    ("const int **__ctype_tolower_loc(void)", |call| tables(call).map(|t| Value::pointer(t.lower))),
    ("const int **__ctype_toupper_loc(void)", |call| tables(call).map(|t| Value::pointer(t.upper))),
    ("size_t __ctype_get_mb_cur_max(void)", |_| Ok(Value::unsigned(1))),
];

// The bits of glibc's table on a little-endian machine.
pub const UPPER: u16 = 1 << 8;
pub const LOWER: u16 = 1 << 9;
pub const ALPHA: u16 = 1 << 10;
pub const DIGIT: u16 = 1 << 11;
pub const XDIGIT: u16 = 1 << 12;
pub const SPACE: u16 = 1 << 13;
pub const PRINT: u16 = 1 << 14;
pub const GRAPH: u16 = 1 << 15;
pub const BLANK: u16 = 1 << 0;
pub const CNTRL: u16 = 1 << 1;
pub const PUNCT: u16 = 1 << 2;
pub const ALNUM: u16 = 1 << 3;

/// The classes of a character; none for `EOF`.
pub fn classes(c: i32) -> u16 {
    let Ok(byte) = u8::try_from(c) else { return 0 };
    let facts = [
        (byte.is_ascii_uppercase(), UPPER),
        (byte.is_ascii_lowercase(), LOWER),
        (byte.is_ascii_alphabetic(), ALPHA),
        (byte.is_ascii_digit(), DIGIT),
        (byte.is_ascii_hexdigit(), XDIGIT),
        (crate::format::directive::is_space(byte), SPACE),
        (byte == b' ' || byte.is_ascii_graphic(), PRINT),
        (byte.is_ascii_graphic(), GRAPH),
        (byte == b' ' || byte == b'\t', BLANK),
        (byte.is_ascii_control(), CNTRL),
        (byte.is_ascii_punctuation(), PUNCT),
        (byte.is_ascii_alphanumeric(), ALNUM),
    ];
    facts.iter().filter(|(holds, _)| *holds).map(|(_, bit)| bit).sum()
}

pub fn upper(c: i32) -> i32 {
    u8::try_from(c).map_or(c, |byte| i32::from(byte.to_ascii_uppercase()))
}

pub fn lower(c: i32) -> i32 {
    u8::try_from(c).map_or(c, |byte| i32::from(byte.to_ascii_lowercase()))
}

fn character(call: &Call<'_, '_>) -> Result<i32, Stop> {
    let c = call.i32(0)?;
    if !(-1..256).contains(&c) {
        return bad_argument(format!("{c} is neither an `unsigned char` nor `EOF`"));
    }
    Ok(c)
}

/// The bit itself, as glibc gives it, not 1.
fn is(call: &mut Call<'_, '_>, class: u16) -> Answer {
    int(i32::from(classes(character(call)?) & class))
}

fn change(call: &mut Call<'_, '_>, to: fn(i32) -> i32) -> Answer {
    int(to(character(call)?))
}

/// The addresses of the pointers to the tables' elements for character 0.
#[derive(Clone, Copy)]
pub struct Tables {
    class: Address,
    lower: Address,
    upper: Address,
}

const TABLE: &str = "the character table of <ctype.h>, which covers 0 to 255 and EOF";

/// A table of the characters from `EOF` to 255, and a pointer to its second element, which is that of character 0.
fn table(memory: &mut Memory<'_>, element: impl Fn(i32) -> Vec<u8>) -> Result<Address, Stop> {
    let bytes: Vec<u8> = (-1..256).flat_map(&element).collect();
    let size = bytes.len() as u64;
    let table = memory.allocate(ObjectKind::Library, size, 16, true, TABLE, Span::NONE)?;
    memory.initialise(table, 0, &bytes);
    let pointer = memory.allocate(ObjectKind::Library, 8, 8, true, "a pointer of <ctype.h>", Span::NONE)?;
    memory.initialise(pointer, 0, &table.plus(size / 257).0.to_le_bytes());
    Ok(pointer)
}

fn tables(call: &mut Call<'_, '_>) -> Result<Tables, Stop> {
    let (memory, library) = call.memory_and_library::<Library>();
    if let Some(tables) = library.ctype {
        return Ok(tables);
    }
    let tables = Tables {
        class: table(memory, |c| classes(c).to_le_bytes().to_vec())?,
        lower: table(memory, |c| lower(c).to_le_bytes().to_vec())?,
        upper: table(memory, |c| upper(c).to_le_bytes().to_vec())?,
    };
    library.ctype = Some(tables);
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        safe fn __ctype_b_loc() -> *const *const u16;
        safe fn toupper(c: i32) -> i32;
        safe fn tolower(c: i32) -> i32;
    }

    #[test]
    fn the_tables_are_those_of_the_c_library() {
        // SAFETY: the table covers -128 to 255. Tests run in the C locale, which Rust does not leave.
        let native = |c: i32| unsafe { *(*__ctype_b_loc()).offset(c as isize) };
        for c in -1..256 {
            assert_eq!(classes(c), native(c), "{c}");
            assert_eq!((upper(c), lower(c)), (toupper(c), tolower(c)), "{c}");
        }
    }
}
