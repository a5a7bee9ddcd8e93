//! The tests that say what the program should do.
//!
//! Two kinds: *calls*, whose inputs are the parameters of a function and whose answer is its result; and *runs* of the
//! whole program, with arguments, standard input, and the output and exit status that are expected. They are read from
//! CSV with a header, or from CETI's two files (one test a line).
//!
//! | columns | meaning |
//! |---|---|
//! | the names of the parameters, `expected` | a call |
//! | `args`, `stdin`, `stdout`, `exit` (at least one of the last two) | a run; `args` is split as a shell does |
//!
//! In the cells of `stdin` and `stdout`, `\n`, `\t`, `\r`, `\0` and `\\` stand for the characters; a quoted cell may
//! also hold line breaks. White space at the end of an output does not count.
//!
//! *Guarantee*: a run that faults, hangs or exceeds its memory fails whatever it printed before.

use exec::ValueType;
use exec::{Ending, Input, Outcome, Scalar, parse_integer};
use ir::{FunctionId, Program};
use observe::inputs::{Parameter, parameters};

/// What a test asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    Value(Scalar),
    /// What is not given is not compared.
    Output {
        stdout: Option<Vec<u8>>,
        exit: Option<i32>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// Of the file it was read from, from 1.
    pub line: u32,
    pub input: Input,
    pub expected: Expected,
}

impl Test {
    pub fn passed(&self, outcome: &Outcome) -> bool {
        match (&self.expected, &outcome.ending) {
            (Expected::Value(expected), Ending::Returned(Some(value))) => same(*expected, *value),
            (Expected::Output { stdout, exit }, Ending::Exited(status)) => {
                exit.is_none_or(|exit| exit & 255 == *status)
                    && stdout.as_ref().is_none_or(|text| trimmed(text) == trimmed(&outcome.stdout))
            }
            _ => false,
        }
    }
}

/// Texts of real numbers are rounded, so the last digits do not count.
fn same(expected: Scalar, value: Scalar) -> bool {
    match (expected, value) {
        (Scalar::Int(a), Scalar::Int(b)) => a == b,
        (a, b) => {
            let real = |scalar| match scalar {
                Scalar::Int(value) => value as f64,
                Scalar::Float(value) => value,
            };
            let (a, b) = (real(a), real(b));
            a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) || (a.is_nan() && b.is_nan())
        }
    }
}

/// Without the white space at the end.
pub fn trimmed(text: &[u8]) -> &[u8] {
    text.trim_ascii_end()
}

/// The columns of whole-program tests.
const RUN_COLUMNS: [&str; 4] = ["args", "stdin", "stdout", "exit"];

/// The names in the first line.
pub fn header(text: &str) -> Result<Vec<String>, String> {
    let rows = rows(text)?;
    let Some((_, names)) = rows.first() else { return Err("the file of tests is empty".into()) };
    Ok(names.iter().map(|name| name.trim().to_string()).collect())
}

/// Whether the columns are those of whole-program tests.
pub fn is_of_runs(header: &[String]) -> bool {
    header.iter().any(|name| name == "stdout" || name == "exit")
        && header.iter().all(|name| RUN_COLUMNS.contains(&name.as_str()))
}

/// The function with exactly these inputs, if one is left when the program has no other entry.
pub fn function_with_columns(program: &Program, header: &[String]) -> Option<FunctionId> {
    let mut inputs: Vec<&str> = header.iter().map(String::as_str).filter(|name| *name != "expected").collect();
    inputs.sort_unstable();
    let mut found = program.defined_functions().filter(|(_, function, _)| {
        let mut names: Vec<&str> = function.params.iter().map(|&p| function.locals[p].name.as_str()).collect();
        names.sort_unstable();
        names == inputs
    });
    let first = found.next()?;
    found.next().is_none().then_some(first.0)
}

