//! Rows with arrays: JSON lines, and CSV whose fields may be lists in brackets.
//!
//! ```text
//! {"location": "L", "n": 2, "A": [[1, 2], [3, 4]], "B": [1, 2, 3, 4]}
//!
//! n,A,B
//! 2,[[1,2],[3,4]],[1,2,3,4]
//! ```
//!
//! An array is a list of numbers, or of lists that are all of one shape. Its size may differ from row to row. Numbers
//! beside the arrays are columns as in any other file. In JSON the location is named by `location`, else after the file.

use super::number::{Field, digits, field};
use super::{Column, Declared, Input, Place, Sink, Skipped, TraceError, spoken};
use std::collections::HashMap;
use std::io::BufRead;

/// Lists in lists, at most.
const DEEPEST: usize = 8;

/// What a field of a row holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    /// Mantissa and decimals.
    Number(i64, u8),
    Array(Array),
    /// Not finite, missing or too wide.
    Skip(Skipped),
    Text(String),
}

/// An array as it is read: mantissas and decimals, row-major.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Array {
    pub extents: Vec<usize>,
    pub cells: Vec<(i64, u8)>,
}

/// The arrays of one row, and the whole numbers beside them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArrayRow {
    pub scalars: Vec<(String, Option<i64>)>,
    pub arrays: Vec<(String, Array)>,
}

/// A text that is read from the left.
struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Cursor<'t> {
    fn new(text: &'t [u8]) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, byte: u8, after: &str) -> Result<(), String> {
        if self.take(byte) { Ok(()) } else { Err(format!("`{}` is missing after {after}", byte as char)) }
    }

    /// A word up to a delimiter.
    fn word(&mut self) -> &'t [u8] {
        self.peek();
        let from = self.at;
        while self.text.get(self.at).is_some_and(|b| !b",;]}[{:\"".contains(b) && !b.is_ascii_whitespace()) {
            self.at += 1;
        }
        &self.text[from..self.at]
    }

    /// What stands between quotes, if nothing in it is escaped.
    fn quoted(&mut self) -> Option<&'t [u8]> {
        if !self.take(b'"') {
            return None;
        }
        let rest = &self.text[self.at..];
        let inside = &rest[..rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?];
        self.at += inside.len();
        self.take(b'"').then_some(inside)
    }

    /// A number, if that is what comes next.
    fn number(&mut self) -> Option<(i64, u8)> {
        self.peek();
        let mut end = self.at;
        if let Some(value) = digits(self.text, &mut end)
            && matches!(self.text.get(end), Some(b',' | b'}' | b' '))
        {
            self.at = end;
            return Some((value, 0));
        }
        match field(self.word()) {
            Field::Number(value, places) => Some((value, places)),
            _ => None,
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect(b'"', "the beginning of a name")?;
        let mut bytes = Vec::new();
        loop {
            match self.text.get(self.at) {
                None => return Err("a quote is not closed".to_string()),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(String::from_utf8_lossy(&bytes).into_owned());
                }
                Some(b'\\') => {
                    bytes.extend(self.text.get(self.at + 1));
                    self.at += 2;
                }
                Some(byte) => {
                    bytes.push(*byte);
                    self.at += 1;
                }
            }
        }
    }

    fn value(&mut self, name: &str) -> Result<Cell, String> {
        match self.peek() {
            Some(b'[') => {
                let mut array = Array::default();
                let skip = self.list(name, 0, &mut array)?;
                Ok(skip.map_or(Cell::Array(array), Cell::Skip))
            }
            Some(b'"') => self.string().map(Cell::Text),
            Some(b'{') => Err(format!("`{name}` is an object; a value is a number or a list of numbers")),
            _ => {
                let word = self.word();
                Ok(match (field(word), word) {
                    (_, b"null" | b"") => Cell::Skip(Skipped::NotFinite),
                    (_, b"true") => Cell::Number(1, 0),
                    (_, b"false") => Cell::Number(0, 0),
                    (Field::Number(value, places), _) => Cell::Number(value, places),
                    (Field::NotFinite, _) => Cell::Skip(Skipped::NotFinite),
                    (Field::TooWide, _) => Cell::Skip(Skipped::TooWide),
                    (Field::NotANumber, word) => Cell::Text(String::from_utf8_lossy(word).into_owned()),
                })
            }
        }
    }

    /// A list at some depth, into the array; why the row is skipped, if a number is not one that can be used.
    fn list(&mut self, name: &str, depth: usize, array: &mut Array) -> Result<Option<Skipped>, String> {
        if depth == DEEPEST {
            return Err(format!("`{name}` has more than {DEEPEST} dimensions"));
        }
        self.expect(b'[', "the beginning of a list")?;
        let (mut count, mut skip) = (0, None);
        let first = array.extents.len() == depth;
        if first {
            array.extents.push(usize::MAX);
        }
        while !self.take(b']') {
            if count > 0 {
                self.expect(b',', &format!("an element of `{name}`")).map_err(|why| match self.peek() {
                    None => format!("the list of `{name}` is not closed"),
                    _ => why,
                })?;
            }
            match self.peek() {
                None => return Err(format!("the list of `{name}` is not closed")),
                Some(b'[') => {
                    if array.extents.len() == depth + 1 && array.extents[depth] != usize::MAX {
                        return Err(format!("`{name}` is ragged: an element is a number here and a list elsewhere"));
                    }
                    if array.extents.len() == depth + 1 && (count > 0 || !array.cells.is_empty()) {
                        return Err(format!("`{name}` is ragged: an element is a number here and a list elsewhere"));
                    }
                    skip = skip.or(self.list(name, depth + 1, array)?);
                }
                Some(_) => {
                    if array.extents.len() > depth + 1 {
                        return Err(format!("`{name}` is ragged: an element is a number here and a list elsewhere"));
                    }
                    match self.value(name)? {
                        Cell::Number(value, places) => array.cells.push((value, places)),
                        Cell::Skip(why) => {
                            skip = skip.or(Some(why));
                            array.cells.push((0, 0));
                        }
                        Cell::Text(text) => return Err(format!("`{text}` in `{name}` is not a number")),
                        Cell::Array(_) => {}
                    }
                }
            }
            count += 1;
        }
        match array.extents[depth] {
            usize::MAX => array.extents[depth] = count,
            known if known == count => {}
            known => {
                return Err(format!("`{name}` is ragged: it has rows of {known} and of {count} elements"));
            }
        }
        Ok(skip)
    }

    fn is_done(&mut self) -> bool {
        self.peek().is_none()
    }
}

