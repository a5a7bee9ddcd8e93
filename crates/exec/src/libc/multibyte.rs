//! wchar.h, wctype.h and stdlib.h: multibyte characters, and the classes of wide ones.
//!
//! There is the C locale and no other, in which glibc knows the 128 characters of ASCII: each is one byte, and any other
//! byte or wide character is none. A conversion so has no state, and a `mbstate_t` stays as it is.

use super::{Answer, Entry, ctype, errno, int, string_argument};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("int mblen(const char *, size_t)", |call| {
        let (from, most) = (call.pointer(0)?, call.u64(1)?);
        narrow(call, Address::NULL, from, most)
    }),
    ("int mbtowc(wchar_t *, const char *, size_t)", |call| {
        let (to, from, most) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
        narrow(call, to, from, most)
    }),
    ("int wctomb(char *, wchar_t)", wctomb),
    ("size_t mbstowcs(wchar_t *, const char *, size_t)", |call| {
        let (from, most) = (call.pointer(1)?, call.u64(2)?);
        widen_text(call, from, most).map(|(count, _)| Value::unsigned(count))
    }),
    ("size_t wcstombs(char *, const wchar_t *, size_t)", |call| {
        let (from, most) = (call.pointer(1)?, call.u64(2)?);
        narrow_text(call, from, most).map(|(count, _)| Value::unsigned(count))
    }),
    ("size_t mbrtowc(wchar_t *, const char *, size_t, void *)", |call| {
        let (to, from, most) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
        restartable(call, to, from, most)
    }),
    ("size_t mbrlen(const char *, size_t, void *)", |call| {
        let (from, most) = (call.pointer(0)?, call.u64(1)?);
        restartable(call, Address::NULL, from, most)
    }),
    ("size_t wcrtomb(char *, wchar_t, void *)", |call| {
        let (to, wide) = (call.pointer(0)?, call.i32(1)?);
        // Without a place it is the null character that is converted.
        let wide = if to.is_null() { 0 } else { wide };
        store_narrow(call, to, wide).map(Value::signed)
    }),
    ("size_t mbsrtowcs(wchar_t *, const char **, size_t, void *)", |call| restart_text(call, widen_text)),
    ("size_t wcsrtombs(char *, const wchar_t **, size_t, void *)", |call| restart_text(call, narrow_text)),
    ("int mbsinit(const void *)", |_| int(1)),
    ("wint_t btowc(int)", |call| {
        let byte = call.i32(0)?;
        Ok(Value::unsigned(if (0..128).contains(&byte) { byte as u64 } else { NONE }))
    }),
    ("int wctob(wint_t)", |call| {
        let wide = call.u64(0)?;
        int(if wide < 128 { wide as i32 } else { -1 })
    }),
    ("int wcwidth(wchar_t)", |call| int(width(call.i32(0)?))),
    ("int wcswidth(const wchar_t *, size_t)", wcswidth),
    ("int iswalnum(wint_t)", |call| class(call, ctype::ALNUM)),
    ("int iswalpha(wint_t)", |call| class(call, ctype::ALPHA)),
    ("int iswblank(wint_t)", |call| class(call, ctype::BLANK)),
    ("int iswcntrl(wint_t)", |call| class(call, ctype::CNTRL)),
    ("int iswdigit(wint_t)", |call| class(call, ctype::DIGIT)),
    ("int iswgraph(wint_t)", |call| class(call, ctype::GRAPH)),
    ("int iswlower(wint_t)", |call| class(call, ctype::LOWER)),
    ("int iswprint(wint_t)", |call| class(call, ctype::PRINT)),
    ("int iswpunct(wint_t)", |call| class(call, ctype::PUNCT)),
    ("int iswspace(wint_t)", |call| class(call, ctype::SPACE)),
    ("int iswupper(wint_t)", |call| class(call, ctype::UPPER)),
    ("int iswxdigit(wint_t)", |call| class(call, ctype::XDIGIT)),
    ("unsigned long wctype(const char *)", wctype),
    ("int iswctype(wint_t, unsigned long)", |call| {
        let bits = call.u64(1)?;
        class(call, bits as u16)
    }),
    ("wint_t towlower(wint_t)", |call| mapped(call, ctype::lower)),
    ("wint_t towupper(wint_t)", |call| mapped(call, ctype::upper)),
];

/// `WEOF`.
const NONE: u64 = u32::MAX as u64;
/// The classes by name, with the bits that stand for them in the table of ctype.h and here.
const CLASSES: [(&[u8], u16); 12] = [
    (b"alnum", ctype::ALNUM),
    (b"alpha", ctype::ALPHA),
    (b"blank", ctype::BLANK),
    (b"cntrl", ctype::CNTRL),
    (b"digit", ctype::DIGIT),
    (b"graph", ctype::GRAPH),
    (b"lower", ctype::LOWER),
    (b"print", ctype::PRINT),
    (b"punct", ctype::PUNCT),
    (b"space", ctype::SPACE),
    (b"upper", ctype::UPPER),
    (b"xdigit", ctype::XDIGIT),
];

/// The wide character of a byte; `None`, with `errno` set, if it stands for none.
fn widened(call: &mut Call<'_, '_>, byte: u8) -> Result<Option<i32>, Stop> {
    if byte < 128 {
        return Ok(Some(byte.into()));
    }
    errno::set(call, libc::EILSEQ)?;
    Ok(None)
}

