//! Structures, unions and enumerations.

use super::parser::{Parsed, Parser, Refusal, Wanted};
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

/// Attributes before the braces, which the tree has no place for. They mean the same behind them, so they are given to
/// whoever lists the specifiers, as specifiers of their own.
type Attributes = Vec<Node<Vec<Node<Extension>>>>;

impl Parser<'_> {
    pub(super) fn struct_specifier(&mut self) -> Parsed<(TypeSpecifier, Attributes)> {
        let start = self.start();
        let kind = if self.kind() == Kind::Struct { StructKind::Struct } else { StructKind::Union };
        let kind = Node::new(kind, self.bump());
        let mut attributes = self.early_attributes()?;
        let identifier = match self.kind() {
            Kind::Name => Some(self.identifier("a name")?),
            _ => None,
        };
        if self.kind() == Kind::Attribute {
            attributes.extend(self.attributes_before_brace()?);
        }
        let declarations = match self.kind() {
            Kind::OpenBrace => Some(self.members()?),
            _ if identifier.is_none() => return self.refuse("a name or `{`"),
            // Without a definition attributes have no effect.
            _ => {
                attributes.clear();
                None
            }
        };
        let node = self.node(start, StructType { kind, identifier, declarations });
        Ok((TypeSpecifier::Struct(node), attributes))
    }

    fn early_attributes(&mut self) -> Parsed<Attributes> {
        let mut attributes = Vec::new();
        while self.kind() == Kind::Attribute {
            let start = self.start();
            let list = self.attribute_specifier()?;
            attributes.push(self.node(start, list));
        }
        Ok(attributes)
    }

    /// Attributes between the tag and a brace; those before anything else belong to the declaration.
    fn attributes_before_brace(&mut self) -> Parsed<Attributes> {
        match self.kind_at(self.after_attributes(self.at)) {
            Kind::OpenBrace => self.early_attributes(),
            _ => Ok(Vec::new()),
        }
    }

    fn members(&mut self) -> Parsed<Vec<Node<StructDeclaration>>> {
        self.bump();
        let mark = self.members.len();
        loop {
            while self.eat(Kind::Semicolon) {}
            if self.eat(Kind::CloseBrace) {
                break;
            }
            let start = self.start();
            let member = if self.kind() == Kind::StaticAssert {
                StructDeclaration::StaticAssert(self.static_assert()?)
            } else {
                StructDeclaration::Field(self.field()?)
            };
            let member = self.node(start, member);
            self.members.push(member);
        }
        Ok(self.members.split_off(mark))
    }

    fn field(&mut self) -> Parsed<Node<StructField>> {
        let start = self.start();
        let specifiers = self.specifiers::<SpecifierQualifier>()?;
        if !specifiers.has_type {
            return Err(Refusal { token: self.at, wanted: Wanted::Type("a member or `}`") });
        }
        let mut declarators = Vec::with_capacity(1);
        if self.kind() != Kind::Semicolon {
            loop {
                declarators.push(self.struct_declarator()?);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        self.expect(Kind::Semicolon, "`,` or `;`")?;
        while self.eat(Kind::Semicolon) {}
        Ok(self.node(start, StructField { specifiers: specifiers.list, declarators }))
    }

    fn struct_declarator(&mut self) -> Parsed<Node<StructDeclarator>> {
        let start = self.start();
        let mut declarator = match self.kind() {
            Kind::Colon => None,
            _ => Some(self.declarator()?.1),
        };
        let bit_width = match self.eat(Kind::Colon) {
            true => Some(Box::new(self.conditional()?)),
            false => None,
        };
        while self.kind() == Kind::Attribute {
            let attributes = self.attribute_specifier()?;
            if let Some(declarator) = &mut declarator {
                declarator.node.extensions.extend(attributes);
            }
        }
        Ok(self.node(start, StructDeclarator { declarator, bit_width }))
    }

    pub(super) fn enum_specifier(&mut self) -> Parsed<(TypeSpecifier, Attributes)> {
        let start = self.bump().start;
        let mut attributes = self.early_attributes()?;
        let identifier = match self.kind() {
            Kind::Name => Some(self.identifier("a name")?),
            _ => None,
        };
        if self.kind() == Kind::Attribute {
            attributes.extend(self.attributes_before_brace()?);
        }
        let enumerators = match self.kind() {
            Kind::OpenBrace => self.enumerators()?,
            _ if identifier.is_none() => return self.refuse("a name or `{`"),
            _ => {
                attributes.clear();
                Vec::new()
            }
        };
        let node = self.node(start, EnumType { identifier, enumerators });
        Ok((TypeSpecifier::Enum(node), attributes))
    }

    fn enumerators(&mut self) -> Parsed<Vec<Node<Enumerator>>> {
        self.bump();
        let mark = self.enumerators.len();
        loop {
            let start = self.start();
            let (name, identifier) = self.named_identifier("a name")?;
            let mut extensions = Vec::new();
            while self.kind() == Kind::Attribute {
                extensions.extend(self.attribute_specifier()?);
            }
            let expression = match self.eat(Kind::Equal) {
                true => Some(Box::new(self.conditional()?)),
                false => None,
            };
            let has_value = expression.is_some();
            self.names.declare(name, false);
            let enumerator = self.node(start, Enumerator { identifier, expression, extensions });
            self.enumerators.push(enumerator);
            if self.eat(Kind::Comma) && self.kind() != Kind::CloseBrace {
                continue;
            }
            self.expect(Kind::CloseBrace, if has_value { "an operator, `,` or `}`" } else { "`=`, `,` or `}`" })?;
            return Ok(self.enumerators.split_off(mark));
        }
    }
}
