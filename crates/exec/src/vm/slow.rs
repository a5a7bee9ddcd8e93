//! What instructions do off the fast path: refusals with their reasons, accesses of any type, storage of arrays.

use super::arithmetic;
use super::bytecode::Op;
use super::compile::aliasing::allows;
use super::machine::Machine;
use super::stop::Stop;
use super::value::{Class, Value};
use crate::memory::address::FIRST_SLOT;
use crate::memory::{Address, Checked, Fault, ObjectKind, State};
use diagnostics::Rule;
use ir::{BinaryOp, EntityRef, FloatKind, FunctionId, GlobalId, IntKind, LocalId, TypeId};

/// What is wrong with an operation on integers that a specialised instruction refused.
#[cold]
#[inline(never)]
pub(super) fn refuse(op: BinaryOp, kind: IntKind, a: u64, b: u64) -> Stop {
    let value = |bits| Value::unsigned(bits).as_int(kind);
    // The right operand of a shift may have another type; as a signed number it is the same for all that can fail.
    let right_kind = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) { IntKind::Long } else { kind };
    let right = Value::unsigned(b).as_int(right_kind);
    match ir::arith::binary(op, kind, value(a), right_kind, right) {
        Err(undefined) => Stop::Fault(undefined.into()),
        Ok(value) => {
            unreachable!("{op:?} on {kind:?} should be undefined, because the instruction refused it ({value})")
        }
    }
}

#[cold]
#[inline(never)]
pub(super) fn bad_index(index: u64, bound: u64) -> Stop {
    let index = index as i64;
    Stop::fault(Rule::OutOfBounds, format!("index {index} of an array of {bound} elements"))
}

#[cold]
#[inline(never)]
pub(super) fn scaled_too_far(index: u64, scale: u64) -> Stop {
    let message = format!("index {} times {scale} bytes leads outside of every object", index as i64);
    Stop::fault(Rule::OutOfBounds, message)
}

