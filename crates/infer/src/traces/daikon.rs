//! Daikon's traces: declarations of program points and records of visits, in one file or two.
//!
//! Both versions of the declarations are read: blocks that start with `DECLARE` (four lines a variable), and the
//! keyed lines of version 2 (`ppt`, `variable`, `rep-type`, …). Variables whose representation is `int`, `double` or
//! `boolean` take part; hash codes, strings and arrays are left out with a note.
//!
//! Names become C's where they are not: `return` is `result`, `orig(x)` is `x_0`, `::x` is `x`, and other signs are `_`.
//! Values of an `EXIT` point are those recorded there: Daikon itself adds the entry values by matching invocations,
//! this reader does not.

use super::number::{Field, field};
use super::{Column, Declared, Input, Place, Sink, Skipped, TraceError, spoken};
use std::collections::{HashMap, HashSet};
use std::io::BufRead;

/// What is declared so far; kept from one file to the next.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    points: HashMap<String, PointDeclaration>,
}

#[derive(Clone, Debug, Default)]
struct PointDeclaration {
    variables: Vec<VariableDeclaration>,
}

#[derive(Clone, Debug)]
struct VariableDeclaration {
    name: String,
    rep: Rep,
    /// The value of a constant that records may leave out.
    constant: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rep {
    Int,
    Double,
    Boolean,
    Other,
}

impl Rep {
    /// `int = 3` declares a constant.
    fn parse(text: &str) -> (Rep, Option<String>) {
        let (rep, constant) = match text.split_once('=') {
            Some((rep, constant)) => (rep.trim(), Some(constant.trim().to_string())),
            None => (text.trim(), None),
        };
        let rep = match rep {
            "int" | "long" | "short" | "byte" | "char" => Rep::Int,
            "double" | "float" => Rep::Double,
            "boolean" => Rep::Boolean,
            _ => Rep::Other,
        };
        (rep, constant)
    }
}

fn column_name(name: &str) -> String {
    if name == "return" {
        return "result".to_string();
    }
    if let Some(inner) = name.strip_prefix("orig(").and_then(|rest| rest.strip_suffix(')')) {
        return spoken(inner.trim_start_matches("::")) + "_0";
    }
    spoken(name.trim_start_matches("::"))
}

impl PointDeclaration {
    fn columns(&self) -> Vec<Column> {
        self.variables
            .iter()
            .filter(|v| v.rep != Rep::Other)
            .map(|v| Column {
                name: column_name(&v.name),
                declared: if v.rep == Rep::Double { Declared::Real } else { Declared::Int },
            })
            .collect()
    }
}

pub(super) fn read<R: BufRead>(
    mut input: Input<'_, R>,
    declarations: &mut Declarations,
    sink: &mut impl Sink,
) -> Result<(), TraceError> {
    let mut buffer = Vec::new();
    let mut places: HashMap<String, Place> = HashMap::new();
    let mut content = false;
    while input.next_line(&mut buffer)? {
        let line = String::from_utf8_lossy(buffer.trim_ascii()).into_owned();
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        content = true;
        if line == "DECLARE" {
            declare_v1(&mut input, &mut buffer, declarations)?;
        } else if line == "ListImplementors" {
            while input.next_line(&mut buffer)? && !buffer.trim_ascii().is_empty() {}
        } else if let Some(name) = line.strip_prefix("ppt ") {
            declare_v2(name, &mut input, &mut buffer, declarations)?;
        } else if is_setting(&line) {
            // The line after VarComparability names the kind of comparability.
            if line == "VarComparability" {
                input.next_line(&mut buffer)?;
            }
        } else {
            record(unescaped(&line), &mut input, &mut buffer, declarations, &mut places, sink)?;
        }
    }
    if !content {
        return Err(TraceError { file: input.file.to_string(), line: None, message: "the file is empty".to_string() });
    }
    Ok(())
}

fn is_setting(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "VarComparability" | "var-comparability" | "decl-version" | "input-language")
}

/// Names of version 2 have `\_` for a blank and `\\` for a backslash.
fn unescaped(name: &str) -> String {
    name.replace("\\_", " ").replace("\\\\", "\\")
}

fn add(
    name: String,
    point: PointDeclaration,
    declarations: &mut Declarations,
    input: &Input<'_, impl BufRead>,
) -> Result<(), TraceError> {
    let mut names = HashSet::new();
    if let Some(twice) = point.columns().iter().find(|column| !names.insert(column.name.clone())) {
        return input.error(format!("two variables of `{name}` are called `{}`", twice.name));
    }
    // A trace may repeat what a file of declarations said, but its records are rows of one table.
    if declarations.points.get(&name).is_some_and(|known| known.columns() != point.columns()) {
        return input.error(format!("`{name}` was declared before with other variables"));
    }
    declarations.points.insert(name, point);
    Ok(())
}

fn declare_v1<R: BufRead>(
    input: &mut Input<'_, R>,
    buffer: &mut Vec<u8>,
    declarations: &mut Declarations,
) -> Result<(), TraceError> {
    let mut lines = Vec::new();
    while input.next_line(buffer)? && !buffer.trim_ascii().is_empty() {
        lines.push(String::from_utf8_lossy(buffer.trim_ascii()).into_owned());
    }
    let Some((name, rest)) = lines.split_first() else {
        return input.error("a declaration without a program point");
    };
    let mut point = PointDeclaration::default();
    for variable in rest.chunks(4) {
        let [variable, _, rep, _] = variable else {
            return input.error(format!("the declaration of `{name}` ends in the middle of a variable"));
        };
        let (rep, constant) = Rep::parse(rep);
        point.variables.push(VariableDeclaration { name: variable.clone(), rep, constant });
    }
    add(name.clone(), point, declarations, input)
}