/// The columns of the locations met so far, by their names.
#[derive(Default)]
struct Columns(HashMap<String, (Place, Vec<String>)>);

impl Columns {
    /// Hands a row to the sink. The numbers of a location are those of its first row.
    fn row<R: BufRead>(
        &mut self,
        input: &Input<'_, R>,
        sink: &mut impl Sink,
        location: &str,
        cells: Vec<(String, Cell)>,
    ) -> Result<(), TraceError> {
        if !self.0.contains_key(location) {
            let numbers: Vec<String> = cells
                .iter()
                .filter(|(_, cell)| matches!(cell, Cell::Number(..) | Cell::Skip(_)))
                .map(|(name, _)| name.clone())
                .collect();
            let columns: Vec<Column> =
                numbers.iter().map(|name| Column { name: name.clone(), declared: Declared::Open }).collect();
            let place = match sink.location(location, &columns) {
                Ok(place) => place,
                Err(message) => return input.error(message),
            };
            let text: Vec<&str> =
                cells.iter().filter(|(_, c)| matches!(c, Cell::Text(_))).map(|(name, _)| name.as_str()).collect();
            if !text.is_empty() {
                sink.note(place, format!("Left out because they hold text: {}.", text.join(", ")));
            }
            self.0.insert(location.to_string(), (place, numbers));
        }
        let (place, numbers) = &self.0[location];
        let (mut values, mut decimals) = (Vec::new(), Vec::new());
        let mut arrays = ArrayRow::default();
        for name in numbers {
            match cells.iter().find(|(other, _)| other == name).map(|(_, cell)| cell) {
                Some(Cell::Number(value, places)) => {
                    values.push(*value);
                    decimals.push(*places);
                    arrays.scalars.push((name.clone(), (*places == 0).then_some(*value)));
                }
                Some(Cell::Skip(why)) => {
                    sink.skipped(*place, *why);
                    return Ok(());
                }
                Some(_) => return input.malformed(sink, *place, format!("`{name}` is no number here")),
                None => return input.malformed(sink, *place, format!("`{name}` is missing")),
            }
        }
        for (name, cell) in cells {
            match cell {
                Cell::Array(array) => arrays.arrays.push((name, array)),
                Cell::Skip(why) if !numbers.contains(&name) => {
                    sink.skipped(*place, why);
                    return Ok(());
                }
                _ => {}
            }
        }
        if decimals.iter().all(|places| *places == 0) {
            decimals.clear();
        }
        if let Err(message) = sink.row(*place, &values, &decimals) {
            return input.error(message);
        }
        if !arrays.arrays.is_empty() {
            sink.arrays(*place, arrays);
        }
        Ok(())
    }
}

