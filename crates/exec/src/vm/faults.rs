//! What the VM may report where: the instructions of a function that can fault, with their places.
//!
//! For whoever reasons about undefined behaviour and wants to know that no place was overlooked. The answer is about
//! kinds of operations, not about values: an addition of `int` is in it whether or not it can overflow.
//!
//! Not in it: accesses of named objects at a fixed place, which can only find no value there; the ends of functions; what
//! assertions say.

use super::bytecode::Op;
use super::image::Image;
use super::value::Class;
use diagnostics::Span;
use ir::hazards::Hazard;
use ir::{BinaryOp, FunctionId, IntKind};

/// An instruction that can fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultSite {
    /// What it asks; one of these is asked at its place.
    pub hazards: &'static [Hazard],
    pub span: Span,
}

impl Image<'_> {
    /// The instructions of a function that can fault, in the order of the code.
    pub fn fault_sites(&self, function: FunctionId) -> Vec<FaultSite> {
        let code = self.code(function, false);
        let faults = code.ops.iter().zip(&code.spans).map(|(op, span)| FaultSite { hazards: asked(op), span: *span });
        faults.filter(|site| !site.hazards.is_empty()).collect()
    }
}

fn asked(op: &Op) -> &'static [Hazard] {
    use Op::*;
    match op {
        AddI32(..) | SubI32(..) | MulI32(..) | AddI32K(..) | SubI32K(..) | MulI32K(..) | NegI32(..) | NegI64(..) => {
            &[Hazard::Overflow]
        }
        // The sizes of arrays of variable length, and indices into them, are computed by the same instructions.
        AddI64(..) | SubI64(..) | MulI64(..) | AddI64K(..) | SubI64K(..) | MulI64K(..) => {
            &[Hazard::Overflow, Hazard::Index, Hazard::PointerArithmetic, Hazard::Length]
        }
        Arith(op, kind, ..) => of_operator(*op, *kind),
        NegAny(kind, ..) if kind.is_signed() => &[Hazard::Overflow],
        DivI32(..) | DivI64(..) | DivU(..) | RemI32(..) | RemI64(..) | RemU(..) => &[Hazard::DivisionByZero],
        ShlI32(..) | ShlI64(..) | ShlU32(..) | ShlU64(..) | ShrI32(..) | ShrI64(..) | ShrU32(..) | ShrU64(..)
        | ShlI32K(..) | ShlI64K(..) => &[Hazard::Shift],
        F64ToI32(..) | F64ToI64(..) => &[Hazard::Conversion],
        Convert(Class::Float(_), Class::Int(kind), ..) if *kind != IntKind::Bool => &[Hazard::Conversion],
        LoadXI8(..) | LoadXU8(..) | LoadXI16(..) | LoadXU16(..) | LoadXI32(..) | LoadXU32(..) | LoadX64(..)
        | LoadGXI8(..) | LoadGXU8(..) | LoadGXI16(..) | LoadGXU16(..) | LoadGXI32(..) | LoadGXU32(..)
        | LoadGX64(..) | StoreX8(..) | StoreX16(..) | StoreX32(..) | StoreX64(..) | StoreGX8(..) | StoreGX16(..)
        | StoreGX32(..) | StoreGX64(..) => &[Hazard::Index, Hazard::Access],
        Index(..) | IndexK(..) | IndexBy(..) => &[Hazard::PointerArithmetic, Hazard::Index],
        CheckIndex(..) | CheckIndexBy(..) => &[Hazard::Index],
        CheckSame(..) | CheckLive(_) | PointerDiff(..) | PointerDiffBy(..) => &[Hazard::PointerComparison],
        MakeArray(..) => &[Hazard::Length],
        CheckAssigned(..) => &[Hazard::Initialised],
        CheckType(..) => &[Hazard::Access],
        CallPointer(..) | CallModel(..) | VaStart(..) | VaArg(..) | VaCopy(..) | VaEnd(..) | SetJump(..)
        | LongJump(..) => &[Hazard::Call],
        _ => &[],
    }
}

fn of_operator(op: BinaryOp, kind: IntKind) -> &'static [Hazard] {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if kind.is_signed() => &[Hazard::Overflow],
        BinaryOp::Div | BinaryOp::Rem => &[Hazard::DivisionByZero],
        BinaryOp::Shl | BinaryOp::Shr => &[Hazard::Shift],
        _ => &[],
    }
}
