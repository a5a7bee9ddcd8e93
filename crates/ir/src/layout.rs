//! Records and the layout of types: LP64, System V x86-64, bit-fields as GCC places them.
//!
//! A bit-field takes the next bits of the record unless it would cross a boundary of its declared type's size, in
//! which case it starts at that boundary; a bit-field of width zero moves to the boundary. `packed` records have
//! no padding, `#pragma pack` bounds it, and the bit-fields of both may cross.

use crate::ctype::{Length, Type, TypeId, Types};
use cranelift_entity::entity_impl;
use diagnostics::Span;

/// A struct or union of one [`Types`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(u32);
entity_impl!(RecordId, "rec");

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

/// The bits of a bit-field, counted from the least significant bit of the record's first byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitRange {
    pub offset: u64,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// Empty for an anonymous struct or union member.
    pub name: String,
    pub ty: TypeId,
    /// Byte offset in the record. For a bit-field, of the byte its first bit lies in.
    pub offset: u64,
    pub bits: Option<BitRange>,
    pub is_const: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    /// The tag, or empty.
    pub name: String,
    /// What a `typedef` outside of functions calls a record without a tag; empty if there is none.
    pub alias: String,
    /// `None` while the record is declared and not defined.
    pub fields: Option<Vec<Field>>,
    pub size: u64,
    pub align: u64,
    pub span: Span,
}

impl Record {
    pub fn declared(kind: RecordKind, name: String, span: Span) -> Record {
        Record { kind, name, alias: String::new(), fields: None, size: 0, align: 1, span }
    }
}

/// How close members stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Packing {
    /// As the types of the members ask.
    Natural,
    /// No member is aligned to more than this: `#pragma pack(n)`.
    AtMost(u64),
    /// No padding at all: `__attribute__((packed))`.
    Packed,
    /// Both. Bit-fields then ask for the alignment of their types up to the bound.
    PackedAtMost(u64),
}

impl Packing {
    fn is_packed(self) -> bool {
        matches!(self, Packing::Packed | Packing::PackedAtMost(_))
    }

    fn limit(self) -> u64 {
        match self {
            Packing::AtMost(limit) | Packing::PackedAtMost(limit) => limit,
            Packing::Natural | Packing::Packed => u64::MAX,
        }
    }
}

/// A member as declared, before it has a place.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub ty: TypeId,
    /// The declared width of a bit-field; zero only for the unnamed boundary marker.
    pub width: Option<u32>,
    /// From `_Alignas` or `__attribute__((aligned))`; 0 for none.
    pub align: u64,
    /// What a typedef made of the alignment of the type, more or less; 0 if none did.
    pub type_align: u64,
    /// `__attribute__((packed))` on this member.
    pub packed: bool,
    pub is_const: bool,
    pub span: Span,
}

impl Member {
    /// A member of which nothing is said but its type, written nowhere.
    pub fn plain(name: impl Into<String>, ty: TypeId) -> Member {
        Member {
            name: name.into(),
            ty,
            width: None,
            align: 0,
            type_align: 0,
            packed: false,
            is_const: false,
            span: Span::NONE,
        }
    }
}