/// How many ways of writing rows are remembered.
const MOST_LAYOUTS: usize = 16;

/// Ways in which rows of numbers were written, so that the next ones need not be taken apart by name.
#[derive(Default)]
struct Layouts {
    known: Vec<Layout>,
    /// The one that the last row had.
    last: usize,
    /// The row read last.
    cells: Vec<i64>,
    decimals: Vec<u8>,
}

struct Layout {
    place: Place,
    /// Names as they are written, between quotes, and what is behind them.
    fields: Vec<(Vec<u8>, Written)>,
    width: usize,
}

enum Written {
    /// A number, for the column of this index.
    Number(usize),
    /// A text that says nothing.
    Text,
    /// The name of the location.
    Location(Vec<u8>),
}

impl Layouts {
    /// Reads a row that is written as one before was, into `cells` and `decimals`; tells its place.
    fn row(&mut self, text: &[u8]) -> Option<Place> {
        for index in (self.last..self.known.len()).chain(0..self.last) {
            let layout = &self.known[index];
            if layout.row(text, &mut self.cells, &mut self.decimals).is_some() {
                self.last = index;
                if self.decimals.iter().all(|places| *places == 0) {
                    self.decimals.clear();
                }
                return Some(layout.place);
            }
        }
        None
    }

    /// Remembers how a row is written, if it holds nothing but numbers and texts.
    fn learn(&mut self, text: &[u8], place: Place, numbers: &[String]) {
        if self.known.len() < MOST_LAYOUTS
            && let Some(layout) = Layout::of(text, place, numbers)
            && layout.row(text, &mut self.cells, &mut self.decimals).is_some()
        {
            self.known.push(layout);
        }
    }
}

impl Layout {
    fn of(text: &[u8], place: Place, numbers: &[String]) -> Option<Layout> {
        let mut cursor = Cursor::new(text);
        let mut fields = Vec::new();
        while cursor.take(if fields.is_empty() { b'{' } else { b',' }) {
            let name = cursor.quoted()?.to_vec();
            cursor.expect(b':', "a name").ok()?;
            let written = match cursor.peek()? {
                b'"' if name == b"location" => Written::Location(cursor.quoted()?.to_vec()),
                b'"' => {
                    cursor.quoted()?;
                    Written::Text
                }
                _ => {
                    cursor.word();
                    let spoken = spoken(std::str::from_utf8(&name).ok()?);
                    Written::Number(numbers.iter().position(|number| *number == spoken)?)
                }
            };
            fields.push((name, written));
        }
        let given = fields.iter().filter(|(_, written)| matches!(written, Written::Number(_))).count();
        (given == numbers.len()).then_some(Layout { place, fields, width: given })
    }

    fn row(&self, text: &[u8], cells: &mut Vec<i64>, decimals: &mut Vec<u8>) -> Option<()> {
        cells.clear();
        cells.resize(self.width, 0);
        decimals.clear();
        decimals.resize(self.width, 0);
        let mut cursor = Cursor::new(text);
        let mut before = b'{';
        for (name, written) in &self.fields {
            if !cursor.take(std::mem::replace(&mut before, b',')) || cursor.quoted()? != name || !cursor.take(b':') {
                return None;
            }
            match written {
                Written::Number(column) => (cells[*column], decimals[*column]) = cursor.number()?,
                Written::Text => {
                    cursor.quoted()?;
                }
                Written::Location(location) => {
                    if cursor.quoted()? != location {
                        return None;
                    }
                }
            }
        }
        (cursor.take(b'}') && cursor.is_done()).then_some(())
    }
}

/// The file's name without folders and extension.
fn stem(file: &str) -> &str {
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
    stem.split_once('.').map_or(stem, |(stem, _)| stem)
}