impl Machine<'_> {
    /// Goes on after a load of bytes that were never all written, if the next instruction stores them and nobody else
    /// sees them: `t.a = s.a` copies a member as `t = s` would, and its bytes stay unwritten. Using them is a fault then.
    #[cold]
    pub(super) fn move_unset(&mut self, fault: Box<Fault>, reg: u16, from: Address, length: u64) -> Result<(), Stop> {
        use Op::*;
        let frame = self.frames.last().expect("a frame should be running");
        let base = frame.base as usize;
        let at = |reg: u16| self.registers[base + usize::from(reg)];
        let to = match frame.code.ops[frame.pc as usize] {
            _ if fault.rule != Rule::UninitialisedRead || u32::from(reg) < frame.code.temporaries => None,
            Store16(v, a, o) if v == reg && a != reg && length == 2 => Some(Address(at(a)).plus(o as i64 as u64)),
            Store32(v, a, o) if v == reg && a != reg && length == 4 => Some(Address(at(a)).plus(o as i64 as u64)),
            Store64(v, a, o) if v == reg && a != reg && length == 8 => Some(Address(at(a)).plus(o as i64 as u64)),
            _ => None,
        };
        match to {
            // An address that is not aligned is for the store itself to refuse.
            Some(to) if to.0.is_multiple_of(length) => {
                self.memory.copy(to, from, length)?;
                self.frames.last_mut().expect("a frame should be running").pc += 1;
                Ok(())
            }
            _ => Err(fault.into()),
        }
    }

    /// Whether the code after a load of one byte does nothing with it but store it again: a copy made by hand, which
    /// may include padding and members that were never set, and is as defined as `memcpy`. Straight code is looked
    /// through as far as it consists of moves, loads, stores and steps of pointers and counters.
    #[cold]
    pub(super) fn only_moved(&self, reg: u16) -> bool {
        use Op::*;
        const FAR: usize = 24;
        let frame = self.frames.last().expect("a frame should be running");
        let mut copies = vec![reg];
        for op in frame.code.ops.iter().skip(frame.pc as usize).take(FAR) {
            let (reads, writes): (Vec<u16>, Option<u16>) = match *op {
                Store8(v, a, _) if copies.contains(&v) && !copies.contains(&a) => return true,
                StoreX8(v, a, i, _, _) if copies.contains(&v) && !copies.contains(&a) && !copies.contains(&i) => {
                    return true;
                }
                StoreG8(v, _, _) if copies.contains(&v) => return true,
                StoreGX8(v, i, _, _, _) if copies.contains(&v) && !copies.contains(&i) => return true,
                Mov(d, a) | SignExtend8(d, a) | ZeroExtend8(d, a) if copies.contains(&a) => {
                    copies.push(d);
                    continue;
                }
                Mov(d, a) | Member(d, a, _) | IndexK(d, a, _) => (vec![a], Some(d)),
                // A byte that was never written reads as zero here.
                CheckBool(_) => continue,
                Const(d, _) => (vec![], Some(d)),
                AddI32K(d, a, _)
                | AddI64K(d, a, _)
                | AddU32K(d, a, _)
                | AddU64K(d, a, _)
                | SubI32K(d, a, _)
                | SubI64K(d, a, _)
                | SignExtend32(d, a)
                | ZeroExtend32(d, a) => (vec![a], Some(d)),
                Index(d, a, i, _) => (vec![a, i], Some(d)),
                LoadI8(d, a, _) | LoadU8(d, a, _) | LoadI32(d, a, _) | Load64(d, a, _) => (vec![a], Some(d)),
                LoadXI8(d, a, i, _, _) | LoadXU8(d, a, i, _, _) => (vec![a, i], Some(d)),
                LoadG64(d, _, _) => (vec![], Some(d)),
                Store8(v, a, _) | Store32(v, a, _) | Store64(v, a, _) => (vec![v, a], None),
                StoreX8(v, a, i, _, _) => (vec![v, a, i], None),
                _ => return false,
            };
            if reads.iter().any(|reg| copies.contains(reg)) {
                return false;
            }
            if let Some(written) = writes {
                copies.retain(|&copy| copy != written);
            }
        }
        false
    }

    /// Makes sure that the object at an address, if it was declared, may be accessed as a type.
    pub(super) fn judge_type(&self, address: Address, ty: TypeId) -> Checked<()> {
        let Some(info) = self.memory.info(address) else { return Ok(()) };
        let declared = match info.kind {
            ObjectKind::Global => {
                self.program().globals.get(GlobalId::new(address.slot() - FIRST_SLOT)).map(|global| global.ty)
            }
            ObjectKind::Local => self.type_of_local(address),
            _ => None,
        };
        let (Some(declared), Ok(offset)) = (declared, u64::try_from(info.offset)) else { return Ok(()) };
        if info.state != State::Live || allows(self.types(), declared, offset, ty) {
            return Ok(());
        }
        let message = format!(
            "{} is accessed at offset {offset} as `{}`, and is declared as `{}`",
            info.title(),
            ir::c_type(self.program(), None, ty),
            ir::c_type(self.program(), None, declared)
        );
        Err(self.memory.explain(address, Fault::new(Rule::StrictAliasing, message)))
    }

    /// The type that a local was declared with, if its call is among the last ones.
    fn type_of_local(&self, address: Address) -> Option<TypeId> {
        const CALLS: usize = 64;
        self.frames.iter().rev().take(CALLS).find_map(|frame| {
            let object = frame.code.objects.iter().find(|object| {
                let base = Address(self.registers[frame.base as usize + usize::from(object.reg)]);
                base.slot() == address.slot()
            })?;
            Some(self.program().functions[frame.code.function].locals[object.local?].ty)
        })
    }

    #[cold]
    pub(super) fn refuse_negation(&self, kind: IntKind) -> Checked<Stop> {
        ir::arith::negate(kind, kind.min())?;
        Ok(Stop::unsupported("a negation that is defined"))
    }

    #[cold]
    pub(super) fn returned_anyway(&self, function: FunctionId) -> Stop {
        let name = self.function_name(function);
        Stop::fault(Rule::NoreturnReturned, format!("`{name}` returns, and is declared never to"))
    }

    #[cold]
    pub(super) fn unassigned(&self, local: LocalId) -> Stop {
        let frame = self.frames.last().expect("a frame should be running");
        let local = &self.program().functions[frame.code.function].locals[local];
        let name = if local.name.is_empty() { "a temporary" } else { &local.name };
        let fault = Fault::new(Rule::UninitialisedRead, format!("`{name}` is read and has no value yet"));
        Stop::Fault(fault.with_note(local.span, format!("`{name}` is declared here")))
    }

    pub(super) fn load_any(&self, class: Class, unaligned: bool, address: Address) -> Checked<Value> {
        let align = if unaligned { 1 } else { class.bytes() };
        let bits = match class {
            // Six of the sixteen bytes of a `long double` are padding.
            Class::Float(FloatKind::Extended) => self.memory.load_bits(address, 0, 80)?,
            _ => match class.bytes() {
                1 => u128::from(u8::from_le_bytes(self.memory.load(address, align)?)),
                2 => u128::from(u16::from_le_bytes(self.memory.load(address, align)?)),
                4 => u128::from(u32::from_le_bytes(self.memory.load(address, align)?)),
                8 => u128::from(u64::from_le_bytes(self.memory.load(address, align)?)),
                _ => u128::from_le_bytes(self.memory.load(address, align)?),
            },
        };
        Ok(Value::from_memory(class, bits))
    }

    pub(super) fn store_any(&mut self, class: Class, unaligned: bool, address: Address, value: Value) -> Checked<()> {
        let align = if unaligned { 1 } else { class.bytes() };
        match class {
            Class::Float(FloatKind::Extended) => self.memory.store_bits(address, 0, 80, value.0),
            _ => match class.bytes() {
                1 => self.memory.store(address, align, (value.0 as u8).to_le_bytes()),
                2 => self.memory.store(address, align, (value.0 as u16).to_le_bytes()),
                4 => self.memory.store(address, align, (value.0 as u32).to_le_bytes()),
                8 => self.memory.store(address, align, (value.0 as u64).to_le_bytes()),
                _ => self.memory.store(address, align, value.0.to_le_bytes()),
            },
        }
    }

    /// The storage of an array of variable length, in place of an earlier one of the same declaration.
    pub(super) fn make_array(&mut self, old: Address, size: u64, local: LocalId) -> Result<Address, Stop> {
        let span = self.span();
        if !old.is_null() {
            self.memory.end_object(old, span);
        }
        let frame = self.frames.last().expect("a frame should be running");
        let local = &self.program().functions[frame.code.function].locals[local];
        if (size as i64) <= 0 {
            let message = format!("`{}` is declared with a size of {} bytes", local.name, size as i64);
            return Err(Stop::fault(Rule::OutOfBounds, message));
        }
        let align = self.types().align_of(local.ty);
        Ok(self.memory.push_object(ObjectKind::Dynamic, size, align, false, &local.name, local.span)?)
    }
}

#[cold]
pub(super) fn refuse_conversion(value: f64, kind: IntKind) -> Checked<()> {
    arithmetic::convert(Class::Float(FloatKind::Double), Class::Int(kind), Value::double(value)).map(|_| ())
}
