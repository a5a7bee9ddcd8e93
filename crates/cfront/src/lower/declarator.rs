//! Types from specifiers and declarators.

use super::scope::Entity;
use super::{Lowered, Lowerer, Stop};
use crate::parse::invented::{AUTO_TYPE, SIGNED_INT128, UNSIGNED_INT128};
use diagnostics::{Finding, Rule, Span};
use ir::layout::Member;
use ir::{FloatKind, IntKind, Length, Local, LocalId, RecordKind, Signature, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

/// The enumeration at the bottom of a type. The program model has only the integer type that represents it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enumerated {
    No,
    /// The enumeration of that number.
    Tag(u32),
    /// The type is that of an expression, which does not say.
    Maybe,
}

/// A type with the qualifiers of the object, and the alignment an attribute demands (0 for none).
#[derive(Clone, Copy, Debug)]
pub struct Qual {
    pub ty: TypeId,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_atomic: bool,
    pub align: u64,
    /// What a typedef made of the type's alignment (0 if none did).
    pub type_align: u64,
    /// A signed integer type that was not written with `signed`: what a bit-field of it is, the data model says.
    pub is_plain_int: bool,
    pub enumerated: Enumerated,
}

impl Qual {
    pub fn plain(ty: TypeId) -> Qual {
        Qual {
            ty,
            is_const: false,
            is_volatile: false,
            is_atomic: false,
            align: 0,
            type_align: 0,
            is_plain_int: false,
            enumerated: Enumerated::No,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    None,
    Typedef,
    Extern,
    Static,
}

/// What the specifiers of a declaration say.
pub struct Specifiers {
    pub qual: Qual,
    pub storage: Storage,
    pub inline: bool,
    pub noreturn: bool,
    /// `__auto_type`: the initialiser gives the type.
    pub deduced: bool,
    pub span: Span,
}

/// What a declarator declares.
pub struct Declared<'u, 't> {
    pub name: Option<&'u str>,
    pub name_span: Span,
    pub qual: Qual,
    /// The parameter list that belongs to the name itself, if it is a function.
    pub params: Option<&'t DerivedDeclarator>,
    pub noreturn: bool,
}

/// What the attributes of one place say.
#[derive(Clone, Copy, Default)]
pub struct Attributes {
    pub packed: bool,
    pub align: u64,
    pub noreturn: bool,
    pub mode: Option<Mode>,
    /// The bytes that `vector_size` asks for.
    pub vector: Option<u64>,
    /// A layout of records that has no model.
    pub layout: Option<&'static str>,
}

/// What `__attribute__((mode(…)))` makes of a type.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    Int(IntKind),
    Float(FloatKind),
    /// Vectors, complex numbers and formats that the model lacks.
    Unknown,
}

/// A count of each type keyword.
#[derive(Default)]
struct Words {
    void: u32,
    char: u32,
    short: u32,
    int: u32,
    long: u32,
    float: u32,
    double: u32,
    signed: u32,
    unsigned: u32,
    bool: u32,
    complex: u32,
    other: Option<Qual>,
    deduced: bool,
}

impl Words {
    /// Counts a keyword; answers whether it was one.
    fn count(&mut self, word: &TypeSpecifier) -> bool {
        let counter = match word {
            TypeSpecifier::Void => &mut self.void,
            TypeSpecifier::Char => &mut self.char,
            TypeSpecifier::Short => &mut self.short,
            TypeSpecifier::Int => &mut self.int,
            TypeSpecifier::Long => &mut self.long,
            TypeSpecifier::Float => &mut self.float,
            TypeSpecifier::Double => &mut self.double,
            TypeSpecifier::Signed => &mut self.signed,
            TypeSpecifier::Unsigned => &mut self.unsigned,
            TypeSpecifier::Bool => &mut self.bool,
            TypeSpecifier::Complex => &mut self.complex,
            _ => return false,
        };
        *counter += 1;
        true
    }
}

/// A specifier of any of the two lists that the syntax tree keeps apart.
enum Part<'t> {
    Type(&'t Node<TypeSpecifier>),
    Qualifier(&'t TypeQualifier),
    Extensions(&'t [Node<Extension>]),
}

impl<'u> Lowerer<'u, '_> {
    pub(super) fn specifiers(&mut self, nodes: &[Node<DeclarationSpecifier>]) -> Lowered<Specifiers> {
        let mut storage = Storage::None;
        let (mut inline, mut noreturn) = (false, false);
        let mut align = 0;
        let mut parts = Vec::with_capacity(nodes.len());
        let mut span = Span::NONE;
        for node in nodes {
            span = span.to(self.src.span(node.span));
            match &node.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => storage = Storage::Typedef,
                    StorageClassSpecifier::Extern => storage = Storage::Extern,
                    StorageClassSpecifier::Static => storage = Storage::Static,
                    StorageClassSpecifier::ThreadLocal => {
                        let span = self.src.span(class.span);
                        self.types().has_thread_locals |= !self.in_system_header(span);
                    }
                    StorageClassSpecifier::Auto | StorageClassSpecifier::Register => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) => parts.push(Part::Type(ty)),
                DeclarationSpecifier::TypeQualifier(qualifier) => parts.push(Part::Qualifier(&qualifier.node)),
                DeclarationSpecifier::Function(function) => match function.node {
                    FunctionSpecifier::Inline => inline = true,
                    FunctionSpecifier::Noreturn => noreturn = true,
                },
                DeclarationSpecifier::Alignment(alignment) => {
                    align = align.max(self.alignment(&alignment.node)?);
                }
                DeclarationSpecifier::Extension(extensions) => parts.push(Part::Extensions(extensions)),
            }
        }
        let (mut qual, attributes, deduced) = self.combine(&parts, span)?;
        qual.align = qual.align.max(align);
        Ok(Specifiers { qual, storage, inline, noreturn: noreturn || attributes.noreturn, deduced, span })
    }