/// Reads JSON lines.
pub(super) fn read_json<R: BufRead>(mut input: Input<'_, R>, sink: &mut impl Sink) -> Result<(), TraceError> {
    let mut known = Columns::default();
    let mut layouts = Layouts::default();
    let mut line = Vec::new();
    let default = stem(input.file).to_string();
    let mut any = None;
    while input.next_line(&mut line)? {
        let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line).trim_ascii();
        if text.is_empty() {
            continue;
        }
        if let Some(place) = layouts.row(text) {
            if let Err(message) = sink.row(place, &layouts.cells, &layouts.decimals) {
                return input.error(message);
            }
            continue;
        }
        match object(text) {
            Ok((location, cells)) => {
                let location = location.unwrap_or_else(|| default.clone());
                known.row(&input, sink, &location, cells)?;
                if let Some((place, numbers)) = known.0.get(&location) {
                    layouts.learn(text, *place, numbers);
                    any = any.or(Some(*place));
                }
            }
            Err(message) => match any {
                Some(place) => input.malformed(sink, place, message)?,
                None => return input.error(message),
            },
        }
    }
    if known.0.is_empty() {
        return Err(TraceError {
            file: input.file.to_string(),
            line: None,
            message: "the file has no rows; a row is an object such as {\"x\": 1, \"A\": [1, 2]}".to_string(),
        });
    }
    Ok(())
}

type Object = (Option<String>, Vec<(String, Cell)>);

fn object(text: &[u8]) -> Result<Object, String> {
    let mut cursor = Cursor::new(text);
    cursor.expect(b'{', "the beginning of a row")?;
    let (mut location, mut cells): Object = (None, Vec::new());
    while !cursor.take(b'}') {
        if !cells.is_empty() || location.is_some() {
            cursor.expect(b',', "a value")?;
        }
        let name = cursor.string()?;
        cursor.expect(b':', &format!("`{name}`"))?;
        let value = cursor.value(&name)?;
        match value {
            Cell::Text(text) if name == "location" => location = Some(text),
            value => {
                let name = spoken(&name);
                if cells.iter().any(|(other, _)| *other == name) {
                    return Err(format!("`{name}` is given twice"));
                }
                cells.push((name, value));
            }
        }
    }
    if cursor.is_done() { Ok((location, cells)) } else { Err("something follows the row on its line".to_string()) }
}

/// Reads the rows of a CSV file some of whose fields are lists. `line` is the first of them.
pub(super) fn read_csv<R: BufRead>(
    mut input: Input<'_, R>,
    sink: &mut impl Sink,
    names: &[String],
    separator: u8,
    mut line: Vec<u8>,
) -> Result<(), TraceError> {
    let mut known = Columns::default();
    let location = stem(input.file).to_string();
    loop {
        if !line.trim_ascii().is_empty() {
            match fields(&line, separator, names) {
                Ok(cells) => known.row(&input, sink, &location, cells)?,
                Err(message) => match known.0.values().next().map(|(place, _)| *place) {
                    Some(place) => input.malformed(sink, place, message)?,
                    None => return input.error(message),
                },
            }
        }
        if !input.next_line(&mut line)? {
            return Ok(());
        }
    }
}

fn fields(line: &[u8], separator: u8, names: &[String]) -> Result<Vec<(String, Cell)>, String> {
    let mut parts: Vec<Vec<u8>> = vec![Vec::new()];
    let (mut depth, mut quoted) = (0i32, false);
    for &byte in line {
        match byte {
            b'"' => quoted = !quoted,
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => {}
        }
        if byte == separator && depth == 0 && !quoted {
            parts.push(Vec::new());
        } else if byte != b'"' {
            parts.last_mut().expect("there should be a field, because one is there from the start").push(byte);
        }
    }
    if quoted {
        return Err("a quote is not closed".to_string());
    }
    if parts.len() != names.len() {
        let open = names.get(parts.len() - 1).filter(|_| depth > 0);
        return Err(match open {
            Some(name) => format!("the list of `{name}` is not closed"),
            None => format!("{} values where the header names {}", parts.len(), names.len()),
        });
    }
    let mut cells = Vec::new();
    for (name, part) in names.iter().zip(&parts) {
        // Lists may be written with semicolons where the comma separates fields.
        let part: Vec<u8> = part.iter().map(|b| if *b == b';' { b',' } else { *b }).collect();
        let mut cursor = Cursor::new(&part);
        let cell = cursor.value(name)?;
        if !cursor.is_done() {
            return Err(format!("something follows the value of `{name}`"));
        }
        cells.push((name.clone(), cell));
    }
    Ok(cells)
}
