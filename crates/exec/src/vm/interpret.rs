//! The interpreter: one loop over instructions, with the frame's registers at hand.
//!
//! *Invariants* that the unsafe code rests on. Every register an instruction names is less than `Code::registers`,
//! because the compiler counts each one it hands out (wide ones as two); `push_frame` makes room for that many before
//! the frame runs, and nothing else shrinks the register file. Jump targets are positions of instructions, because
//! labels are resolved to such, and the last instruction of a function never falls through, because the compiler ends
//! every function with a return. `fp` and `pc` are computed anew after everything that may move the registers or
//! change the frame.

use super::arithmetic;
use super::bytecode::Op;
use super::calls::CALL_STEPS;
use super::machine::Machine;
use super::slow::{bad_index, refuse, refuse_conversion, scaled_too_far};
use super::stop::Stop;
use super::value::{Class, Value};
use crate::memory::{Address, ObjectKind};
use diagnostics::Rule;
use ir::arith::bit_field;
use ir::{BinaryOp, FloatKind, IntKind, LocalId, UnaryOp};

const EXTENDED: Class = Class::Float(FloatKind::Extended);
/// What comparisons give.
const TRUTH: Class = Class::Int(IntKind::Int);

fn delta(index: u64, scale: u32, offset: u32) -> Option<i64> {
    (index as i64).checked_mul(i64::from(scale))?.checked_add(i64::from(offset))
}