/// Reads tests from CSV.
pub fn parse_csv(text: &str, program: &Program, entry: FunctionId) -> Result<Vec<Test>, String> {
    let rows = rows(text)?;
    let Some((_, names)) = rows.first() else { return Err("the file of tests is empty".into()) };
    let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
    let tests = if program.functions[entry].name == "main" {
        run_tests(&names, &rows[1..])?
    } else {
        call_tests(&names, &rows[1..], program, entry)?
    };
    if tests.is_empty() {
        return Err("the file has a header and no tests".into());
    }
    Ok(tests)
}

/// Reads CETI's files: line by line the inputs, and what is expected of them.
pub fn parse_lines(inputs: &str, outputs: &str, program: &Program, entry: FunctionId) -> Result<Vec<Test>, String> {
    let lines = |text: &str| -> Vec<(u32, String)> {
        let numbered = (1..).zip(text.lines()).map(|(n, line)| (n, line.trim().to_string()));
        numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect()
    };
    let (inputs, outputs) = (lines(inputs), lines(outputs));
    if inputs.len() != outputs.len() {
        return Err(format!("{} lines of inputs and {} lines of outputs", inputs.len(), outputs.len()));
    }
    if inputs.is_empty() {
        return Err("the files of inputs and outputs have no tests".into());
    }
    let function = &program.functions[entry];
    if function.name == "main" {
        let test = |((line, input), (_, output)): ((u32, String), (u32, String))| {
            let args = words(&input).ok_or_else(|| format!("line {line}: the quotes of `{input}` do not match"))?;
            let input = Input { args, ..Input::default() };
            let expected = Expected::Output { stdout: Some(output.into_bytes()), exit: None };
            Ok(Test { line, input, expected })
        };
        return inputs.into_iter().zip(outputs).map(test).collect();
    }
    let (parameters, result) = signature(program, entry)?;
    let test = |((line, input), (at, output)): ((u32, String), (u32, String))| {
        let cells: Vec<&str> = input.split(|c: char| c.is_whitespace() || c == ',').filter(|c| !c.is_empty()).collect();
        if cells.len() != parameters.len() {
            return Err(format!("line {line}: {} values for the {} inputs", cells.len(), parameters.len()));
        }
        let values: Result<Vec<Scalar>, String> = cells.iter().zip(&parameters).map(|(c, p)| scalar(c, p.ty)).collect();
        let params = values.map_err(|why| format!("line {line}: {why}"))?;
        let expected = scalar(&output, result).map_err(|why| format!("line {at} of the outputs: {why}"))?;
        Ok(Test { line, input: Input { params, ..Input::default() }, expected: Expected::Value(expected) })
    };
    inputs.into_iter().zip(outputs).map(test).collect()
}

type Row = (u32, Vec<String>);

fn run_tests(names: &[&str], rows: &[Row]) -> Result<Vec<Test>, String> {
    if let Some(unknown) = names.iter().find(|name| !RUN_COLUMNS.contains(name)) {
        return Err(format!(
            "the column `{unknown}` is none of args, stdin, stdout, exit, which tests of a whole program have"
        ));
    }
    let column = |wanted: &str| names.iter().position(|name| *name == wanted);
    let (args, stdin, stdout, exit) = (column("args"), column("stdin"), column("stdout"), column("exit"));
    if stdout.is_none() && exit.is_none() {
        return Err("there is no column `stdout` and no column `exit`, so nothing says what is expected".into());
    }
    let mut tests = Vec::new();
    for (line, cells) in rows {
        check_width(*line, cells, names)?;
        let args = match args {
            Some(at) => words(&cells[at]).ok_or_else(|| format!("line {line}: the quotes of the args do not match"))?,
            None => Vec::new(),
        };
        let exit = match exit.map(|at| cells[at].trim()).filter(|cell| !cell.is_empty()) {
            Some(cell) => {
                Some(cell.parse().map_err(|_| format!("line {line}: the exit status `{cell}` is no number"))?)
            }
            None => None,
        };
        let stdin = stdin.map(|at| unescaped(&cells[at])).unwrap_or_default();
        let stdout = stdout.map(|at| unescaped(&cells[at]));
        let input = Input { args, stdin, ..Input::default() };
        tests.push(Test { line: *line, input, expected: Expected::Output { stdout, exit } });
    }
    Ok(tests)
}

