//! What an entry is given, as JSON and back.
//!
//! | value | JSON |
//! |---|---|
//! | a number | a number; as text where readers would round it |
//! | a record, an array | an object by member, a list |
//! | a pointer to an object, to a string, null | what it leads to, a text, `null` |
//! | a pointer to a function | `{"function": "compare"}` |
//! | a stream | `{"file": "its contents"}` |
//! | a pointer into another argument | `{"argument": 0, "offset": 12}` |
//! | what the program makes | `{"made by": "parse", "arguments": ["[1]"], "first": false}` |
//!
//! Reading goes by the type of the parameter, so that `[1, 2]` is an array of what it points to.

use exec::{Given, Input, Scalar, ValueType};
use ir::{FunctionId, IntKind, Program, Type, TypeId};
use serde_json::{Map, Value, json};

pub fn json(given: &Given) -> Value {
    match given {
        Given::Scalar(_, value) => scalar(*value),
        Given::Record(parts) => Value::Object(parts.iter().map(|(name, _, part)| (name.clone(), json(part))).collect()),
        Given::Array(_, parts) => Value::Array(parts.iter().map(json).collect()),
        Given::Null | Given::Nothing => Value::Null,
        Given::Object { contents, .. } => json(contents),
        Given::Bits { value, .. } => scalar(Scalar::Int(*value)),
        Given::Function(name) => json!({"function": name}),
        Given::File(bytes) => json!({"file": String::from_utf8_lossy(bytes)}),
        Given::Within { argument, offset } => json!({"argument": argument, "offset": offset}),
        Given::Made { by, arguments, first } => {
            let arguments: Vec<Value> = arguments.iter().map(json).collect();
            json!({"made by": by, "arguments": arguments, "first": first})
        }
        Given::Text { bytes, .. } => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            json!(String::from_utf8_lossy(&bytes[..end]))
        }
    }
}

/// Numbers that JSON readers would round are text.
pub fn scalar(value: Scalar) -> Value {
    match value {
        Scalar::Int(value) => match i64::try_from(value) {
            Ok(small) => json!(small),
            Err(_) => json!(value.to_string()),
        },
        Scalar::Float(value) if value.is_finite() => json!(value),
        Scalar::Float(value) => json!(value.to_string()),
    }
}

/// Reads an input from an object with a member for each parameter; those that are missing are zero or null.
pub fn input(program: &Program, entry: FunctionId, text: &str) -> Result<Input, String> {
    let members: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let function = &program.functions[entry];
    let names: Vec<&str> = function.params.iter().map(|param| function.locals[*param].name.as_str()).collect();
    if let Some(unknown) = members.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("`{}` has no parameter `{unknown}`; it has: {}", function.name, names.join(", ")));
    }
    let mut input = Input::default();
    for param in &function.params {
        let local = &function.locals[*param];
        let value = members.get(&local.name).unwrap_or(&Value::Null);
        let given = read(program, local.ty, value).map_err(|why| format!("`{}`: {why}", local.name))?;
        if let Given::Scalar(_, value) = given {
            input.params.push(value);
        }
        input.arguments.push(given);
    }
    Ok(input)
}

fn read(program: &Program, ty: TypeId, value: &Value) -> Result<Given, String> {
    let types = &program.types;
    match types.get(ty) {
        Type::Int(_) | Type::Float(_) => {
            let ty = ValueType::of(types, ty).ok_or("this type of numbers cannot be read")?;
            Ok(Given::Scalar(ty, number(ty, value)?))
        }
        Type::Array { of, .. } => elements(program, *of, value),
        Type::Record(_) => record(program, ty, value),
        Type::Pointer { to, .. } => pointer(program, *to, value),
        Type::Void | Type::Function(_) => Err("there are no values of this type".to_string()),
    }
}

fn number(ty: ValueType, value: &Value) -> Result<Scalar, String> {
    let parsed = match value {
        Value::Null => Some(Scalar::Int(0)),
        Value::Bool(truth) => Some(Scalar::Int((*truth).into())),
        Value::Number(number) => match number.as_i64() {
            Some(value) => Some(Scalar::Int(value.into())),
            None => number.as_f64().map(Scalar::Float),
        },
        Value::String(text) => {
            exec::parse_integer(text).map(Scalar::Int).or_else(|| text.parse().ok().map(Scalar::Float))
        }
        _ => None,
    };
    match (ty, parsed) {
        (ValueType::Int(kind), Some(Scalar::Int(value))) if kind.contains(value) => Ok(Scalar::Int(value)),
        (ValueType::Float(_), Some(Scalar::Int(value))) => Ok(Scalar::Float(value as f64)),
        (ValueType::Float(_), Some(Scalar::Float(value))) => Ok(Scalar::Float(value)),
        _ => Err(format!("`{value}` is no value of the type `{}`", ty.c_name())),
    }
}

