//! Inputs as C: the expressions and statements that build what an entry is given.

use exec::{Given, Scalar, ValueType};
use std::fmt::Write as _;

/// A number as a C expression of its type.
pub fn number(ty: ValueType, value: Scalar) -> String {
    match (ty, value) {
        (ValueType::Int(kind), Scalar::Int(value)) => {
            let suffix = match kind {
                ir::IntKind::UInt => "u",
                ir::IntKind::Long => "L",
                ir::IntKind::ULong => "uL",
                ir::IntKind::LongLong => "LL",
                ir::IntKind::ULongLong => "uLL",
                _ => "",
            };
            // The smallest value has no literal: its magnitude does not fit the type.
            if kind.is_signed() && value == kind.min() && kind.bits() >= 32 && kind.bits() <= 64 {
                return format!("({}{suffix} - 1)", value + 1);
            }
            if kind.bits() > 64 {
                let bits = value as u128;
                return format!("(({})0x{:x}uLL << 64 | 0x{:x}uLL)", kind.c_name(), (bits >> 64) as u64, bits as u64);
            }
            if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") }
        }
        (ValueType::Float(kind), Scalar::Float(value)) => float(kind, value),
        (_, Scalar::Int(value)) => value.to_string(),
        (_, Scalar::Float(value)) => float(ir::FloatKind::Double, value),
    }
}

pub fn float(kind: ir::FloatKind, value: f64) -> String {
    let suffix = match kind {
        ir::FloatKind::Float => "f",
        ir::FloatKind::Double => "",
        ir::FloatKind::Extended => "L",
    };
    if value.is_nan() {
        return "(0.0 / 0.0)".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "(1.0 / 0.0)".to_string() } else { "(-1.0 / 0.0)".to_string() };
    }
    let text = format!("{value:?}");
    let text = if text.contains(['.', 'e']) { text } else { format!("{text}.0") };
    if value < 0.0 { format!("({text}{suffix})") } else { format!("{text}{suffix}") }
}

/// Bytes as the inside of a C string literal. Octal escapes have three digits, so that no digit can follow them.
pub fn quoted(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte.into());
            }
            b'\n' => text += "\\n",
            // A question mark could begin a trigraph.
            b'?' => text += "\\?",
            0x20..=0x7e => text.push(byte.into()),
            other => {
                let _ = write!(text, "\\{other:03o}");
            }
        }
    }
    text
}

/// A value as people read it: `5`, `{1, 2}`, `"abc"`, `NULL`. Members that are zero are left out, as C lets one do in an
/// initialiser: what is said of a structure of fifty members is what is special about it.
pub fn shown(given: &Given) -> String {
    match given {
        Given::Scalar(_, Scalar::Int(value)) => value.to_string(),
        Given::Scalar(_, Scalar::Float(value)) => format!("{value:?}"),
        Given::Record(parts) => {
            let special = parts.iter().filter(|(_, _, part)| !is_zero(part));
            let parts: Vec<String> = special.map(|(name, _, part)| format!(".{name} = {}", shown(part))).collect();
            if parts.is_empty() { "{0}".to_string() } else { format!("{{{}}}", parts.join(", ")) }
        }
        Given::Array(_, parts) => {
            let parts: Vec<String> = parts.iter().map(shown).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Given::Null | Given::Nothing => "NULL".to_string(),
        Given::Object { contents, .. } => match &**contents {
            Given::Array(_, parts) if parts.len() == 1 => format!("&{}", shown(&parts[0])),
            contents => shown(contents),
        },
        Given::Bits { value, .. } => value.to_string(),
        Given::Function(name) if name == exec::given::CALLBACK => "a function that returns 0".to_string(),
        Given::Function(name) => name.clone(),
        Given::File(bytes) => format!("file(\"{}\")", quoted(bytes)),
        Given::Within { argument, offset } => format!("argument {} + {offset}", argument + 1),
        Given::Made { by, arguments, first } => {
            let arguments: Vec<String> = arguments.iter().map(shown).collect();
            let after = if *first { "the first argument of " } else { "" };
            format!("{after}{by}({})", arguments.join(", "))
        }
        Given::Text { bytes, .. } => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            format!("\"{}\"", quoted(&bytes[..end]))
        }
    }
}

/// Whether a part of a structure is what it is without an initialiser.
fn is_zero(given: &Given) -> bool {
    match given {
        Given::Scalar(_, Scalar::Int(value)) | Given::Bits { value, .. } => *value == 0,
        Given::Scalar(_, Scalar::Float(value)) => *value == 0.0 && value.is_sign_positive(),
        Given::Record(parts) => parts.iter().all(|(_, _, part)| is_zero(part)),
        Given::Array(_, parts) => parts.iter().all(is_zero),
        Given::Null | Given::Nothing => true,
        _ => false,
    }
}

/// The statements that make an argument, and the argument. Objects are on the heap, where the sanitizers see their
/// ends; the names of all that is made start with `name`, which ends with the number of the argument.
pub fn argument(given: &Given, ty: &str, name: &str, before: &mut String) -> String {
    match given {
        Given::Scalar(ty, value) => number(*ty, *value),
        Given::Text { size, bytes } => {
            let _ = writeln!(before, "    static char {name}[{size}];");
            let _ = writeln!(before, "    memcpy({name}, \"{}\", {});", quoted(bytes), bytes.len());
            name.to_string()
        }
        Given::Object { .. } => {
            pointer(given, name, before);
            format!("(void *){name}")
        }
        Given::Record(_) | Given::Array(..) => {
            let size = format!("sizeof({ty})");
            let _ = writeln!(before, "    {ty} {name};");
            let _ = writeln!(before, "    memset(&{name}, 0, {size});");
            fill(given, 0, &format!("(char *)&{name}"), name, before);
            name.to_string()
        }
        _ => pointer(given, name, before),
    }
}

