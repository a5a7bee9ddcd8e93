//! Structs, unions and enumerations.

use super::declarator::{Attributes, Enumerated, Qual};
use super::scope::{Entity, Tag};
use super::{Lowered, Lowerer, Stop};
use diagnostics::Span;
use ir::layout::Member;
use ir::{IntKind, Length, Packing, Record, RecordId, RecordKind, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

impl<'u> Lowerer<'u, '_> {
    pub(super) fn record_type(&mut self, node: &Node<StructType>, attributes: Attributes) -> Lowered<TypeId> {
        let Attributes { packed, align, .. } = attributes;
        let kind = match node.node.kind.node {
            StructKind::Struct => RecordKind::Struct,
            StructKind::Union => RecordKind::Union,
        };
        let span = self.src.span(node.node.identifier.as_ref().map_or(node.node.kind.span, |i| i.span));
        let name = node.node.identifier.as_ref().map(|identifier| self.src.name(identifier));
        let Some(declarations) = &node.node.declarations else {
            let id = match name.and_then(|name| self.tags.get(name)) {
                Some(Tag::Record(id)) => self.check_tag_kind(id, kind, span)?,
                Some(Tag::Enum(..)) => return self.fail(span, "the tag names an enumeration"),
                None => self.declare_record(kind, name, span),
            };
            return Ok(self.types().intern(Type::Record(id)));
        };
        let id = match name.and_then(|name| self.tags.get_here(name)) {
            Some(Tag::Record(id)) => {
                let id = self.check_tag_kind(id, kind, span)?;
                if self.program.types.records[id].fields.is_some() {
                    let name = name.unwrap_or_default();
                    return self.fail(span, format!("`{name}` is defined a second time"));
                }
                self.program.types.records[id].span = span;
                id
            }
            Some(Tag::Enum(..)) => return self.fail(span, "the tag names an enumeration"),
            None => self.declare_record(kind, name, span),
        };
        let mut members = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => match self.members(&field.node, &mut members) {
                    // The whole record has no model then.
                    Err(Stop::Unsupported(_)) => {
                        self.unsupported.insert(id, "a record with a member that has no model");
                        return Ok(self.types().intern(Type::Record(id)));
                    }
                    other => other?,
                },
                StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
            }
        }
        let last = members.len().saturating_sub(1);
        for (index, member) in members.iter().enumerate() {
            let flexible = matches!(self.program.types.get(member.ty), Type::Array { length: Length::Unknown, .. })
                && (index == last || kind == RecordKind::Union);
            if !flexible && !self.program.types.is_complete(member.ty) {
                if let Some(what) = self.unsupported_type(member.ty) {
                    // The whole record has no model then.
                    self.unsupported.insert(id, what);
                    return Ok(self.types().intern(Type::Record(id)));
                }
                let (name, ty, at) = (member.name.clone(), self.describe(member.ty), member.span);
                return self.fail(at, format!("the member `{name}` has the incomplete type `{ty}`"));
            }
        }
        if let Some(what) = attributes.layout {
            self.unsupported.insert(id, what);
            return Ok(self.types().intern(Type::Record(id)));
        }
        let usual = self.program.data.packing;
        if matches!(usual, Packing::AtMost(_)) && members.iter().any(|member| member.width == Some(0)) {
            self.unsupported.insert(id, "a bit-field of width zero under -fpack-struct=n");
            return Ok(self.types().intern(Type::Record(id)));
        }
        let packing = match (self.src.pack_limit(node.span), packed || usual == Packing::Packed) {
            (Some(limit), true) => Packing::PackedAtMost(limit),
            (Some(limit), false) => Packing::AtMost(limit),
            (None, true) => match usual {
                Packing::AtMost(limit) => Packing::PackedAtMost(limit),
                _ => Packing::Packed,
            },
            (None, false) => usual,
        };
        self.types().define_record(id, members, packing, align);
        Ok(self.types().intern(Type::Record(id)))
    }

    fn check_tag_kind(&mut self, id: RecordId, kind: RecordKind, span: Span) -> Lowered<RecordId> {
        if self.program.types.records[id].kind == kind {
            Ok(id)
        } else {
            self.fail(span, "the tag was declared as another kind of type")
        }
    }

    fn declare_record(&mut self, kind: RecordKind, name: Option<&'u str>, span: Span) -> RecordId {
        let record = Record::declared(kind, name.unwrap_or_default().to_string(), span);
        let id = self.program.types.records.push(record);
        if let Some(name) = name {
            self.tags.declare(name, Tag::Record(id));
        }
        id
    }

    /// `struct s;` alone declares the tag anew in an inner scope.
    pub(super) fn declare_tag_alone(&mut self, specifiers: &[Node<DeclarationSpecifier>]) {
        if let [Node { node: DeclarationSpecifier::TypeSpecifier(ty), .. }] = specifiers
            && let TypeSpecifier::Struct(record) = &ty.node
            && record.node.declarations.is_none()
            && let Some(name) = &record.node.identifier
            && self.tags.get_here(&name.node.name).is_none()
        {
            let kind = match record.node.kind.node {
                StructKind::Struct => RecordKind::Struct,
                StructKind::Union => RecordKind::Union,
            };
            let span = self.src.span(name.span);
            self.declare_record(kind, Some(self.src.name(name)), span);
        }
    }

    fn members(&mut self, field: &StructField, members: &mut Vec<Member>) -> Lowered<()> {
        let (base, attributes) = self.member_specifiers(&field.specifiers)?;
        if field.declarators.is_empty() {
            let span = field.specifiers.first().map_or(Span::NONE, |s| self.src.span(s.span));
            if !matches!(self.program.types.get(base.ty), Type::Record(_)) {
                return Ok(());
            }
            // `struct t { … };` and `struct t;` inside a record declare the tag and no member.
            if !is_anonymous(&field.specifiers) && !self.program.data.tagged_members {
                return Ok(());
            }
            members.push(Member {
                name: String::new(),
                ty: base.ty,
                width: None,
                align: base.align,
                type_align: base.type_align,
                packed: attributes.packed,
                is_const: base.is_const,
                span,
            });
            return Ok(());
        }
        for node in &field.declarators {
            let span = self.src.span(node.span);
            let (name, mut qual, span) = match &node.node.declarator {
                Some(declarator) => {
                    let declared = self.declarator(base, declarator)?;
                    (declared.name.unwrap_or_default(), declared.qual, declared.name_span)
                }
                None => ("", base, span),
            };
            self.types().has_volatile_parts |= qual.is_volatile;
            self.note_atomic(qual);
            self.check_member(name, qual, span, members)?;
            let packed_here = match &node.node.declarator {
                Some(declarator) => self.attributes(&declarator.node.extensions)?.packed,
                None => false,
            };
            let width = match &node.node.bit_width {
                Some(width) => Some(self.bit_width(name, qual, width)?),
                None => None,
            };
            if width.is_some()
                && qual.is_plain_int
                && self.program.data.unsigned_bit_fields
                && let Some(kind) = self.program.types.int_kind(qual.ty)
            {
                qual.ty = self.program.types.int(kind.to_unsigned());
            }
            members.push(Member {
                name: name.to_string(),
                ty: qual.ty,
                width,
                align: qual.align,
                type_align: qual.type_align,
                packed: attributes.packed || packed_here,
                is_const: qual.is_const,
                span,
            });
        }
        Ok(())
    }

    fn check_member(&mut self, name: &str, qual: Qual, span: Span, members: &[Member]) -> Lowered<()> {
        match self.program.types.get(qual.ty) {
            Type::Function(_) => return self.fail(span, format!("the member `{name}` is declared as a function")),
            _ if !self.program.types.variable_lengths(qual.ty).is_empty() => {
                return self.unsupported("a member of variable length");
            }
            _ => {}
        }
        // A quadratic check on long records would be felt; duplicates in them are not worth that.
        if !name.is_empty() && members.len() < 200 && members.iter().any(|m| m.name == name) {
            return self.fail(span, format!("a second member is named `{name}`"));
        }
        Ok(())
    }

    fn bit_width(&mut self, name: &str, qual: Qual, node: &Node<Expression>) -> Lowered<u32> {
        let span = self.src.span(node.span);
        let Some(kind) = self.program.types.int_kind(qual.ty) else {
            return self.fail(span, format!("the bit-field `{name}` does not have an integer type"));
        };
        let width = self.integer_constant(node, "the width of a bit-field")?;
        let most = if kind == IntKind::Bool { 1 } else { kind.bits() };
        if width < 0 || width > most as i128 {
            return self.fail(span, format!("the width {width} does not fit the type `{}`", kind.c_name()));
        }
        if width == 0 && !name.is_empty() {
            return self.fail(span, format!("the bit-field `{name}` has no width"));
        }
        Ok(width as u32)
    }

    pub(super) fn enum_type(&mut self, node: &Node<EnumType>, packed: bool) -> Lowered<Qual> {
        let name = node.node.identifier.as_ref();
        if node.node.enumerators.is_empty() {
            let Some(name) = name else { return self.fail(self.src.span(node.span), "an enumeration without a name") };
            return match self.tags.get(&name.node.name) {
                Some(Tag::Enum(ty, number)) => Ok(Qual { enumerated: Enumerated::Tag(number), ..Qual::plain(ty) }),
                Some(Tag::Record(_)) => self.fail(self.src.span(name.span), "the tag names a struct or union"),
                None => {
                    // GNU C lets enumerations be declared ahead; they are `unsigned int` until defined.
                    let ty = self.program.types.int(IntKind::UInt);
                    let number = self.number_enumeration(IntKind::UInt);
                    self.tags.declare(self.src.name(name), Tag::Enum(ty, number));
                    Ok(Qual { enumerated: Enumerated::Tag(number), ..Qual::plain(ty) })
                }
            };
        }
        let mut next = 0i128;
        let (mut low, mut high) = (0i128, 0i128);
        for enumerator in &node.node.enumerators {
            let span = self.src.span(enumerator.node.identifier.span);
            if let Some(value) = &enumerator.node.expression {
                next = self.integer_constant(value, "the value of an enumerator")?;
            }
            let kind = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong];
            let Some(kind) = kind.into_iter().find(|kind| kind.contains(next)) else {
                return self.fail(span, "the value of the enumerator fits no integer type");
            };
            low = low.min(next);
            high = high.max(next);
            let ty = self.program.types.int(kind);
            let name = self.src.name(&enumerator.node.identifier);
            if matches!(self.names.get_here(name), Some(e) if !matches!(e, Entity::Broken)) {
                return self.fail(span, format!("`{name}` is declared a second time"));
            }
            self.names.declare(name, Entity::Enumerator { value: next, ty });
            next += 1;
        }
        use IntKind::*;
        let candidates: &[IntKind] = match (packed || self.program.data.short_enums, low < 0) {
            (true, false) => &[UChar, UShort, UInt, ULong],
            (true, true) => &[SChar, Short, Int, Long],
            (false, false) => &[UInt, ULong],
            (false, true) => &[Int, Long],
        };
        let Some(&kind) = candidates.iter().find(|kind| kind.contains(low) && kind.contains(high)) else {
            return self.fail(self.src.span(node.span), "no integer type holds all values of the enumeration");
        };
        let ty = self.program.types.int(kind);
        let declared = name.and_then(|name| self.tags.get_here(&name.node.name));
        let number = match declared {
            Some(Tag::Enum(_, number)) => {
                self.enumerations[number as usize] = kind;
                number
            }
            _ => self.number_enumeration(kind),
        };
        if let Some(name) = name {
            self.tags.declare(self.src.name(name), Tag::Enum(ty, number));
        }
        Ok(Qual { enumerated: Enumerated::Tag(number), ..Qual::plain(ty) })
    }

    fn number_enumeration(&mut self, kind: IntKind) -> u32 {
        self.enumerations.push(kind);
        self.enumerations.len() as u32 - 1
    }

    /// The way to a member: field indices through anonymous members, and the type and flags at the end.
    pub(super) fn find_member(&self, record: RecordId, name: &str) -> Option<Vec<u32>> {
        let fields = self.program.types.records[record].fields.as_ref()?;
        if let Some(index) = fields.iter().position(|field| field.name == name) {
            return Some(vec![index as u32]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_empty()).find_map(|(index, field)| {
            let Type::Record(inner) = self.program.types.get(field.ty) else { return None };
            let mut path = self.find_member(*inner, name)?;
            path.insert(0, index as u32);
            Some(path)
        })
    }
}

/// Whether the specifiers of a member define a record without a tag.
fn is_anonymous(specifiers: &[Node<SpecifierQualifier>]) -> bool {
    specifiers.iter().any(|specifier| match &specifier.node {
        SpecifierQualifier::TypeSpecifier(ty) => {
            matches!(&ty.node, TypeSpecifier::Struct(record) if record.node.identifier.is_none())
        }
        _ => false,
    })
}
