//! Declarators: pointers, arrays, functions and the name among them.

use super::names::NameId;
use super::parser::{Parsed, Parser, Refusal, Wanted};
use super::specifier::qualifier;
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Named,
    Abstract,
    Either,
}

struct Found {
    node: Node<Declarator>,
    name: Option<NameId>,
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Parsed<(Option<NameId>, Node<Declarator>)> {
        let found = self.any_declarator(Naming::Named)?;
        Ok((found.name, found.node))
    }

    /// The declarator of a type name, if there is one.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Option<Node<Declarator>>> {
        match self.kind() {
            Kind::Star | Kind::OpenBracket | Kind::OpenParen => Ok(Some(self.any_declarator(Naming::Abstract)?.node)),
            _ => Ok(None),
        }
    }

    fn any_declarator(&mut self, naming: Naming) -> Parsed<Found> {
        let start = self.start();
        let mut extensions = Vec::new();
        while self.kind() == Kind::Attribute {
            extensions.extend(self.attribute_specifier()?);
        }
        let mut derived = Vec::new();
        while self.kind() == Kind::Star {
            let pointer = self.pointer()?;
            push(&mut derived, pointer);
        }
        let from = self.start();
        let mut name = None;
        let kind = match self.kind() {
            Kind::Name if naming != Naming::Abstract => {
                let (found, identifier) = self.named_identifier("a name")?;
                name = Some(found);
                self.node(from, DeclaratorKind::Identifier(identifier))
            }
            Kind::OpenParen if self.begins_inner_declarator(naming) => {
                self.bump();
                let inner = self.any_declarator(naming)?;
                name = inner.name;
                self.expect(Kind::CloseParen, "`)`")?;
                self.node(from, DeclaratorKind::Declarator(Box::new(inner.node)))
            }
            _ if naming == Naming::Named => return self.refuse("a name"),
            _ => {
                let at = if derived.is_empty() { from } else { self.end() };
                Node::new(DeclaratorKind::Abstract, Span::span(at, at))
            }
        };
        loop {
            let next = match self.kind() {
                Kind::OpenBracket => self.array()?,
                Kind::OpenParen => self.function(name.is_some() || naming == Naming::Named)?,
                _ => break,
            };
            push(&mut derived, next);
        }
        Ok(Found { node: self.node(start, Declarator { kind, derived, extensions }), name })
    }

    /// Whether the parenthesis here groups a declarator, and does not hold parameters.
    fn begins_inner_declarator(&self, naming: Naming) -> bool {
        if naming == Naming::Named {
            return true;
        }
        match self.kind_at(self.at + 1) {
            Kind::Star | Kind::OpenParen | Kind::OpenBracket => true,
            Kind::Attribute => !self.is_declaration_at(self.after_attributes(self.at + 1)),
            Kind::Name => naming == Naming::Either && !self.is_type_name_at(self.at + 1),
            _ => false,
        }
    }

    fn pointer(&mut self) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.bump().start;
        let mut qualifiers = Vec::new();
        loop {
            let at = self.start();
            if let Some(qualifier) = qualifier(self.kind()) {
                let span = self.bump();
                let node = PointerQualifier::TypeQualifier(Node::new(qualifier, span));
                push(&mut qualifiers, Node::new(node, span));
            } else if self.kind() == Kind::Attribute {
                let attributes = self.attribute_specifier()?;
                qualifiers.push(self.node(at, PointerQualifier::Extension(attributes)));
            } else {
                return Ok(self.node(start, DerivedDeclarator::Pointer(qualifiers)));
            }
        }
    }

    fn array(&mut self) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.bump().start;
        let from = self.start();
        let mut is_static = self.eat(Kind::Static);
        let qualifiers = self.type_qualifiers();
        is_static |= self.eat(Kind::Static);
        let size = match self.kind() {
            Kind::CloseBracket if !is_static => ArraySize::Unknown,
            Kind::Star if !is_static && self.kind_at(self.at + 1) == Kind::CloseBracket => {
                self.bump();
                ArraySize::VariableUnknown
            }
            _ => {
                let size = Box::new(self.assignment()?);
                if is_static { ArraySize::StaticExpression(size) } else { ArraySize::VariableExpression(size) }
            }
        };
        self.expect(Kind::CloseBracket, "an operator or `]`")?;
        let array = self.node(from, ArrayDeclarator { qualifiers, size });
        Ok(self.node(start, DerivedDeclarator::Array(array)))
    }

    /// The parameters of a function. Only where the function has a name can they be a list of names.
    fn function(&mut self, is_named: bool) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.bump().start;
        let from = self.start();
        let derived = if self.is_declaration_at(self.at) {
            let function = self.scoped(Self::parameters)?;
            DerivedDeclarator::Function(self.node(from, function))
        } else if is_named && matches!(self.kind(), Kind::CloseParen | Kind::Name) {
            DerivedDeclarator::KRFunction(self.old_parameters()?)
        } else if self.kind() == Kind::CloseParen {
            let function = FunctionDeclarator { parameters: Vec::new(), ellipsis: Ellipsis::None };
            DerivedDeclarator::Function(Node::new(function, Span::span(from, from)))
        } else {
            return Err(Refusal { token: self.at, wanted: Wanted::Type("a type") });
        };
        self.expect(Kind::CloseParen, "`,` or `)`")?;
        Ok(self.node(start, derived))
    }

    fn old_parameters(&mut self) -> Parsed<Vec<Node<Identifier>>> {
        let mut names = Vec::new();
        if self.kind() == Kind::CloseParen {
            return Ok(names);
        }
        loop {
            names.push(self.identifier("a name")?);
            if self.kind() == Kind::Name {
                // `int f(foo x)`: the word before should have been a type.
                return Err(Refusal { token: self.at - 1, wanted: Wanted::Type("a type") });
            }
            if !self.eat(Kind::Comma) {
                return Ok(names);
            }
        }
    }

    fn parameters(&mut self) -> Parsed<FunctionDeclarator> {
        let mark = self.parameters.len();
        let mut ellipsis = Ellipsis::None;
        loop {
            if self.parameters.len() > mark && self.eat(Kind::Ellipsis) {
                ellipsis = Ellipsis::Some;
                break;
            }
            let parameter = self.parameter()?;
            self.parameters.push(parameter);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        Ok(FunctionDeclarator { parameters: self.parameters.split_off(mark), ellipsis })
    }

    fn parameter(&mut self) -> Parsed<Node<ParameterDeclaration>> {
        let start = self.start();
        let mut specifiers = self.specifiers::<DeclarationSpecifier>()?;
        if !specifiers.has_type {
            if specifiers.list.is_empty() {
                return Err(Refusal { token: self.at, wanted: Wanted::Type("a type") });
            }
            self.implicit_int(&mut specifiers.list)?;
        }
        let declarator = match self.kind() {
            Kind::Star | Kind::OpenParen | Kind::OpenBracket | Kind::Name => {
                let found = self.any_declarator(Naming::Either)?;
                if let Some(name) = found.name {
                    self.names.declare(name, false);
                }
                Some(found.node)
            }
            _ => None,
        };
        let mut extensions = Vec::new();
        while self.kind() == Kind::Attribute {
            extensions.extend(self.attribute_specifier()?);
        }
        Ok(self.node(start, ParameterDeclaration { specifiers: specifiers.list, declarator, extensions }))
    }
}

/// Adds to a list that mostly has one element.
fn push<T>(list: &mut Vec<T>, element: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(element);
}
