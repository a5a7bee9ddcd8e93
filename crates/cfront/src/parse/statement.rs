//! Statements and blocks.

use super::expression::{invented_at, wrap};
use super::invented::{ASM_GOTO_CALL, COMPUTED_GOTO_CALL};
use super::parser::{Parsed, Parser, join};
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

impl Parser<'_> {
    /// `{ … }`, which is a scope.
    pub(super) fn compound_statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.expect(Kind::OpenBrace, "`{`")?;
        let items = self.scoped(Self::block_items)?;
        Ok(self.node(start, Statement::Compound(items)))
    }

    fn block_items(&mut self) -> Parsed<Vec<Node<BlockItem>>> {
        let mark = self.items.len();
        while !self.eat(Kind::CloseBrace) {
            let start = self.start();
            let item = match self.kind() {
                Kind::StaticAssert => BlockItem::StaticAssert(self.static_assert()?),
                Kind::Label => {
                    // Labels are found without their declarations.
                    while !matches!(self.kind(), Kind::Semicolon | Kind::End) {
                        self.bump();
                    }
                    self.expect(Kind::Semicolon, "`;`")?;
                    continue;
                }
                _ if self.begins_declaration() => BlockItem::Declaration(self.declaration()?),
                _ => {
                    // It begins behind its attributes.
                    let statement = self.statement()?;
                    let span = statement.span;
                    self.items.push(Node::new(BlockItem::Statement(statement), span));
                    continue;
                }
            };
            let item = self.node(start, item);
            self.items.push(item);
        }
        Ok(self.items.split_off(mark))
    }

    fn begins_declaration(&self) -> bool {
        match self.kind() {
            Kind::Attribute => self.is_declaration_at(self.after_attributes(self.at)),
            Kind::Name => self.kind_at(self.at + 1) != Kind::Colon && self.is_declaration_at(self.at),
            _ => self.is_declaration_at(self.at),
        }
    }

    pub(super) fn statement(&mut self) -> Parsed<Node<Statement>> {
        // Attributes of statements give advice to compilers.
        self.at = self.after_attributes(self.at);
        let start = self.start();
        let statement = match self.kind() {
            Kind::Name if self.kind_at(self.at + 1) == Kind::Colon => {
                let label = Label::Identifier(self.identifier("a name")?);
                return self.labeled(start, label);
            }
            Kind::Case => {
                self.bump();
                let label = self.case_label()?;
                return self.labeled(start, label);
            }
            Kind::Default => {
                self.bump();
                return self.labeled(start, Label::Default);
            }
            Kind::OpenBrace => return self.compound_statement(),
            Kind::Semicolon => {
                self.bump();
                Statement::Expression(None)
            }
            Kind::If => self.scoped(Self::if_statement)?,
            Kind::Switch => self.scoped(|parser| {
                let expression = parser.head()?;
                let statement = Box::new(parser.statement()?);
                Ok(Statement::Switch(parser.node(start, SwitchStatement { expression, statement })))
            })?,
            Kind::While => self.scoped(|parser| {
                let expression = parser.head()?;
                let statement = Box::new(parser.statement()?);
                Ok(Statement::While(parser.node(start, WhileStatement { expression, statement })))
            })?,
            Kind::Do => self.scoped(|parser| {
                parser.bump();
                let statement = Box::new(parser.statement()?);
                if parser.kind() != Kind::While {
                    return parser.refuse("`while`");
                }
                let expression = parser.head()?;
                parser.expect(Kind::Semicolon, "`;`")?;
                Ok(Statement::DoWhile(parser.node(start, DoWhileStatement { statement, expression })))
            })?,
            Kind::For => self.scoped(Self::for_statement)?,
            Kind::Goto => self.goto()?,
            Kind::Continue => {
                self.bump();
                self.expect(Kind::Semicolon, "`;`")?;
                Statement::Continue
            }
            Kind::Break => {
                self.bump();
                self.expect(Kind::Semicolon, "`;`")?;
                Statement::Break
            }
            Kind::Return => {
                self.bump();
                let value = match self.kind() {
                    Kind::Semicolon => None,
                    _ => Some(self.boxed_expression()?),
                };
                self.expect(Kind::Semicolon, "an operator or `;`")?;
                Statement::Return(value)
            }
            Kind::Asm => self.asm_statement()?,
            Kind::Else => return self.refuse("a statement"),
            kind if kind.is_storage() || kind.is_type_specifier() => return self.refuse("a statement"),
            Kind::CloseBrace | Kind::End => return self.refuse("a statement"),
            _ => {
                let value = self.boxed_expression()?;
                self.expect(Kind::Semicolon, "an operator or `;`")?;
                Statement::Expression(Some(value))
            }
        };
        Ok(self.node(start, statement))
    }

    /// The keyword and the condition of a statement: `while (…)`.
    fn head(&mut self) -> Parsed<Box<Node<Expression>>> {
        self.bump();
        self.expect(Kind::OpenParen, "`(`")?;
        let condition = self.boxed_expression()?;
        self.expect(Kind::CloseParen, "an operator or `)`")?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parsed<Statement> {
        let start = self.start();
        let condition = self.head()?;
        let then_statement = Box::new(self.statement()?);
        let else_statement = match self.eat(Kind::Else) {
            true => Some(Box::new(self.statement()?)),
            false => None,
        };
        Ok(Statement::If(self.node(start, IfStatement { condition, then_statement, else_statement })))
    }

    fn for_statement(&mut self) -> Parsed<Statement> {
        let start = self.bump().start;
        self.expect(Kind::OpenParen, "`(`")?;
        let from = self.start();
        let initializer = match self.kind() {
            Kind::Semicolon => {
                self.bump();
                ForInitializer::Empty
            }
            Kind::StaticAssert => ForInitializer::StaticAssert(self.static_assert()?),
            _ if self.begins_declaration() => ForInitializer::Declaration(self.declaration()?),
            _ => {
                let value = self.boxed_expression()?;
                self.expect(Kind::Semicolon, "an operator or `;`")?;
                ForInitializer::Expression(value)
            }
        };
        let initializer = self.node(from, initializer);
        let condition = match self.kind() {
            Kind::Semicolon => None,
            _ => Some(self.boxed_expression()?),
        };
        self.expect(Kind::Semicolon, "an operator or `;`")?;
        let step = match self.kind() {
            Kind::CloseParen => None,
            _ => Some(self.boxed_expression()?),
        };
        self.expect(Kind::CloseParen, "an operator or `)`")?;
        let statement = Box::new(self.statement()?);
        Ok(Statement::For(self.node(start, ForStatement { initializer, condition, step, statement })))
    }

    /// The label that ends here, and the statement that it belongs to. C11 wants one; where a declaration or the end of the
    /// block follows instead, as newer dialects allow, it is an empty one.
    fn labeled(&mut self, start: usize, label: Label) -> Parsed<Node<Statement>> {
        let label = self.node(start, label);
        let colon = self.expect(Kind::Colon, "an operator or `:`")?;
        let is_followed = match self.kind() {
            Kind::CloseBrace | Kind::StaticAssert | Kind::Label => false,
            _ => !self.begins_declaration(),
        };
        let statement = if is_followed {
            self.statement()?
        } else {
            Node::new(Statement::Expression(None), Span::span(colon.end, colon.end))
        };
        let labeled = self.node(start, LabeledStatement { label, statement: Box::new(statement) });
        Ok(self.node(start, Statement::Labeled(labeled)))
    }

    fn case_label(&mut self) -> Parsed<Label> {
        let low = self.conditional()?;
        if !self.eat(Kind::Ellipsis) {
            return Ok(Label::Case(Box::new(low)));
        }
        let high = self.conditional()?;
        let span = join(low.span, high.span);
        Ok(Label::CaseRange(Node::new(CaseRange { low: Box::new(low), high: Box::new(high) }, span)))
    }

    fn goto(&mut self) -> Parsed<Statement> {
        let word = self.bump();
        if self.eat(Kind::Star) {
            let target = self.expression()?;
            let callee = Box::new(invented_at(COMPUTED_GOTO_CALL, word));
            let call = self.node(word.start, CallExpression { callee, arguments: vec![target] });
            self.expect(Kind::Semicolon, "an operator or `;`")?;
            return Ok(Statement::Expression(Some(Box::new(wrap(call, Expression::Call)))));
        }
        let label = self.identifier("the name of a label")?;
        self.expect(Kind::Semicolon, "`;`")?;
        Ok(Statement::Goto(label))
    }

    fn asm_statement(&mut self) -> Parsed<Statement> {
        let start = self.bump().start;
        let mut qualifier = None;
        let mut is_goto = false;
        loop {
            match self.kind() {
                Kind::Volatile if qualifier.is_none() => {
                    qualifier = Some(Node::new(TypeQualifier::Volatile, self.bump()));
                }
                Kind::Goto => {
                    is_goto = true;
                    self.bump();
                }
                Kind::Volatile | Kind::Inline => _ = self.bump(),
                _ => break,
            }
        }
        if is_goto && let Some(after) = self.after_bracket(self.at) {
            self.at = after;
            let callee = Box::new(invented_at(ASM_GOTO_CALL, self.node(start, ()).span));
            let call = self.node(start, CallExpression { callee, arguments: Vec::new() });
            self.expect(Kind::Semicolon, "`;`")?;
            return Ok(Statement::Expression(Some(Box::new(wrap(call, Expression::Call)))));
        }
        let body = self.asm_body(qualifier)?;
        self.expect(Kind::Semicolon, "`;`")?;
        Ok(Statement::Asm(self.node(start, body)))
    }
}
