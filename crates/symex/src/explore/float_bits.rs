//! The bits of floating terms, for programs that look at them through a union, a cast or `memcpy`.
//!
//! The solver has floats of bits and no bits of floats, because a NaN has many encodings. So the bits are a new symbol that
//! must encode the value. It takes the place of the float in memory, and all later reads agree with each other.
//!
//! *Guarantee*: every encoding that the machine may have chosen is possible. Two copies of a NaN may get different bits, which
//! is more than a run shows and never less.

use super::memory::{Cell, Content, ObjectId};
use super::step::Step;
use super::value::{Float, Integer, Value};
use crate::floating::format;
use ir::{FloatKind, IntKind};
use smt::TermId;
use std::rc::Rc;

impl Step<'_, '_> {
    /// Gives bits to the floating terms in a range.
    pub(super) fn spell_floats(&mut self, object: ObjectId, at: u64, size: u64) {
        for (start, cell) in self.state.memory.get(object).cells_in(at, size) {
            self.spell(object, start, &cell);
        }
    }

    /// Gives bits to the floating terms that lie in a range in part, before the range is written or copied.
    pub(super) fn spell_floats_across(&mut self, object: ObjectId, at: u64, size: u64) {
        for (start, cell) in self.state.memory.get(object).cells_in(at, size) {
            if start < at || start + cell.size > at + size {
                self.spell(object, start, &cell);
            }
        }
    }

    fn spell(&mut self, object: ObjectId, start: u64, cell: &Cell) {
        let Content::Scalar(Value::Float(Float::Symbolic(kind, term))) = &cell.content else { return };
        let as_integer = match kind {
            FloatKind::Float => IntKind::UInt,
            FloatKind::Double => IntKind::ULong,
            // The bytes of the x87 format are no encoding that the solver knows.
            FloatKind::Extended => return,
        };
        if let Some(bits) = self.bits_of(*term, *kind, as_integer, object, start) {
            let content = Content::Scalar(Value::Int(bits));
            self.state.memory.get_mut(object).put_cell(start, Cell { size: cell.size, content });
        }
    }

    /// A symbol that encodes the term. The model of the path is extended by it, so that nobody need be asked.
    fn bits_of(
        &mut self,
        term: TermId,
        kind: FloatKind,
        as_integer: IntKind,
        object: ObjectId,
        start: u64,
    ) -> Option<Integer> {
        let pool = self.engine.pool.clone();
        let smt::Value::Float(value) = self.state.model.value(term).ok()? else { return None };
        let (place, steps) = (self.span.lo, self.state.steps);
        let name = format!("bits of {term:?} in {object:?} from {start} at {place} after {steps}");
        let bits = pool.var(&name, pool.bitvec_sort(as_integer.bits()));
        let symbol = *self.engine.feasibility.symbols(bits).first()?;
        let literal = pool.bits(as_integer.bits(), value.to_bits());
        let encoding = self.state.model.value(literal).ok()?;
        self.state.model = Rc::new(self.state.model.with(&[(symbol, encoding)]));
        self.learn(pool.eq(pool.fp_from_bits(bits, format(kind)), term));
        Some(Integer::Symbolic(super::arithmetic::machine(&pool).of_type(bits, as_integer)))
    }
}