fn call_tests(names: &[&str], rows: &[Row], program: &Program, entry: FunctionId) -> Result<Vec<Test>, String> {
    let (parameters, result) = signature(program, entry)?;
    let function = &program.functions[entry].name;
    let Some(expected) = names.iter().position(|name| *name == "expected") else {
        return Err("there is no column `expected`, so nothing says what the result should be".into());
    };
    let inputs: Vec<usize> = (0..names.len()).filter(|at| *at != expected).collect();
    let given: Vec<&str> = inputs.iter().map(|&at| names[at]).collect();
    let wanted: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    if inputs.len() != parameters.len() {
        return Err(format!(
            "`{function}` takes {} inputs ({}), and the file has {} columns for them ({})",
            parameters.len(),
            wanted.join(", "),
            inputs.len(),
            given.join(", ")
        ));
    }
    // By name where the names are those of the parameters, else in the order of the columns.
    let by_name: Option<Vec<usize>> =
        wanted.iter().map(|name| inputs.iter().copied().find(|&at| names[at] == *name)).collect();
    let columns = by_name.unwrap_or(inputs);
    let mut tests = Vec::new();
    for (line, cells) in rows {
        check_width(*line, cells, names)?;
        let wrong = |why: String| format!("line {line}: {why}");
        let params: Result<Vec<Scalar>, String> =
            columns.iter().zip(&parameters).map(|(&at, p)| scalar(cells[at].trim(), p.ty)).collect();
        let input = Input { params: params.map_err(wrong)?, ..Input::default() };
        let value = scalar(cells[expected].trim(), result).map_err(wrong)?;
        tests.push(Test { line: *line, input, expected: Expected::Value(value) });
    }
    Ok(tests)
}

fn check_width(line: u32, cells: &[String], names: &[&str]) -> Result<(), String> {
    if cells.len() == names.len() {
        return Ok(());
    }
    Err(format!("line {line}: {} values for the {} columns ({})", cells.len(), names.len(), names.join(", ")))
}

/// The inputs of a function and the type of its result.
fn signature(program: &Program, entry: FunctionId) -> Result<(Vec<Parameter>, ValueType), String> {
    let inputs = parameters(program, entry);
    let function = &program.functions[entry];
    let is_number = |local: &ir::LocalId| ValueType::of(&program.types, function.locals[*local].ty).is_some();
    if let Some(other) = function.params.iter().find(|param| !is_number(param)).filter(|_| function.name != "main") {
        return Err(format!(
            "The parameter `{}` of `{}` is no number, so a line cannot give it. Test it through a `main` with args, \
             stdin and stdout.",
            function.locals[*other].name, function.name
        ));
    }
    let result = program.types.signature(function.ty).and_then(|s| ValueType::of(&program.types, s.result));
    let Some(result) = result else {
        return Err(format!("`{}` returns no number, so there is nothing to compare with `expected`", function.name));
    };
    Ok((inputs, result))
}

fn scalar(text: &str, ty: ValueType) -> Result<Scalar, String> {
    match ty {
        ValueType::Int(kind) => {
            let Some(value) = parse_integer(text) else {
                return Err(format!("`{text}` is no integer, and the type is `{}`", kind.c_name()));
            };
            if !kind.contains(value) {
                return Err(format!("{text} does not fit the type `{}`", kind.c_name()));
            }
            Ok(Scalar::Int(value))
        }
        ValueType::Float(_) => match text.parse::<f64>() {
            Ok(value) => Ok(Scalar::Float(value)),
            Err(_) => Err(format!("`{text}` is no number")),
        },
    }
}

