//! Going on after a finding.
//!
//! What follows undefined behaviour means nothing to C, yet whoever has a hundred findings wants to see more than the
//! first. So an operation that C leaves undefined is given a result here, and the run goes on: the one that code compiled
//! for x86-64 without optimisation would most likely have, where that keeps our memory in order.
//!
//! | what happened | how it goes on |
//! |---|---|
//! | signed overflow | the result wraps |
//! | shift too far, or into the sign bit | the amount counts modulo the width |
//! | conversion that does not fit | the least value of the type |
//! | read of bytes nobody wrote | they are zero from here on |
//! | read outside of objects, or of ended ones | zero |
//! | write outside of objects, or to ended ones | has no effect |
//! | misaligned access | is made |
//! | pointer arithmetic out of an object, comparison of two | done on the addresses |
//! | a call of the library that is wrong | has no effect and gives zero |
//! | a call with wrong arguments, a value that was not returned | zero |
//!
//! What a compiled program would not survive ends the run all the same: a null pointer followed, a division by zero, a
//! constant written to, an abort.
//!
//! Each finding is told once, by its rule and place. *Guarantee*: the first finding is the one that the run would have
//! stopped at, and as certain; those after it are what this continuation shows, and may be its consequences.

use super::bytecode::{Code, Op, Reg};
use super::machine::Machine;
use super::stop::Stop;
use super::value::{Class, Value};
use crate::memory::{Address, Fault};
use diagnostics::{Finding, Rule, Span};
use ir::arith::{bit_field, wrapping};
use ir::{BinaryOp, IntKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is to be done about findings.
#[derive(Clone)]
pub struct Policy {
    /// Go on after a finding.
    pub keep_going: bool,
    /// What the ABI of x86-64 defines is no finding: pointers are numbers, and accesses need no alignment.
    pub flat: bool,
    /// Bytes that calls and their variables may take together; more is a finding.
    pub stack: u64,
    /// Whether a finding is one that the user does not want to hear of. The run goes on after it.
    pub suppressed: Option<Arc<Suppressed>>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { keep_going: false, flat: false, stack: u64::MAX, suppressed: None }
    }
}

/// Whether a finding is not to be told.
pub type Suppressed = dyn Fn(&Finding) -> bool + Send + Sync;

impl Policy {
    /// Whether the first finding ends the run, whatever it is.
    pub fn stops_at_once(&self) -> bool {
        !self.keep_going && !self.flat && self.suppressed.is_none()
    }
}

/// The findings that a run went past.
#[derive(Default)]
pub(super) struct Passed {
    pub findings: Vec<Finding>,
    /// How many findings were met that are not to be told.
    pub suppressed: u64,
    seen: BTreeSet<(Rule, Span)>,
    /// A fault that the run cannot go on after is on its way up.
    over: bool,
}

/// More different findings than anyone reads end the run.
const MOST_FINDINGS: usize = 1000;

/// Where an instruction reads or writes.
struct Place {
    address: Address,
    class: Class,
    /// Of the value.
    reg: Reg,
    writes: bool,
}

impl<'p> Machine<'p> {
    /// Notes a fault and makes the frames ready to go on after it, if that is wanted and can be; otherwise the fault is
    /// given back.
    #[cold]
    pub(super) fn go_on(&mut self, fault: Box<Fault>, floor: usize) -> Result<(), Stop> {
        if self.passed.over {
            return Err(Stop::Fault(fault));
        }
        let span = self.span();
        let told = !self.policy.flat || !self.is_flat(&fault);
        let finding = self.finding((*fault).clone(), span);
        let suppressed = told && self.policy.suppressed.as_ref().is_some_and(|suppressed| suppressed(&finding));
        let passes = !told || suppressed || self.policy.keep_going;
        if !passes || self.passed.findings.len() >= MOST_FINDINGS || !self.recover(&fault, floor) {
            self.passed.over = true;
            return Err(Stop::Fault(fault));
        }
        if suppressed {
            self.passed.suppressed += 1;
        } else if told && self.passed.seen.insert((finding.rule, finding.span)) {
            self.passed.findings.push(finding);
        }
        Ok(())
    }

