//! Attributes, assembler names of objects and the operands of assembler statements.

use super::parser::{Parsed, Parser};
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

impl Parser<'_> {
    /// One `__attribute__((…))`.
    pub(super) fn attribute_specifier(&mut self) -> Parsed<Vec<Node<Extension>>> {
        self.bump();
        self.expect(Kind::OpenParen, "`((`")?;
        self.expect(Kind::OpenParen, "`((`")?;
        let mut attributes = Vec::with_capacity(1);
        loop {
            match self.kind() {
                Kind::CloseParen => break,
                // Attributes may be empty.
                Kind::Comma => _ = self.bump(),
                kind if kind == Kind::Name || kind.is_keyword() => {
                    attributes.push(self.attribute()?);
                    if !matches!(self.kind(), Kind::Comma | Kind::CloseParen) {
                        return self.refuse("`(`, `,` or `)`");
                    }
                }
                _ => return self.refuse("the name of an attribute"),
            }
        }
        self.expect(Kind::CloseParen, "`))`")?;
        self.expect(Kind::CloseParen, "`))`")?;
        Ok(attributes)
    }

    fn attribute(&mut self) -> Parsed<Node<Extension>> {
        let start = self.start();
        let span = self.bump();
        let name = Node::new(self.text[span.start..span.end].to_string(), span);
        let arguments = match self.eat(Kind::OpenParen) {
            true => self.arguments()?,
            false => Vec::new(),
        };
        Ok(self.node(start, Extension::Attribute(Attribute { name, arguments })))
    }

    /// What may follow a declarator: `asm("name")` and attributes.
    pub(super) fn declarator_extensions(&mut self, extensions: &mut Vec<Node<Extension>>) -> Parsed<()> {
        loop {
            match self.kind() {
                Kind::Attribute => extensions.extend(self.attribute_specifier()?),
                Kind::Asm => {
                    let start = self.bump().start;
                    self.expect(Kind::OpenParen, "`(`")?;
                    let name = self.string_literal()?;
                    self.expect(Kind::CloseParen, "`)`")?;
                    extensions.push(self.node(start, Extension::AsmLabel(name)));
                }
                _ => return Ok(()),
            }
        }
    }

    /// The parentheses of an assembler statement.
    pub(super) fn asm_body(&mut self, qualifier: Option<Node<TypeQualifier>>) -> Parsed<AsmStatement> {
        self.expect(Kind::OpenParen, "`(`")?;
        let template = self.string_literal()?;
        if self.eat(Kind::CloseParen) {
            return Ok(AsmStatement::GnuBasic(template));
        }
        let mut outputs = Vec::new();
        let mut inputs = Vec::new();
        let mut clobbers = Vec::new();
        self.expect(Kind::Colon, "`:` or `)`")?;
        self.asm_operands(&mut outputs)?;
        if self.eat(Kind::Colon) {
            self.asm_operands(&mut inputs)?;
            if self.eat(Kind::Colon) && self.kind() == Kind::Text {
                clobbers.push(self.string_literal()?);
                while self.eat(Kind::Comma) {
                    clobbers.push(self.string_literal()?);
                }
            }
        }
        self.expect(Kind::CloseParen, "`:` or `)`")?;
        Ok(AsmStatement::GnuExtended(GnuExtendedAsmStatement { qualifier, template, outputs, inputs, clobbers }))
    }

    fn asm_operands(&mut self, operands: &mut Vec<Node<GnuAsmOperand>>) -> Parsed<()> {
        if !matches!(self.kind(), Kind::Text | Kind::OpenBracket) {
            return Ok(());
        }
        loop {
            let start = self.start();
            let symbolic_name = match self.eat(Kind::OpenBracket) {
                true => {
                    let name = self.identifier("a name")?;
                    self.expect(Kind::CloseBracket, "`]`")?;
                    Some(name)
                }
                false => None,
            };
            let constraints = self.string_literal()?;
            self.expect(Kind::OpenParen, "`(`")?;
            let variable_name = self.expression()?;
            self.expect(Kind::CloseParen, "an operator or `)`")?;
            operands.push(self.node(start, GnuAsmOperand { symbolic_name, constraints, variable_name }));
            if !self.eat(Kind::Comma) {
                return Ok(());
            }
        }
    }
}