impl<'p> Machine<'p> {
    /// As [`Machine::execute`], until something out of the ordinary happens. `WATCHED` where there are several threads: the
    /// place is noted at each instruction, and calls may give way to another thread.
    pub(super) fn interpret<const WATCHED: bool>(&mut self, floor: usize) -> Result<(), Stop> {
        let mut frame = self.frames.last().expect("a frame should have been pushed");
        let mut code = frame.code;
        let mut ops = code.ops.as_ptr();
        let mut fuel = self.clock.fuel;
        // SAFETY, here and below: see the invariants above.
        let mut pc = unsafe { ops.add(frame.pc as usize) };
        let mut fp = unsafe { self.registers.as_mut_ptr().add(frame.base as usize) };
        if WATCHED {
            self.note_calls();
        }

        macro_rules! r {
            ($reg:expr) => {
                // SAFETY: registers that instructions name are inside the window.
                *unsafe { &mut *fp.add($reg as usize) }
            };
        }
        macro_rules! wide {
            ($reg:expr) => {
                Value::from_registers(r!($reg), r!($reg + 1))
            };
        }
        macro_rules! set_wide {
            ($reg:expr, $value:expr) => {{
                let value = $value;
                r!($reg) = value.low();
                r!($reg + 1) = value.high();
            }};
        }
        macro_rules! get {
            ($class:expr, $reg:expr) => {
                if $class.is_wide() { wide!($reg) } else { Value::unsigned(r!($reg)) }
            };
        }
        macro_rules! set {
            ($class:expr, $reg:expr, $value:expr) => {
                if $class.is_wide() { set_wide!($reg, $value) } else { r!($reg) = $value.low() }
            };
        }
        // Notes where the run is, for whoever needs the frame.
        macro_rules! save {
            () => {{
                let at = unsafe { pc.offset_from(ops) } as u32;
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc = at;
                }
                self.clock.fuel = fuel;
            }};
        }
        macro_rules! restore {
            () => {{
                frame = self.frames.last().expect("a frame should be running");
                code = frame.code;
                ops = code.ops.as_ptr();
                pc = unsafe { ops.add(frame.pc as usize) };
                fp = unsafe { self.registers.as_mut_ptr().add(frame.base as usize) };
                fuel = self.clock.fuel;
                if WATCHED {
                    self.note_calls();
                }
            }};
        }
        macro_rules! stop {
            ($stop:expr) => {{
                save!();
                return Err($stop.into());
            }};
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => stop!(stop),
                }
            };
        }
        // A jump out of a model may land in one of the frames that run here.
        macro_rules! landed {
            ($result:expr) => {
                if let Err(stop) = $result {
                    self.land(stop, floor)?;
                }
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                let target = unsafe { ops.add($target as usize) };
                if target < pc {
                    fuel -= unsafe { pc.offset_from(target) } as i64;
                    if fuel < 0 {
                        save!();
                        if self.is_turn_over()? {
                            pc = target;
                            save!();
                            return Err(Stop::Switch);
                        }
                        fuel = self.clock.fuel;
                    }
                }
                pc = target;
            }};
        }
        macro_rules! jump_if {
            ($cond:expr, $target:expr) => {
                if $cond {
                    jump!($target)
                }
            };
        }
        macro_rules! checked {
            ($d:expr, $method:ident, $a:expr, $b:expr, $ty:ty, $op:ident, $kind:ident) => {{
                let (a, b) = ($a, $b);
                match (a as $ty).$method(b as $ty) {
                    Some(value) => r!($d) = value as i64 as u64,
                    None => stop!(refuse(BinaryOp::$op, IntKind::$kind, a, b)),
                }
            }};
        }
        macro_rules! float {
            ($d:expr, $a:expr, $b:expr, $ty:ident, $bits:ty, $op:tt) => {
                r!($d) = ($ty::from_bits(r!($a) as $bits) $op $ty::from_bits(r!($b) as $bits)).to_bits() as u64
            };
        }
        macro_rules! compare_float {
            ($d:expr, $a:expr, $b:expr, $ty:ident, $bits:ty, $op:tt) => {
                r!($d) = ($ty::from_bits(r!($a) as $bits) $op $ty::from_bits(r!($b) as $bits)) as u64
            };
        }
        // Bytes that were never written may be moved from object to object: see `move_unset`.
        macro_rules! moved {
            ($fault:expr, $d:expr, $from:expr, $n:literal) => {{
                save!();
                self.move_unset($fault, $d, $from, $n)?;
                restore!();
            }};
        }
        macro_rules! load {
            ($d:expr, $a:expr, $o:expr, $n:literal, $ty:ty, $wide:ty) => {{
                let address = Address(r!($a).wrapping_add($o as i64 as u64));
                match self.memory.load::<$n>(address, $n) {
                    Ok(bytes) => r!($d) = <$ty>::from_le_bytes(bytes) as $wide as u64,
                    Err(fault) => moved!(fault, $d, address, $n),
                }
            }};
        }
        // A byte that was never written may still be moved: see `only_moved`.
        macro_rules! byte {
            ($d:expr, $result:expr, $ty:ty, $wide:ty) => {{
                let byte = match $result {
                    Ok(bytes) => bytes,
                    Err(fault) => {
                        save!();
                        if fault.rule != Rule::UninitialisedRead || !self.only_moved($d) {
                            return Err(fault.into());
                        }
                        [0]
                    }
                };
                r!($d) = <$ty>::from_le_bytes(byte) as $wide as u64
            }};
        }
        macro_rules! load_byte {
            ($d:expr, $a:expr, $o:expr, $ty:ty, $wide:ty) => {{
                let address = Address(r!($a).wrapping_add($o as i64 as u64));
                byte!($d, self.memory.load::<1>(address, 1), $ty, $wide)
            }};
        }
        macro_rules! load_byte_x {
            ($d:expr, $a:expr, $i:expr, $s:expr, $o:expr, $ty:ty, $wide:ty) => {{
                let index = r!($i);
                let Some(delta) = delta(index, $s, $o) else { stop!(scaled_too_far(index, $s as u64)) };
                byte!($d, self.memory.load_at::<1>(Address(r!($a)), delta), $ty, $wide)
            }};
        }
        macro_rules! load_x {
            ($d:expr, $a:expr, $i:expr, $s:expr, $o:expr, $n:literal, $ty:ty, $wide:ty) => {{
                let index = r!($i);
                let Some(delta) = delta(index, $s, $o) else { stop!(scaled_too_far(index, $s as u64)) };
                let base = Address(r!($a));
                match self.memory.load_at::<$n>(base, delta) {
                    Ok(bytes) => r!($d) = <$ty>::from_le_bytes(bytes) as $wide as u64,
                    Err(fault) => moved!(fault, $d, base.plus(delta as u64), $n),
                }
            }};
        }
        macro_rules! load_g {
            ($d:expr, $slot:expr, $o:expr, $n:literal, $ty:ty, $wide:ty) => {{
                let bytes = check!(self.memory.load_in::<$n>($slot, $o as u64));
                r!($d) = <$ty>::from_le_bytes(bytes) as $wide as u64
            }};
        }
        macro_rules! load_gx {
            ($d:expr, $i:expr, $s:expr, $slot:expr, $o:expr, $n:literal, $ty:ty, $wide:ty) => {{
                let index = r!($i);
                let Some(delta) = delta(index, $s as u32, $o) else { stop!(scaled_too_far(index, $s as u64)) };
                let bytes = check!(self.memory.load_in::<$n>($slot, delta as u64));
                r!($d) = <$ty>::from_le_bytes(bytes) as $wide as u64
            }};
        }
        macro_rules! store {
            ($v:expr, $a:expr, $o:expr, $n:literal, $ty:ty) => {{
                let address = Address(r!($a).wrapping_add($o as i64 as u64));
                let value = r!($v) as $ty;
                check!(self.memory.store::<$n>(address, $n, value.to_le_bytes()))
            }};
        }
        macro_rules! store_x {
            ($v:expr, $a:expr, $i:expr, $s:expr, $o:expr, $n:literal, $ty:ty) => {{
                let index = r!($i);
                let Some(delta) = delta(index, $s, $o) else { stop!(scaled_too_far(index, $s as u64)) };
                let value = r!($v) as $ty;
                check!(self.memory.store_at::<$n>(Address(r!($a)), delta, value.to_le_bytes()))
            }};
        }
        macro_rules! store_g {
            ($v:expr, $slot:expr, $o:expr, $n:literal, $ty:ty) => {{
                let value = r!($v) as $ty;
                check!(self.memory.store_in::<$n>($slot, $o as u64, value.to_le_bytes()))
            }};
        }
        macro_rules! store_gx {
            ($v:expr, $i:expr, $s:expr, $slot:expr, $o:expr, $n:literal, $ty:ty) => {{
                let index = r!($i);
                let Some(delta) = delta(index, $s as u32, $o) else { stop!(scaled_too_far(index, $s as u64)) };
                let value = r!($v) as $ty;
                check!(self.memory.store_in::<$n>($slot, delta as u64, value.to_le_bytes()))
            }};
        }
        // The call is made again when the thread comes back.
        macro_rules! give_way {
            () => {{
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc -= 1;
                }
                return Err(Stop::Switch);
            }};
        }
        // Pays for a call and says where its registers begin.
        macro_rules! window_of_call {
            ($window:expr) => {{
                fuel -= CALL_STEPS;
                save!();
                if fuel < 0 && self.is_turn_over()? {
                    give_way!();
                }
                self.frames.last().map_or(0, |frame| frame.base) + u32::from($window)
            }};
        }
        macro_rules! leave {
            ($nothing:expr) => {{
                if self.frames.last().is_some_and(|frame| frame.variadic) && self.leaves_list() {
                    stop!(Stop::fault(Rule::BadArgument, "the function returns without `va_end` of its list"));
                }
                self.clock.fuel = fuel;
                let span = unsafe { *code.spans.get_unchecked(pc.offset_from(ops) as usize - 1) };
                let wanted = self.pop_frame(span);
                if self.frames.len() == floor {
                    return Ok(());
                }
                restore!();
                if $nothing && wanted {
                    stop!(Stop::fault(Rule::MissingReturn, "the call returned no value, and the value is used"));
                }
            }};
        }

        loop {
            let op = unsafe { &*pc };
            pc = unsafe { pc.add(1) };
            if WATCHED {
                save!();
                self.memory.set_place(code.spans[unsafe { pc.offset_from(ops) } as usize - 1]);
            }
            match *op {
                Op::Const(d, value) => r!(d) = value as u64,
                Op::ConstWide(d, index) => set_wide!(d, Value(code.wides[index as usize])),
                Op::Mov(d, a) => r!(d) = r!(a),
                Op::MovWide(d, a) => set_wide!(d, wide!(a)),

                Op::AddI32(d, a, b) => checked!(d, checked_add, r!(a), r!(b), i32, Add, Int),
                Op::AddI64(d, a, b) => checked!(d, checked_add, r!(a), r!(b), i64, Add, Long),
                Op::AddU32(d, a, b) => r!(d) = (r!(a) as u32).wrapping_add(r!(b) as u32) as u64,
                Op::AddU64(d, a, b) => r!(d) = r!(a).wrapping_add(r!(b)),
                Op::SubI32(d, a, b) => checked!(d, checked_sub, r!(a), r!(b), i32, Sub, Int),
                Op::SubI64(d, a, b) => checked!(d, checked_sub, r!(a), r!(b), i64, Sub, Long),
                Op::SubU32(d, a, b) => r!(d) = (r!(a) as u32).wrapping_sub(r!(b) as u32) as u64,
                Op::SubU64(d, a, b) => r!(d) = r!(a).wrapping_sub(r!(b)),
                Op::MulI32(d, a, b) => checked!(d, checked_mul, r!(a), r!(b), i32, Mul, Int),
                Op::MulI64(d, a, b) => checked!(d, checked_mul, r!(a), r!(b), i64, Mul, Long),
                Op::MulU32(d, a, b) => r!(d) = (r!(a) as u32).wrapping_mul(r!(b) as u32) as u64,
                Op::MulU64(d, a, b) => r!(d) = r!(a).wrapping_mul(r!(b)),
                Op::DivI32(d, a, b) => checked!(d, checked_div, r!(a), r!(b), i32, Div, Int),
                Op::DivI64(d, a, b) => checked!(d, checked_div, r!(a), r!(b), i64, Div, Long),
                Op::DivU(kind, d, a, b) => match r!(a).checked_div(r!(b)) {
                    Some(value) => r!(d) = value,
                    None => stop!(refuse(BinaryOp::Div, kind, r!(a), r!(b))),
                },
                Op::RemI32(d, a, b) => checked!(d, checked_rem, r!(a), r!(b), i32, Rem, Int),
                Op::RemI64(d, a, b) => checked!(d, checked_rem, r!(a), r!(b), i64, Rem, Long),
                Op::RemU(kind, d, a, b) => match r!(a).checked_rem(r!(b)) {
                    Some(value) => r!(d) = value,
                    None => stop!(refuse(BinaryOp::Rem, kind, r!(a), r!(b))),
                },
                Op::ShlI32(d, a, b) => {
                    let (a, b) = (r!(a), r!(b));
                    if b >= 32 || (a as u32) >> (31 - b) != 0 {
                        stop!(refuse(BinaryOp::Shl, IntKind::Int, a, b));
                    }
                    r!(d) = ((a as i32) << b) as i64 as u64;
                }
                Op::ShlI64(d, a, b) => {
                    let (a, b) = (r!(a), r!(b));
                    if b >= 64 || a >> (63 - b) != 0 {
                        stop!(refuse(BinaryOp::Shl, IntKind::Long, a, b));
                    }
                    r!(d) = a << b;
                }
                Op::ShlU32(d, a, b) => match (r!(a), r!(b)) {
                    (a, b) if b < 32 => r!(d) = ((a as u32) << b) as u64,
                    (a, b) => stop!(refuse(BinaryOp::Shl, IntKind::UInt, a, b)),
                },
                Op::ShlU64(d, a, b) => match (r!(a), r!(b)) {
                    (a, b) if b < 64 => r!(d) = a << b,
                    (a, b) => stop!(refuse(BinaryOp::Shl, IntKind::ULong, a, b)),
                },
                Op::ShrI32(d, a, b) => match (r!(a), r!(b)) {
                    (a, b) if b < 32 => r!(d) = ((a as i64) >> b) as u64,
                    (a, b) => stop!(refuse(BinaryOp::Shr, IntKind::Int, a, b)),
                },
                Op::ShrI64(d, a, b) => match (r!(a), r!(b)) {
                    (a, b) if b < 64 => r!(d) = ((a as i64) >> b) as u64,
                    (a, b) => stop!(refuse(BinaryOp::Shr, IntKind::Long, a, b)),
                },
                Op::ShrU32(d, a, b) => match (r!(a), r!(b)) {
                    (a, b) if b < 32 => r!(d) = a >> b,
                    (a, b) => stop!(refuse(BinaryOp::Shr, IntKind::UInt, a, b)),
                },
                Op::ShrU64(d, a, b) => match (r!(a), r!(b)) {
                    (a, b) if b < 64 => r!(d) = a >> b,
                    (a, b) => stop!(refuse(BinaryOp::Shr, IntKind::ULong, a, b)),
                },
                Op::AddI32K(d, a, k) => checked!(d, checked_add, r!(a), k as i64 as u64, i32, Add, Int),
                Op::AddI64K(d, a, k) => checked!(d, checked_add, r!(a), k as i64 as u64, i64, Add, Long),
                Op::AddU32K(d, a, k) => r!(d) = (r!(a) as u32).wrapping_add(k as u32) as u64,
                Op::AddU64K(d, a, k) => r!(d) = r!(a).wrapping_add(k as i64 as u64),
                Op::SubI32K(d, a, k) => checked!(d, checked_sub, r!(a), k as i64 as u64, i32, Sub, Int),
                Op::SubI64K(d, a, k) => checked!(d, checked_sub, r!(a), k as i64 as u64, i64, Sub, Long),
                Op::MulI32K(d, a, k) => checked!(d, checked_mul, r!(a), k as i64 as u64, i32, Mul, Int),
                Op::MulI64K(d, a, k) => checked!(d, checked_mul, r!(a), k as i64 as u64, i64, Mul, Long),
                Op::MulU32K(d, a, k) => r!(d) = (r!(a) as u32).wrapping_mul(k as u32) as u64,
                Op::MulU64K(d, a, k) => r!(d) = r!(a).wrapping_mul(k as i64 as u64),
                Op::DivI32K(d, a, k) => r!(d) = (r!(a) as i32).wrapping_div(k) as i64 as u64,
                Op::DivI64K(d, a, k) => r!(d) = (r!(a) as i64).wrapping_div(i64::from(k)) as u64,
                Op::DivUK(d, a, k) => r!(d) = r!(a).checked_div(k as i64 as u64).unwrap_or(0),
                Op::RemI32K(d, a, k) => r!(d) = (r!(a) as i32).wrapping_rem(k) as i64 as u64,
                Op::RemI64K(d, a, k) => r!(d) = (r!(a) as i64).wrapping_rem(i64::from(k)) as u64,
                Op::RemUK(d, a, k) => r!(d) = r!(a).checked_rem(k as i64 as u64).unwrap_or(0),
                Op::ShlI32K(d, a, k) => {
                    let a = r!(a);
                    if (a as u32) >> (31 - k) != 0 {
                        stop!(refuse(BinaryOp::Shl, IntKind::Int, a, k as u64));
                    }
                    r!(d) = ((a as i32) << k) as i64 as u64;
                }
                Op::ShlI64K(d, a, k) => {
                    let a = r!(a);
                    if a >> (63 - k) != 0 {
                        stop!(refuse(BinaryOp::Shl, IntKind::Long, a, k as u64));
                    }
                    r!(d) = a << k;
                }
                Op::ShlU32K(d, a, k) => r!(d) = ((r!(a) as u32) << k) as u64,
                Op::ShlU64K(d, a, k) => r!(d) = r!(a) << k,
                Op::ShrSK(d, a, k) => r!(d) = ((r!(a) as i64) >> k) as u64,
                Op::ShrUK(d, a, k) => r!(d) = r!(a) >> k,
                Op::And(d, a, b) => r!(d) = r!(a) & r!(b),
                Op::Or(d, a, b) => r!(d) = r!(a) | r!(b),
                Op::Xor(d, a, b) => r!(d) = r!(a) ^ r!(b),
                Op::AndK(d, a, k) => r!(d) = r!(a) & k as i64 as u64,
                Op::OrK(d, a, k) => r!(d) = r!(a) | k as i64 as u64,
                Op::XorK(d, a, k) => r!(d) = r!(a) ^ k as i64 as u64,
                Op::NegI32(d, a) => match (r!(a) as i32).checked_neg() {
                    Some(value) => r!(d) = value as i64 as u64,
                    None => stop!(check!(self.refuse_negation(IntKind::Int))),
                },
                Op::NegI64(d, a) => match (r!(a) as i64).checked_neg() {
                    Some(value) => r!(d) = value as u64,
                    None => stop!(check!(self.refuse_negation(IntKind::Long))),
                },
                Op::NegU32(d, a) => r!(d) = (r!(a) as u32).wrapping_neg() as u64,
                Op::NegU64(d, a) => r!(d) = r!(a).wrapping_neg(),
                Op::Not(d, a) => r!(d) = !r!(a),
                Op::NotU32(d, a) => r!(d) = !(r!(a) as u32) as u64,
                Op::Arith(op, kind, right_kind, d, a, b) => {
                    let (class, right_class) = (Class::Int(kind), Class::Int(right_kind));
                    let (left, right) = (get!(class, a), get!(right_class, b));
                    let result = check!(arithmetic::binary(op, class, left, right_class, right));
                    set!(if op.is_comparison() { TRUTH } else { class }, d, result);
                }
                Op::NegAny(kind, d, a) => {
                    let class = Class::Int(kind);
                    set!(class, d, check!(arithmetic::unary(UnaryOp::Neg, class, get!(class, a))));
                }
                Op::NotAny(kind, d, a) => {
                    let class = Class::Int(kind);
                    set!(class, d, check!(arithmetic::unary(UnaryOp::Complement, class, get!(class, a))));
                }

                Op::SetEq(d, a, b) => r!(d) = (r!(a) == r!(b)) as u64,
                Op::SetNe(d, a, b) => r!(d) = (r!(a) != r!(b)) as u64,
                Op::SetLtS(d, a, b) => r!(d) = ((r!(a) as i64) < r!(b) as i64) as u64,
                Op::SetLeS(d, a, b) => r!(d) = (r!(a) as i64 <= r!(b) as i64) as u64,
                Op::SetLtU(d, a, b) => r!(d) = (r!(a) < r!(b)) as u64,
                Op::SetLeU(d, a, b) => r!(d) = (r!(a) <= r!(b)) as u64,
                Op::SetEqK(d, a, k) => r!(d) = (r!(a) as i64 == i64::from(k)) as u64,
                Op::SetNeK(d, a, k) => r!(d) = (r!(a) as i64 != i64::from(k)) as u64,
                Op::SetLtSK(d, a, k) => r!(d) = ((r!(a) as i64) < i64::from(k)) as u64,
                Op::SetLeSK(d, a, k) => r!(d) = (r!(a) as i64 <= i64::from(k)) as u64,
                Op::SetGtSK(d, a, k) => r!(d) = (r!(a) as i64 > i64::from(k)) as u64,
                Op::SetGeSK(d, a, k) => r!(d) = (r!(a) as i64 >= i64::from(k)) as u64,
                Op::SetLtUK(d, a, k) => r!(d) = (r!(a) < k as i64 as u64) as u64,
                Op::SetLeUK(d, a, k) => r!(d) = (r!(a) <= k as i64 as u64) as u64,
                Op::SetGtUK(d, a, k) => r!(d) = (r!(a) > k as i64 as u64) as u64,
                Op::SetGeUK(d, a, k) => r!(d) = (r!(a) >= k as i64 as u64) as u64,

                Op::Jump(target) => jump!(target),
                Op::JumpEq(a, b, target) => jump_if!(r!(a) == r!(b), target),
                Op::JumpNe(a, b, target) => jump_if!(r!(a) != r!(b), target),
                Op::JumpLtS(a, b, target) => jump_if!((r!(a) as i64) < r!(b) as i64, target),
                Op::JumpLeS(a, b, target) => jump_if!(r!(a) as i64 <= r!(b) as i64, target),
                Op::JumpLtU(a, b, target) => jump_if!(r!(a) < r!(b), target),
                Op::JumpLeU(a, b, target) => jump_if!(r!(a) <= r!(b), target),
                Op::JumpEqK(a, k, target) => jump_if!(r!(a) as i64 == i64::from(k), target),
                Op::JumpNeK(a, k, target) => jump_if!(r!(a) as i64 != i64::from(k), target),
                Op::JumpLtSK(a, k, target) => jump_if!((r!(a) as i64) < i64::from(k), target),
                Op::JumpLeSK(a, k, target) => jump_if!(r!(a) as i64 <= i64::from(k), target),
                Op::JumpGtSK(a, k, target) => jump_if!(r!(a) as i64 > i64::from(k), target),
                Op::JumpGeSK(a, k, target) => jump_if!(r!(a) as i64 >= i64::from(k), target),
                Op::JumpLtUK(a, k, target) => jump_if!(r!(a) < k as i64 as u64, target),
                Op::JumpLeUK(a, k, target) => jump_if!(r!(a) <= k as i64 as u64, target),
                Op::JumpGtUK(a, k, target) => jump_if!(r!(a) > k as i64 as u64, target),
                Op::JumpGeUK(a, k, target) => jump_if!(r!(a) >= k as i64 as u64, target),
                Op::Switch(a, table) => {
                    let table = &code.switches[table as usize];
                    let value = if table.is_wide() { wide!(a) } else { Value::unsigned(r!(a)) };
                    jump!(table.target(value))
                }

                Op::AddF32(d, a, b) => float!(d, a, b, f32, u32, +),
                Op::SubF32(d, a, b) => float!(d, a, b, f32, u32, -),
                Op::MulF32(d, a, b) => float!(d, a, b, f32, u32, *),
                Op::DivF32(d, a, b) => float!(d, a, b, f32, u32, /),
                Op::AddF64(d, a, b) => float!(d, a, b, f64, u64, +),
                Op::SubF64(d, a, b) => float!(d, a, b, f64, u64, -),
                Op::MulF64(d, a, b) => float!(d, a, b, f64, u64, *),
                Op::DivF64(d, a, b) => float!(d, a, b, f64, u64, /),
                Op::NegF32(d, a) => r!(d) = r!(a) ^ 0x8000_0000,
                Op::NegF64(d, a) => r!(d) = r!(a) ^ (1 << 63),
                Op::NegX(d, a) => set_wide!(d, check!(arithmetic::unary(UnaryOp::Neg, EXTENDED, wide!(a)))),
                Op::SetEqF32(d, a, b) => compare_float!(d, a, b, f32, u32, ==),
                Op::SetNeF32(d, a, b) => compare_float!(d, a, b, f32, u32, !=),
                Op::SetLtF32(d, a, b) => compare_float!(d, a, b, f32, u32, <),
                Op::SetLeF32(d, a, b) => compare_float!(d, a, b, f32, u32, <=),
                Op::SetEqF64(d, a, b) => compare_float!(d, a, b, f64, u64, ==),
                Op::SetNeF64(d, a, b) => compare_float!(d, a, b, f64, u64, !=),
                Op::SetLtF64(d, a, b) => compare_float!(d, a, b, f64, u64, <),
                Op::SetLeF64(d, a, b) => compare_float!(d, a, b, f64, u64, <=),
                Op::ArithX(op, d, a, b) => {
                    let result = check!(arithmetic::binary(op, EXTENDED, wide!(a), EXTENDED, wide!(b)));
                    set!(if op.is_comparison() { TRUTH } else { EXTENDED }, d, result);
                }

                Op::SignExtend8(d, a) => r!(d) = r!(a) as i8 as i64 as u64,
                Op::SignExtend16(d, a) => r!(d) = r!(a) as i16 as i64 as u64,
                Op::SignExtend32(d, a) => r!(d) = r!(a) as i32 as i64 as u64,
                Op::ZeroExtend8(d, a) => r!(d) = r!(a) as u8 as u64,
                Op::ZeroExtend16(d, a) => r!(d) = r!(a) as u16 as u64,
                Op::ZeroExtend32(d, a) => r!(d) = r!(a) as u32 as u64,
                Op::SignedToF64(d, a) => r!(d) = (r!(a) as i64 as f64).to_bits(),
                Op::UnsignedToF64(d, a) => r!(d) = (r!(a) as f64).to_bits(),
                Op::SignedToF32(d, a) => r!(d) = (r!(a) as i64 as f32).to_bits() as u64,
                Op::UnsignedToF32(d, a) => r!(d) = (r!(a) as f32).to_bits() as u64,
                Op::F32ToF64(d, a) => r!(d) = f64::from(f32::from_bits(r!(a) as u32)).to_bits(),
                Op::F64ToF32(d, a) => r!(d) = (f64::from_bits(r!(a)) as f32).to_bits() as u64,
                Op::F64ToI32(d, a) => {
                    let value = f64::from_bits(r!(a));
                    if value > -2147483649.0 && value < 2147483648.0 {
                        r!(d) = value as i64 as u64;
                    } else {
                        check!(refuse_conversion(value, IntKind::Int));
                    }
                }
                Op::F64ToI64(d, a) => {
                    let value = f64::from_bits(r!(a));
                    if (-9223372036854775808.0..9223372036854775808.0).contains(&value) {
                        r!(d) = value as i64 as u64;
                    } else {
                        check!(refuse_conversion(value, IntKind::Long));
                    }
                }
                Op::Convert(from, to, d, a) => {
                    let value = check!(arithmetic::convert(from, to, get!(from, a)));
                    set!(to, d, value);
                }

                Op::LoadI8(d, a, o) => load_byte!(d, a, o, i8, i64),
                Op::LoadU8(d, a, o) => load_byte!(d, a, o, u8, u64),
                Op::LoadI16(d, a, o) => load!(d, a, o, 2, i16, i64),
                Op::LoadU16(d, a, o) => load!(d, a, o, 2, u16, u64),
                Op::LoadI32(d, a, o) => load!(d, a, o, 4, i32, i64),
                Op::LoadU32(d, a, o) => load!(d, a, o, 4, u32, u64),
                Op::Load64(d, a, o) => load!(d, a, o, 8, u64, u64),
                Op::LoadXI8(d, a, i, s, o) => load_byte_x!(d, a, i, s, o, i8, i64),
                Op::LoadXU8(d, a, i, s, o) => load_byte_x!(d, a, i, s, o, u8, u64),
                Op::LoadXI16(d, a, i, s, o) => load_x!(d, a, i, s, o, 2, i16, i64),
                Op::LoadXU16(d, a, i, s, o) => load_x!(d, a, i, s, o, 2, u16, u64),
                Op::LoadXI32(d, a, i, s, o) => load_x!(d, a, i, s, o, 4, i32, i64),
                Op::LoadXU32(d, a, i, s, o) => load_x!(d, a, i, s, o, 4, u32, u64),
                Op::LoadX64(d, a, i, s, o) => load_x!(d, a, i, s, o, 8, u64, u64),
                Op::LoadGI8(d, slot, o) => load_g!(d, slot, o, 1, i8, i64),
                Op::LoadGU8(d, slot, o) => load_g!(d, slot, o, 1, u8, u64),
                Op::LoadGI16(d, slot, o) => load_g!(d, slot, o, 2, i16, i64),
                Op::LoadGU16(d, slot, o) => load_g!(d, slot, o, 2, u16, u64),
                Op::LoadGI32(d, slot, o) => load_g!(d, slot, o, 4, i32, i64),
                Op::LoadGU32(d, slot, o) => load_g!(d, slot, o, 4, u32, u64),
                Op::LoadG64(d, slot, o) => load_g!(d, slot, o, 8, u64, u64),
                Op::LoadGXI8(d, i, s, slot, o) => load_gx!(d, i, s, slot, o, 1, i8, i64),
                Op::LoadGXU8(d, i, s, slot, o) => load_gx!(d, i, s, slot, o, 1, u8, u64),
                Op::LoadGXI16(d, i, s, slot, o) => load_gx!(d, i, s, slot, o, 2, i16, i64),
                Op::LoadGXU16(d, i, s, slot, o) => load_gx!(d, i, s, slot, o, 2, u16, u64),
                Op::LoadGXI32(d, i, s, slot, o) => load_gx!(d, i, s, slot, o, 4, i32, i64),
                Op::LoadGXU32(d, i, s, slot, o) => load_gx!(d, i, s, slot, o, 4, u32, u64),
                Op::LoadGX64(d, i, s, slot, o) => load_gx!(d, i, s, slot, o, 8, u64, u64),
                Op::LoadAny(class, unaligned, d, a, o) => {
                    let address = Address(r!(a).wrapping_add(o as i64 as u64));
                    let value = check!(self.load_any(class, unaligned, address));
                    set!(class, d, value);
                }
                Op::Store8(v, a, o) => store!(v, a, o, 1, u8),
                Op::Store16(v, a, o) => store!(v, a, o, 2, u16),
                Op::Store32(v, a, o) => store!(v, a, o, 4, u32),
                Op::Store64(v, a, o) => store!(v, a, o, 8, u64),
                Op::StoreX8(v, a, i, s, o) => store_x!(v, a, i, s, o, 1, u8),
                Op::StoreX16(v, a, i, s, o) => store_x!(v, a, i, s, o, 2, u16),
                Op::StoreX32(v, a, i, s, o) => store_x!(v, a, i, s, o, 4, u32),
                Op::StoreX64(v, a, i, s, o) => store_x!(v, a, i, s, o, 8, u64),
                Op::StoreG8(v, slot, o) => store_g!(v, slot, o, 1, u8),
                Op::StoreG16(v, slot, o) => store_g!(v, slot, o, 2, u16),
                Op::StoreG32(v, slot, o) => store_g!(v, slot, o, 4, u32),
                Op::StoreG64(v, slot, o) => store_g!(v, slot, o, 8, u64),
                Op::StoreGX8(v, i, s, slot, o) => store_gx!(v, i, s, slot, o, 1, u8),
                Op::StoreGX16(v, i, s, slot, o) => store_gx!(v, i, s, slot, o, 2, u16),
                Op::StoreGX32(v, i, s, slot, o) => store_gx!(v, i, s, slot, o, 4, u32),
                Op::StoreGX64(v, i, s, slot, o) => store_gx!(v, i, s, slot, o, 8, u64),
                Op::StoreAny(class, unaligned, v, a, o) => {
                    let address = Address(r!(a).wrapping_add(o as i64 as u64));
                    let value = get!(class, v);
                    check!(self.store_any(class, unaligned, address, value));
                }
                Op::LoadBits(d, a, place) => {
                    let place = code.bits[place as usize];
                    let bits = check!(self.memory.load_bits(Address(r!(a)), place.first, place.width));
                    let value = bit_field(place.kind, place.width, bits as i128);
                    set!(Class::Int(place.kind), d, Value(value as u128));
                }
                Op::StoreBits(v, a, place) => {
                    let place = code.bits[place as usize];
                    let value = get!(Class::Int(place.kind), v);
                    check!(self.memory.store_bits(Address(r!(a)), place.first, place.width, value.0));
                }
                Op::Copy(to, from, size) => {
                    let (to, from) = (r!(to), r!(from));
                    if to.abs_diff(from) < u64::from(size) && to != from {
                        stop!(Stop::fault(Rule::MemoryOverlap, "a record is assigned to one that it overlaps in part"));
                    }
                    check!(self.memory.copy(Address(to), Address(from), u64::from(size)))
                }
                Op::Zero(to, size) => check!(self.memory.fill(Address(r!(to)), 0, u64::from(size))),
                Op::OpenConst(a) => self.memory.set_writable(Address(r!(a)), true),
                Op::CloseConst(a) => self.memory.set_writable(Address(r!(a)), false),

                Op::Member(d, a, k) => r!(d) = r!(a).wrapping_add(k as i64 as u64),
                Op::Index(d, a, i, scale) => {
                    let index = r!(i);
                    let Some(delta) = delta(index, scale, 0) else { stop!(scaled_too_far(index, u64::from(scale))) };
                    r!(d) = check!(self.memory.offset(Address(r!(a)), delta)).0;
                }
                Op::IndexK(d, a, k) => r!(d) = check!(self.memory.offset(Address(r!(a)), i64::from(k))).0,
                Op::IndexBy(d, a, i, s) => {
                    let (index, scale) = (r!(i), r!(s));
                    let Some(delta) = (index as i64).checked_mul(scale as i64) else {
                        stop!(scaled_too_far(index, scale))
                    };
                    r!(d) = check!(self.memory.offset(Address(r!(a)), delta)).0;
                }
                Op::CheckIndex(i, bound) => {
                    if r!(i) >= bound {
                        stop!(bad_index(r!(i), bound));
                    }
                }
                Op::CheckIndexBy(i, b, or_equal) => {
                    if r!(i) >= r!(b).saturating_add(or_equal as u64) {
                        stop!(bad_index(r!(i), r!(b)));
                    }
                }
                Op::CheckSame(a, b) => {
                    check!(self.memory.same_object(Address(r!(a)), Address(r!(b)), "comparison"))
                }
                Op::CheckType(a, ty) => check!(self.judge_type(Address(r!(a)), ty)),
                Op::CheckLive(a) => check!(self.memory.judge_value(Address(r!(a)))),
                Op::PointerDiff(d, a, b, size) => {
                    let (a, b) = (r!(a), r!(b));
                    check!(self.memory.same_object(Address(a), Address(b), "subtraction"));
                    r!(d) = (a.wrapping_sub(b) as i64).checked_div(i64::from(size)).unwrap_or(0) as u64;
                }
                Op::PointerDiffBy(d, a, b, s) => {
                    let (a, b) = (r!(a), r!(b));
                    check!(self.memory.same_object(Address(a), Address(b), "subtraction"));
                    r!(d) = (a.wrapping_sub(b) as i64).checked_div(r!(s) as i64).unwrap_or(0) as u64;
                }

                Op::Forget(a) => self.memory.forget(Address(r!(a))),
                Op::EndScope(a) => {
                    let address = Address(r!(a));
                    if !address.is_null() {
                        let span = unsafe { *code.spans.get_unchecked(pc.offset_from(ops) as usize - 1) };
                        // The room of an array of variable length comes free, and it is made anew next time.
                        if self.memory.end_scope_of(address, span) {
                            r!(a) = 0;
                        }
                    }
                }
                Op::MakeArray(d, s, local) => {
                    let local = LocalId::from_u32(local);
                    let (old, size) = (Address(r!(d)), r!(s));
                    save!();
                    r!(d) = self.make_array(old, size, local)?.0;
                }
                Op::CheckAssigned(flag, local) => {
                    if r!(flag) == 0 {
                        stop!(self.unassigned(local));
                    }
                }
                Op::Assigned(_) | Op::Unassigned(_) | Op::Use(_) => {
                    unreachable!("marks should be gone, because compilation replaces them")
                }

                Op::Call(id, window, wanted) => {
                    let base = window_of_call!(window);
                    let callee = self.code(id);
                    self.push_frame(callee, base, wanted)?;
                    restore!();
                }
                Op::CallVariadic(id, window, wanted, site) => {
                    let base = window_of_call!(window);
                    landed!(self.enter(id, &code.sites[site as usize], base, wanted));
                    restore!();
                }
                Op::CallPointer(function, window, wanted, site) => {
                    let pointer = Address(r!(function));
                    let base = window_of_call!(window);
                    landed!(self.enter_pointer(pointer, &code.sites[site as usize], base, wanted));
                    restore!();
                }
                Op::CallModel(site, window) => {
                    let base = window_of_call!(window);
                    if WATCHED && self.yields_here() {
                        give_way!();
                    }
                    let site = &code.sites[site as usize];
                    let model = site.model.expect("a call of a model should have one, because the compiler looked");
                    landed!(self.call_model(model, site, base));
                    // The first thread was made: from here on the run is watched.
                    if !WATCHED && self.has_threads() {
                        return Err(Stop::Switch);
                    }
                    restore!();
                }
                Op::Return(a) => {
                    r!(0) = r!(a);
                    leave!(false);
                }
                Op::ReturnWide(a) => {
                    set_wide!(0, wide!(a));
                    leave!(false);
                }
                Op::ReturnRecord(a, size) => {
                    let target = Address(r!(0));
                    if !target.is_null() {
                        check!(self.memory.copy(target, Address(r!(a)), u64::from(size)));
                    }
                    leave!(false);
                }
                Op::ReturnVoid() => leave!(false),
                Op::ReturnNothing() => leave!(true),
                Op::NeverReturns() => stop!(self.returned_anyway(code.function)),
                Op::CheckBool(a) => {
                    if r!(a) > 1 {
                        stop!(Stop::fault(Rule::TrapValue, format!("a `_Bool` holds {}, neither 0 nor 1", r!(a))));
                    }
                }

                Op::VaStart(list) => check!(self.start_list(Address(r!(list)))),
                Op::VaArg(d, list, ty) => {
                    let value = check!(self.list_argument(Address(r!(list)), ty));
                    let class = Class::of(self.types(), ty).unwrap_or(Class::Pointer);
                    set!(class, d, value);
                }
                Op::VaCopy(to, from) => check!(self.memory.copy(Address(r!(to)), Address(r!(from)), 24)),
                Op::VaEnd(list) => check!(self.end_list(Address(r!(list)))),
                Op::Nondet(class, d) => {
                    let value = self.next_nondet(class);
                    set!(class, d, value);
                }
                Op::Alloca(d, s) => {
                    let size = r!(s);
                    save!();
                    let span = self.span();
                    r!(d) = self.memory.push_object(ObjectKind::Dynamic, size, 16, false, "", span)?.0;
                }
                Op::SetJump(d, buffer) => {
                    save!();
                    self.set_jump(Address(r!(buffer)), d)?;
                    r!(d) = 0;
                }
                Op::Bind(d, function, first) => {
                    save!();
                    r!(d) = self.bind(Address(r!(function)), Address(r!(first)))?.0;
                }
                Op::LongJump(buffer, value) => {
                    save!();
                    let jump = self.long_jump(Address(r!(buffer)), r!(value) as i32)?;
                    self.land(Stop::Jump(jump), floor)?;
                    restore!();
                }

                Op::AssumeFailed() => stop!(Stop::Assumed(self.span())),
                Op::AssertFailed(text) => {
                    stop!(Stop::fault(Rule::AssertionFailed, code.texts[text as usize].clone()))
                }
                Op::Unsupported(text) => stop!(Stop::Unsupported(code.texts[text as usize].clone())),
                Op::Unsequenced(text) => stop!(Stop::fault(Rule::Unsequenced, code.texts[text as usize].clone())),
                Op::OutOfRange(text) => stop!(Stop::fault(Rule::OutOfBounds, code.texts[text as usize].clone())),

                Op::Trace(point, start, cells) => {
                    if let Some(recorder) = &mut self.recorder {
                        // SAFETY: the compiler put that many registers there.
                        let cells = unsafe { std::slice::from_raw_parts(fp.add(start as usize), cells as usize) };
                        recorder.cells(point, cells);
                        if let Some(snapshots) = &mut recorder.snapshots {
                            snapshots.take(point, cells, &self.memory);
                        }
                    }
                }
                Op::Cover(stmt) => {
                    if let Some(coverage) = &mut self.coverage {
                        coverage.execute(code.function, stmt);
                    }
                }
                Op::CoverBranch(stmt, outcome) => {
                    if let Some(coverage) = &mut self.coverage {
                        coverage.branch(code.function, stmt, outcome);
                    }
                }
            }
        }
    }
}
