//! Samples and variants as files: JSON of parameter names and values, TIFF, or what functions of the user read and
//! write.

use crate::report::Failure;
use represent::codec::Codec;
use represent::language::{Normalisation, Role};
use represent::tiff::{self, Named, Photometric};
use represent::values::{Array, Value, Values};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;

/// How files are read and written.
pub(crate) enum Form<'p> {
    Json,
    Tiff {
        photometric: Photometric,
        /// What the file has that the program does not speak of; it stays as it was.
        others: Named,
    },
    /// The ending of the sample's name is that of the variants'.
    Own {
        codec: Box<Codec<'p>>,
        extension: String,
    },
}

impl Form<'_> {
    /// The ending of the names of files.
    pub(super) fn extension(&self) -> &str {
        match self {
            Form::Json => "json",
            Form::Tiff { .. } => "tif",
            Form::Own { extension, .. } => extension,
        }
    }
}

/// Reads a sample, with the user's functions or in the form that its first bytes say.
pub(crate) fn read<'p>(
    normalisation: &Normalisation,
    codec: Option<Codec<'p>>,
    bytes: &[u8],
    path: &Path,
) -> Result<(Values, Form<'p>), Failure> {
    let name = path.display();
    let bad = |why: String| Failure::new(format!("{name}: {why}"));
    if let Some(codec) = codec {
        let values = codec.read(normalisation, bytes).map_err(bad)?;
        let extension = path.extension().map_or("dat".into(), |e| e.to_string_lossy().into_owned());
        return Ok((values, Form::Own { codec: codec.into(), extension }));
    }
    if bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") {
        let (named, photometric) = tiff::read(bytes).map_err(bad)?;
        let (values, others) = by_position(normalisation, named).map_err(bad)?;
        return Ok((values, Form::Tiff { photometric, others }));
    }
    let json: Json = serde_json::from_slice(bytes).map_err(|error| {
        bad(format!("it is neither a TIFF file nor JSON: {error}"))
            .with_help("--load and --store name C functions that read and write other formats")
    })?;
    let Json::Object(object) = json else {
        return Err(bad("it is not a JSON object of parameter names and values".into()));
    };
    let mut named = Named::new();
    for (key, value) in object {
        let value =
            value_of(&value).ok_or_else(|| bad(format!("`{key}` is neither an integer nor an array of integers")))?;
        named.insert(key, value);
    }
    let (values, _) = by_position(normalisation, named).map_err(bad)?;
    Ok((values, Form::Json))
}

/// The values of the representation, each where its parameter stands, checked against types and lengths; and the others.
fn by_position(normalisation: &Normalisation, mut named: Named) -> Result<(Values, Named), String> {
    let mut values = Values::empty(normalisation);
    for id in normalisation.ids(Role::Input) {
        let param = normalisation.param(id);
        let value =
            named.remove(&param.name).ok_or_else(|| format!("it has no value for the parameter `{}`", param.name))?;
        let elements = match &value {
            Value::Scalar(value) => std::slice::from_ref(value),
            Value::Array(array) => &array.elements[..],
        };
        if let Some(large) = elements.iter().find(|e| !param.kind.contains(i128::from(**e))) {
            return Err(format!("`{}` has the value {large}, which `{}` cannot hold", param.name, param.kind.c_name()));
        }
        match (&value, param.dims.len()) {
            (Value::Scalar(_), 0) | (Value::Array(_), 1..) => {}
            (Value::Scalar(_), _) => return Err(format!("`{}` is an array", param.name)),
            (Value::Array(_), _) => return Err(format!("`{}` is a number", param.name)),
        }
        values.set(id, value);
    }
    if let Some(other) = named.keys().find(|name| !normalisation.params.iter().any(|p| p.name == **name)) {
        // A file of a format has what it has; the program need not use all of it. A JSON file is written for it.
        if !tiff::NAMES.contains(&other.as_str()) {
            return Err(format!("`{other}` is no parameter of `{}`", normalisation.name));
        }
    }
    Ok((shaped(normalisation, values)?, named))
}

/// Flat arrays get the lengths that their parameters declare.
fn shaped(normalisation: &Normalisation, mut values: Values) -> Result<Values, String> {
    let mut frame = represent::execute::Frame::new(normalisation, values.clone());
    for id in normalisation.ids(Role::Input) {
        let param = normalisation.param(id);
        let Some(Value::Array(array)) = values.get(id).cloned() else { continue };
        let dims =
            frame.lengths(&param.dims).map_err(|stuck| format!("the length of `{}`: {}", param.name, stuck.0))?;
        if array.elements.len() != dims.iter().product::<usize>() || (array.dims.len() > 1 && array.dims != dims) {
            let text = |dims: &[usize]| dims.iter().map(|d| format!("[{d}]")).collect::<String>();
            return Err(format!(
                "`{}` has the lengths {} where the parameter declares {}",
                param.name,
                text(&array.dims),
                text(&dims)
            ));
        }
        values.set(id, Value::Array(Array { dims, elements: array.elements }));
    }
    Ok(values)
}

fn value_of(json: &Json) -> Option<Value> {
    match json {
        Json::Number(number) => number.as_i64().map(Value::Scalar),
        Json::Bool(truth) => Some(Value::Scalar(i64::from(*truth))),
        Json::Array(items) => {
            if items.iter().all(Json::is_number) {
                let elements = items.iter().map(Json::as_i64).collect::<Option<Vec<i64>>>()?;
                return Some(Value::Array(Array { dims: vec![elements.len()], elements }));
            }
            let rows = items.iter().map(value_of).collect::<Option<Vec<Value>>>()?;
            let mut elements = Vec::new();
            let mut inner: Option<Vec<usize>> = None;
            for row in &rows {
                let Value::Array(row) = row else { return None };
                if inner.as_ref().is_some_and(|dims| *dims != row.dims) {
                    return None;
                }
                inner = Some(row.dims.clone());
                elements.extend(&row.elements);
            }
            let mut dims = vec![rows.len()];
            dims.extend(inner.unwrap_or_default());
            Some(Value::Array(Array { dims, elements }))
        }
        _ => None,
    }
}

/// A value as JSON.
pub(super) fn to_json(value: &Value) -> Json {
    match value {
        Value::Scalar(value) => json!(value),
        Value::Array(array) => nested(&array.dims, &array.elements),
    }
}

fn nested(dims: &[usize], elements: &[i64]) -> Json {
    match dims {
        [_, inner @ ..] if !inner.is_empty() => {
            let size: usize = inner.iter().product();
            if size == 0 {
                return json!([]);
            }
            Json::Array(elements.chunks(size).map(|row| nested(inner, row)).collect())
        }
        _ => json!(elements),
    }
}

/// The bytes of the file of a variant.
pub(super) fn write(normalisation: &Normalisation, form: &Form<'_>, values: &Values) -> Result<Vec<u8>, String> {
    match form {
        Form::Json => {
            let mut object = Map::new();
            for id in normalisation.ids(Role::Input) {
                if let Some(value) = values.get(id) {
                    object.insert(normalisation.param(id).name.clone(), to_json(value));
                }
            }
            Ok(format!("{}\n", Json::Object(object)).into_bytes())
        }
        Form::Own { codec, .. } => codec.write(normalisation, values),
        Form::Tiff { photometric, others } => {
            let mut named: BTreeMap<&str, &Value> = others.iter().map(|(name, value)| (name.as_str(), value)).collect();
            for id in normalisation.ids(Role::Input) {
                if let Some(value) = values.get(id) {
                    named.insert(&normalisation.param(id).name, value);
                }
            }
            tiff::write(&named, *photometric)
        }
    }
}