impl Types {
    /// The size in bytes; `None` for `void`, functions, incomplete records and arrays of variable length.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Function(_) => None,
            Type::Int(kind) => Some(kind.bytes()),
            Type::Float(kind) => Some(kind.bytes()),
            Type::Pointer { .. } => Some(8),
            Type::Array { of, length } => match length {
                Length::Fixed(n) => self.size_of(*of)?.checked_mul(*n),
                Length::Variable(_) => None,
                Length::Unknown => Some(0),
            },
            Type::Record(record) => {
                let record = &self.records[*record];
                record.fields.is_some().then_some(record.size)
            }
        }
    }

    pub fn align_of(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(kind) => kind.bytes(),
            Type::Float(kind) => kind.bytes(),
            Type::Pointer { .. } => 8,
            Type::Array { of, .. } => self.align_of(*of),
            Type::Record(record) => self.records[*record].align,
        }
    }

    /// Whether packing gives a member less alignment than its type asks for.
    pub fn is_misplaced(&self, record: &Record, field: &Field) -> bool {
        let align = self.align_of(field.ty);
        record.align < align || !field.offset.is_multiple_of(align)
    }

    /// Whether objects of this type can be made: it has a size, fixed or computed at run time.
    pub fn is_complete(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Array { of, length: Length::Fixed(_) | Length::Variable(_) } => self.is_complete(*of),
            Type::Array { length: Length::Unknown, .. } => false,
            _ => self.size_of(id).is_some(),
        }
    }

    /// Gives the members of a record their places and completes it. `align` is a demand on the whole record.
    /// Unnamed bit-fields shape the layout and then disappear.
    pub fn define_record(&mut self, id: RecordId, members: Vec<Member>, packing: Packing, align: u64) {
        let kind = self.records[id].kind;
        let mut fields = Vec::with_capacity(members.len());
        // The first free bit; a record may have more bits than an address can count.
        let mut end_bits = 0u128;
        let mut size = 0u64; // of the largest member, for unions
        let mut record_align = align.max(1);
        for member in members {
            if kind == RecordKind::Union {
                end_bits = 0;
            }
            let bytes = self.size_of(member.ty).unwrap_or(0);
            let type_align = if member.type_align > 0 { member.type_align } else { self.align_of(member.ty) };
            // `#pragma pack` bounds what a member asks for itself, too.
            let limit = packing.limit();
            let is_packed = member.packed || packing.is_packed();
            let asked = member.align.max(1).min(limit);
            let member_align = if is_packed { asked } else { type_align.min(limit).max(asked) };
            match member.width {
                Some(0) => {
                    // Neither packing nor a bound changes what a boundary is.
                    end_bits = end_bits.next_multiple_of(u128::from(type_align) * 8);
                }
                Some(width) => {
                    if member.align > 0 {
                        end_bits = end_bits.next_multiple_of(u128::from(asked) * 8);
                    }
                    let unit = u128::from(bytes) * 8;
                    let crosses = end_bits / unit != (end_bits + u128::from(width) - 1) / unit;
                    if crosses && !is_packed && limit == u64::MAX {
                        end_bits = end_bits.next_multiple_of(u128::from(type_align) * 8);
                    }
                    if !member.name.is_empty() {
                        let of_type = if is_packed && limit == u64::MAX { 1 } else { type_align.min(limit) };
                        record_align = record_align.max(of_type.max(asked));
                        fields.push(Field {
                            name: member.name,
                            ty: member.ty,
                            offset: (end_bits / 8) as u64,
                            bits: Some(BitRange { offset: end_bits as u64, width }),
                            is_const: member.is_const,
                            span: member.span,
                        });
                    }
                    end_bits += u128::from(width);
                }
                None => {
                    let offset = (end_bits.div_ceil(8) as u64).next_multiple_of(member_align);
                    record_align = record_align.max(member_align);
                    fields.push(Field {
                        name: member.name,
                        ty: member.ty,
                        offset,
                        bits: None,
                        is_const: member.is_const,
                        span: member.span,
                    });
                    end_bits = (u128::from(offset) + u128::from(bytes)) * 8;
                }
            }
            size = size.max(end_bits.div_ceil(8) as u64);
        }
        let record = &mut self.records[id];
        record.fields = Some(fields);
        record.size = size.next_multiple_of(record_align);
        record.align = record_align;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctype::IntKind;

    fn member(types: &Types, kind: IntKind, width: Option<u32>, name: &str) -> Member {
        Member {
            name: name.into(),
            ty: types.int(kind),
            width,
            align: 0,
            type_align: 0,
            packed: false,
            is_const: false,
            span: Span::NONE,
        }
    }

    fn laid_out(kind: RecordKind, packing: Packing, members: &[(IntKind, Option<u32>, &str)]) -> (u64, u64, Vec<u64>) {
        let mut types = Types::new();
        let id = types.records.push(Record::declared(kind, "s".into(), Span::NONE));
        let members = members.iter().map(|&(kind, width, name)| member(&types, kind, width, name)).collect();
        types.define_record(id, members, packing, 1);
        let record = &types.records[id];
        let places = record.fields.as_ref().unwrap().iter().map(|f| f.bits.map_or(f.offset * 8, |b| b.offset));
        (record.size, record.align, places.collect())
    }

    /// The expected values are what GCC 12 gives on x86-64.
    #[test]
    fn layouts_agree_with_the_abi() {
        use IntKind::*;
        use RecordKind::*;
        assert_eq!(laid_out(Struct, Packing::Natural, &[(Char, None, "a"), (Int, None, "b")]), (8, 4, vec![0, 32]));
        assert_eq!(laid_out(Struct, Packing::Packed, &[(Char, None, "a"), (Int, None, "b")]), (5, 1, vec![0, 8]));
        assert_eq!(laid_out(Union, Packing::Natural, &[(Char, None, "a"), (Long, None, "b")]), (8, 8, vec![0, 0]));
        let bits = [(UInt, Some(3), "a"), (UInt, Some(30), "b"), (UChar, Some(2), "c")];
        assert_eq!(laid_out(Struct, Packing::Natural, &bits), (8, 4, vec![0, 32, 62]));
        let boundary = [(UInt, Some(3), "a"), (UInt, Some(0), ""), (UInt, Some(5), "b")];
        assert_eq!(laid_out(Struct, Packing::Natural, &boundary), (8, 4, vec![0, 32]));
        let mixed = [(Char, None, "a"), (Int, Some(4), "b"), (Short, None, "c")];
        assert_eq!(laid_out(Struct, Packing::Natural, &mixed), (4, 4, vec![0, 8, 16]));
        assert_eq!(laid_out(Struct, Packing::Natural, &[]), (0, 1, vec![]));
        let plain = [(Char, None, "a"), (Long, None, "b"), (Short, None, "c")];
        assert_eq!(laid_out(Struct, Packing::AtMost(2), &plain), (12, 2, vec![0, 16, 80]));
        let bits = [(UInt, Some(4), "a"), (UInt, Some(30), "b"), (UInt, Some(32), "c")];
        assert_eq!(laid_out(Struct, Packing::AtMost(1), &bits), (9, 1, vec![0, 4, 34]));
    }
}