fn declare_v2<R: BufRead>(
    name: &str,
    input: &mut Input<'_, R>,
    buffer: &mut Vec<u8>,
    declarations: &mut Declarations,
) -> Result<(), TraceError> {
    let mut point = PointDeclaration::default();
    while input.next_line(buffer)? && !buffer.trim_ascii().is_empty() {
        let line = String::from_utf8_lossy(buffer.trim_ascii()).into_owned();
        let (key, value) = line.split_once(' ').unwrap_or((&line, ""));
        match (key, point.variables.last_mut()) {
            ("variable", _) => {
                let name = unescaped(value);
                point.variables.push(VariableDeclaration { name, rep: Rep::Other, constant: None });
            }
            ("rep-type", Some(variable)) => variable.rep = Rep::parse(value).0,
            ("constant", Some(variable)) => variable.constant = Some(value.to_string()),
            ("rep-type", None) => return input.error("a `rep-type` before the first `variable`"),
            // Enclosing variables, kinds, comparabilities and flags do not matter here.
            _ => {}
        }
    }
    add(unescaped(name), point, declarations, input)
}

fn record<R: BufRead>(
    name: String,
    input: &mut Input<'_, R>,
    buffer: &mut Vec<u8>,
    declarations: &Declarations,
    places: &mut HashMap<String, Place>,
    sink: &mut impl Sink,
) -> Result<(), TraceError> {
    let Some(point) = declarations.points.get(&name) else {
        return input.error(format!(
            "`{name}` is not declared; give the .decls file as well, or check that this is the name of a program point"
        ));
    };
    let place = match places.get(&name) {
        Some(&place) => place,
        None => {
            let place = match sink.location(&name, &point.columns()) {
                Ok(place) => place,
                Err(message) => return input.error(message),
            };
            let other: Vec<&str> =
                point.variables.iter().filter(|v| v.rep == Rep::Other).map(|v| v.name.as_str()).collect();
            if !other.is_empty() {
                sink.note(place, format!("Left out because they are not numbers: {}.", other.join(", ")));
            }
            places.insert(name.clone(), place);
            place
        }
    };
    let mut values: Vec<Option<(i64, u8)>> = vec![None; point.variables.len()];
    let mut seen = vec![false; point.variables.len()];
    let (mut skip, mut wrong) = (None, None);
    let mut expected = 0;
    while input.next_line(buffer)? && !buffer.trim_ascii().is_empty() {
        let variable = unescaped(&String::from_utf8_lossy(buffer.trim_ascii()));
        let line = input.line;
        if !input.next_line(buffer)? {
            return input.error(format!("the file ends in the middle of `{variable}`"));
        }
        if variable == "this_invocation_nonce" {
            continue;
        }
        let value = buffer.trim_ascii().to_vec();
        let mut modified = Vec::new();
        if !input.next_line(&mut modified)? {
            return input.error(format!("the file ends in the middle of `{variable}`"));
        }
        // Records follow the order of the declaration, with constants left out; that is tried first.
        let index = (expected..point.variables.len())
            .chain(0..expected.min(point.variables.len()))
            .find(|&i| point.variables[i].name == variable);
        let Some(index) = index else {
            wrong.get_or_insert_with(|| format!("line {line}: `{variable}` is not declared for `{name}`"));
            continue;
        };
        expected = index + 1;
        seen[index] = true;
        let rep = point.variables[index].rep;
        if rep == Rep::Other {
            continue;
        }
        if modified.trim_ascii() == b"2" || matches!(value.as_slice(), b"nonsensical" | b"uninit" | b"missing") {
            skip = Some(Skipped::NotFinite);
            continue;
        }
        match number(rep, &value) {
            Field::Number(above, decimals) => values[index] = Some((above, decimals)),
            Field::NotFinite => skip = Some(Skipped::NotFinite),
            Field::TooWide => skip = skip.or(Some(Skipped::TooWide)),
            Field::NotANumber => {
                let value = String::from_utf8_lossy(&value);
                wrong
                    .get_or_insert_with(|| format!("line {line}: the value `{value}` of `{variable}` is not a number"));
            }
        }
    }
    for (index, variable) in point.variables.iter().enumerate() {
        if seen[index] {
            continue;
        }
        match variable.constant.as_deref().map(|text| number(variable.rep, text.as_bytes())) {
            Some(Field::Number(above, decimals)) => values[index] = Some((above, decimals)),
            _ => {
                let missing = &variable.name;
                wrong.get_or_insert_with(|| format!("the record of `{name}` has no value for `{missing}`"));
            }
        }
    }
    if let Some(message) = wrong {
        return input.malformed(sink, place, message);
    }
    if let Some(why) = skip {
        sink.skipped(place, why);
        return Ok(());
    }
    let numbers: Vec<(i64, u8)> = values.into_iter().flatten().collect();
    let cells: Vec<i64> = numbers.iter().map(|(cell, _)| *cell).collect();
    let decimals: Vec<u8> = match numbers.iter().any(|(_, decimals)| *decimals > 0) {
        true => numbers.iter().map(|(_, decimals)| *decimals).collect(),
        false => Vec::new(),
    };
    match sink.row(place, &cells, &decimals) {
        Ok(()) => Ok(()),
        Err(message) => input.error(message),
    }
}

fn number(rep: Rep, text: &[u8]) -> Field {
    match (rep, text) {
        (Rep::Boolean, b"true") => Field::Number(1, 0),
        (Rep::Boolean, b"false") => Field::Number(0, 0),
        _ => field(text),
    }
}
