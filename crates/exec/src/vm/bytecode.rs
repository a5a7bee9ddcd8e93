//! The instructions of the VM.
//!
//! A function is compiled to one array of 16-byte instructions over a window of 64-bit registers. Operands come as
//! `(destination, left, right)`; a name that ends in `K` has a constant for its right operand. Integer instructions
//! exist for the four types that C's promotions leave, `int`, `unsigned`, `long` and `unsigned long`; everything else
//! (128 bits, `long double`, and types narrower than `int`, should they ever meet an operator) goes through the
//! general `Arith` and `Convert`. Since registers are canonical (see [`super::value`]), bitwise operators and
//! comparisons need no width.
//!
//! Memory instructions come in four shapes: through a register plus a constant (`Load`), with a scaled index
//! (`LoadX`), and the same two relative to a global (`LoadG`, `LoadGX`), whose slot is known beforehand.

use super::value::{Class, Value};
use crate::trace::PointId;
use diagnostics::Span;
use ir::{BinaryOp, FunctionId, IntKind, LocalId, TypeId};

/// A register of a frame.
pub type Reg = u16;
/// While a function is being compiled, the number of a label; afterwards the index of an instruction.
pub type Target = u32;

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident ( $($field:ty),* );)*) => {
        #[derive(Clone, Copy, Debug)]
        pub enum Op { $($(#[$doc])* $name($($field),*)),* }
    };
}

ops! {
    // Constants and moves.
    Const(Reg, i64);
    /// From the pool of wide constants.
    ConstWide(Reg, u32);
    Mov(Reg, Reg);
    MovWide(Reg, Reg);

    // Integers.
    AddI32(Reg, Reg, Reg); AddI64(Reg, Reg, Reg); AddU32(Reg, Reg, Reg); AddU64(Reg, Reg, Reg);
    SubI32(Reg, Reg, Reg); SubI64(Reg, Reg, Reg); SubU32(Reg, Reg, Reg); SubU64(Reg, Reg, Reg);
    MulI32(Reg, Reg, Reg); MulI64(Reg, Reg, Reg); MulU32(Reg, Reg, Reg); MulU64(Reg, Reg, Reg);
    DivI32(Reg, Reg, Reg); DivI64(Reg, Reg, Reg); DivU(IntKind, Reg, Reg, Reg);
    RemI32(Reg, Reg, Reg); RemI64(Reg, Reg, Reg); RemU(IntKind, Reg, Reg, Reg);
    ShlI32(Reg, Reg, Reg); ShlI64(Reg, Reg, Reg); ShlU32(Reg, Reg, Reg); ShlU64(Reg, Reg, Reg);
    ShrI32(Reg, Reg, Reg); ShrI64(Reg, Reg, Reg); ShrU32(Reg, Reg, Reg); ShrU64(Reg, Reg, Reg);
    AddI32K(Reg, Reg, i32); AddI64K(Reg, Reg, i32); AddU32K(Reg, Reg, i32); AddU64K(Reg, Reg, i32);
    SubI32K(Reg, Reg, i32); SubI64K(Reg, Reg, i32);
    MulI32K(Reg, Reg, i32); MulI64K(Reg, Reg, i32); MulU32K(Reg, Reg, i32); MulU64K(Reg, Reg, i32);
    /// The constant is neither 0 nor -1, here and in the next three.
    DivI32K(Reg, Reg, i32); DivI64K(Reg, Reg, i32); DivUK(Reg, Reg, i32);
    RemI32K(Reg, Reg, i32); RemI64K(Reg, Reg, i32); RemUK(Reg, Reg, i32);
    /// The constant is a valid amount, in all shifts by a constant.
    ShlI32K(Reg, Reg, i32); ShlI64K(Reg, Reg, i32); ShlU32K(Reg, Reg, i32); ShlU64K(Reg, Reg, i32);
    ShrSK(Reg, Reg, i32); ShrUK(Reg, Reg, i32);
    And(Reg, Reg, Reg); Or(Reg, Reg, Reg); Xor(Reg, Reg, Reg);
    AndK(Reg, Reg, i32); OrK(Reg, Reg, i32); XorK(Reg, Reg, i32);
    NegI32(Reg, Reg); NegI64(Reg, Reg); NegU32(Reg, Reg); NegU64(Reg, Reg);
    Not(Reg, Reg); NotU32(Reg, Reg);
    /// Any operator on any integer type; the second type is that of the right operand, for shifts.
    Arith(BinaryOp, IntKind, IntKind, Reg, Reg, Reg);
    NegAny(IntKind, Reg, Reg);
    NotAny(IntKind, Reg, Reg);

    // Comparisons: of signed and narrow unsigned integers (`S`), and of unsigned 64-bit ones and pointers (`U`).
    SetEq(Reg, Reg, Reg); SetNe(Reg, Reg, Reg);
    SetLtS(Reg, Reg, Reg); SetLeS(Reg, Reg, Reg); SetLtU(Reg, Reg, Reg); SetLeU(Reg, Reg, Reg);
    SetEqK(Reg, Reg, i32); SetNeK(Reg, Reg, i32);
    SetLtSK(Reg, Reg, i32); SetLeSK(Reg, Reg, i32); SetGtSK(Reg, Reg, i32); SetGeSK(Reg, Reg, i32);
    SetLtUK(Reg, Reg, i32); SetLeUK(Reg, Reg, i32); SetGtUK(Reg, Reg, i32); SetGeUK(Reg, Reg, i32);

    // Jumps.
    Jump(Target);
    JumpEq(Reg, Reg, Target); JumpNe(Reg, Reg, Target);
    JumpLtS(Reg, Reg, Target); JumpLeS(Reg, Reg, Target); JumpLtU(Reg, Reg, Target); JumpLeU(Reg, Reg, Target);
    JumpEqK(Reg, i32, Target); JumpNeK(Reg, i32, Target);
    JumpLtSK(Reg, i32, Target); JumpLeSK(Reg, i32, Target); JumpGtSK(Reg, i32, Target); JumpGeSK(Reg, i32, Target);
    JumpLtUK(Reg, i32, Target); JumpLeUK(Reg, i32, Target); JumpGtUK(Reg, i32, Target); JumpGeUK(Reg, i32, Target);
    /// Through the table of that number.
    Switch(Reg, u32);

    // Floating values.
    AddF32(Reg, Reg, Reg); SubF32(Reg, Reg, Reg); MulF32(Reg, Reg, Reg); DivF32(Reg, Reg, Reg);
    AddF64(Reg, Reg, Reg); SubF64(Reg, Reg, Reg); MulF64(Reg, Reg, Reg); DivF64(Reg, Reg, Reg);
    NegF32(Reg, Reg); NegF64(Reg, Reg); NegX(Reg, Reg);
    SetEqF32(Reg, Reg, Reg); SetNeF32(Reg, Reg, Reg); SetLtF32(Reg, Reg, Reg); SetLeF32(Reg, Reg, Reg);
    SetEqF64(Reg, Reg, Reg); SetNeF64(Reg, Reg, Reg); SetLtF64(Reg, Reg, Reg); SetLeF64(Reg, Reg, Reg);
    /// Any operator on `long double`.
    ArithX(BinaryOp, Reg, Reg, Reg);

    // Conversions.
    SignExtend8(Reg, Reg); SignExtend16(Reg, Reg); SignExtend32(Reg, Reg);
    ZeroExtend8(Reg, Reg); ZeroExtend16(Reg, Reg); ZeroExtend32(Reg, Reg);
    SignedToF64(Reg, Reg); UnsignedToF64(Reg, Reg); SignedToF32(Reg, Reg); UnsignedToF32(Reg, Reg);
    F32ToF64(Reg, Reg); F64ToF32(Reg, Reg); F64ToI32(Reg, Reg); F64ToI64(Reg, Reg);
    /// Any conversion: from the first class to the second.
    Convert(Class, Class, Reg, Reg);

    // Loads: destination, address, offset.
    LoadI8(Reg, Reg, i32); LoadU8(Reg, Reg, i32); LoadI16(Reg, Reg, i32); LoadU16(Reg, Reg, i32);
    LoadI32(Reg, Reg, i32); LoadU32(Reg, Reg, i32); Load64(Reg, Reg, i32);
    // Destination, address, index, scale, offset.
    LoadXI8(Reg, Reg, Reg, u32, u32); LoadXU8(Reg, Reg, Reg, u32, u32); LoadXI16(Reg, Reg, Reg, u32, u32);
    LoadXU16(Reg, Reg, Reg, u32, u32); LoadXI32(Reg, Reg, Reg, u32, u32); LoadXU32(Reg, Reg, Reg, u32, u32);
    LoadX64(Reg, Reg, Reg, u32, u32);
    // Destination, slot, offset.
    LoadGI8(Reg, u32, u32); LoadGU8(Reg, u32, u32); LoadGI16(Reg, u32, u32); LoadGU16(Reg, u32, u32);
    LoadGI32(Reg, u32, u32); LoadGU32(Reg, u32, u32); LoadG64(Reg, u32, u32);
    // Destination, index, scale, slot, offset.
    LoadGXI8(Reg, Reg, u16, u32, u32); LoadGXU8(Reg, Reg, u16, u32, u32); LoadGXI16(Reg, Reg, u16, u32, u32);
    LoadGXU16(Reg, Reg, u16, u32, u32); LoadGXI32(Reg, Reg, u16, u32, u32); LoadGXU32(Reg, Reg, u16, u32, u32);
    LoadGX64(Reg, Reg, u16, u32, u32);
    /// Any scalar, at any alignment if the flag is set.
    LoadAny(Class, bool, Reg, Reg, i32);

    // Stores: source first, then as the loads.
    Store8(Reg, Reg, i32); Store16(Reg, Reg, i32); Store32(Reg, Reg, i32); Store64(Reg, Reg, i32);
    StoreX8(Reg, Reg, Reg, u32, u32); StoreX16(Reg, Reg, Reg, u32, u32); StoreX32(Reg, Reg, Reg, u32, u32);
    StoreX64(Reg, Reg, Reg, u32, u32);
    StoreG8(Reg, u32, u32); StoreG16(Reg, u32, u32); StoreG32(Reg, u32, u32); StoreG64(Reg, u32, u32);
    StoreGX8(Reg, Reg, u16, u32, u32); StoreGX16(Reg, Reg, u16, u32, u32); StoreGX32(Reg, Reg, u16, u32, u32);
    StoreGX64(Reg, Reg, u16, u32, u32);
    StoreAny(Class, bool, Reg, Reg, i32);

    /// Bit-fields: register, address, place in the pool.
    LoadBits(Reg, Reg, u32);
    StoreBits(Reg, Reg, u32);
    /// Whole objects: target address, source address, size.
    Copy(Reg, Reg, u32);
    Zero(Reg, u32);
    /// A constant local may be written through its address register from here on, or no more.
    OpenConst(Reg);
    CloseConst(Reg);

    // Addresses.
    /// The address a constant further on: a member.
    Member(Reg, Reg, i32);
    /// Pointer plus index times size, which must stay in the object.
    Index(Reg, Reg, Reg, u32);
    IndexK(Reg, Reg, i32);
    /// The size of the element is in the last register.
    IndexBy(Reg, Reg, Reg, Reg);
    /// The index must be less than the bound.
    CheckIndex(Reg, u64);
    /// The index must be less than the value of the second register, or equal if the flag is set.
    CheckIndexBy(Reg, Reg, bool);
    CheckSame(Reg, Reg);
    /// The object at the address may be accessed as the type.
    CheckType(Reg, TypeId);
    /// The pointer does not point to an object that is gone.
    CheckLive(Reg);
    PointerDiff(Reg, Reg, Reg, u32);
    PointerDiffBy(Reg, Reg, Reg, Reg);

    // Locals.
    /// The object in the register holds nothing from here on.
    Forget(Reg);
    EndScope(Reg);
    /// Room for an array of variable length, whose size is in the second register.
    MakeArray(Reg, Reg, u32);
    /// Before the end of compilation: the local gets a value, loses it, must have one.
    Assigned(LocalId);
    Unassigned(LocalId);
    Use(LocalId);
    /// The register must not be zero, or the local is read without having a value.
    CheckAssigned(Reg, LocalId);

    // Calls: callee or site, start of the window of arguments; whether the result is wanted.
    Call(FunctionId, Reg, bool);
    /// To a function without a fixed list of parameters, or through a pointer: the site tells.
    CallVariadic(FunctionId, Reg, bool, u32);
    CallPointer(Reg, Reg, bool, u32);
    CallModel(u32, Reg);
    Return(Reg);
    ReturnWide(Reg);
    ReturnRecord(Reg, u32);
    ReturnVoid();
    /// The end of a function that should have returned a value.
    ReturnNothing();
    /// A function comes to its end that is declared never to.
    NeverReturns();
    /// The register was read from a `_Bool`, and must be 0 or 1.
    CheckBool(Reg);

    // Intrinsics.
    VaStart(Reg);
    /// Destination, list, the type in the pool.
    VaArg(Reg, Reg, TypeId);
    VaCopy(Reg, Reg);
    VaEnd(Reg);
    Nondet(Class, Reg);
    Alloca(Reg, Reg);
    /// The value, the buffer; the buffer, the value.
    SetJump(Reg, Reg);
    LongJump(Reg, Reg);
    /// A pointer: destination, function, first argument.
    Bind(Reg, Reg, Reg);

    // Verdicts; texts are in the pool.
    AssumeFailed();
    AssertFailed(u32);
    Unsupported(u32);
    Unsequenced(u32);
    OutOfRange(u32);

    // Watching.
    Trace(PointId, Reg, u16);
    Cover(u32);
    CoverBranch(u32, bool);
}

/// A local that lives in memory.
#[derive(Clone, Copy, Debug)]
pub struct FrameObject {
    /// Absent for the unnamed result of a call.
    pub local: Option<LocalId>,
    /// Holds the address.
    pub reg: Reg,
    pub size: u64,
    pub align: u64,
    pub is_const: bool,
}

/// The place of a bit-field from the address on.
#[derive(Clone, Copy, Debug)]
pub struct BitPlace {
    pub first: u64,
    pub width: u32,
    pub kind: IntKind,
}

/// What a call needs to know besides the window: the types that were passed.
#[derive(Clone, Debug)]
pub struct Site {
    pub model: Option<super::model::Model>,
    /// The function type the call goes by.
    pub ty: TypeId,
    pub types: Vec<TypeId>,
    /// The first register of the window is where to write the record that is the result.
    pub returns_record: bool,
    /// Neither variadic nor without a prototype: the arguments are laid out as the type says.
    pub plain: bool,
}

#[derive(Clone, Debug)]
pub enum SwitchTable {
    /// Targets of `low..`, one by one.
    Dense { low: i64, targets: Vec<Target>, otherwise: Target },
    /// Ranges in ascending order, inclusive.
    Sparse { kind: IntKind, ranges: Vec<(i128, i128, Target)>, otherwise: Target },
}

impl SwitchTable {
    /// Whether the value that is looked up takes two registers.
    #[inline]
    pub fn is_wide(&self) -> bool {
        matches!(self, SwitchTable::Sparse { kind, .. } if kind.bytes() > 8)
    }

    /// Where a value leads.
    #[inline]
    pub fn target(&self, value: Value) -> Target {
        match self {
            SwitchTable::Dense { low, targets, otherwise } => {
                let place = value.low().wrapping_sub(*low as u64);
                targets.get(place as usize).copied().unwrap_or(*otherwise)
            }
            SwitchTable::Sparse { kind, ranges, otherwise } => {
                let value = value.as_int(*kind);
                let unsigned = *kind == IntKind::UInt128;
                let below = |x: i128, y: i128| if unsigned { (x as u128) < y as u128 } else { x < y };
                let place = ranges.partition_point(|&(_, high, _)| below(high, value));
                match ranges.get(place) {
                    Some(&(low, _, target)) if !below(value, low) => target,
                    _ => *otherwise,
                }
            }
        }
    }

    pub fn targets_mut(&mut self) -> Vec<&mut Target> {
        match self {
            SwitchTable::Dense { targets, otherwise, .. } => targets.iter_mut().chain([otherwise]).collect(),
            SwitchTable::Sparse { ranges, otherwise, .. } => {
                ranges.iter_mut().map(|(_, _, target)| target).chain([otherwise]).collect()
            }
        }
    }
}

/// A compiled function.
#[derive(Debug)]
pub struct Code {
    pub function: FunctionId,
    pub ops: Vec<Op>,
    /// Of each instruction.
    pub spans: Vec<Span>,
    /// The size of the window.
    pub registers: u32,
    /// The first register that holds a value within one statement only.
    pub temporaries: u32,
    pub objects: Vec<FrameObject>,
    /// The register of each local that lives in one.
    pub homes: Vec<Option<(Reg, Class)>>,
    pub wides: Vec<u128>,
    pub bits: Vec<BitPlace>,
    pub sites: Vec<Site>,
    pub switches: Vec<SwitchTable>,
    pub texts: Vec<String>,
}

impl Op {
    /// The target, if the instruction jumps.
    pub fn target_mut(&mut self) -> Option<&mut Target> {
        use Op::*;
        match self {
            Jump(target)
            | JumpEq(_, _, target)
            | JumpNe(_, _, target)
            | JumpLtS(_, _, target)
            | JumpLeS(_, _, target)
            | JumpLtU(_, _, target)
            | JumpLeU(_, _, target)
            | JumpEqK(_, _, target)
            | JumpNeK(_, _, target)
            | JumpLtSK(_, _, target)
            | JumpLeSK(_, _, target)
            | JumpGtSK(_, _, target)
            | JumpGeSK(_, _, target)
            | JumpLtUK(_, _, target)
            | JumpLeUK(_, _, target)
            | JumpGtUK(_, _, target)
            | JumpGeUK(_, _, target) => Some(target),
            _ => None,
        }
    }

    /// Whether the next instruction is never reached from this one.
    pub fn ends_block(&self) -> bool {
        use Op::*;
        matches!(
            self,
            Jump(_)
                | Switch(..)
                | Return(_)
                | ReturnWide(_)
                | ReturnRecord(..)
                | ReturnVoid()
                | ReturnNothing()
                | LongJump(..)
                | AssumeFailed()
                | AssertFailed(_)
                | Unsupported(_)
                | Unsequenced(_)
                | OutOfRange(_)
        )
    }
}

const _: () = assert!(size_of::<Op>() <= 16, "an instruction should fit 16 bytes");
