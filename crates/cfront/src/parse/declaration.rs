//! Declarations, function definitions and what stands at file level.

use super::parser::{Parsed, Parser, Refusal, Wanted, join};
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

impl Parser<'_> {
    /// The next declaration of the file, `None` at its end.
    pub(super) fn external_declaration(&mut self) -> Parsed<Option<Node<ExternalDeclaration>>> {
        loop {
            match self.kind() {
                Kind::End => return Ok(None),
                Kind::Semicolon => _ = self.bump(),
                Kind::Asm if self.assembler_at_file_level() => {}
                _ => break,
            }
        }
        let start = self.start();
        let declaration = if self.kind() == Kind::StaticAssert {
            ExternalDeclaration::StaticAssert(self.static_assert()?)
        } else {
            self.declaration_or_definition()?
        };
        while self.eat(Kind::Semicolon) {}
        Ok(Some(self.node(start, declaration)))
    }

    /// Passes assembler code between declarations, which has no node and no model.
    fn assembler_at_file_level(&mut self) -> bool {
        let open = (self.at + 1..self.at + 4).find(|&index| self.kind_at(index) == Kind::OpenParen);
        let Some(after) = open.and_then(|open| self.after_bracket(open)) else { return false };
        if self.kind_at(after) != Kind::Semicolon {
            return false;
        }
        let span = join(self.token().span(), self.tokens[after - 1].span());
        self.lose(span, "assembler code at file level");
        self.at = after + 1;
        true
    }

    fn declaration_or_definition(&mut self) -> Parsed<ExternalDeclaration> {
        let start = self.start();
        let mut specifiers = self.specifiers::<DeclarationSpecifier>()?;
        if !specifiers.has_type {
            if specifiers.list.is_empty() && !self.is_implicit_int_definition() {
                return Err(Refusal { token: self.at, wanted: Wanted::Type("a declaration") });
            }
            self.implicit_int(&mut specifiers.list)?;
        }
        if self.eat(Kind::Semicolon) {
            let declaration = Declaration { specifiers: specifiers.list, declarators: Vec::new() };
            return Ok(ExternalDeclaration::Declaration(self.node(start, declaration)));
        }
        let (name, declarator) = self.declarator()?;
        // Attributes behind a declarator are those of a declaration, unless the declarations of parameters follow.
        let begins_body = self.kind() == Kind::OpenBrace
            || has_old_parameters(&declarator.node) && self.is_declaration_at(self.after_attributes(self.at));
        if !begins_body {
            let declarators = self.init_declarators(name, declarator, specifiers.is_typedef)?;
            let declaration = Declaration { specifiers: specifiers.list, declarators };
            return Ok(ExternalDeclaration::Declaration(self.node(start, declaration)));
        }
        if let Some(name) = name {
            self.names.declare(name, false);
        }
        self.names.enter();
        self.declare_parameters(&declarator.node);
        let mut declarations = Vec::new();
        while self.kind() != Kind::OpenBrace {
            if !self.is_declaration_at(self.at) {
                return self.refuse("a declaration or `{`");
            }
            declarations.push(self.declaration()?);
        }
        let statement = self.compound_statement()?;
        self.names.leave();
        let definition = FunctionDefinition { specifiers: specifiers.list, declarator, declarations, statement };
        Ok(ExternalDeclaration::FunctionDefinition(self.node(start, definition)))
    }

    /// Parameters hide types of the same name within the body.
    fn declare_parameters(&mut self, declarator: &Declarator) {
        if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            return self.declare_parameters(&inner.node);
        }
        let of_function = declarator.derived.iter().find_map(|derived| match &derived.node {
            DerivedDeclarator::Function(function) => Some(&function.node.parameters),
            _ => None,
        });
        for parameter in of_function.into_iter().flatten() {
            if let Some(name) = parameter.node.declarator.as_ref().and_then(|d| super::declared_name(&d.node)) {
                let name = self.names.of_text(&name.node.name);
                self.names.declare(name, false);
            }
        }
    }

    /// Whether `name(…) {` or `name(…) type` begins here, as old programs define functions that return `int`.
    fn is_implicit_int_definition(&self) -> bool {
        self.kind() == Kind::Name
            && self.kind_at(self.at + 1) == Kind::OpenParen
            && self.after_bracket(self.at + 1).is_some_and(|after| {
                let next = self.kind_at(after);
                next == Kind::OpenBrace || next != Kind::Attribute && self.is_declaration_at(after)
            })
    }

    /// Old programs leave out `int`.
    pub(super) fn implicit_int(&self, specifiers: &mut Vec<Node<DeclarationSpecifier>>) -> Parsed<()> {
        if !matches!(self.kind(), Kind::Name | Kind::Star | Kind::OpenParen) {
            return Err(Refusal { token: self.at, wanted: Wanted::Type("a declaration") });
        }
        let span = Span::span(self.start(), self.start());
        let int = Node::new(TypeSpecifier::Int, span);
        specifiers.push(Node::new(DeclarationSpecifier::TypeSpecifier(int), span));
        Ok(())
    }

    /// A declaration within a function.
    pub(super) fn declaration(&mut self) -> Parsed<Node<Declaration>> {
        let start = self.start();
        let mut specifiers = self.specifiers::<DeclarationSpecifier>()?;
        if !specifiers.has_type {
            self.implicit_int(&mut specifiers.list)?;
        }
        let declarators = if self.eat(Kind::Semicolon) {
            Vec::new()
        } else {
            let (name, declarator) = self.declarator()?;
            match self.kind() == Kind::OpenBrace && is_function(&declarator.node) {
                true => vec![self.nested_function(&specifiers.list, name, declarator)?],
                false => self.init_declarators(name, declarator, specifiers.is_typedef)?,
            }
        };
        Ok(self.node(start, Declaration { specifiers: specifiers.list, declarators }))
    }

    /// A function inside another one. The tree has no node for it: the declaration is all that stands there, and the
    /// definition is kept aside ([`super::Declarations::take_nested`]).
    fn nested_function(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        name: Option<super::names::NameId>,
        declarator: Node<Declarator>,
    ) -> Parsed<Node<InitDeclarator>> {
        let start = declarator.span.start;
        if self.after_bracket(self.at).is_none() {
            return Err(Refusal { token: self.at, wanted: Wanted::NoBody });
        }
        if let Some(name) = name {
            self.names.declare(name, false);
        }
        self.names.enter();
        self.declare_parameters(&declarator.node);
        let statement = self.compound_statement()?;
        self.names.leave();
        let definition = FunctionDefinition {
            specifiers: specifiers.to_vec(),
            declarator: declarator.clone(),
            declarations: Vec::new(),
            statement,
        };
        let definition = self.node(start, definition);
        self.nested.push(definition);
        Ok(self.node(start, InitDeclarator { declarator, initializer: None }))
    }

    /// What follows the first declarator of a declaration, to its semicolon.
    fn init_declarators(
        &mut self,
        name: Option<super::names::NameId>,
        first: Node<Declarator>,
        is_typedef: bool,
    ) -> Parsed<Vec<Node<InitDeclarator>>> {
        let mut declarators = Vec::with_capacity(1);
        let (mut name, mut declarator) = (name, first);
        loop {
            let start = declarator.span.start;
            if let Some(name) = name {
                self.names.declare(name, is_typedef);
            }
            self.declarator_extensions(&mut declarator.node.extensions)?;
            let initializer = match self.kind() {
                Kind::Equal => {
                    let start = self.bump().start;
                    let initializer = self.initializer()?;
                    Some(Node::new(initializer.node, Span::span(start, initializer.span.end)))
                }
                _ => None,
            };
            let has_value = initializer.is_some();
            declarators.push(self.node(start, InitDeclarator { declarator, initializer }));
            match self.kind() {
                Kind::Comma => _ = self.bump(),
                Kind::Semicolon => {
                    self.bump();
                    return Ok(declarators);
                }
                _ if has_value => return self.refuse("an operator, `,` or `;`"),
                _ => return self.refuse("`=`, `,` or `;`"),
            }
            (name, declarator) = self.declarator()?;
        }
    }

    pub(super) fn static_assert(&mut self) -> Parsed<Node<StaticAssert>> {
        let start = self.bump().start;
        self.expect(Kind::OpenParen, "`(`")?;
        let expression = Box::new(self.conditional()?);
        let message = if self.eat(Kind::Comma) {
            self.string_literal()?
        } else {
            self.node(self.end(), vec!["\"\"".to_string()])
        };
        self.expect(Kind::CloseParen, "`,` or `)`")?;
        self.expect(Kind::Semicolon, "`;`")?;
        Ok(self.node(start, StaticAssert { expression, message }))
    }
}

/// Whether a declarator is that of a function without prototype, so that the declarations of its parameters may follow.
fn has_old_parameters(declarator: &Declarator) -> bool {
    declarator.derived.iter().any(|derived| matches!(derived.node, DerivedDeclarator::KRFunction(_)))
        || matches!(&declarator.kind.node, DeclaratorKind::Declarator(inner) if has_old_parameters(&inner.node))
}

/// Whether a declarator is that of a function.
fn is_function(declarator: &Declarator) -> bool {
    let first = declarator.derived.iter().find(|derived| !matches!(derived.node, DerivedDeclarator::Pointer(_)));
    first.is_some_and(|derived| {
        matches!(derived.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
    }) || matches!(&declarator.kind.node, DeclaratorKind::Declarator(inner) if is_function(&inner.node))
}