    pub(super) fn specifier_qualifiers(&mut self, nodes: &[Node<SpecifierQualifier>]) -> Lowered<Qual> {
        Ok(self.member_specifiers(nodes)?.0)
    }

    /// As [`Self::specifier_qualifiers`], with the attributes that speak of what is declared.
    pub(super) fn member_specifiers(&mut self, nodes: &[Node<SpecifierQualifier>]) -> Lowered<(Qual, Attributes)> {
        let mut span = Span::NONE;
        let parts: Vec<Part> = nodes
            .iter()
            .map(|node| {
                span = span.to(self.src.span(node.span));
                match &node.node {
                    SpecifierQualifier::TypeSpecifier(ty) => Part::Type(ty),
                    SpecifierQualifier::TypeQualifier(qualifier) => Part::Qualifier(&qualifier.node),
                    SpecifierQualifier::Extension(extensions) => Part::Extensions(extensions),
                }
            })
            .collect();
        let (qual, attributes, _) = self.combine(&parts, span)?;
        Ok((qual, attributes))
    }

    pub(super) fn type_name(&mut self, name: &Node<TypeName>) -> Lowered<Qual> {
        let qual = self.specifier_qualifiers(&name.node.specifiers)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(qual, declarator)?.qual),
            None => Ok(qual),
        }
    }

    fn alignment(&mut self, specifier: &AlignmentSpecifier) -> Lowered<u64> {
        match specifier {
            AlignmentSpecifier::Type(name) => {
                let qual = self.type_name(name)?;
                Ok(self.align_of(qual))
            }
            AlignmentSpecifier::Constant(value) => {
                let span = self.src.span(value.span);
                let value = self.integer_constant(value, "an alignment")?;
                self.check_alignment(value, span)
            }
        }
    }

    /// The alignment of a type as it was named.
    pub(super) fn align_of(&self, qual: Qual) -> u64 {
        let of_type = if qual.type_align > 0 { qual.type_align } else { self.program.types.align_of(qual.ty) };
        of_type.max(qual.align)
    }

    fn check_alignment(&mut self, value: i128, span: Span) -> Lowered<u64> {
        if !(0..=1 << 28).contains(&value) || (value != 0 && (value & (value - 1)) != 0) {
            return self.fail(span, format!("the alignment {value} is not a power of two"));
        }
        Ok(value as u64)
    }

    pub(super) fn attributes(&mut self, extensions: &[Node<Extension>]) -> Lowered<Attributes> {
        let mut result = Attributes::default();
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            match attribute.name.node.trim_matches('_') {
                "packed" => result.packed = true,
                "noreturn" => result.noreturn = true,
                "may_alias" => self.program.data.strict_aliasing = false,
                "vector_size" => {
                    if let Some(argument) = attribute.arguments.first() {
                        let bytes = self.integer_constant(argument, "the size of a vector")?;
                        result.vector = Some(u64::try_from(bytes).unwrap_or(0));
                    }
                }
                "aligned" => {
                    let span = self.src.span(extension.span);
                    let value = match attribute.arguments.first() {
                        Some(argument) => self.integer_constant(argument, "an alignment")?,
                        // GCC takes 16 on the machines that have a model, whatever their largest vector.
                        None => 16,
                    };
                    result.align = result.align.max(self.check_alignment(value, span)?);
                }
                "mode" => {
                    if let Some(Expression::Identifier(name)) = attribute.arguments.first().map(|a| &a.node) {
                        result.mode = Some(match name.node.name.trim_matches('_') {
                            "QI" | "byte" => Mode::Int(IntKind::SChar),
                            "HI" => Mode::Int(IntKind::Short),
                            "SI" => Mode::Int(IntKind::Int),
                            "DI" | "word" | "pointer" | "unwind_word" => Mode::Int(IntKind::Long),
                            "TI" => Mode::Int(IntKind::Int128),
                            "SF" => Mode::Float(FloatKind::Float),
                            "DF" => Mode::Float(FloatKind::Double),
                            "XF" => Mode::Float(FloatKind::Extended),
                            _ => Mode::Unknown,
                        });
                    }
                }
                "ms_struct" => result.layout = Some("records in Microsoft's layout (ms_struct)"),
                "scalar_storage_order" => {
                    let native = match attribute.arguments.first().map(|argument| &argument.node) {
                        Some(Expression::StringLiteral(text)) => text.node.iter().all(|piece| piece.contains("little")),
                        _ => false,
                    };
                    if !native {
                        result.layout = Some("records in the other byte order (scalar_storage_order)");
                    }
                }
                _ => {}
            }
        }
        Ok(result)
    }

    fn combine(&mut self, parts: &[Part<'_>], span: Span) -> Lowered<(Qual, Attributes, bool)> {
        // Attributes after the braces of a record shape the record; elsewhere they speak of what is declared.
        let mut after_record = Attributes::default();
        let mut general = Attributes::default();
        let mut seen_record = false;
        for part in parts {
            match part {
                Part::Type(ty) => {
                    seen_record |= matches!(&ty.node, TypeSpecifier::Struct(s) if s.node.declarations.is_some())
                        || matches!(&ty.node, TypeSpecifier::Enum(e) if !e.node.enumerators.is_empty());
                }
                Part::Extensions(extensions) => {
                    let found = self.attributes(extensions)?;
                    let target = if seen_record { &mut after_record } else { &mut general };
                    target.packed |= found.packed;
                    target.align = target.align.max(found.align);
                    target.layout = target.layout.or(found.layout);
                    general.noreturn |= found.noreturn;
                    general.vector = general.vector.or(found.vector);
                    general.mode = general.mode.or(found.mode);
                }
                Part::Qualifier(_) => {}
            }
        }
        let mut words = Words::default();
        let (mut is_const, mut is_volatile, mut is_atomic) = (false, false, false);
        for part in parts {
            match part {
                Part::Type(ty) => {
                    is_atomic |= matches!(ty.node, TypeSpecifier::Atomic(_));
                    self.type_word(&mut words, ty, &after_record, general.packed)?;
                }
                Part::Qualifier(TypeQualifier::Const) => is_const = true,
                Part::Qualifier(TypeQualifier::Volatile) => is_volatile = true,
                Part::Qualifier(TypeQualifier::Atomic) => is_atomic = true,
                Part::Qualifier(TypeQualifier::Restrict) => self.note_restrict(span),
                Part::Qualifier(_) | Part::Extensions(_) => {}
            }
        }
        let deduced = words.deduced;
        let mut qual = self.words_type(words, span)?;
        if let Some(mode) = general.mode {
            qual = self.with_mode(qual, mode)?;
        }
        if let Some(bytes) = general.vector {
            qual = Qual::plain(self.vector_type(qual.ty, bytes));
        }
        qual.is_const |= is_const;
        qual.is_volatile |= is_volatile;
        qual.is_atomic |= is_atomic;
        qual.align = qual.align.max(general.align);
        Ok((qual, general, deduced))
    }

    fn with_mode(&mut self, qual: Qual, mode: Mode) -> Lowered<Qual> {
        let ty = match (mode, self.program.types.get(qual.ty)) {
            (Mode::Int(mode), Type::Int(kind)) => {
                self.program.types.int(if kind.is_signed() { mode } else { mode.to_unsigned() })
            }
            (Mode::Float(kind), Type::Float(_)) => self.float_type(kind),
            (Mode::Int(IntKind::Long), Type::Pointer { .. }) => qual.ty,
            _ => self.placeholder("the attribute mode with a mode that has no model"),
        };
        Ok(Qual { ty, ..qual })
    }

    fn type_word(
        &mut self,
        words: &mut Words,
        node: &Node<TypeSpecifier>,
        record: &Attributes,
        packed_before: bool,
    ) -> Lowered<()> {
        if words.count(&node.node) {
            return Ok(());
        }
        let other = match &node.node {
            TypeSpecifier::Atomic(name) => self.type_name(name)?,
            TypeSpecifier::Struct(record_type) => Qual::plain(
                self.record_type(record_type, Attributes { packed: record.packed || packed_before, ..*record })?,
            ),
            TypeSpecifier::Enum(enumeration) => self.enum_type(enumeration, record.packed)?,
            TypeSpecifier::TypedefName(name) => return self.typedef_word(words, name),
            TypeSpecifier::TypeOf(of) => match &of.node {
                TypeOf::Type(name) => self.type_name(name)?,
                TypeOf::Expression(value) => self.type_of_expression(value)?,
            },
            TypeSpecifier::TS18661Float(float) => Qual::plain(self.interchange_float(float)),
            _ => return Ok(()),
        };
        words.other = Some(other);
        Ok(())
    }

    fn typedef_word(&mut self, words: &mut Words, name: &Node<Identifier>) -> Lowered<()> {
        let span = self.src.span(name.span);
        // The parser gives these names to types that the tree has no word for.
        let special = match name.node.name.as_str() {
            SIGNED_INT128 => Some(Qual::plain(self.program.types.int(IntKind::Int128))),
            UNSIGNED_INT128 => Some(Qual::plain(self.program.types.int(IntKind::UInt128))),
            AUTO_TYPE => {
                words.deduced = true;
                Some(Qual::plain(self.program.types.int(IntKind::Int)))
            }
            _ => None,
        };
        if special.is_some() {
            words.other = special;
            return Ok(());
        }
        let ty = match self.names.get(&name.node.name) {
            Some(Entity::Typedef(qual)) => qual,
            Some(Entity::Broken) => return Err(Stop::Reported),
            Some(Entity::Unsupported(what)) => Qual::plain(self.placeholder(what)),
            Some(_) => return self.fail(span, format!("`{}` is not a type here", name.node.name)),
            None => match name.node.name.as_str() {
                "__builtin_va_list" => Qual::plain(self.va_list_type()),
                "__CPROVER_size_t" => Qual::plain(self.program.types.int(IntKind::ULong)),
                "__CPROVER_ssize_t" => Qual::plain(self.program.types.int(IntKind::Long)),
                "_Float128" | "__float128" => Qual::plain(self.placeholder("_Float128")),
                other => {
                    self.report(Finding::new(Rule::Undeclared, span, format!("unknown type name `{other}`")));
                    return Err(Stop::Reported);
                }
            },
        };
        words.other = Some(ty);
        Ok(())
    }

    fn interchange_float(&mut self, float: &TS18661FloatType) -> TypeId {
        use TS18661FloatFormat::*;
        let kind = match (&float.format, float.width) {
            (BinaryInterchange, 32) => FloatKind::Float,
            (BinaryInterchange, 64) | (BinaryExtended, 32) => FloatKind::Double,
            (BinaryExtended, 64) => FloatKind::Extended,
            _ => return self.placeholder("_Float128 and decimal floating types"),
        };
        self.float_type(kind)
    }

    /// A floating type, or what stands for it where the compiler computes in another way than the model.
    pub(super) fn float_type(&mut self, kind: FloatKind) -> TypeId {
        let data = self.program.data;
        if !data.exact_floats {
            return self
                .placeholder("floating point that is not computed as IEEE 754 says (-ffast-math, contraction to FMA)");
        }
        if kind == FloatKind::Extended && !data.extended_long_double {
            return self.placeholder("a `long double` that is not the 80-bit format of x87");
        }
        self.program.types.float(kind)
    }

    fn words_type(&mut self, words: Words, span: Span) -> Lowered<Qual> {
        use IntKind::*;
        let unsigned = words.unsigned > 0;
        if words.complex > 0 {
            let alone = words.char + words.short + words.int + words.long + words.float + words.double == 0
                && words.other.is_none();
            let words = match alone {
                // `_Complex` alone is that of `double`.
                true => Words { complex: 0, double: 1, ..words },
                false => Words { complex: 0, ..words },
            };
            let part = self.words_type(words, span)?;
            return Ok(Qual { ty: self.complex_type(part.ty), is_plain_int: false, ..part });
        }
        if let Some(mut other) = words.other {
            if unsigned {
                // `unsigned __int128` reaches us as a name beside a keyword.
                match self.program.types.int_kind(other.ty) {
                    Some(kind) => other.ty = self.program.types.int(kind.to_unsigned()),
                    None => return self.fail(span, "`unsigned` with a type that is not an integer"),
                }
            }
            return Ok(other);
        }
        let kind = if words.bool > 0 {
            Bool
        } else if words.char > 0 {
            match (words.signed > 0, unsigned) {
                (true, _) => SChar,
                (_, true) => UChar,
                _ => self.program.data.char_kind(),
            }
        } else if words.float > 0 {
            return Ok(Qual::plain(self.float_type(FloatKind::Float)));
        } else if words.double > 0 {
            let kind = if words.long > 0 { FloatKind::Extended } else { FloatKind::Double };
            return Ok(Qual::plain(self.float_type(kind)));
        } else if words.void > 0 {
            return Ok(Qual::plain(self.program.types.void()));
        } else if words.short > 0 {
            if unsigned { UShort } else { Short }
        } else {
            match (words.long, unsigned) {
                (0, false) => Int,
                (0, true) => UInt,
                (1, false) => Long,
                (1, true) => ULong,
                (2, false) => LongLong,
                (2, true) => ULongLong,
                _ => return self.fail(span, "`long long long` is too long"),
            }
        };
        let mut qual = Qual::plain(self.program.types.int(kind));
        qual.is_plain_int = kind.is_signed() && words.signed == 0;
        Ok(qual)
    }

    /// A type that stands for one we have no model of: an incomplete record, so nothing can be done with it.
    pub(super) fn placeholder(&mut self, what: &'static str) -> TypeId {
        let known = self.unsupported.iter().find(|(_, reason)| **reason == what).map(|(id, _)| *id);
        let record = known.unwrap_or_else(|| {
            let record = ir::Record::declared(RecordKind::Struct, format!(".{what}"), Span::NONE);
            let id = self.program.types.records.push(record);
            self.unsupported.insert(id, what);
            id
        });
        self.types().intern(Type::Record(record))
    }

    /// The reason why values of this type cannot be handled.
    pub(super) fn unsupported_type(&self, ty: TypeId) -> Option<&'static str> {
        if self.unsupported.is_empty() {
            return None;
        }
        match self.program.types.get(ty) {
            Type::Record(record) => self.unsupported.get(record).copied(),
            Type::Array { of, .. } => self.unsupported_type(*of),
            _ => None,
        }
    }

    pub(super) fn check_supported(&self, ty: TypeId) -> Lowered<()> {
        match self.unsupported_type(ty) {
            Some(what) => Err(Stop::Unsupported(what.to_string())),
            None => Ok(()),
        }
    }

    pub(super) fn declarator<'t>(&mut self, base: Qual, node: &'t Node<Declarator>) -> Lowered<Declared<'u, 't>> {
        let declarator = &node.node;
        let mut qual = base;
        let mut suffixes = Vec::new();
        for derived in &declarator.derived {
            match &derived.node {
                DerivedDeclarator::Pointer(qualifiers) => {
                    let to_const = qual.is_const;
                    self.types().has_volatile_parts |= qual.is_volatile;
                    self.note_atomic(qual);
                    let ty = self.types().intern(Type::Pointer { to: qual.ty, to_const });
                    qual = Qual { enumerated: qual.enumerated, ..Qual::plain(ty) };
                    for qualifier in qualifiers {
                        if let PointerQualifier::TypeQualifier(qualifier) = &qualifier.node {
                            qual.is_const |= qualifier.node == TypeQualifier::Const;
                            qual.is_volatile |= qualifier.node == TypeQualifier::Volatile;
                            qual.is_atomic |= qualifier.node == TypeQualifier::Atomic;
                            if qualifier.node == TypeQualifier::Restrict {
                                self.note_restrict(self.src.span(derived.span));
                            }
                        }
                    }
                }
                DerivedDeclarator::Block(_) => return Err(Stop::Unsupported("Clang's blocks".into())),
                suffix => suffixes.push((suffix, self.src.span(derived.span))),
            }
        }
        // Lengths are evaluated as written, from left to right; the types are built from right to left.
        let lengths = suffixes
            .iter()
            .map(|(suffix, _)| match suffix {
                DerivedDeclarator::Array(array) => {
                    if array.node.qualifiers.iter().any(|qualifier| qualifier.node == TypeQualifier::Restrict) {
                        self.note_restrict(self.src.span(array.span));
                    }
                    self.array_length(&array.node.size)
                }
                _ => Ok(Length::Unknown),
            })
            .collect::<Lowered<Vec<Length>>>()?;
        for ((suffix, span), length) in suffixes.iter().zip(lengths).rev() {
            qual = match suffix {
                DerivedDeclarator::Array(_) => self.array_type(qual, length, *span)?,
                DerivedDeclarator::Function(function) => self.function_type(qual, &function.node, *span)?,
                DerivedDeclarator::KRFunction(_) => {
                    self.check_result(qual, *span)?;
                    let signature =
                        Signature { result: qual.ty, params: Vec::new(), variadic: false, unprototyped: true };
                    Qual::plain(self.types().intern(Type::Function(signature)))
                }
                _ => unreachable!("pointers and blocks should be gone, because the loop above handles them"),
            };
        }
        let attributes = self.attributes(&declarator.extensions)?;
        if let Some(bytes) = attributes.vector {
            qual = Qual { ty: self.vector_type(qual.ty, bytes), type_align: 0, ..qual };
        }
        if let Some(mode) = attributes.mode {
            qual = self.with_mode(qual, mode)?;
        }
        qual.align = qual.align.max(attributes.align);
        let own_params = suffixes.first().map(|(suffix, _)| *suffix);
        let mut declared = match &declarator.kind.node {
            DeclaratorKind::Abstract => {
                Declared { name: None, name_span: self.src.span(node.span), qual, params: own_params, noreturn: false }
            }
            DeclaratorKind::Identifier(name) => Declared {
                name: Some(self.src.name(name)),
                name_span: self.src.span(name.span),
                qual,
                params: own_params,
                noreturn: false,
            },
            DeclaratorKind::Declarator(inner) => {
                let mut declared = self.declarator(qual, inner)?;
                // `int (f)(void)`: the parentheses change nothing, so the parameters are still the name's own.
                if inner.node.derived.is_empty() && declared.params.is_none() {
                    declared.params = own_params;
                }
                declared
            }
        };
        declared.noreturn |= attributes.noreturn;
        Ok(declared)
    }

    fn check_result(&mut self, result: Qual, span: Span) -> Lowered<()> {
        match self.program.types.get(result.ty) {
            Type::Function(_) => self.fail(span, "a function cannot return a function"),
            Type::Array { .. } => self.fail(span, "a function cannot return an array"),
            _ => Ok(()),
        }
    }

    fn function_type(&mut self, result: Qual, function: &FunctionDeclarator, span: Span) -> Lowered<Qual> {
        self.check_result(result, span)?;
        self.open_scope();
        let before = std::mem::replace(&mut self.frame.in_prototype, true);
        let params = self.prototype_params(&function.parameters);
        self.frame.in_prototype = before;
        self.close_scope();
        let signature = Signature {
            result: result.ty,
            params: params?,
            variadic: function.ellipsis == Ellipsis::Some,
            // `()` without a name, as in `int (*)()`.
            unprototyped: function.parameters.is_empty() && function.ellipsis == Ellipsis::None,
        };
        Ok(Qual::plain(self.types().intern(Type::Function(signature))))
    }

    fn prototype_params(&mut self, nodes: &[Node<ParameterDeclaration>]) -> Lowered<Vec<TypeId>> {
        let mut params = Vec::with_capacity(nodes.len());
        for node in nodes {
            let declared = self.parameter(&node.node)?;
            if nodes.len() == 1 && declared.name.is_none() && self.program.types.is_void(declared.qual.ty) {
                return Ok(params);
            }
            if self.program.types.is_void(declared.qual.ty) {
                return self.fail(declared.name_span, "a parameter cannot have type `void`");
            }
            let (ty, _) = self.adjust_parameter(declared.qual);
            if let Some(row) = self.program.types.pointee(ty).and_then(|to| self.program.types.element(to))
                && !self.program.types.is_complete(row)
            {
                return self.unsupported("a parameter that is an array of arrays of arrays of variable length");
            }
            params.push(ty);
            if let Some(name) = declared.name {
                self.names.declare(name, Entity::Parameter);
            }
        }
        Ok(params)
    }

    pub(super) fn parameter<'t>(&mut self, node: &'t ParameterDeclaration) -> Lowered<Declared<'u, 't>> {
        let specifiers = self.specifiers(&node.specifiers)?;
        match &node.declarator {
            Some(declarator) => {
                let around = std::mem::replace(&mut self.in_parameter, true);
                let declared = self.declarator(specifiers.qual, declarator);
                self.in_parameter = around;
                declared
            }
            None => Ok(Declared {
                name: None,
                name_span: specifiers.span,
                qual: specifiers.qual,
                params: None,
                noreturn: false,
            }),
        }
    }

    /// A member, a local or what a pointer leads to is declared with these qualifiers.
    pub(super) fn note_atomic(&mut self, qual: Qual) {
        if qual.is_atomic {
            // Of an array the elements are meant.
            let mut ty = qual.ty;
            while let Type::Array { of, .. } = *self.program.types.get(ty) {
                ty = of;
            }
            self.atomic_types.insert(ty);
        }
    }

    /// Notes that a pointer is restricted. What the headers of the library say of its own functions, their models know.
    fn note_restrict(&mut self, span: Span) {
        if !self.in_system_header(span) {
            let is_variable = !self.in_parameter;
            self.types().has_restricted = true;
            self.types().has_restricted_variables |= is_variable;
        }
    }

    /// Parameters that are arrays and functions become pointers; the length that is lost is given too.
    pub(super) fn adjust_parameter(&mut self, qual: Qual) -> (TypeId, Option<Length>) {
        match self.program.types.get(qual.ty).clone() {
            Type::Array { of, length } => {
                self.types().has_volatile_parts |= qual.is_volatile;
                self.note_atomic(qual);
                (self.types().intern(Type::Pointer { to: of, to_const: qual.is_const }), Some(length))
            }
            Type::Function(_) => (self.types().pointer(qual.ty), None),
            _ => (qual.ty, None),
        }
    }

    /// `__builtin_va_list` of x86-64: an array of one record of 24 bytes, so that it is passed by address.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let uint = self.program.types.int(IntKind::UInt);
        let void = self.program.types.void();
        let pointer = self.types().pointer(void);
        let record = ir::Record::declared(RecordKind::Struct, "__va_list_tag".into(), Span::NONE);
        let record = self.program.types.records.push(record);
        let members = vec![
            Member::plain("gp_offset", uint),
            Member::plain("fp_offset", uint),
            Member::plain("overflow_arg_area", pointer),
            Member::plain("reg_save_area", pointer),
        ];
        self.types().define_record(record, members, ir::Packing::Natural, 1);
        let record = self.types().intern(Type::Record(record));
        let ty = self.types().array(record, 1);
        self.va_list = Some(ty);
        ty
    }

    /// The type of an operand that is not evaluated, as `typeof` wants it: without decay.
    pub(super) fn type_of_expression(&mut self, node: &Node<Expression>) -> Lowered<Qual> {
        let operand = self.without_evaluation(|this| this.operand(node))?;
        Ok(Qual { enumerated: Enumerated::Maybe, ..operand.qual() })
    }

    /// Whether two types, equal in the program model, are so in C: different enumerations are different types.
    pub(super) fn same_enumeration(&self, a: Qual, b: Qual) -> Lowered<bool> {
        let ambiguous = || {
            let mut ty = a.ty;
            while let Some(inner) = self.program.types.pointee(ty).or(self.program.types.element(ty)) {
                ty = inner;
            }
            self.program
                .types
                .int_kind(ty)
                .is_some_and(|kind| self.enumerations.iter().filter(|represented| **represented == kind).count() > 1)
        };
        match (a.enumerated, b.enumerated) {
            (Enumerated::Tag(a), Enumerated::Tag(b)) => Ok(a == b),
            // An enumeration is compatible with the integer type that represents it.
            (Enumerated::No, _) | (_, Enumerated::No) => Ok(true),
            _ if ambiguous() => self.unsupported("a comparison of types that may be enumerations"),
            _ => Ok(true),
        }
    }

    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.frame.locals.push(Local::temporary(ty, span))
    }
}
