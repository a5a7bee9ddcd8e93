//! Specifiers and qualifiers: what stands before the declarators of a declaration, a member, a parameter or a type name.

use super::invented::{AUTO_TYPE, SIGNED_INT128, UNSIGNED_INT128};
use super::parser::{Parsed, Parser, Refusal, Wanted};
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

/// The two kinds of lists that specifiers stand in.
pub(super) trait Specifier: Sized {
    fn of_type(node: Node<TypeSpecifier>) -> Self;
    fn of_qualifier(node: Node<TypeQualifier>) -> Self;
    fn of_extension(list: Vec<Node<Extension>>) -> Self;
    /// What only declarations have; `None` elsewhere.
    fn of_storage(node: Node<StorageClassSpecifier>) -> Option<Self>;
    fn of_function(node: Node<FunctionSpecifier>) -> Option<Self>;
    fn of_alignment(node: Node<AlignmentSpecifier>) -> Self;
    /// Whether this is `signed` or `unsigned`.
    fn sign(&self) -> Option<&TypeSpecifier>;
}

impl Specifier for DeclarationSpecifier {
    fn of_type(node: Node<TypeSpecifier>) -> Self {
        DeclarationSpecifier::TypeSpecifier(node)
    }

    fn of_qualifier(node: Node<TypeQualifier>) -> Self {
        DeclarationSpecifier::TypeQualifier(node)
    }

    fn of_extension(list: Vec<Node<Extension>>) -> Self {
        DeclarationSpecifier::Extension(list)
    }

    fn of_storage(node: Node<StorageClassSpecifier>) -> Option<Self> {
        Some(DeclarationSpecifier::StorageClass(node))
    }

    fn of_function(node: Node<FunctionSpecifier>) -> Option<Self> {
        Some(DeclarationSpecifier::Function(node))
    }

    fn of_alignment(node: Node<AlignmentSpecifier>) -> Self {
        DeclarationSpecifier::Alignment(node)
    }

    fn sign(&self) -> Option<&TypeSpecifier> {
        match self {
            DeclarationSpecifier::TypeSpecifier(node) => Some(&node.node),
            _ => None,
        }
    }
}

impl Specifier for SpecifierQualifier {
    fn of_type(node: Node<TypeSpecifier>) -> Self {
        SpecifierQualifier::TypeSpecifier(node)
    }

    fn of_qualifier(node: Node<TypeQualifier>) -> Self {
        SpecifierQualifier::TypeQualifier(node)
    }

    fn of_extension(list: Vec<Node<Extension>>) -> Self {
        SpecifierQualifier::Extension(list)
    }

    fn of_storage(_: Node<StorageClassSpecifier>) -> Option<Self> {
        None
    }

    fn of_function(_: Node<FunctionSpecifier>) -> Option<Self> {
        None
    }

    /// The tree has `_Alignas` for objects, not for members; there the attribute says the same.
    fn of_alignment(node: Node<AlignmentSpecifier>) -> Self {
        let span = node.span;
        let argument = match node.node {
            AlignmentSpecifier::Constant(value) => *value,
            AlignmentSpecifier::Type(name) => {
                super::expression::wrap(Node::new(AlignOf(Box::new(name)), span), Expression::AlignOf)
            }
        };
        let name = Node::new("aligned".to_string(), span);
        let attribute = Extension::Attribute(Attribute { name, arguments: vec![argument] });
        SpecifierQualifier::Extension(vec![Node::new(attribute, span)])
    }

    fn sign(&self) -> Option<&TypeSpecifier> {
        match self {
            SpecifierQualifier::TypeSpecifier(node) => Some(&node.node),
            _ => None,
        }
    }
}

/// What was found before a declarator.
pub(super) struct Specifiers<S> {
    pub list: Vec<Node<S>>,
    pub has_type: bool,
    pub is_typedef: bool,
}

/// What kind of type a list of specifiers names so far. Words such as `unsigned` and `long` go together; all other types
/// stand alone, and a name behind a type is never one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    Words,
    Whole,
}

