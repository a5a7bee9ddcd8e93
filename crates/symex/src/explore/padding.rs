//! The bytes of an object that belong to no member. C lets them hold anything after an assignment, a call or a return
//! that copies a record (C17 6.2.6.1p6), and optimisers make use of that. They are symbols here: whoever looks at them
//! finds some value, and nothing is proved of it.

use super::access::Place;
use super::memory::{Cell, Content, ObjectId};
use super::step::{Eval, Step};
use super::value::{Integer, Value};
use ir::{FloatKind, IntKind, Type, TypeId, Types};

/// Larger objects are taken to have none.
const LARGEST: u64 = 1 << 14;
/// Bytes of a `long double` that hold its value.
const EXTENDED_BYTES: u64 = 10;

impl Step<'_, '_> {
    /// Copies a record or an array as assignments do.
    pub fn copy_value(&mut self, to: &Place, from: &Place, ty: TypeId, size: u64) -> Eval<()> {
        self.copy(to, from, size)?;
        let gaps = gaps(&self.engine.program.types, ty, size);
        if !gaps.is_empty() {
            let at = self.fixed(to, size, true)?;
            self.scramble(to.object, at, &gaps);
        }
        Ok(())
    }

    /// A new object of the type: its members have no values, and its padding has any.
    pub fn scramble_padding(&mut self, object: ObjectId, ty: TypeId) {
        let size = self.state.memory.get(object).size;
        let gaps = gaps(&self.engine.program.types, ty, size);
        self.scramble(object, 0, &gaps);
    }

    /// What a `long double` that was stored leaves behind its value.
    pub fn scramble_extended(&mut self, object: ObjectId, at: u64) {
        let gaps: Vec<u64> = (EXTENDED_BYTES..16).collect();
        self.scramble(object, at, &gaps);
    }

    fn scramble(&mut self, object: ObjectId, at: u64, gaps: &[u64]) {
        let pool = self.engine.pool.clone();
        for gap in gaps {
            let name = format!("padding {}", self.engine.fresh_number());
            let byte = pool.var(&name, pool.bitvec_sort(8));
            let byte = Integer::Symbolic(super::arithmetic::machine(&pool).of_type(byte, IntKind::UChar));
            let object = self.state.memory.get_mut(object);
            super::access::break_up(&pool, object, at + gap, 1);
            object.put_cell(at + gap, Cell { size: 1, content: Content::Scalar(Value::Int(byte)) });
        }
    }
}

/// The offsets of the bytes of a type that no scalar inside it covers.
fn gaps(types: &Types, ty: TypeId, size: u64) -> Vec<u64> {
    if size > LARGEST || !matches!(types.get(types.innermost(ty)), Type::Record(_)) {
        return Vec::new();
    }
    let mut covered = vec![false; size as usize];
    cover(types, ty, 0, &mut covered);
    (0..size).filter(|at| !covered[*at as usize]).collect()
}

fn cover(types: &Types, ty: TypeId, at: u64, covered: &mut [bool]) {
    let mark = |covered: &mut [bool], from: u64, to: u64| {
        let bytes = covered.iter_mut().take((at + to) as usize).skip((at + from) as usize);
        bytes.for_each(|byte| *byte = true);
    };
    match types.get(ty) {
        Type::Float(FloatKind::Extended) => mark(covered, 0, EXTENDED_BYTES),
        Type::Record(id) => {
            for field in types.records[*id].fields.iter().flatten() {
                match field.bits {
                    Some(bits) => mark(covered, bits.offset / 8, (bits.offset + u64::from(bits.width)).div_ceil(8)),
                    None => cover(types, field.ty, at + field.offset, covered),
                }
            }
        }
        Type::Array { of, .. } => match (types.size_of(ty), types.size_of(*of)) {
            (Some(whole), Some(size @ 1..)) => {
                (0..whole / size).for_each(|k| cover(types, *of, at + k * size, covered));
            }
            // An array without a length at the end: it has whatever is left.
            _ => mark(covered, 0, u64::from(u32::MAX)),
        },
        _ => mark(covered, 0, types.size_of(ty).unwrap_or(0)),
    }
}