/// Stores the byte of a wide character; how many bytes it takes, or -1.
fn store_narrow(call: &mut Call<'_, '_>, to: Address, wide: i32) -> Result<i64, Stop> {
    if !(0..128).contains(&wide) {
        errno::set(call, libc::EILSEQ)?;
        return Ok(-1);
    }
    if !to.is_null() {
        call.memory().store_u8(to, wide as u8)?;
    }
    Ok(1)
}

/// What `mbtowc` does: -1 for what is no character, 0 for the end of a string and for no string at all.
fn narrow(call: &mut Call<'_, '_>, to: Address, from: Address, most: u64) -> Answer {
    if from.is_null() {
        return int(0);
    }
    if most == 0 {
        return int(-1);
    }
    let byte = call.memory().load_u8(from)?;
    let Some(wide) = widened(call, byte)? else { return int(-1) };
    if !to.is_null() {
        call.memory().store_i32(to, wide)?;
    }
    int(i32::from(byte != 0))
}

/// What `mbrtowc` does: -2 where bytes are missing.
fn restartable(call: &mut Call<'_, '_>, to: Address, from: Address, most: u64) -> Answer {
    if !from.is_null() && most == 0 {
        return Ok(Value::signed(-2));
    }
    let done = narrow(call, to, from, most)?;
    Ok(Value::signed(done.as_i32().into()))
}

fn wctomb(call: &mut Call<'_, '_>) -> Answer {
    let (to, wide) = (call.pointer(0)?, call.i32(1)?);
    if to.is_null() {
        return int(0);
    }
    let done = store_narrow(call, to, wide)?;
    int(done as i32)
}

/// How far a conversion of a text came: the characters written, and where in the source it stopped before its end.
type Converted = (u64, Option<Address>);

/// The result of a conversion that met something that is no character.
const FAILED: u64 = u64::MAX;

/// Converts a text to wide characters, at most so many; into nothing to count them all.
fn widen_text(call: &mut Call<'_, '_>, from: Address, most: u64) -> Result<Converted, Stop> {
    let to = call.pointer(0)?;
    for count in 0.. {
        let at = from.plus(count);
        if !to.is_null() && count == most {
            return Ok((count, Some(at)));
        }
        let byte = call.memory().load_u8(at)?;
        let Some(wide) = widened(call, byte)? else { return Ok((FAILED, Some(at))) };
        if !to.is_null() {
            call.memory().store_i32(to.plus(4 * count), wide)?;
        }
        if byte == 0 {
            return Ok((count, None));
        }
    }
    unreachable!("every text should end, because objects do")
}

/// The other way round.
fn narrow_text(call: &mut Call<'_, '_>, from: Address, most: u64) -> Result<Converted, Stop> {
    let to = call.pointer(0)?;
    for count in 0.. {
        let at = from.plus(4 * count);
        if !to.is_null() && count == most {
            return Ok((count, Some(at)));
        }
        let wide = call.memory().load_i32(at)?;
        let place = if to.is_null() { to } else { to.plus(count) };
        if store_narrow(call, place, wide)? < 0 {
            return Ok((FAILED, Some(at)));
        }
        if wide == 0 {
            return Ok((count, None));
        }
    }
    unreachable!("every text should end, because objects do")
}

/// A conversion that is told where the source is and says where it stopped.
fn restart_text(
    call: &mut Call<'_, '_>,
    convert: fn(&mut Call<'_, '_>, Address, u64) -> Result<Converted, Stop>,
) -> Answer {
    let (place, most) = (call.pointer(1)?, call.u64(2)?);
    let from = call.memory().load_pointer(place)?;
    let (count, stopped) = convert(call, from, most)?;
    if !call.pointer(0)?.is_null() {
        call.memory().store_pointer(place, stopped.unwrap_or(Address::NULL))?;
    }
    Ok(Value::unsigned(count))
}

fn width(wide: i32) -> i32 {
    match wide {
        0 => 0,
        32..127 => 1,
        _ => -1,
    }
}

fn wcswidth(call: &mut Call<'_, '_>) -> Answer {
    let (text, most) = (call.pointer(0)?, call.u64(1)?);
    let mut columns = 0;
    for i in 0..most {
        match call.memory().load_i32(text.plus(4 * i))? {
            0 => break,
            wide if width(wide) < 0 => return int(-1),
            wide => columns += width(wide),
        }
    }
    int(columns)
}

/// Whether the character is of a class.
fn class(call: &mut Call<'_, '_>, class: u16) -> Answer {
    let wide = call.u64(0)?;
    int(if wide < 128 { i32::from(ctype::classes(wide as i32) & class) } else { 0 })
}

fn wctype(call: &mut Call<'_, '_>) -> Answer {
    let name = string_argument(call, 0)?;
    let found = CLASSES.iter().find(|(class, _)| *class == name.as_slice());
    Ok(Value::unsigned(found.map_or(0, |(_, bits)| u64::from(*bits))))
}

fn mapped(call: &mut Call<'_, '_>, map: fn(i32) -> i32) -> Answer {
    let wide = call.u64(0)?;
    Ok(Value::unsigned(if wide < 128 { map(wide as i32) as u64 } else { wide }))
}