impl Parser<'_> {
    pub(super) fn specifiers<S: Specifier>(&mut self) -> Parsed<Specifiers<S>> {
        let mut list: Vec<Node<S>> = Vec::with_capacity(self.specifier_count());
        let mut seen = Seen::Nothing;
        let mut is_typedef = false;
        let mut wide = None;
        loop {
            let token = self.token();
            let span = token.span();
            let kind = token.kind;
            if let Some(word) = type_word(kind) {
                if seen == Seen::Whole {
                    break;
                }
                seen = Seen::Words;
                self.at += 1;
                list.push(Node::new(S::of_type(Node::new(word, span)), span));
                continue;
            }
            if let Some(qualifier) = qualifier(kind)
                && !(kind == Kind::Atomic && self.kind_at(self.at + 1) == Kind::OpenParen)
            {
                self.at += 1;
                list.push(Node::new(S::of_qualifier(Node::new(qualifier, span)), span));
                continue;
            }
            if let Some(class) = storage_class(kind) {
                let Some(specifier) = S::of_storage(Node::new(class, span)) else { break };
                is_typedef |= kind == Kind::Typedef;
                self.at += 1;
                list.push(Node::new(specifier, span));
                continue;
            }
            let start = span.start;
            match kind {
                Kind::Inline | Kind::Noreturn => {
                    let is_inline = kind == Kind::Inline;
                    let function = if is_inline { FunctionSpecifier::Inline } else { FunctionSpecifier::Noreturn };
                    let Some(specifier) = S::of_function(Node::new(function, span)) else { break };
                    self.at += 1;
                    list.push(Node::new(specifier, span));
                }
                Kind::Attribute => {
                    let attributes = self.attribute_specifier()?;
                    list.push(self.node(start, S::of_extension(attributes)));
                }
                Kind::Alignas => {
                    let alignment = self.alignment()?;
                    list.push(Node::new(S::of_alignment(alignment), self.node(start, ()).span));
                }
                Kind::Typeof => {
                    if seen == Seen::Whole {
                        break;
                    }
                    seen = Seen::Words;
                    let of = self.typeof_specifier()?;
                    list.push(self.node(start, S::of_type(self.node(start, of))));
                }
                Kind::WidthFloat | Kind::Float128 if seen != Seen::Whole => {
                    seen = Seen::Words;
                    self.at += 1;
                    let float = match kind {
                        Kind::Float128 => width_float("_Float128"),
                        _ => width_float(&self.text[span.start..span.end]),
                    };
                    list.push(Node::new(S::of_type(Node::new(TypeSpecifier::TS18661Float(float), span)), span));
                }
                Kind::Int128 if seen != Seen::Whole => {
                    seen = Seen::Words;
                    self.at += 1;
                    wide = Some(list.len());
                    list.push(Node::new(S::of_type(typedef_name(SIGNED_INT128, span)), span));
                }
                _ if seen != Seen::Nothing => break,
                Kind::Name if self.names.is_type(token.name) => {
                    seen = Seen::Whole;
                    self.at += 1;
                    list.push(Node::new(S::of_type(typedef_name(&self.names.text(token.name), span)), span));
                }
                Kind::Int128Name | Kind::Uint128Name | Kind::AutoType => {
                    seen = Seen::Whole;
                    self.at += 1;
                    let name = match kind {
                        Kind::Int128Name => SIGNED_INT128,
                        Kind::Uint128Name => UNSIGNED_INT128,
                        _ => AUTO_TYPE,
                    };
                    list.push(Node::new(S::of_type(typedef_name(name, span)), span));
                }
                Kind::Float80 => {
                    seen = Seen::Whole;
                    self.at += 1;
                    list.push(Node::new(S::of_type(Node::new(TypeSpecifier::Long, span)), span));
                    list.push(Node::new(S::of_type(Node::new(TypeSpecifier::Double, span)), span));
                }
                Kind::Void | Kind::Bool => {
                    seen = Seen::Whole;
                    self.at += 1;
                    let specifier = if kind == Kind::Void { TypeSpecifier::Void } else { TypeSpecifier::Bool };
                    list.push(Node::new(S::of_type(Node::new(specifier, span)), span));
                }
                Kind::Atomic => {
                    seen = Seen::Whole;
                    self.at += 2;
                    let name = self.type_name()?;
                    self.expect(Kind::CloseParen, "`)`")?;
                    list.push(self.node(start, S::of_type(self.node(start, TypeSpecifier::Atomic(name)))));
                }
                Kind::Struct | Kind::Union | Kind::Enum => {
                    seen = Seen::Whole;
                    let (specifier, attributes) = match kind {
                        Kind::Enum => self.enum_specifier()?,
                        _ => self.struct_specifier()?,
                    };
                    list.push(self.node(start, S::of_type(self.node(start, specifier))));
                    for attribute in attributes {
                        list.push(Node::new(S::of_extension(attribute.node), attribute.span));
                    }
                }
                _ => break,
            }
        }
        if let Some(index) = wide {
            merge_sign(&mut list, index);
        }
        Ok(Specifiers { list, has_type: seen != Seen::Nothing, is_typedef })
    }

    /// About how many specifiers stand here, so that their list need not grow.
    fn specifier_count(&self) -> usize {
        let mut count = 0;
        let mut at = self.at;
        loop {
            match self.kind_at(at) {
                Kind::Struct | Kind::Union | Kind::Enum | Kind::Attribute | Kind::Typeof => return count + 1,
                Kind::Name => return count + 1,
                kind if kind.is_specifier() => count += 1,
                _ => return count,
            }
            at += 1;
        }
    }

    fn alignment(&mut self) -> Parsed<Node<AlignmentSpecifier>> {
        let start = self.bump().start;
        self.expect(Kind::OpenParen, "`(`")?;
        let alignment = match self.is_type_name_at(self.at) {
            true => AlignmentSpecifier::Type(self.type_name()?),
            false => AlignmentSpecifier::Constant(Box::new(self.conditional()?)),
        };
        self.expect(Kind::CloseParen, "`)`")?;
        Ok(self.node(start, alignment))
    }

    fn typeof_specifier(&mut self) -> Parsed<TypeSpecifier> {
        self.bump();
        self.expect(Kind::OpenParen, "`(`")?;
        let start = self.start();
        let of = match self.is_type_name_at(self.at) {
            true => TypeOf::Type(self.type_name()?),
            false => TypeOf::Expression(self.expression()?),
        };
        let of = self.node(start, of);
        self.expect(Kind::CloseParen, "an operator or `)`")?;
        Ok(TypeSpecifier::TypeOf(of))
    }

    pub(super) fn type_name(&mut self) -> Parsed<Node<TypeName>> {
        let start = self.start();
        let specifiers = self.specifiers::<SpecifierQualifier>()?;
        if !specifiers.has_type {
            return Err(Refusal { token: self.at, wanted: Wanted::Type("a type") });
        }
        let declarator = self.abstract_declarator()?;
        Ok(self.node(start, TypeName { specifiers: specifiers.list, declarator }))
    }

    pub(super) fn type_qualifiers(&mut self) -> Vec<Node<TypeQualifier>> {
        let mut qualifiers = Vec::new();
        while let Some(qualifier) = qualifier(self.kind()) {
            qualifiers.push(Node::new(qualifier, self.bump()));
        }
        qualifiers
    }
}

