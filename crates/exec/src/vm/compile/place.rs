//! Lvalues: from a path to an address, checked on the way.
//!
//! *Bounds of arrays.* The access itself is always checked against the whole object. An index into an array with a
//! length is checked against that length too, so that a row of a matrix or an array inside a record is not left
//! unnoticed; except if the array is *trailing*, that is, nothing of the object comes after it by the types in the
//! lvalue: a whole variable, or the last member (of the last member, and so on) of a variable or of a record reached
//! through a pointer, whose memory may have been allocated larger on purpose. Where an address is formed the index
//! may equal the length.

use super::super::bytecode::{BitPlace, Op, Reg};
use super::super::value::Class;
use super::expr::Stride;
use super::{Compiler, Home};
use crate::memory::Address;
use diagnostics::Span;
use ir::{
    Base, BinaryOp, EntityRef, Expr, ExprKind, GlobalId, IntKind, Length, LocalId, LocalKind, Lvalue, RecordKind, Step,
    Type, TypeId,
};

#[derive(Clone, Copy, Debug)]
enum Origin {
    Register(Reg),
    Global(GlobalId),
}

/// An object or a part of one, as far as it has been computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    origin: Origin,
    /// Bytes before the index is added.
    before: i64,
    index: Option<(Reg, u32)>,
    /// Bytes after that.
    after: i64,
    bits: Option<BitPlace>,
    /// Inside a packed record, where no alignment is promised.
    unaligned: bool,
    /// The address register of a constant local that is being given its value.
    constant: Option<Reg>,
}

/// Offsets up to here are added without a look at the object: they cannot lead into another one's addresses.
const NEAR: i64 = 1 << 20;

impl Place {
    fn at(origin: Origin) -> Place {
        Place { origin, before: 0, index: None, after: 0, bits: None, unaligned: false, constant: None }
    }

    pub(super) fn is_bit_field(&self) -> bool {
        self.bits.is_some()
    }

    fn add(&mut self, bytes: i64) {
        let part = if self.index.is_some() { &mut self.after } else { &mut self.before };
        *part = part.wrapping_add(bytes);
    }
}

