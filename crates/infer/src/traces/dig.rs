//! DIG's traces: fields separated by semicolons, the first one the name of the location.
//!
//! A declaration gives a type and a name for each variable (`vtrace1; I x; D y`), and comes before the visits of its
//! location. Locations may be interleaved, and a declaration repeated.

use super::row::{Bad, row};
use super::{Column, Declared, Input, Place, Sink, TraceError, spoken};
use std::collections::HashMap;
use std::io::BufRead;

/// Whether the first field after the name starts with a type.
pub(super) fn is_declaration(line: &[u8]) -> bool {
    let mut fields = line.split(|b| *b == b';');
    fields.next();
    fields.next().is_some_and(|field| matches!(field.trim_ascii(), [b'I' | b'D', b' ' | b'\t', _, ..]))
}

pub(super) fn read<R: BufRead>(mut input: Input<'_, R>, sink: &mut impl Sink) -> Result<(), TraceError> {
    let mut declared: HashMap<Vec<u8>, (Place, usize)> = HashMap::new();
    // Visits of one location come in runs, so the last name is compared first.
    let mut last: (Vec<u8>, Place, usize) = (Vec::new(), Place(0), 0);
    let (mut cells, mut decimals) = (Vec::new(), Vec::new());
    let mut first = None;
    let mut buffer = Vec::new();
    while input.next_line(&mut buffer)? {
        let line = buffer.trim_ascii();
        if line.is_empty() || line[0] == b'#' {
            continue;
        }
        let name_end = line.iter().position(|b| *b == b';').unwrap_or(line.len());
        let name = line[..name_end].trim_ascii_end();
        let rest = line.get(name_end + 1..).unwrap_or_default();
        if matches!(rest.trim_ascii_start().first(), Some(b'I' | b'D')) && is_declaration(line) {
            let line = String::from_utf8_lossy(line).into_owned();
            let (name, columns) = match declaration(&line) {
                Ok(both) => both,
                Err(message) => return input.error(message),
            };
            let place = match sink.location(&name, &columns) {
                Ok(place) => place,
                Err(message) => return input.error(message),
            };
            first.get_or_insert(place);
            declared.insert(name.into_bytes(), (place, columns.len()));
            last.0.clear();
            continue;
        }
        if last.0 != name || last.0.is_empty() {
            match declared.get(name) {
                Some(&(place, width)) => last = (name.to_vec(), place, width),
                None => {
                    let message = format!(
                        "`{}` is not declared; a row such as `{0}; I x; I y` comes before its values",
                        String::from_utf8_lossy(name)
                    );
                    match first {
                        Some(place) => input.malformed(sink, place, message)?,
                        None => return input.error(message),
                    }
                    continue;
                }
            }
        }
        let (place, width) = (last.1, last.2);
        match row(rest, b';', width, &mut cells, &mut decimals) {
            Ok(()) => {
                if let Err(message) = sink.row(place, &cells, &decimals) {
                    return input.error(message);
                }
            }
            Err(Bad::Skip(why)) => sink.skipped(place, why),
            Err(Bad::Malformed(message)) => input.malformed(sink, place, message)?,
        }
    }
    if declared.is_empty() {
        return Err(TraceError {
            file: input.file.to_string(),
            line: None,
            message: "no location is declared; the file should have a row such as `vtrace1; I x; I y`".to_string(),
        });
    }
    Ok(())
}

fn declaration(line: &str) -> Result<(String, Vec<Column>), String> {
    let mut fields = line.split(';').map(str::trim);
    let name = fields.next().unwrap_or_default().to_string();
    let mut columns = Vec::new();
    for field in fields.filter(|field| !field.is_empty()) {
        let (declared, column) = match field.split_once(char::is_whitespace) {
            Some(("I", name)) => (Declared::Int, name),
            Some(("D", name)) => (Declared::Real, name),
            _ => return Err(format!("`{field}` should be a type, I or D, and a name")),
        };
        columns.push(Column { name: spoken(column), declared });
    }
    Ok((name, columns))
}