    /// Adds findings that do not end a run, but for those that the user does not want to hear of.
    pub(super) fn pass_over(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            if self.policy.suppressed.as_ref().is_some_and(|suppressed| suppressed(&finding)) {
                self.passed.suppressed += 1;
            } else {
                self.passed.findings.push(finding);
            }
        }
    }

    /// Whether a machine whose addresses are numbers defines the operation.
    fn is_flat(&self, fault: &Fault) -> bool {
        let Some(op) = self.faulting().map(|(_, op)| op) else { return false };
        match fault.rule {
            Rule::MisalignedAccess => true,
            Rule::OutOfBounds => matches!(op, Op::Index(..) | Op::IndexK(..) | Op::IndexBy(..)),
            Rule::InvalidPointer => {
                let arithmetic = matches!(op, Op::Index(..) | Op::IndexK(..) | Op::IndexBy(..));
                arithmetic || matches!(op, Op::CheckSame(..) | Op::PointerDiff(..) | Op::PointerDiffBy(..))
            }
            _ => false,
        }
    }

    /// The instruction that refused.
    fn faulting(&self) -> Option<(&'p Code, Op)> {
        let frame = self.frames.last()?;
        let at = (frame.pc as usize).checked_sub(1)?;
        Some((frame.code, *frame.code.ops.get(at)?))
    }

    fn register(&self, reg: Reg) -> u64 {
        self.registers[self.frames.last().map_or(0, |frame| frame.base as usize) + usize::from(reg)]
    }

    fn set_register(&mut self, class: Class, reg: Reg, value: Value) {
        let at = self.frames.last().map_or(0, |frame| frame.base as usize) + usize::from(reg);
        self.registers[at] = value.low();
        if class.is_wide() {
            self.registers[at + 1] = value.high();
        }
    }

    fn value_in(&self, class: Class, reg: Reg) -> Value {
        Value::from_registers(self.register(reg), if class.is_wide() { self.register(reg + 1) } else { 0 })
    }

    /// Gives the instruction that refused a result; `false` if the run cannot go on.
    fn recover(&mut self, fault: &Fault, floor: usize) -> bool {
        use Op::*;
        let deadly = [
            Rule::AssertionFailed,
            Rule::Aborted,
            Rule::DivisionByZero,
            Rule::NullDereference,
            Rule::Deadlock,
            Rule::StackExhausted,
        ];
        if self.frames.len() <= floor || deadly.contains(&fault.rule) || fault.rule == Rule::WriteToConstant {
            return false;
        }
        let Some((code, op)) = self.faulting() else { return false };
        if let Some(place) = self.accessed(&op, code) {
            return self.access_anyway(fault, &place);
        }
        let int = |kind| Class::Int(kind);
        match op {
            AddI32(d, a, b) => self.wrapped(BinaryOp::Add, IntKind::Int, d, a, b),
            AddI64(d, a, b) => self.wrapped(BinaryOp::Add, IntKind::Long, d, a, b),
            SubI32(d, a, b) => self.wrapped(BinaryOp::Sub, IntKind::Int, d, a, b),
            SubI64(d, a, b) => self.wrapped(BinaryOp::Sub, IntKind::Long, d, a, b),
            MulI32(d, a, b) => self.wrapped(BinaryOp::Mul, IntKind::Int, d, a, b),
            MulI64(d, a, b) => self.wrapped(BinaryOp::Mul, IntKind::Long, d, a, b),
            ShlI32(d, a, b) => self.wrapped(BinaryOp::Shl, IntKind::Int, d, a, b),
            ShlI64(d, a, b) => self.wrapped(BinaryOp::Shl, IntKind::Long, d, a, b),
            ShlU32(d, a, b) => self.wrapped(BinaryOp::Shl, IntKind::UInt, d, a, b),
            ShlU64(d, a, b) => self.wrapped(BinaryOp::Shl, IntKind::ULong, d, a, b),
            ShrI32(d, a, b) => self.wrapped(BinaryOp::Shr, IntKind::Int, d, a, b),
            ShrI64(d, a, b) => self.wrapped(BinaryOp::Shr, IntKind::Long, d, a, b),
            ShrU32(d, a, b) => self.wrapped(BinaryOp::Shr, IntKind::UInt, d, a, b),
            ShrU64(d, a, b) => self.wrapped(BinaryOp::Shr, IntKind::ULong, d, a, b),
            AddI32K(d, a, k) => self.wrapped_by(BinaryOp::Add, IntKind::Int, d, a, k),
            AddI64K(d, a, k) => self.wrapped_by(BinaryOp::Add, IntKind::Long, d, a, k),
            SubI32K(d, a, k) => self.wrapped_by(BinaryOp::Sub, IntKind::Int, d, a, k),
            SubI64K(d, a, k) => self.wrapped_by(BinaryOp::Sub, IntKind::Long, d, a, k),
            MulI32K(d, a, k) => self.wrapped_by(BinaryOp::Mul, IntKind::Int, d, a, k),
            MulI64K(d, a, k) => self.wrapped_by(BinaryOp::Mul, IntKind::Long, d, a, k),
            ShlI32K(d, a, k) => self.wrapped_by(BinaryOp::Shl, IntKind::Int, d, a, k),
            ShlI64K(d, a, k) => self.wrapped_by(BinaryOp::Shl, IntKind::Long, d, a, k),
            // Only the least value has no negative; it stays as it is.
            NegI32(d, _) => self.set_register(int(IntKind::Int), d, Value::signed(i64::from(i32::MIN))),
            NegI64(d, _) => self.set_register(int(IntKind::Long), d, Value::signed(i64::MIN)),
            NegAny(kind, d, _) => self.set_register(int(kind), d, Value::int(kind, kind.min())),
            Arith(BinaryOp::Div | BinaryOp::Rem, ..) | DivI32(..) | DivI64(..) | RemI32(..) | RemI64(..) => {
                return false;
            }
            Arith(op, kind, right_kind, d, a, b) => {
                let (left, right) =
                    (self.value_in(int(kind), a).as_int(kind), self.value_in(int(right_kind), b).as_int(right_kind));
                let result = wrapped_result(op, kind, left, right);
                self.set_register(int(kind), d, Value::int(kind, result));
            }
            F64ToI32(d, _) => self.set_register(int(IntKind::Int), d, Value::signed(i64::from(i32::MIN))),
            F64ToI64(d, _) => self.set_register(int(IntKind::Long), d, Value::signed(i64::MIN)),
            Convert(_, class @ Class::Int(kind), d, _) => self.set_register(class, d, Value::int(kind, kind.min())),
            Index(d, a, i, scale) => {
                let target = self.register(a).wrapping_add(self.register(i).wrapping_mul(u64::from(scale)));
                self.set_register(Class::Pointer, d, Value::unsigned(target));
            }
            IndexK(d, a, k) => {
                let target = self.register(a).wrapping_add(i64::from(k) as u64);
                self.set_register(Class::Pointer, d, Value::unsigned(target));
            }
            IndexBy(d, a, i, s) => {
                let target = self.register(a).wrapping_add(self.register(i).wrapping_mul(self.register(s)));
                self.set_register(Class::Pointer, d, Value::unsigned(target));
            }
            PointerDiff(d, a, b, size) => self.difference(d, a, b, i64::from(size)),
            PointerDiffBy(d, a, b, s) => self.difference(d, a, b, self.register(s) as i64),
            MakeArray(d, _, _) => {
                match self.memory.push_object(crate::memory::ObjectKind::Dynamic, 0, 16, false, "", self.span()) {
                    Ok(address) => self.set_register(Class::Pointer, d, Value::pointer(address)),
                    Err(_) => return false,
                }
            }
            CheckAssigned(_, local) => {
                if let Some((reg, class)) = code.homes[ir::EntityRef::index(local)] {
                    self.set_register(class, reg, Value::NONE);
                }
            }
            CheckBool(a) => self.set_register(int(IntKind::Bool), a, Value::unsigned(1)),
            NeverReturns() => {}
            CheckIndex(..) | CheckIndexBy(..) | CheckSame(..) | CheckType(..) | CheckLive(_) | Copy(..) | Zero(..)
            | StoreBits(..) | Unsequenced(_) | OutOfRange(_) | VaStart(_) | VaCopy(..) | VaEnd(_) => {}
            VaArg(d, _, ty) => {
                let class = Class::of(self.types(), ty).unwrap_or(Class::Pointer);
                if Class::of(self.types(), ty).is_none() {
                    return false;
                }
                self.set_register(class, d, Value::NONE);
            }
            Call(_, window, _)
            | CallVariadic(_, window, _, _)
            | CallPointer(_, window, _, _)
            | CallModel(_, window) => {
                self.set_register(Class::Float(ir::FloatKind::Extended), window, Value::NONE);
            }
            Return(_) | ReturnWide(_) | ReturnVoid() | ReturnNothing() | ReturnRecord(..)
                if fault.rule == Rule::BadArgument =>
            {
                // The list is forgotten; now the call returns.
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc -= 1;
                }
            }
            ReturnRecord(..) => {
                let span = self.span();
                self.pop_frame(span);
            }
            _ => return false,
        }
        true
    }

    fn difference(&mut self, d: Reg, a: Reg, b: Reg, size: i64) {
        let bytes = self.register(a).wrapping_sub(self.register(b)) as i64;
        self.set_register(Class::Pointer, d, Value::signed(bytes.checked_div(size).unwrap_or(0)));
    }

    fn wrapped(&mut self, op: BinaryOp, kind: IntKind, d: Reg, a: Reg, b: Reg) {
        let right = self.register(b) as i64;
        self.wrapped_with(op, kind, d, a, right);
    }

    fn wrapped_by(&mut self, op: BinaryOp, kind: IntKind, d: Reg, a: Reg, k: i32) {
        self.wrapped_with(op, kind, d, a, i64::from(k));
    }

    fn wrapped_with(&mut self, op: BinaryOp, kind: IntKind, d: Reg, a: Reg, right: i64) {
        let left = Value::unsigned(self.register(a)).as_int(kind);
        let result = wrapped_result(op, kind, left, i128::from(right));
        self.set_register(Class::Int(kind), d, Value::int(kind, result));
    }

    /// Where a load or store of a scalar goes.
    fn accessed(&self, op: &Op, code: &Code) -> Option<Place> {
        use Op::*;
        let through = |reg, a, o: i32, kind| (reg, self.register(a).wrapping_add(i64::from(o) as u64), kind);
        let indexed = |reg, a, i, s: u32, o: u32, kind| {
            let delta = self.register(i).wrapping_mul(u64::from(s)).wrapping_add(u64::from(o));
            (reg, self.register(a).wrapping_add(delta), kind)
        };
        let global = |slot| self.memory.start_of_slot(slot).0;
        let in_global = |reg, slot, o: u32, kind| (reg, global(slot).wrapping_add(u64::from(o)), kind);
        let element = |reg, i, s: u16, slot, o: u32, kind| {
            let delta = self.register(i).wrapping_mul(u64::from(s)).wrapping_add(u64::from(o));
            (reg, global(slot).wrapping_add(delta), kind)
        };
        let (reads, (reg, address, kind)) = match *op {
            LoadI8(d, a, o) => (true, through(d, a, o, IntKind::SChar)),
            LoadU8(d, a, o) => (true, through(d, a, o, IntKind::UChar)),
            LoadI16(d, a, o) => (true, through(d, a, o, IntKind::Short)),
            LoadU16(d, a, o) => (true, through(d, a, o, IntKind::UShort)),
            LoadI32(d, a, o) => (true, through(d, a, o, IntKind::Int)),
            LoadU32(d, a, o) => (true, through(d, a, o, IntKind::UInt)),
            Load64(d, a, o) => (true, through(d, a, o, IntKind::ULong)),
            LoadXI8(d, a, i, s, o) => (true, indexed(d, a, i, s, o, IntKind::SChar)),
            LoadXU8(d, a, i, s, o) => (true, indexed(d, a, i, s, o, IntKind::UChar)),
            LoadXI16(d, a, i, s, o) => (true, indexed(d, a, i, s, o, IntKind::Short)),
            LoadXU16(d, a, i, s, o) => (true, indexed(d, a, i, s, o, IntKind::UShort)),
            LoadXI32(d, a, i, s, o) => (true, indexed(d, a, i, s, o, IntKind::Int)),
            LoadXU32(d, a, i, s, o) => (true, indexed(d, a, i, s, o, IntKind::UInt)),
            LoadX64(d, a, i, s, o) => (true, indexed(d, a, i, s, o, IntKind::ULong)),
            LoadGI8(d, slot, o) => (true, in_global(d, slot, o, IntKind::SChar)),
            LoadGU8(d, slot, o) => (true, in_global(d, slot, o, IntKind::UChar)),
            LoadGI16(d, slot, o) => (true, in_global(d, slot, o, IntKind::Short)),
            LoadGU16(d, slot, o) => (true, in_global(d, slot, o, IntKind::UShort)),
            LoadGI32(d, slot, o) => (true, in_global(d, slot, o, IntKind::Int)),
            LoadGU32(d, slot, o) => (true, in_global(d, slot, o, IntKind::UInt)),
            LoadG64(d, slot, o) => (true, in_global(d, slot, o, IntKind::ULong)),
            LoadGXI8(d, i, s, slot, o) => (true, element(d, i, s, slot, o, IntKind::SChar)),
            LoadGXU8(d, i, s, slot, o) => (true, element(d, i, s, slot, o, IntKind::UChar)),
            LoadGXI16(d, i, s, slot, o) => (true, element(d, i, s, slot, o, IntKind::Short)),
            LoadGXU16(d, i, s, slot, o) => (true, element(d, i, s, slot, o, IntKind::UShort)),
            LoadGXI32(d, i, s, slot, o) => (true, element(d, i, s, slot, o, IntKind::Int)),
            LoadGXU32(d, i, s, slot, o) => (true, element(d, i, s, slot, o, IntKind::UInt)),
            LoadGX64(d, i, s, slot, o) => (true, element(d, i, s, slot, o, IntKind::ULong)),
            Store8(v, a, o) => (false, through(v, a, o, IntKind::UChar)),
            Store16(v, a, o) => (false, through(v, a, o, IntKind::UShort)),
            Store32(v, a, o) => (false, through(v, a, o, IntKind::UInt)),
            Store64(v, a, o) => (false, through(v, a, o, IntKind::ULong)),
            StoreX8(v, a, i, s, o) => (false, indexed(v, a, i, s, o, IntKind::UChar)),
            StoreX16(v, a, i, s, o) => (false, indexed(v, a, i, s, o, IntKind::UShort)),
            StoreX32(v, a, i, s, o) => (false, indexed(v, a, i, s, o, IntKind::UInt)),
            StoreX64(v, a, i, s, o) => (false, indexed(v, a, i, s, o, IntKind::ULong)),
            StoreG8(v, slot, o) => (false, in_global(v, slot, o, IntKind::UChar)),
            StoreG16(v, slot, o) => (false, in_global(v, slot, o, IntKind::UShort)),
            StoreG32(v, slot, o) => (false, in_global(v, slot, o, IntKind::UInt)),
            StoreG64(v, slot, o) => (false, in_global(v, slot, o, IntKind::ULong)),
            StoreGX8(v, i, s, slot, o) => (false, element(v, i, s, slot, o, IntKind::UChar)),
            StoreGX16(v, i, s, slot, o) => (false, element(v, i, s, slot, o, IntKind::UShort)),
            StoreGX32(v, i, s, slot, o) => (false, element(v, i, s, slot, o, IntKind::UInt)),
            StoreGX64(v, i, s, slot, o) => (false, element(v, i, s, slot, o, IntKind::ULong)),
            LoadAny(class, _, reg, a, o) | StoreAny(class, _, reg, a, o) => {
                let writes = matches!(op, StoreAny(..));
                return Some(Place { address: Address(through(reg, a, o, IntKind::Int).1), class, reg, writes });
            }
            LoadBits(reg, a, place) => {
                let place = code.bits[place as usize];
                let address = Address(self.register(a)).plus(place.first / 8);
                return Some(Place { address, class: Class::Int(place.kind), reg, writes: false });
            }
            _ => return None,
        };
        Some(Place { address: Address(address), class: Class::Int(kind), reg, writes: !reads })
    }

    /// Makes an access as far as there is something to access.
    fn access_anyway(&mut self, fault: &Fault, place: &Place) -> bool {
        // No page of a process is there.
        if fault.rule == Rule::InvalidPointer {
            return false;
        }
        let bytes = match place.class {
            Class::Float(ir::FloatKind::Extended) => 10,
            class => class.bytes(),
        };
        if place.writes {
            let value = self.value_in(place.class, place.reg).0.to_le_bytes();
            // Outside of objects the write is refused again, and has no effect.
            let _ = self.memory.write(place.address, &value[..bytes as usize]);
            return true;
        }
        if let Some((code, Op::LoadBits(_, a, at))) = self.faulting() {
            let (bits, address) = (code.bits[at as usize], Address(self.register(a)));
            let length = (bits.first % 8 + u64::from(bits.width)).div_ceil(8);
            self.memory.settle(address.plus(bits.first / 8), length);
            let loaded = self.memory.load_bits(address, bits.first, bits.width).unwrap_or(0);
            let value = Value(bit_field(bits.kind, bits.width, loaded as i128) as u128);
            self.set_register(place.class, place.reg, value);
            return true;
        }
        let mut loaded = [0; 16];
        self.memory.settle(place.address, bytes);
        if let Some((data, _)) = self.memory.view(place.address, bytes) {
            loaded[..bytes as usize].copy_from_slice(data);
        }
        self.set_register(place.class, place.reg, Value::from_memory(place.class, u128::from_le_bytes(loaded)));
        true
    }
}

fn wrapped_result(op: BinaryOp, kind: IntKind, left: i128, right: i128) -> i128 {
    let right = match op {
        BinaryOp::Shl | BinaryOp::Shr => right & i128::from(kind.bits() - 1),
        _ => right,
    };
    wrapping(op, kind, left, right)
}
