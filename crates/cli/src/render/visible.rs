//! Characters that a terminal obeys instead of showing, made visible.
//!
//! A program under analysis writes what it likes, and so does whoever wrote its source: sequences that move the cursor, set
//! the title or answer questions the terminal was not asked, and characters that turn the direction of text, so that
//! code reads other than it is compiled. They are shown as the symbols of Unicode (`␛`) or by their number (`<U+202E>`).

/// Stands for an escape character in texts whose lengths must not change; shown as one.
const STAND_IN: char = '\u{1a}';

/// The text without escape characters, of the same length in bytes.
pub fn hide_escapes(text: &str) -> String {
    text.replace('\x1b', STAND_IN.encode_utf8(&mut [0; 4]))
}

/// The same bytes with control characters made visible, except for line breaks, tabs and, where `colours` are ours, the
/// sequences that set colours. Bytes that are no text stay as they are, except for those that a terminal may obey.
pub fn visible(bytes: &[u8], colours: bool) -> Vec<u8> {
    let mut shown = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(c) = rest.chars().next() {
            let after = &rest[c.len_utf8()..];
            match c {
                '\n' | '\t' => shown.push(c as u8),
                '\x1b' if colours && colour_end(after).is_some() => {
                    let length = 1 + colour_end(after).unwrap_or(0);
                    shown.extend_from_slice(&rest.as_bytes()[..length]);
                    rest = &rest[length..];
                    continue;
                }
                STAND_IN => shown.extend_from_slice("␛".as_bytes()),
                '\x7f' => shown.extend_from_slice("␡".as_bytes()),
                c if c < ' ' => {
                    let symbol = char::from_u32(0x2400 + c as u32).unwrap_or('?');
                    shown.extend_from_slice(symbol.encode_utf8(&mut [0; 4]).as_bytes());
                }
                '\u{80}'..='\u{9f}' => shown.extend_from_slice(format!("<U+{:04X}>", c as u32).as_bytes()),
                c if turns_or_hides(c) => shown.extend_from_slice(format!("<U+{:04X}>", c as u32).as_bytes()),
                c => shown.extend_from_slice(&rest.as_bytes()[..c.len_utf8()]),
            }
            rest = after;
        }
        for byte in chunk.invalid() {
            // Terminals that are not set to Unicode take these for control characters.
            if (0x80..0xa0).contains(byte) {
                shown.extend_from_slice(format!("<{byte:02X}>").as_bytes());
            } else {
                shown.push(*byte);
            }
        }
    }
    shown
}

/// How long a sequence that sets colours is, behind its escape character.
fn colour_end(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('[')?;
    let end = inside.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    (inside.as_bytes()[end] == b'm').then_some(end + 2)
}

/// Characters that turn the direction of the text around them, or that take no room.
fn turns_or_hides(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, colours: bool) -> String {
        String::from_utf8_lossy(&visible(text.as_bytes(), colours)).into_owned()
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(shown("a\x1b]0;title\x07b\tc\r\n", false), "a␛]0;title␇b\tc␍\n");
        assert_eq!(shown("\x1b[1;31mred\x1b[0m \x1b[2J", true), "\x1b[1;31mred\x1b[0m ␛[2J");
        assert_eq!(shown("\x1b[1m", false), "␛[1m");
        assert_eq!(shown("is\u{202e}nimda\u{2066}", true), "is<U+202E>nimda<U+2066>");
        assert_eq!(shown("\u{9b}2Jé", true), "<U+009B>2Jé");
        assert_eq!(visible(b"\xff\x9b2J", true), b"\xff<9B>2J");
        assert_eq!(hide_escapes("a\x1b[2Jb").len(), 6);
        assert_eq!(shown(&hide_escapes("\x1b[1m"), true), "␛[1m");
    }
}