fn typedef_name(name: &str, span: Span) -> Node<TypeSpecifier> {
    Node::new(TypeSpecifier::TypedefName(Node::new(Identifier { name: name.to_string() }, span)), span)
}

/// Lets the name of the 128-bit type say its sign, which may be written anywhere among the specifiers.
fn merge_sign<S: Specifier>(list: &mut Vec<Node<S>>, index: usize) {
    let is_sign = |specifier: &S| matches!(specifier.sign(), Some(TypeSpecifier::Signed | TypeSpecifier::Unsigned));
    if list.iter().any(|node| matches!(node.node.sign(), Some(TypeSpecifier::Unsigned))) {
        let span = list[index].span;
        list[index] = Node::new(S::of_type(typedef_name(UNSIGNED_INT128, span)), span);
    }
    list.retain(|node| !is_sign(&node.node));
}

fn type_word(kind: Kind) -> Option<TypeSpecifier> {
    Some(match kind {
        Kind::Char => TypeSpecifier::Char,
        Kind::Short => TypeSpecifier::Short,
        Kind::Int => TypeSpecifier::Int,
        Kind::Long => TypeSpecifier::Long,
        Kind::Float => TypeSpecifier::Float,
        Kind::Double => TypeSpecifier::Double,
        Kind::Signed => TypeSpecifier::Signed,
        Kind::Unsigned => TypeSpecifier::Unsigned,
        Kind::Complex => TypeSpecifier::Complex,
        _ => return None,
    })
}

pub(super) fn qualifier(kind: Kind) -> Option<TypeQualifier> {
    Some(match kind {
        Kind::Const => TypeQualifier::Const,
        Kind::Restrict => TypeQualifier::Restrict,
        Kind::Volatile => TypeQualifier::Volatile,
        Kind::Atomic => TypeQualifier::Atomic,
        _ => return None,
    })
}

fn storage_class(kind: Kind) -> Option<StorageClassSpecifier> {
    Some(match kind {
        Kind::Typedef => StorageClassSpecifier::Typedef,
        Kind::Extern => StorageClassSpecifier::Extern,
        Kind::Static => StorageClassSpecifier::Static,
        Kind::ThreadLocal => StorageClassSpecifier::ThreadLocal,
        Kind::Auto => StorageClassSpecifier::Auto,
        Kind::Register => StorageClassSpecifier::Register,
        _ => return None,
    })
}

/// `_Float32x` and its like, which the table of keywords spells.
fn width_float(word: &str) -> TS18661FloatType {
    let (is_binary, rest) = match word.strip_prefix("_Float") {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix("_Decimal").unwrap_or(word)),
    };
    let (digits, is_extended) = rest.strip_suffix('x').map_or((rest, false), |digits| (digits, true));
    let format = match (is_binary, is_extended) {
        (true, false) => TS18661FloatFormat::BinaryInterchange,
        (true, true) => TS18661FloatFormat::BinaryExtended,
        (false, false) => TS18661FloatFormat::DecimalInterchange,
        (false, true) => TS18661FloatFormat::DecimalExtended,
    };
    TS18661FloatType { format, width: digits.parse().unwrap_or(0) }
}
