//! Values as the user writes them: ranges and sets for parameters, and files of inputs.

use super::Parameter;
use exec::{Input, Scalar, parse_integer};

/// The values that the user allows a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Both ends included.
    Range {
        low: i128,
        high: i128,
    },
    /// Both ends included; only quotients by powers of two are tried.
    Reals {
        low: f64,
        high: f64,
    },
    Set(Vec<Scalar>),
}

impl Values {
    /// Reads `x=0..300` or `x=1,2,5`.
    pub fn parse(text: &str) -> Result<(String, Values), String> {
        let wanted = "write it as `x=0..300` or `x=1,2,5`";
        let (name, values) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`: {wanted}"))?;
        let (name, values) = (name.trim(), values.trim());
        if name.is_empty() || values.is_empty() {
            return Err(format!("`{text}` lacks a name or values: {wanted}"));
        }
        let Some((low, high)) = values.split_once("..") else {
            let set: Result<Vec<Scalar>, String> = values.split(',').map(|value| scalar(value.trim())).collect();
            return Ok((name.to_string(), Values::Set(set?)));
        };
        let values = match (scalar(low.trim())?, scalar(high.trim_start_matches('=').trim())?) {
            (Scalar::Int(low), Scalar::Int(high)) if low <= high => Values::Range { low, high },
            (Scalar::Int(_), Scalar::Int(_)) => return Err(format!("the range `{values}` of `{name}` is empty")),
            (low, high) => {
                let (low, high) = (real(low), real(high));
                if low > high || !low.is_finite() || !high.is_finite() {
                    return Err(format!("the range `{values}` of `{name}` is empty"));
                }
                Values::Reals { low, high }
            }
        };
        Ok((name.to_string(), values))
    }
}

pub(super) fn real(value: Scalar) -> f64 {
    match value {
        Scalar::Int(value) => value as f64,
        Scalar::Float(value) => value,
    }
}

fn scalar(text: &str) -> Result<Scalar, String> {
    if let Some(value) = parse_integer(text) {
        return Ok(Scalar::Int(value));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Scalar::Float(value)),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// Reads inputs, one a line: values separated by spaces, commas or semicolons; `#` starts a comment. Values beyond the
/// parameters are answers to `nondet`.
pub fn parse_inputs(text: &str, parameters: &[Parameter]) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty());
        let values: Result<Vec<Scalar>, String> = words.map(scalar).collect();
        let mut values = values.map_err(|why| format!("line {}: {why}", index + 1))?;
        if values.is_empty() && !line.contains([',', ';']) {
            continue;
        }
        if values.len() < parameters.len() {
            let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
            let given = values.len();
            return Err(format!("line {}: {given} values for {} ({})", index + 1, parameters.len(), names.join(", ")));
        }
        let nondet = values.split_off(parameters.len());
        inputs.push(Input { params: values, nondet, ..Input::default() });
    }
    Ok(inputs)
}

pub(super) fn whole(value: &Scalar) -> Option<i128> {
    match value {
        Scalar::Int(value) => Some(*value),
        Scalar::Float(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::ValueType;
    use ir::IntKind;

    #[test]
    fn ranges_sets_and_mistakes() {
        let parse = |text: &str| Values::parse(text).map(|(_, values)| values);
        assert_eq!(parse("x = -3..300"), Ok(Values::Range { low: -3, high: 300 }));
        assert_eq!(parse("x=0.5..2"), Ok(Values::Reals { low: 0.5, high: 2.0 }));
        assert_eq!(parse("x=1,2,0x10"), Ok(Values::Set([1, 2, 16].map(Scalar::Int).to_vec())));
        for wrong in ["x", "=3", "x=", "x=5..2", "x=a..b", "x=1,,2", "x=nan"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_of_inputs() {
        let parameters = [("x", IntKind::Int), ("y", IntKind::Int)]
            .map(|(name, kind)| Parameter { name: name.to_string(), ty: ValueType::Int(kind) });
        let read = parse_inputs("# two runs\n1, 2\n\n-3;4;9 # and an answer\n", &parameters).unwrap();
        assert_eq!((read.len(), read[1].params.len(), read[1].nondet.len()), (2, 2, 1));
        let short = parse_inputs("1 2\n3\n", &parameters).unwrap_err();
        assert_eq!(short, "line 2: 1 values for 2 (x, y)");
        assert_eq!(parse_inputs("1 two\n", &parameters).unwrap_err(), "line 1: `two` is not a number");
    }
}