/// The statements that make what a pointer leads to, and the pointer as an expression.
fn pointer(given: &Given, name: &str, before: &mut String) -> String {
    match given {
        Given::Object { size, contents } => {
            let _ = writeln!(before, "    char *{name} = calloc(1, {size});");
            fill(contents, 0, name, name, before);
            name.to_string()
        }
        Given::Text { size, bytes } => {
            let _ = writeln!(before, "    char *{name} = calloc(1, {size});");
            let _ = writeln!(before, "    memcpy({name}, \"{}\", {});", quoted(bytes), bytes.len());
            name.to_string()
        }
        Given::Function(function) => format!("(void *){function}"),
        Given::File(bytes) => {
            let _ = writeln!(before, "    FILE *{name} = tmpfile();");
            let _ = writeln!(before, "    fwrite(\"{}\", 1, {}, {name});", quoted(bytes), bytes.len());
            let _ = writeln!(before, "    rewind({name});");
            name.to_string()
        }
        // Arguments have one name with their number at its end.
        Given::Within { argument, offset } => {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            format!("(void *)((char *){stem}{argument} + {offset})")
        }
        Given::Made { by, arguments, first } => {
            let part = |(k, given): (usize, &Given)| match given {
                Given::Scalar(ty, value) => number(*ty, *value),
                other => pointer(other, &format!("{name}_{k}"), before),
            };
            let arguments: Vec<String> = arguments.iter().enumerate().map(part).collect();
            match arguments.first() {
                Some(object) if *first => {
                    let _ = writeln!(before, "    {by}({});", with_casts(&arguments));
                    object.clone()
                }
                _ => {
                    let _ = writeln!(before, "    void *{name} = {by}({});", with_casts(&arguments));
                    name.to_string()
                }
            }
        }
        Given::Scalar(ty, value) => number(*ty, *value),
        Given::Bits { value, .. } => value.to_string(),
        Given::Null | Given::Nothing | Given::Record(_) | Given::Array(..) => "0".to_string(),
    }
}

/// Names of objects are pointers to characters; `void *` goes where any pointer goes.
fn with_casts(arguments: &[String]) -> String {
    let cast = |argument: &String| match argument.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => format!("(void *){argument}"),
        false => argument.clone(),
    };
    arguments.iter().map(cast).collect::<Vec<_>>().join(", ")
}

/// The statements that write a value at an offset of an object.
fn fill(given: &Given, at: u64, base: &str, name: &str, before: &mut String) {
    match given {
        Given::Scalar(_, Scalar::Int(0)) | Given::Null | Given::Nothing => {}
        Given::Scalar(ty, value) => {
            let _ = writeln!(before, "    *({} *)({base} + {at}) = {};", ty.c_name(), number(*ty, *value));
        }
        Given::Bits { first, width, value } => {
            for bit in (0..*width).filter(|bit| value >> bit & 1 == 1) {
                let place = first + bit;
                let _ = writeln!(before, "    *({base} + {}) |= 1 << {};", at + u64::from(place / 8), place % 8);
            }
        }
        Given::Record(parts) => {
            parts.iter().for_each(|(_, offset, part)| fill(part, at + offset, base, name, before));
        }
        Given::Array(size, parts) => {
            for (k, part) in (0u64..).zip(parts) {
                fill(part, at + k * size, base, name, before);
            }
        }
        _ => {
            let target = pointer(given, &format!("{name}_{at}"), before);
            let _ = writeln!(before, "    *(void **)({base} + {at}) = {target};");
        }
    }
}

/// The statements that build the arguments of a call, and the call.
pub fn call(program: &ir::Program, function: ir::FunctionId, arguments: &[Given]) -> String {
    let about = &program.functions[function];
    let mut before = String::new();
    let mut words = Vec::new();
    for (k, (given, param)) in arguments.iter().zip(&about.params).enumerate() {
        let ty = ir::c_type(program, Some(about), about.locals[*param].ty);
        words.push(argument(given, &ty, &format!("argument_{k}"), &mut before));
    }
    let _ = writeln!(before, "    {}({});", about.name, words.join(", "));
    before
}

/// What an entry is given, in one line: `p = {1, 2}, s = "ab"`.
pub fn one_line(program: &ir::Program, function: ir::FunctionId, input: &exec::Input) -> String {
    let about = &program.functions[function];
    let name = |k: usize| about.params.get(k).map_or_else(String::new, |param| about.locals[*param].name.clone());
    let mut parts: Vec<String> = if input.arguments.is_empty() {
        let text = |value: &Scalar| match value {
            Scalar::Int(value) => value.to_string(),
            Scalar::Float(value) => format!("{value:?}"),
        };
        input.params.iter().enumerate().map(|(k, value)| format!("{} = {}", name(k), text(value))).collect()
    } else {
        input.arguments.iter().enumerate().map(|(k, given)| format!("{} = {}", name(k), shown(given))).collect()
    };
    parts.extend(input.globals.iter().map(|(id, given)| format!("{} = {}", program.globals[*id].name, shown(given))));
    if parts.is_empty() { "any input".to_string() } else { parts.join(", ") }
}