impl Compiler<'_> {
    /// The register that is the lvalue, if it is one. Reading it may need a check, which is left here.
    pub(super) fn register_of(&mut self, lvalue: &Lvalue) -> Option<Reg> {
        let local = lvalue.as_local()?;
        let Home::Register(reg, _) = self.homes[local.index()] else { return None };
        self.use_local(local, lvalue.span);
        Some(reg)
    }

    fn use_local(&mut self, local: LocalId, span: Span) {
        if self.function.locals[local].kind != LocalKind::Parameter {
            self.emit(Op::Use(local), span);
        }
    }

    /// The size of a type, which may have to be computed.
    pub(super) fn size(&mut self, ty: TypeId, span: Span) -> Stride {
        if let Some(size) = self.types.size_of(ty) {
            return Stride::Fixed(size);
        }
        let Type::Array { of, length } = *self.types.get(ty) else { return Stride::Fixed(1) };
        let element = self.size(of, span);
        let count = match length {
            Length::Variable(local) => self.length(local, span),
            Length::Fixed(n) => {
                let reg = self.take(1);
                self.emit(Op::Const(reg, n as i64), span);
                reg
            }
            Length::Unknown => return Stride::Fixed(0),
        };
        let target = self.take(1);
        // Sizes are computed in `long`, so that an absurd length is an overflow and not a small number.
        match element {
            Stride::Fixed(size) if size <= i32::MAX as u64 => self.emit(Op::MulI64K(target, count, size as i32), span),
            Stride::Fixed(size) => {
                self.emit(Op::Const(target, size as i64), span);
                self.emit(Op::MulI64(target, count, target), span);
            }
            Stride::Computed(size) => self.emit(Op::MulI64(target, count, size), span),
        }
        Stride::Computed(target)
    }

    /// The register with the length of an array.
    fn length(&mut self, local: LocalId, span: Span) -> Reg {
        match self.homes[local.index()] {
            Home::Register(reg, _) => {
                self.use_local(local, span);
                reg
            }
            Home::Memory(address) => {
                let reg = self.take(1);
                self.emit(Op::Load64(reg, address, 0), span);
                reg
            }
        }
    }

    /// Computes where an lvalue is. `forming`: only its address is wanted.
    pub(super) fn place(&mut self, lvalue: &Lvalue, forming: bool) -> Place {
        let (mut place, mut ty, mut trailing) = self.base(lvalue);
        for (i, step) in lvalue.path.iter().enumerate() {
            let last = i + 1 == lvalue.path.len();
            match step {
                Step::Field(number) => {
                    let Type::Record(id) = *self.types.get(ty) else {
                        unreachable!("a field should be taken of a record, because the program is verified")
                    };
                    let record = &self.types.records[id];
                    let fields = record.fields.as_deref().unwrap_or_default();
                    let field = &fields[*number as usize];
                    trailing &= record.kind == RecordKind::Union || *number as usize + 1 == fields.len();
                    match (field.bits, self.types.int_kind(field.ty)) {
                        (Some(range), Some(kind)) => {
                            place.bits = Some(BitPlace { first: range.offset, width: range.width, kind });
                        }
                        _ => {
                            place.add(field.offset as i64);
                            place.unaligned |= self.types.is_misplaced(record, field);
                        }
                    }
                    ty = field.ty;
                }
                Step::Index(index) => {
                    let Type::Array { of, length } = *self.types.get(ty) else {
                        unreachable!("an index should be taken of an array, because the program is verified")
                    };
                    self.step_index(&mut place, index, of, length, trailing, forming && last);
                    trailing = false;
                    ty = of;
                }
            }
        }
        place
    }

    /// Where the path starts: the place, its type, and whether it is trailing.
    fn base(&mut self, lvalue: &Lvalue) -> (Place, TypeId, bool) {
        match &lvalue.base {
            Base::Local(local) => {
                let declared = &self.function.locals[*local];
                let Home::Memory(reg) = self.homes[local.index()] else {
                    unreachable!("a local that is reached by a path should be in memory, because it is no scalar")
                };
                let mut place = Place::at(Origin::Register(reg));
                place.constant = declared.is_const.then_some(reg);
                (place, declared.ty, true)
            }
            Base::Global(id) => {
                let global = &self.program.globals[*id];
                if !self.image.has_object(*id) {
                    let text = self.text(format!("the variable `{}`, which has no definition", global.name));
                    self.emit(Op::Unsupported(text), lvalue.span);
                }
                (Place::at(Origin::Global(*id)), global.ty, true)
            }
            Base::Deref(pointer) => {
                let ty = self.types.pointee(pointer.ty).expect("what is dereferenced should be a pointer");
                let trailing = !matches!(self.types.get(ty), Type::Array { .. });
                (self.pointed(pointer), ty, trailing)
            }
        }
    }

    /// The place a pointer points to, with an addition at its end left to the access.
    fn pointed(&mut self, pointer: &Expr) -> Place {
        let mut inner = pointer;
        while let ExprKind::Convert { value, .. } = &inner.kind
            && self.types.is_pointer(value.ty)
        {
            inner = value;
        }
        match &inner.kind {
            ExprKind::AddressOf(lvalue) => {
                let mut place = self.place(lvalue, true);
                // Alignment is a matter of the type that is accessed, and this is another one.
                place.unaligned = false;
                place.constant = None;
                place
            }
            ExprKind::Binary(BinaryOp::PointerAdd, base, index) => {
                let stride = self.stride(base.ty, inner.span);
                let Stride::Fixed(size) = stride else { return Place::at(Origin::Register(self.expr(pointer, None))) };
                if let Some(k) = self.constant(index) {
                    if let Some(bytes) = k.checked_mul(size as i64)
                        && (-NEAR..=NEAR).contains(&bytes)
                    {
                        let mut place = Place::at(Origin::Register(self.expr(base, None)));
                        place.add(bytes);
                        return place;
                    }
                } else if size <= u64::from(u32::MAX) {
                    let mut place = Place::at(Origin::Register(self.expr(base, None)));
                    place.index = Some((self.expr(index, None), size as u32));
                    return place;
                }
                Place::at(Origin::Register(self.expr(pointer, None)))
            }
            _ => Place::at(Origin::Register(self.expr(pointer, None))),
        }
    }

    fn step_index(
        &mut self,
        place: &mut Place,
        index: &Expr,
        of: TypeId,
        length: Length,
        trailing: bool,
        forming: bool,
    ) {
        let stride = self.size(of, index.span);
        if let (Some(k), Stride::Fixed(size)) = (self.constant(index), stride)
            && let Some(bytes) = k.checked_mul(size as i64)
            && (-NEAR..=NEAR).contains(&bytes)
        {
            if let (Length::Fixed(n), false) = (length, trailing) {
                let most = n as i64 - if forming { 0 } else { 1 };
                if k < 0 || k > most {
                    let text = self.text(format!("index {k} of an array of {n} elements"));
                    self.emit(Op::OutOfRange(text), index.span);
                }
            }
            if let (Length::Variable(local), false) = (length, trailing) {
                let reg = self.expr(index, None);
                let bound = self.length(local, index.span);
                self.emit(Op::CheckIndexBy(reg, bound, forming), index.span);
            }
            place.add(bytes);
            return;
        }
        let reg = self.expr(index, None);
        match length {
            Length::Fixed(n) if !trailing => self.emit(Op::CheckIndex(reg, n + forming as u64), index.span),
            Length::Variable(local) if !trailing => {
                let bound = self.length(local, index.span);
                self.emit(Op::CheckIndexBy(reg, bound, forming), index.span);
            }
            _ => {}
        }
        if place.index.is_some() || !matches!(stride, Stride::Fixed(size) if size <= u64::from(u32::MAX)) {
            let base = self.address(place, index.span);
            let op = self.index_op(base, reg, stride, index.span);
            let settled =
                Place { constant: place.constant, unaligned: place.unaligned, ..Place::at(Origin::Register(base)) };
            *place = settled;
            match stride {
                Stride::Fixed(size) if size <= u64::from(u32::MAX) => place.index = Some((reg, size as u32)),
                _ => {
                    let target = self.take(1);
                    self.emit(op(target), index.span);
                    place.origin = Origin::Register(target);
                }
            }
            return;
        }
        if let Stride::Fixed(size) = stride {
            place.index = Some((reg, size as u32));
        }
    }

    /// The address of a place in a register.
    pub(super) fn address(&mut self, place: &Place, span: Span) -> Reg {
        let mut reg = match place.origin {
            Origin::Register(reg) => reg,
            Origin::Global(id) => {
                let reg = self.take(1);
                let near = place.before.clamp(-NEAR, NEAR);
                let before = if near == place.before { near } else { 0 };
                let Address(base) = self.image.address_of_global(id);
                self.emit(Op::Const(reg, (base as i64).wrapping_add(before)), span);
                if before == place.before {
                    return self.address_after(place, reg, span);
                }
                reg
            }
        };
        reg = self.shifted(reg, place.before, span);
        self.address_after(place, reg, span)
    }

    fn address_after(&mut self, place: &Place, mut reg: Reg, span: Span) -> Reg {
        if let Some((index, scale)) = place.index {
            let target = self.take(1);
            self.emit(Op::Index(target, reg, index, scale), span);
            reg = target;
        }
        self.shifted(reg, place.after, span)
    }

    fn shifted(&mut self, reg: Reg, bytes: i64, span: Span) -> Reg {
        if bytes == 0 {
            return reg;
        }
        let target = self.take(1);
        match i32::try_from(bytes) {
            Ok(near) if (-NEAR..=NEAR).contains(&bytes) => self.emit(Op::Member(target, reg, near), span),
            _ => {
                self.emit(Op::Const(target, bytes), span);
                self.emit(Op::Index(target, reg, target, 1), span);
            }
        }
        target
    }

    /// The address of a place without its last constant, which is given back and is near.
    fn near_address(&mut self, place: &Place, span: Span) -> (Reg, i32) {
        let split = match (place.origin, place.index) {
            (Origin::Register(reg), None) if (-NEAR..=NEAR).contains(&place.before) => {
                return (reg, place.before as i32);
            }
            (_, Some(_)) if (-NEAR..=NEAR).contains(&place.after) => place.after,
            _ => 0,
        };
        let rest = Place { after: place.after - split, ..*place };
        (self.address(&rest, span), split as i32)
    }

    /// Reads a scalar.
    /// Reads a scalar; a `_Bool` must hold one of its two values.
    pub(super) fn load(&mut self, place: &Place, class: Class, target: Reg, span: Span) {
        self.load_bytes(place, class, target, span);
        if class == Class::Int(IntKind::Bool) && place.bits.is_none() {
            self.emit(Op::CheckBool(target), span);
        }
    }

    fn load_bytes(&mut self, place: &Place, class: Class, target: Reg, span: Span) {
        if let Some(bits) = place.bits {
            let address = self.address(place, span);
            self.bits.push(bits);
            self.emit(Op::LoadBits(target, address, self.bits.len() as u32 - 1), span);
            return;
        }
        let size = class.bytes();
        if class.is_wide() || place.unaligned {
            let (address, offset) = self.near_address(place, span);
            self.emit(Op::LoadAny(class, place.unaligned, target, address, offset), span);
            return;
        }
        let offset = u32::try_from(place.before.wrapping_add(place.after)).ok();
        let signed = matches!(class, Class::Int(kind) if kind.is_signed());
        let op = match (place.origin, place.index, offset) {
            (Origin::Register(base), Some((index, scale)), Some(offset)) => match (size, signed) {
                (1, true) => Op::LoadXI8(target, base, index, scale, offset),
                (1, false) => Op::LoadXU8(target, base, index, scale, offset),
                (2, true) => Op::LoadXI16(target, base, index, scale, offset),
                (2, false) => Op::LoadXU16(target, base, index, scale, offset),
                (4, true) => Op::LoadXI32(target, base, index, scale, offset),
                (4, false) => Op::LoadXU32(target, base, index, scale, offset),
                _ => Op::LoadX64(target, base, index, scale, offset),
            },
            (Origin::Global(id), None, Some(offset)) if self.lies_inside(id, offset, size) => {
                let slot = self.image.slot_of_global(id);
                match (size, signed) {
                    (1, true) => Op::LoadGI8(target, slot, offset),
                    (1, false) => Op::LoadGU8(target, slot, offset),
                    (2, true) => Op::LoadGI16(target, slot, offset),
                    (2, false) => Op::LoadGU16(target, slot, offset),
                    (4, true) => Op::LoadGI32(target, slot, offset),
                    (4, false) => Op::LoadGU32(target, slot, offset),
                    _ => Op::LoadG64(target, slot, offset),
                }
            }
            (Origin::Global(id), Some((index, scale)), Some(offset)) if scale <= u32::from(u16::MAX) => {
                let (slot, scale) = (self.image.slot_of_global(id), scale as u16);
                match (size, signed) {
                    (1, true) => Op::LoadGXI8(target, index, scale, slot, offset),
                    (1, false) => Op::LoadGXU8(target, index, scale, slot, offset),
                    (2, true) => Op::LoadGXI16(target, index, scale, slot, offset),
                    (2, false) => Op::LoadGXU16(target, index, scale, slot, offset),
                    (4, true) => Op::LoadGXI32(target, index, scale, slot, offset),
                    (4, false) => Op::LoadGXU32(target, index, scale, slot, offset),
                    _ => Op::LoadGX64(target, index, scale, slot, offset),
                }
            }
            _ => {
                let (address, offset) = self.near_address(place, span);
                match (size, signed) {
                    (1, true) => Op::LoadI8(target, address, offset),
                    (1, false) => Op::LoadU8(target, address, offset),
                    (2, true) => Op::LoadI16(target, address, offset),
                    (2, false) => Op::LoadU16(target, address, offset),
                    (4, true) => Op::LoadI32(target, address, offset),
                    (4, false) => Op::LoadU32(target, address, offset),
                    _ => Op::Load64(target, address, offset),
                }
            }
        };
        self.emit(op, span);
    }

    /// Whether an aligned access at a constant offset of a global needs no further check.
    fn lies_inside(&self, id: GlobalId, offset: u32, size: u64) -> bool {
        let total = self.image.size_of_global(id);
        u64::from(offset).is_multiple_of(size) && u64::from(offset) + size <= total
    }

    /// Writes a scalar.
    pub(super) fn store(&mut self, place: &Place, class: Class, source: Reg, span: Span) {
        if let Some(reg) = place.constant {
            self.emit(Op::OpenConst(reg), span);
        }
        self.store_inside(place, class, source, span);
        if let Some(reg) = place.constant {
            self.emit(Op::CloseConst(reg), span);
        }
    }

    fn store_inside(&mut self, place: &Place, class: Class, source: Reg, span: Span) {
        if let Some(bits) = place.bits {
            let address = self.address(place, span);
            self.bits.push(bits);
            self.emit(Op::StoreBits(source, address, self.bits.len() as u32 - 1), span);
            return;
        }
        let size = class.bytes();
        if class.is_wide() || place.unaligned {
            let (address, offset) = self.near_address(place, span);
            self.emit(Op::StoreAny(class, place.unaligned, source, address, offset), span);
            return;
        }
        let offset = u32::try_from(place.before.wrapping_add(place.after)).ok();
        let op = match (place.origin, place.index, offset) {
            (Origin::Register(base), Some((index, scale)), Some(offset)) => match size {
                1 => Op::StoreX8(source, base, index, scale, offset),
                2 => Op::StoreX16(source, base, index, scale, offset),
                4 => Op::StoreX32(source, base, index, scale, offset),
                _ => Op::StoreX64(source, base, index, scale, offset),
            },
            (Origin::Global(id), None, Some(offset)) if self.lies_inside(id, offset, size) => {
                let slot = self.image.slot_of_global(id);
                match size {
                    1 => Op::StoreG8(source, slot, offset),
                    2 => Op::StoreG16(source, slot, offset),
                    4 => Op::StoreG32(source, slot, offset),
                    _ => Op::StoreG64(source, slot, offset),
                }
            }
            (Origin::Global(id), Some((index, scale)), Some(offset)) if scale <= u32::from(u16::MAX) => {
                let (slot, scale) = (self.image.slot_of_global(id), scale as u16);
                match size {
                    1 => Op::StoreGX8(source, index, scale, slot, offset),
                    2 => Op::StoreGX16(source, index, scale, slot, offset),
                    4 => Op::StoreGX32(source, index, scale, slot, offset),
                    _ => Op::StoreGX64(source, index, scale, slot, offset),
                }
            }
            _ => {
                let (address, offset) = self.near_address(place, span);
                match size {
                    1 => Op::Store8(source, address, offset),
                    2 => Op::Store16(source, address, offset),
                    4 => Op::Store32(source, address, offset),
                    _ => Op::Store64(source, address, offset),
                }
            }
        };
        self.emit(op, span);
    }

    /// Writes a register to an lvalue, whatever that is.
    pub(super) fn assign_register(&mut self, target: &Lvalue, source: Reg) {
        if let Some(local) = target.as_local()
            && let Home::Register(reg, class) = self.homes[local.index()]
        {
            if reg != source {
                self.emit(if class.is_wide() { Op::MovWide(reg, source) } else { Op::Mov(reg, source) }, target.span);
            }
            self.emit(Op::Assigned(local), target.span);
            return;
        }
        let class = Class::of(self.types, target.ty).unwrap_or(Class::Int(IntKind::Int));
        let place = self.accessed(target);
        self.store(&place, class, source, target.span);
    }

    /// The address register of a constant local that the lvalue writes to directly.
    pub(super) fn constant_of(&self, place: &Place) -> Option<Reg> {
        place.constant
    }
}