fn elements(program: &Program, of: TypeId, value: &Value) -> Result<Given, String> {
    let size = program.types.size_of(of).unwrap_or(0);
    let parts = match value {
        Value::Array(parts) => parts.iter().map(|part| read(program, of, part)).collect::<Result<_, _>>()?,
        Value::String(text) if program.types.int_kind(of).is_some_and(|kind| kind.bytes() == 1) => {
            let kind = program.types.int_kind(of).unwrap_or(IntKind::Char);
            text.bytes().map(|byte| Given::int(kind, kind.wrap(byte.into()))).collect()
        }
        Value::Null => Vec::new(),
        single => vec![read(program, of, single)?],
    };
    Ok(Given::Array(size, parts))
}

fn record(program: &Program, ty: TypeId, value: &Value) -> Result<Given, String> {
    let Type::Record(id) = program.types.get(ty) else { return Err("no record is expected here".to_string()) };
    let fields = program.types.records[*id].fields.as_deref().ok_or("the record has no known members")?;
    let Value::Object(members) = value else { return Err(format!("`{value}` is no record")) };
    if let Some(unknown) = members.keys().find(|name| fields.iter().all(|field| field.name != **name)) {
        return Err(format!("there is no member `{unknown}`"));
    }
    let mut parts = Vec::new();
    for field in fields {
        let Some(value) = members.get(&field.name) else { continue };
        let part = match field.bits {
            Some(bits) => {
                let value = value.as_i64().ok_or_else(|| format!("`{}` should be a number", field.name))?;
                Given::Bits { first: (bits.offset - field.offset * 8) as u32, width: bits.width, value: value.into() }
            }
            None => read(program, field.ty, value).map_err(|why| format!("`{}`: {why}", field.name))?,
        };
        parts.push((field.name.clone(), field.offset, part));
    }
    Ok(Given::Record(parts))
}

fn pointer(program: &Program, to: TypeId, value: &Value) -> Result<Given, String> {
    if let Value::Object(members) = value {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        if let Some(name) = text("function") {
            return Ok(Given::Function(name.to_string()));
        }
        if let Some(contents) = text("file") {
            return Ok(Given::File(contents.as_bytes().to_vec()));
        }
        if let (Some(argument), Some(offset)) =
            (members.get("argument").and_then(Value::as_u64), members.get("offset").and_then(Value::as_u64))
        {
            return Ok(Given::Within { argument: argument as usize, offset });
        }
        if let Some(by) = text("made by") {
            let maker = program.find_function(by).ok_or_else(|| format!("there is no function `{by}`"))?;
            let about = &program.functions[maker];
            let given = members.get("arguments").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let types = about.params.iter().map(|param| about.locals[*param].ty);
            let arguments = types.zip(given).map(|(ty, value)| read(program, ty, value)).collect::<Result<_, _>>()?;
            let first = members.get("first").and_then(Value::as_bool).unwrap_or(false);
            return Ok(Given::Made { by: by.to_string(), arguments, first });
        }
    }
    let is_character = program.types.int_kind(to).is_some_and(|kind| kind.bytes() == 1);
    match value {
        Value::Null => Ok(Given::Null),
        Value::String(text) if is_character || program.types.is_void(to) => Ok(Given::text(text.as_bytes())),
        value => {
            let of = if program.types.is_void(to) { program.types.int(IntKind::UChar) } else { to };
            let size = program.types.size_of(of).ok_or("what it leads to has no known size")?;
            let contents = elements(program, of, value)?;
            let count = if let Given::Array(_, parts) = &contents { parts.len() as u64 } else { 1 };
            Ok(Given::Object { size: size * count, contents: Box::new(contents) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_back_as_they_were_written() {
        let text = "typedef struct _IO_FILE FILE; int getc(FILE *);\nstruct node { int value; struct node *next; unsigned flag : 2; char name[4]; };\n\
            struct node *make(int n) { return n ? 0 : 0; }\n\
            int f(struct node *n, const char *s, double *d, int (*g)(int), FILE *in, const char *end, struct node r,\n\
                  unsigned long big, struct node *m) { return n != 0; }\n\
            int twice(int x) { return 2 * x; }";
        let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
        let entry = program.find_function("f").unwrap();
        let line = r#"{"n": [{"value": 3, "next": [{"value": -1, "next": null, "flag": 0, "name": []}], "flag": 2,
            "name": [97, 98]}], "s": "ab\\n", "d": [0.5, 2.0], "g": {"function": "twice"}, "in": {"file": "x\n"},
            "end": {"argument": 1, "offset": 2}, "r": {"value": 1, "next": null, "flag": 1, "name": []},
            "big": "18446744073709551615", "m": {"made by": "make", "arguments": [4], "first": false}}"#;
        let read = input(&program, entry, line).unwrap();
        let names = program.functions[entry].params.iter().map(|p| program.functions[entry].locals[*p].name.clone());
        let written: Map<String, Value> = names.zip(read.arguments.iter().map(json)).collect();
        let again = input(&program, entry, &Value::Object(written).to_string()).unwrap();
        assert_eq!(read, again);
        assert!(input(&program, entry, r#"{"q": 1}"#).is_err_and(|why| why.contains("no parameter `q`")));
        assert!(input(&program, entry, r#"{"n": {"valu": 1}}"#).is_err_and(|why| why.contains("no member `valu`")));
    }
}
