//! Values of parameters: what a representation and a canonical value consist of, and their bytes.

use super::formula::ParamId;
use super::language::{Normalisation, Role};
use exec::Scalar;
use exec::vm::Given;
use ir::IntKind;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Scalar(i64),
    Array(Array),
}

/// The elements row by row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    pub dims: Vec<usize>,
    pub elements: Vec<i64>,
}

impl Array {
    pub fn new(dims: Vec<usize>) -> Array {
        let length = dims.iter().product();
        Array { dims, elements: vec![0; length] }
    }

    /// Where an element is, if the indices lie inside.
    pub fn offset(&self, indices: &[i128]) -> Option<usize> {
        let mut offset = 0usize;
        for (&index, &dim) in indices.iter().zip(&self.dims) {
            let index = usize::try_from(index).ok().filter(|i| *i < dim)?;
            offset = offset * dim + index;
        }
        Some(offset)
    }
}

/// A value for each parameter that has one, by position.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Values(pub Vec<Option<Value>>);

impl Values {
    pub fn empty(normalisation: &Normalisation) -> Values {
        Values(vec![None; normalisation.params.len()])
    }

    pub fn get(&self, id: ParamId) -> Option<&Value> {
        self.0[id.0 as usize].as_ref()
    }

    pub fn set(&mut self, id: ParamId, value: Value) {
        self.0[id.0 as usize] = Some(value);
    }

    pub fn scalar(&self, id: ParamId) -> Option<i64> {
        match self.get(id) {
            Some(Value::Scalar(value)) => Some(*value),
            _ => None,
        }
    }

    pub fn array(&self, id: ParamId) -> Option<&Array> {
        match self.get(id) {
            Some(Value::Array(array)) => Some(array),
            _ => None,
        }
    }

    /// The bytes in memory of what a parameter has.
    pub fn bytes(&self, normalisation: &Normalisation, id: ParamId) -> Vec<u8> {
        let kind = normalisation.param(id).kind;
        match self.get(id) {
            Some(Value::Array(array)) => to_bytes(kind, &array.elements),
            Some(Value::Scalar(value)) => to_bytes(kind, &[*value]),
            None => Vec::new(),
        }
    }

    /// What a function is given for an input; its bytes are those of [`Values::bytes`].
    pub fn given<'b>(&self, normalisation: &Normalisation, id: ParamId, bytes: &'b [u8]) -> Given<'b> {
        match self.scalar(id) {
            Some(value) if !normalisation.param(id).pointer => Given::Scalar(Scalar::Int(i128::from(value))),
            _ => Given::Object(bytes),
        }
    }

    /// Only what belongs to one side.
    pub fn of_role(&self, normalisation: &Normalisation, role: Role) -> Values {
        let mut values = Values::empty(normalisation);
        for id in normalisation.ids(role) {
            values.0[id.0 as usize] = self.0[id.0 as usize].clone();
        }
        values
    }
}

/// The bytes of elements in memory.
fn to_bytes(kind: IntKind, elements: &[i64]) -> Vec<u8> {
    let width = kind.bytes() as usize;
    if width == 1 {
        return elements.iter().map(|&e| e as u8).collect();
    }
    elements.iter().flat_map(|e| i128::from(*e).to_le_bytes().into_iter().take(width)).collect()
}

pub fn from_bytes(kind: IntKind, bytes: &[u8]) -> Vec<i64> {
    let width = kind.bytes() as usize;
    match kind {
        IntKind::UChar => bytes.iter().map(|&b| i64::from(b)).collect(),
        _ => bytes
            .chunks_exact(width)
            .map(|chunk| {
                let mut word = [0u8; 16];
                word[..width].copy_from_slice(chunk);
                kind.wrap(i128::from_le_bytes(word)) as i64
            })
            .collect(),
    }
}

/// Any value of the type: all are as likely for small types, small ones likelier for large types, so that sums and
/// differences with other values rarely overflow.
pub fn arbitrary(kind: IntKind, random: &mut fastrand::Rng) -> i64 {
    let (low, high) = match kind.bits() {
        bits if bits <= 16 => (kind.min() as i64, kind.max() as i64),
        _ if kind.is_signed() => (-1000, 1000),
        _ => (0, 2000),
    };
    random.i64(low..=high)
}

/// Whether an integer is a value of the type and of ours.
pub fn fits(kind: IntKind, value: i128) -> bool {
    kind.contains(value) && i64::try_from(value).is_ok()
}