/// The records of a CSV text with the lines they start in; empty lines are none.
fn rows(text: &str) -> Result<Vec<Row>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = Vec::new();
    let mut line = 1u32;
    let mut chars = text.chars().peekable();
    while chars.peek().is_some() {
        let start = line;
        let mut cells = vec![String::new()];
        let mut quoted = false;
        let mut was_quoted = false;
        loop {
            let Some(c) = chars.next() else {
                if quoted {
                    return Err(format!("line {start}: a quoted value does not end"));
                }
                break;
            };
            let cell = cells.last_mut().expect("a record should have a cell, because it starts with one");
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => {
                    chars.next();
                    cell.push('"');
                }
                '"' if quoted => quoted = false,
                '"' if cell.is_empty() => {
                    quoted = true;
                    was_quoted = true;
                }
                ',' if !quoted => cells.push(String::new()),
                '\n' => {
                    line += 1;
                    if !quoted {
                        break;
                    }
                    cell.push('\n');
                }
                '\r' if !quoted => {}
                c => cell.push(c),
            }
        }
        let blank = cells.len() == 1 && cells[0].trim().is_empty() && !was_quoted;
        if !blank {
            rows.push((start, cells));
        }
    }
    Ok(rows)
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let known = match bytes.peek() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'0') => 0,
            Some(b'\\') => b'\\',
            _ => {
                out.push(b'\\');
                continue;
            }
        };
        bytes.next();
        out.push(known);
    }
    out
}

/// Splits as a shell does: blanks separate, single and double quotes group.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        end if end == c => break,
                        '\\' if c == '"' => word.push(chars.next()?),
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> (Program, FunctionId) {
        let loaded = cfront::load_text(&[("t.c", text)]).unwrap_or_else(|_| panic!("{text} should be C"));
        let entry = loaded.program.defined_functions().last().map(|(id, ..)| id).unwrap();
        (loaded.program, entry)
    }

    #[test]
    fn columns_go_by_name_and_else_by_order() {
        let (program, entry) = program("int f(int a, unsigned char b, double c) { return a; }");
        let tests = parse_csv("b,expected,c,a\n0x10,-3,1.5,7\n", &program, entry).unwrap();
        assert_eq!(tests[0].input.params, [Scalar::Int(7), Scalar::Int(16), Scalar::Float(1.5)]);
        assert_eq!(tests[0].expected, Expected::Value(Scalar::Int(-3)));
        let tests = parse_csv("x,y,z,expected\n1,2,3,4\n", &program, entry).unwrap();
        assert_eq!(tests[0].input.params, [Scalar::Int(1), Scalar::Int(2), Scalar::Float(3.0)]);
        assert!(parse_csv("a,b,c,expected\n1,256,3,4\n", &program, entry).unwrap_err().contains("unsigned char"));
        assert_eq!(function_with_columns(&program, &header("c,b,a,expected\n").unwrap()), Some(entry));
    }

    #[test]
    fn cells_of_runs_hold_line_breaks_and_escapes() {
        let (program, entry) = program("int main(void) { return 0; }");
        let text = "args,stdin,stdout,exit\n\"a 'b c' \"\"d\"\"\",\"1\n2\",one\\ntwo\\\\,3\n";
        let tests = parse_csv(text, &program, entry).unwrap();
        assert_eq!(tests[0].input.args, ["a", "b c", "d"]);
        assert_eq!(tests[0].input.stdin, b"1\n2");
        let expected = Expected::Output { stdout: Some(b"one\ntwo\\".to_vec()), exit: Some(3) };
        assert_eq!(tests[0].expected, expected);
    }

    #[test]
    fn files_of_lines_go_together() {
        let (program, entry) = program("int f(int a, int b) { return a; }");
        let tests = parse_lines("1 2\n\n3,-4\n", "5\n6\n", &program, entry).unwrap();
        assert_eq!(tests[1].input.params, [Scalar::Int(3), Scalar::Int(-4)]);
        assert_eq!(tests[1].expected, Expected::Value(Scalar::Int(6)));
        assert!(parse_lines("1 2 3\n", "5\n", &program, entry).unwrap_err().contains("3 values for the 2 inputs"));
    }
}
