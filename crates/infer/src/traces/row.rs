//! The numbers of a row, between separators.

use super::Skipped;
use super::number::{Field, field, whole};

/// Why a row gives no cells.
pub(super) enum Bad {
    Skip(Skipped),
    Malformed(String),
}

/// Reads the numbers of a row. `decimals` stays empty if all are whole.
pub(super) fn row(
    line: &[u8],
    separator: u8,
    width: usize,
    cells: &mut Vec<i64>,
    decimals: &mut Vec<u8>,
) -> Result<(), Bad> {
    cells.clear();
    decimals.clear();
    let mut at = 0;
    let mut bad = None;
    // A separator at the end of a row ends it.
    while at < line.len() {
        if let Some(value) = whole(line, &mut at, separator) {
            cells.push(value);
            continue;
        }
        let end = line[at..].iter().position(|b| *b == separator).map_or(line.len(), |length| at + length);
        let text = line[at..end].trim_ascii();
        at = end + 1;
        match field(text) {
            Field::Number(value, 0) => cells.push(value),
            Field::Number(value, places) => {
                decimals.resize(cells.len(), 0);
                decimals.push(places);
                cells.push(value);
            }
            Field::NotFinite => {
                bad = Some(Skipped::NotFinite);
                cells.push(0);
            }
            Field::TooWide => {
                bad = bad.or(Some(Skipped::TooWide));
                cells.push(0);
            }
            Field::NotANumber if text.is_empty() => {
                bad = Some(Skipped::NotFinite);
                cells.push(0);
            }
            Field::NotANumber => {
                return Err(Bad::Malformed(format!("`{}` is not a number", String::from_utf8_lossy(text))));
            }
        }
    }
    // The last field may be missing like any other.
    if cells.len() + 1 == width && line.last() == Some(&separator) {
        cells.push(0);
        bad = Some(Skipped::NotFinite);
    }
    if cells.len() != width {
        return Err(Bad::Malformed(format!("{} values where {width} are declared", cells.len())));
    }
    if !decimals.is_empty() {
        decimals.resize(width, 0);
    }
    bad.map_or(Ok(()), |why| Err(Bad::Skip(why)))
}
