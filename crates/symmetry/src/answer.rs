//! What a program answers, and when two answers count as equal.

use algebra::permutation::Permutation;
use std::cmp::Ordering;
use std::fmt;

/// One output position.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Int(i128),
    Float(f64),
    /// What is no number, in a form in which equal values have equal texts.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(int) => write!(f, "{int}"),
            Value::Float(float) => write!(f, "{float}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

/// One of the things a program answers: the value it returns, an array it fills.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    pub name: String,
    pub values: Vec<Value>,
    /// Whether it is one value rather than a list that happens to have one.
    pub scalar: bool,
}

/// All of them, for one input. The output positions are those of the objects, one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    pub objects: Vec<Object>,
}

/// When two answers are equal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Compare {
    /// Every position; a NaN equals a NaN, and zeros of both signs are equal.
    Exact,
    /// Every object as a collection without order.
    Multiset,
    /// Floating values may differ by this much, relative to the larger if that exceeds one.
    Tolerance(f64),
}

impl Compare {
    pub fn parse(text: &str) -> Result<Compare, String> {
        match text.split_once('=') {
            None if text == "exact" => Ok(Compare::Exact),
            None if text == "multiset" => Ok(Compare::Multiset),
            Some(("tolerance", number)) => match number.parse::<f64>() {
                Ok(value) if value >= 0.0 && value.is_finite() => Ok(Compare::Tolerance(value)),
                _ => Err(format!("`{number}` is not a tolerance")),
            },
            _ => Err(format!("`{text}` is none of exact, multiset, tolerance=EPSILON")),
        }
    }

    pub fn equal(self, a: &Value, b: &Value) -> bool {
        let (a, b) = match (a, b) {
            (Value::Int(a), Value::Int(b)) => return a == b,
            (Value::Text(a), Value::Text(b)) => return a == b,
            (Value::Text(_), _) | (_, Value::Text(_)) => return false,
            // A language without integers may write 1 as 1.0.
            (a, b) => (float(a), float(b)),
        };
        let near = match self {
            Compare::Tolerance(epsilon) => (a - b).abs() <= epsilon * a.abs().max(b.abs()).max(1.0),
            _ => false,
        };
        a == b || near || a.is_nan() && b.is_nan()
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Int(int) => *int as f64,
        Value::Float(float) => *float,
        Value::Text(_) => f64::NAN,
    }
}

fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Text(_), _) => Ordering::Greater,
        (_, Value::Text(_)) => Ordering::Less,
        // Adding zero takes the sign off a zero.
        (a, b) => (float(a) + 0.0).total_cmp(&(float(b) + 0.0)),
    }
}

impl Answer {
    pub fn positions(&self) -> usize {
        self.objects.iter().map(|o| o.values.len()).sum()
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().flat_map(|object| &object.values)
    }

    /// Whether this is `eta.of`: the other's positions permuted.
    pub fn is_permuted(&self, of: &Answer, eta: &Permutation, compare: Compare) -> bool {
        let alike = |a: &Object, b: &Object| a.name == b.name && a.values.len() == b.values.len();
        let same_form =
            self.objects.len() == of.objects.len() && self.objects.iter().zip(&of.objects).all(|(a, b)| alike(a, b));
        // An answer of another form than the relation was made for equals nothing, unless nothing is permuted.
        if !same_form || (eta.len() != of.positions() && !eta.is_identity()) {
            return false;
        }
        let values: Vec<&Value> = of.values().collect();
        let expected: Vec<&Value> = match eta.is_identity() {
            true => values,
            false => eta.apply(&values),
        };
        let mut start = 0;
        self.objects.iter().all(|object| {
            let wanted = &expected[start..start + object.values.len()];
            start += object.values.len();
            if compare == Compare::Multiset {
                let sorted = |mut values: Vec<&Value>| -> Vec<Value> {
                    values.sort_by(|a, b| order(a, b));
                    values.into_iter().cloned().collect()
                };
                let (a, b) = (sorted(object.values.iter().collect()), sorted(wanted.to_vec()));
                return a.iter().zip(&b).all(|(a, b)| compare.equal(a, b));
            }
            object.values.iter().zip(wanted).all(|(a, b)| compare.equal(a, b))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(values: &[Value]) -> Answer {
        Answer { objects: vec![Object { name: "A".into(), values: values.to_vec(), scalar: false }] }
    }

    #[test]
    fn answers_are_compared_as_asked() {
        let swap = Permutation::tau(2);
        let id = Permutation::identity(2);
        let (one, two) = (Value::Int(1), Value::Int(2));
        let (ab, ba) = (answer(&[one.clone(), two.clone()]), answer(&[two, one.clone()]));
        assert!(ab.is_permuted(&ba, &swap, Compare::Exact));
        assert!(!ab.is_permuted(&ba, &id, Compare::Exact));
        assert!(ab.is_permuted(&ba, &id, Compare::Multiset));
        assert!(!ab.is_permuted(&answer(&[one]), &id, Compare::Multiset));
        let tolerance = Compare::parse("tolerance=1e-6").unwrap();
        assert!(tolerance.equal(&Value::Float(1e9), &Value::Float(1e9 + 1.0)));
        assert!(!tolerance.equal(&Value::Float(1.0), &Value::Float(1.1)));
        assert!(Compare::Exact.equal(&Value::Float(f64::NAN), &Value::Float(f64::NAN)));
        assert!(Compare::Exact.equal(&Value::Float(-0.0), &Value::Float(0.0)));
        assert!(Compare::parse("roughly").is_err() && Compare::parse("tolerance=-1").is_err());
    }
}
