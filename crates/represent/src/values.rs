//! Values of parameters: what a representation and a canonical value consist of, and their bytes.

use super::formula::ParamId;
use super::language::{Normalisation, Role};
use exec::Scalar;
use exec::vm::Given;
use ir::IntKind;
use std::sync::Arc;

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

    /// The indices of the element there.
    pub fn indices(&self, mut offset: usize) -> Vec<usize> {
        let mut indices = vec![0; self.dims.len()];
        for (index, &dim) in indices.iter_mut().zip(&self.dims).rev() {
            (*index, offset) = (offset % dim, offset / dim);
        }
        indices
    }
}

/// A value for each parameter that has one, by position. Copies share what neither has changed: canonical values are large
/// and every run of an inverse needs them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Values(Vec<Option<Arc<Value>>>);

impl Values {
    pub fn empty(normalisation: &Normalisation) -> Values {
        Values(vec![None; normalisation.params.len()])
    }

    pub fn get(&self, id: ParamId) -> Option<&Value> {
        self.0[id.0 as usize].as_deref()
    }

    pub fn set(&mut self, id: ParamId, value: Value) {
        self.0[id.0 as usize] = Some(Arc::new(value));
    }

    pub fn array_mut(&mut self, id: ParamId) -> Option<&mut Array> {
        match self.0[id.0 as usize].as_mut().map(Arc::make_mut) {
            Some(Value::Array(array)) => Some(array),
            _ => None,
        }
    }

    /// Takes an array away.
    pub fn take_array(&mut self, id: ParamId) -> Option<Array> {
        match self.0[id.0 as usize].take().map(Arc::unwrap_or_clone) {
            Some(Value::Array(array)) => Some(array),
            _ => None,
        }
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
    fn packed<const N: usize>(elements: &[i64], pack: impl Fn(i64) -> [u8; N]) -> Vec<u8> {
        elements.iter().map(|&e| pack(e)).collect::<Vec<_>>().into_flattened()
    }
    match kind.bytes() {
        1 => packed(elements, |e| [e as u8]),
        2 => packed(elements, |e| (e as u16).to_le_bytes()),
        4 => packed(elements, |e| (e as u32).to_le_bytes()),
        8 => packed(elements, |e| e.to_le_bytes()),
        _ => packed(elements, |e| i128::from(e).to_le_bytes()),
    }
}

pub fn from_bytes(kind: IntKind, bytes: &[u8]) -> Vec<i64> {
    let element = |chunk: &[u8]| {
        let mut word = [0u8; 16];
        word[..chunk.len()].copy_from_slice(chunk);
        kind.wrap(i128::from_le_bytes(word)) as i64
    };
    bytes.chunks_exact(kind.bytes() as usize).map(element).collect()
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
