//! Comma-separated values with a header: one location, named after the file.
//!
//! The separator is the one of `,`, `;` and tab that the header has most of. Fields may be quoted; a quote inside is
//! doubled. A column whose first value is not a number holds text and is left out. Where the first row has lists in
//! brackets, all rows are read as [`nested`](super::nested) says.

use super::number::{Field, field};
use super::row::{Bad, row};
use super::{Column, Declared, Input, Sink, TraceError, nested, spoken};
use std::io::BufRead;

pub(super) fn read<R: BufRead>(mut input: Input<'_, R>, sink: &mut impl Sink) -> Result<(), TraceError> {
    let mut line = Vec::new();
    let (header, separator) = loop {
        if !input.next_line(&mut line)? {
            return Err(TraceError {
                file: input.file.to_string(),
                line: None,
                message: "the file is empty; its first line should name the columns".to_string(),
            });
        }
        let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line).trim_ascii();
        if text.is_empty() || text[0] == b'#' {
            continue;
        }
        let separator = separator(text);
        match split(text, separator) {
            Some(fields) => break (fields, separator),
            None => return input.error("a quote is not closed"),
        }
    };
    if header.iter().all(|name| !matches!(field(name.trim_ascii()), Field::NotANumber)) {
        return input.error("the first line should name the columns, and it has numbers");
    }
    let names: Vec<String> = header.iter().map(|name| spoken(&String::from_utf8_lossy(name))).collect();

    // The first row tells which columns hold numbers.
    let mut first = None;
    while first.is_none() && input.next_line(&mut line)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line.contains(&b'[') {
            return nested::read_csv(input, sink, &names, separator, line);
        }
        match split(&line, separator) {
            Some(fields) => first = Some(fields),
            None => return input.error("a quote is not closed"),
        }
    }
    let numeric: Vec<bool> = (0..names.len())
        .map(|i| {
            let text = first.as_ref().and_then(|fields| fields.get(i)).map_or(&b""[..], |text| text.trim_ascii());
            text.is_empty() || field(text) != Field::NotANumber
        })
        .collect();
    let mut columns = Vec::new();
    for (name, _) in names.iter().zip(&numeric).filter(|(_, numeric)| **numeric) {
        columns.push(Column { name: name.clone(), declared: Declared::Open });
    }
    let stem = input.file.rsplit(['/', '\\']).next().unwrap_or(input.file);
    let stem = stem.split_once('.').map_or(stem, |(stem, _)| stem);
    let place = match sink.location(stem, &columns) {
        Ok(place) => place,
        Err(message) => return input.error(message),
    };
    let text: Vec<&str> = names.iter().zip(&numeric).filter(|(_, n)| !**n).map(|(name, _)| name.as_str()).collect();
    if !text.is_empty() {
        sink.note(place, format!("Left out because they hold text: {}.", text.join(", ")));
    }
    for (name, original) in names.iter().zip(&header) {
        let original = String::from_utf8_lossy(original);
        if name != original.trim() {
            sink.note(place, format!("The column `{}` is called `{name}` here.", original.trim()));
        }
    }
    if first.is_none() {
        return Ok(());
    }

    let (mut cells, mut decimals, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        if !line.trim_ascii().is_empty() {
            let read = if text.is_empty() && !line.contains(&b'"') {
                row(&line, separator, columns.len(), &mut cells, &mut decimals)
            } else {
                match split(&line, separator) {
                    Some(fields) if fields.len() == names.len() => {
                        plain.clear();
                        for (field, _) in fields.iter().zip(&numeric).filter(|(_, numeric)| **numeric) {
                            plain.extend_from_slice(field);
                            plain.push(separator);
                        }
                        row(&plain, separator, columns.len(), &mut cells, &mut decimals)
                    }
                    Some(fields) => {
                        Err(Bad::Malformed(format!("{} values where the header names {}", fields.len(), names.len())))
                    }
                    None => Err(Bad::Malformed("a quote is not closed".to_string())),
                }
            };
            match read {
                Ok(()) => {
                    if let Err(message) = sink.row(place, &cells, &decimals) {
                        return input.error(message);
                    }
                }
                Err(Bad::Skip(why)) => sink.skipped(place, why),
                Err(Bad::Malformed(message)) => input.malformed(sink, place, message)?,
            }
        }
        if !input.next_line(&mut line)? {
            return Ok(());
        }
    }
}

fn separator(header: &[u8]) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut quoted = false;
    for byte in header {
        quoted ^= *byte == b'"';
        for (separator, count) in &mut counts {
            *count += usize::from(!quoted && byte == separator);
        }
    }
    // The first of equals, as it is the commonest.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| *separator)
}

/// The fields without their quotes; `None` if a quote is not closed.
fn split(line: &[u8], separator: u8) -> Option<Vec<Vec<u8>>> {
    let mut fields = vec![Vec::new()];
    let mut quoted = false;
    let mut at = 0;
    while at < line.len() {
        let byte = line[at];
        let field = fields.last_mut()?;
        if byte == b'"' {
            if quoted && line.get(at + 1) == Some(&b'"') {
                field.push(b'"');
                at += 1;
            } else {
                quoted = !quoted;
            }
        } else if byte == separator && !quoted {
            fields.push(Vec::new());
        } else {
            field.push(byte);
        }
        at += 1;
    }
    (!quoted).then_some(fields)
}
