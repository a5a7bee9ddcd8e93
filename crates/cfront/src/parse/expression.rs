//! Expressions, by precedence climbing.
//!
//! Extensions that the tree has no node for become calls of names that no program uses, see [`super::invented`].

use super::invented::{IMAGINARY_PART_CALL, LABEL_ADDRESS_CALL, MISSING_OPERAND, REAL_PART_CALL};
use super::number::number;
use super::parser::{Parsed, Parser, join};
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

impl Parser<'_> {
    /// Operands separated by commas.
    pub(super) fn expression(&mut self) -> Parsed<Node<Expression>> {
        let first = self.assignment()?;
        if self.kind() != Kind::Comma {
            return Ok(first);
        }
        let start = first.span.start;
        let mut operands = vec![first];
        while self.eat(Kind::Comma) {
            operands.push(self.assignment()?);
        }
        Ok(self.node(start, Expression::Comma(Box::new(operands))))
    }

    pub(super) fn boxed_expression(&mut self) -> Parsed<Box<Node<Expression>>> {
        self.expression().map(Box::new)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Node<Expression>> {
        let lhs = self.conditional()?;
        let Some(operator) = assignment_operator(self.kind()) else { return Ok(lhs) };
        let operator = Node::new(operator, self.bump());
        let rhs = self.assignment()?;
        Ok(binary(operator, lhs, rhs))
    }

    pub(super) fn conditional(&mut self) -> Parsed<Node<Expression>> {
        let condition = self.binary(1)?;
        if self.kind() != Kind::Question {
            return Ok(condition);
        }
        let question = self.bump();
        let then_expression = match self.kind() {
            Kind::Colon => invented(MISSING_OPERAND, question.end),
            _ => self.expression()?,
        };
        self.expect(Kind::Colon, "an operator or `:`")?;
        let else_expression = self.conditional()?;
        let span = join(condition.span, else_expression.span);
        let node = ConditionalExpression {
            condition: Box::new(condition),
            then_expression: Box::new(then_expression),
            else_expression: Box::new(else_expression),
        };
        Ok(Node::new(Expression::Conditional(Box::new(Node::new(node, span))), span))
    }

    /// Operands joined by operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Node<Expression>> {
        let mut lhs = self.cast()?;
        while let Some((precedence, operator)) = binary_operator(self.kind()) {
            if precedence < least {
                break;
            }
            let operator = Node::new(operator, self.bump());
            let rhs = self.binary(precedence + 1)?;
            lhs = binary(operator, lhs, rhs);
        }
        Ok(lhs)
    }

    fn cast(&mut self) -> Parsed<Node<Expression>> {
        if self.kind() != Kind::OpenParen || !self.is_type_name_at(self.at + 1) {
            return self.unary();
        }
        let (start, type_name) = self.parenthesised_type()?;
        if self.kind() == Kind::OpenBrace {
            let literal = self.compound_literal(start, type_name)?;
            return self.postfix(literal);
        }
        let expression = Box::new(self.cast()?);
        let node = self.node(start, CastExpression { type_name, expression });
        Ok(wrap(node, Expression::Cast))
    }

    /// `(type)`, and where it begins.
    fn parenthesised_type(&mut self) -> Parsed<(usize, Node<TypeName>)> {
        let start = self.bump().start;
        let type_name = self.type_name()?;
        self.expect(Kind::CloseParen, "`)`")?;
        Ok((start, type_name))
    }

    fn compound_literal(&mut self, start: usize, type_name: Node<TypeName>) -> Parsed<Node<Expression>> {
        let initializer_list = self.initializer_list()?;
        let node = self.node(start, CompoundLiteral { type_name, initializer_list });
        Ok(wrap(node, Expression::CompoundLiteral))
    }

    fn unary(&mut self) -> Parsed<Node<Expression>> {
        let start = self.start();
        let operator = match self.kind() {
            Kind::PlusPlus => UnaryOperator::PreIncrement,
            Kind::MinusMinus => UnaryOperator::PreDecrement,
            Kind::And => UnaryOperator::Address,
            Kind::Star => UnaryOperator::Indirection,
            Kind::Plus => UnaryOperator::Plus,
            Kind::Minus => UnaryOperator::Minus,
            Kind::Tilde => UnaryOperator::Complement,
            Kind::Bang => UnaryOperator::Negate,
            Kind::Sizeof => return self.sizeof(),
            Kind::Alignof => return self.alignof(),
            Kind::AndAnd => {
                let mark = self.bump();
                let label = self.identifier_expression()?;
                let callee = Box::new(invented_at(LABEL_ADDRESS_CALL, mark));
                let node = self.node(start, CallExpression { callee, arguments: vec![label] });
                return Ok(wrap(node, Expression::Call));
            }
            Kind::Real | Kind::Imag => {
                let name = if self.kind() == Kind::Real { REAL_PART_CALL } else { IMAGINARY_PART_CALL };
                let word = self.bump();
                let value = self.cast()?;
                let callee = Box::new(invented_at(name, word));
                let node = self.node(start, CallExpression { callee, arguments: vec![value] });
                return Ok(wrap(node, Expression::Call));
            }
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        let operator = Node::new(operator, self.bump());
        let operand = match operator.node {
            UnaryOperator::PreIncrement | UnaryOperator::PreDecrement => self.unary()?,
            _ => self.cast()?,
        };
        let node = self.node(start, UnaryOperatorExpression { operator, operand: Box::new(operand) });
        Ok(wrap(node, Expression::UnaryOperator))
    }

    fn sizeof(&mut self) -> Parsed<Node<Expression>> {
        let start = self.bump().start;
        if self.kind() == Kind::OpenParen && self.is_type_name_at(self.at + 1) {
            let (open, type_name) = self.parenthesised_type()?;
            if self.kind() != Kind::OpenBrace {
                let node = self.node(start, SizeOfTy(type_name));
                return Ok(wrap(node, Expression::SizeOfTy));
            }
            let literal = self.compound_literal(open, type_name)?;
            let operand = self.postfix(literal)?;
            let node = self.node(start, SizeOfVal(Box::new(operand)));
            return Ok(wrap(node, Expression::SizeOfVal));
        }
        let operand = self.unary()?;
        let node = self.node(start, SizeOfVal(Box::new(operand)));
        Ok(wrap(node, Expression::SizeOfVal))
    }

    /// The tree knows the alignment of types only; that of an expression is that of `typeof(expression)`.
    fn alignof(&mut self) -> Parsed<Node<Expression>> {
        let start = self.bump().start;
        let type_name = if self.kind() == Kind::OpenParen && self.is_type_name_at(self.at + 1) {
            self.parenthesised_type()?.1
        } else {
            let value = self.unary()?;
            let span = value.span;
            let of = TypeSpecifier::TypeOf(Node::new(TypeOf::Expression(value), span));
            let specifier = SpecifierQualifier::TypeSpecifier(Node::new(of, span));
            Node::new(TypeName { specifiers: vec![Node::new(specifier, span)], declarator: None }, span)
        };
        let node = self.node(start, AlignOf(Box::new(type_name)));
        Ok(wrap(node, Expression::AlignOf))
    }

    fn postfix(&mut self, first: Node<Expression>) -> Parsed<Node<Expression>> {
        let mut value = first;
        let start = value.span.start;
        loop {
            value = match self.kind() {
                Kind::OpenBracket => {
                    let open = self.bump();
                    let index = self.expression()?;
                    let close = self.expect(Kind::CloseBracket, "an operator or `]`")?;
                    let operator = Node::new(BinaryOperator::Index, join(open, close));
                    let node = BinaryOperatorExpression { operator, lhs: Box::new(value), rhs: Box::new(index) };
                    wrap(self.node(start, node), Expression::BinaryOperator)
                }
                Kind::OpenParen => {
                    self.bump();
                    let arguments = self.arguments()?;
                    let node = self.node(start, CallExpression { callee: Box::new(value), arguments });
                    wrap(node, Expression::Call)
                }
                Kind::Dot | Kind::Arrow => {
                    let is_direct = self.kind() == Kind::Dot;
                    let operator = if is_direct { MemberOperator::Direct } else { MemberOperator::Indirect };
                    let operator = Node::new(operator, self.bump());
                    let identifier = self.identifier("the name of a member")?;
                    let node = MemberExpression { operator, expression: Box::new(value), identifier };
                    wrap(self.node(start, node), Expression::Member)
                }
                Kind::PlusPlus | Kind::MinusMinus => {
                    let is_increment = self.kind() == Kind::PlusPlus;
                    let operator =
                        if is_increment { UnaryOperator::PostIncrement } else { UnaryOperator::PostDecrement };
                    let operator = Node::new(operator, self.bump());
                    let node = UnaryOperatorExpression { operator, operand: Box::new(value) };
                    wrap(self.node(start, node), Expression::UnaryOperator)
                }
                _ => return Ok(value),
            }
        }
    }

    /// The arguments of a call behind its `(`, up to the `)`.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Node<Expression>>> {
        if self.eat(Kind::CloseParen) {
            return Ok(Vec::new());
        }
        let mut arguments = vec![self.assignment()?];
        while self.eat(Kind::Comma) {
            arguments.push(self.assignment()?);
        }
        self.expect(Kind::CloseParen, "an operator, `,` or `)`")?;
        Ok(arguments)
    }

    fn identifier_expression(&mut self) -> Parsed<Node<Expression>> {
        let name = self.identifier("a name")?;
        Ok(wrap(name, Expression::Identifier))
    }

    fn primary(&mut self) -> Parsed<Node<Expression>> {
        let start = self.start();
        match self.kind() {
            Kind::Name | Kind::FunctionName => {
                let token = self.token();
                self.bump();
                let name = Identifier { name: self.names.text(token.name) };
                Ok(wrap(Node::new(name, token.span()), Expression::Identifier))
            }
            Kind::Number => {
                let span = self.token().span();
                let Some(constant) = number(&self.text[span.start..span.end]) else {
                    return self.refuse_number();
                };
                self.bump();
                Ok(wrap(Node::new(constant, span), Expression::Constant))
            }
            Kind::Character => {
                let span = self.bump();
                let constant = Constant::Character(self.text[span.start..span.end].to_string());
                Ok(wrap(Node::new(constant, span), Expression::Constant))
            }
            Kind::Text => Ok(wrap(self.string_literal()?, Expression::StringLiteral)),
            Kind::OpenParen if self.kind_at(self.at + 1) == Kind::OpenBrace => {
                self.bump();
                let body = self.compound_statement()?;
                self.expect(Kind::CloseParen, "`)`")?;
                Ok(self.node(start, Expression::Statement(Box::new(body))))
            }
            Kind::OpenParen => {
                self.bump();
                let inner = self.expression()?;
                self.expect(Kind::CloseParen, "an operator or `)`")?;
                Ok(self.node(start, inner.node))
            }
            Kind::Generic => self.generic_selection(),
            Kind::Offsetof => self.offsetof(),
            Kind::VaArg => {
                self.bump();
                self.expect(Kind::OpenParen, "`(`")?;
                let va_list = Box::new(self.assignment()?);
                self.expect(Kind::Comma, "`,`")?;
                let type_name = self.type_name()?;
                self.expect(Kind::CloseParen, "`)`")?;
                let node = self.node(start, VaArgExpression { va_list, type_name });
                Ok(wrap(node, Expression::VaArg))
            }
            Kind::TypesCompatible => {
                // The types of the arguments are what counts, so the sizes that stand for them are never taken.
                let callee = Box::new(self.keyword_name());
                self.expect(Kind::OpenParen, "`(`")?;
                let one = self.type_name()?;
                self.expect(Kind::Comma, "`,`")?;
                let other = self.type_name()?;
                self.expect(Kind::CloseParen, "`)`")?;
                let arguments = [one, other].into_iter().map(|type_name| {
                    let span = type_name.span;
                    wrap(Node::new(SizeOfTy(type_name), span), Expression::SizeOfTy)
                });
                let node = CallExpression { callee, arguments: arguments.collect() };
                Ok(wrap(self.node(start, node), Expression::Call))
            }
            _ => self.refuse("an expression"),
        }
    }

    fn keyword_name(&mut self) -> Node<Expression> {
        let span = self.bump();
        let name = Identifier { name: self.text[span.start..span.end].to_string() };
        wrap(Node::new(name, span), Expression::Identifier)
    }

    pub(super) fn string_literal(&mut self) -> Parsed<Node<StringLiteral>> {
        if self.kind() != Kind::Text {
            return self.refuse("a string");
        }
        let start = self.start();
        let mut pieces = Vec::with_capacity(1);
        while self.kind() == Kind::Text {
            let span = self.bump();
            pieces.push(self.text[span.start..span.end].to_string());
        }
        Ok(self.node(start, pieces))
    }

    fn generic_selection(&mut self) -> Parsed<Node<Expression>> {
        let start = self.bump().start;
        self.expect(Kind::OpenParen, "`(`")?;
        let expression = Box::new(self.assignment()?);
        let mut associations = Vec::new();
        self.expect(Kind::Comma, "an operator or `,`")?;
        loop {
            let from = self.start();
            let association = if self.eat(Kind::Default) {
                self.expect(Kind::Colon, "`:`")?;
                GenericAssociation::Default(Box::new(self.assignment()?))
            } else {
                let type_name = self.type_name()?;
                self.expect(Kind::Colon, "`:`")?;
                let expression = Box::new(self.assignment()?);
                GenericAssociation::Type(self.node(from, GenericAssociationType { type_name, expression }))
            };
            associations.push(self.node(from, association));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::CloseParen, "an operator, `,` or `)`")?;
        let node = self.node(start, GenericSelection { expression, associations });
        Ok(wrap(node, Expression::GenericSelection))
    }

    fn offsetof(&mut self) -> Parsed<Node<Expression>> {
        let start = self.bump().start;
        self.expect(Kind::OpenParen, "`(`")?;
        let type_name = self.type_name()?;
        self.expect(Kind::Comma, "`,`")?;
        let from = self.start();
        let base = self.identifier("the name of a member")?;
        let mut members = Vec::new();
        loop {
            let at = self.start();
            let member = match self.kind() {
                Kind::Dot => {
                    self.bump();
                    OffsetMember::Member(self.identifier("the name of a member")?)
                }
                Kind::Arrow => {
                    self.bump();
                    OffsetMember::IndirectMember(self.identifier("the name of a member")?)
                }
                Kind::OpenBracket => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Kind::CloseBracket, "an operator or `]`")?;
                    OffsetMember::Index(index)
                }
                _ => break,
            };
            members.push(self.node(at, member));
        }
        let designator = self.node(from, OffsetDesignator { base, members });
        self.expect(Kind::CloseParen, "`)`")?;
        let node = self.node(start, OffsetOfExpression { type_name, designator });
        Ok(wrap(node, Expression::OffsetOf))
    }
}

/// An expression that is a node of its own kind, at the same place.
pub(super) fn wrap<T>(node: Node<T>, kind: impl FnOnce(Box<Node<T>>) -> Expression) -> Node<Expression> {
    let span = node.span;
    Node::new(kind(Box::new(node)), span)
}

/// A name that the program does not have, at a place without extent.
fn invented(name: &str, at: usize) -> Node<Expression> {
    invented_at(name, Span::span(at, at))
}

pub(super) fn invented_at(name: &str, span: Span) -> Node<Expression> {
    wrap(Node::new(Identifier { name: name.to_string() }, span), Expression::Identifier)
}

fn binary(operator: Node<BinaryOperator>, lhs: Node<Expression>, rhs: Node<Expression>) -> Node<Expression> {
    let span = join(lhs.span, rhs.span);
    let node = BinaryOperatorExpression { operator, lhs: Box::new(lhs), rhs: Box::new(rhs) };
    wrap(Node::new(node, span), Expression::BinaryOperator)
}

fn assignment_operator(kind: Kind) -> Option<BinaryOperator> {
    Some(match kind {
        Kind::Equal => BinaryOperator::Assign,
        Kind::StarEqual => BinaryOperator::AssignMultiply,
        Kind::SlashEqual => BinaryOperator::AssignDivide,
        Kind::PercentEqual => BinaryOperator::AssignModulo,
        Kind::PlusEqual => BinaryOperator::AssignPlus,
        Kind::MinusEqual => BinaryOperator::AssignMinus,
        Kind::ShiftLeftEqual => BinaryOperator::AssignShiftLeft,
        Kind::ShiftRightEqual => BinaryOperator::AssignShiftRight,
        Kind::AndEqual => BinaryOperator::AssignBitwiseAnd,
        Kind::CaretEqual => BinaryOperator::AssignBitwiseXor,
        Kind::OrEqual => BinaryOperator::AssignBitwiseOr,
        _ => return None,
    })
}

/// How tightly an operator binds, from 1 (`||`) to 10 (`*`).
fn binary_operator(kind: Kind) -> Option<(u8, BinaryOperator)> {
    Some(match kind {
        Kind::OrOr => (1, BinaryOperator::LogicalOr),
        Kind::AndAnd => (2, BinaryOperator::LogicalAnd),
        Kind::Or => (3, BinaryOperator::BitwiseOr),
        Kind::Caret => (4, BinaryOperator::BitwiseXor),
        Kind::And => (5, BinaryOperator::BitwiseAnd),
        Kind::EqualEqual => (6, BinaryOperator::Equals),
        Kind::BangEqual => (6, BinaryOperator::NotEquals),
        Kind::Less => (7, BinaryOperator::Less),
        Kind::Greater => (7, BinaryOperator::Greater),
        Kind::LessEqual => (7, BinaryOperator::LessOrEqual),
        Kind::GreaterEqual => (7, BinaryOperator::GreaterOrEqual),
        Kind::ShiftLeft => (8, BinaryOperator::ShiftLeft),
        Kind::ShiftRight => (8, BinaryOperator::ShiftRight),
        Kind::Plus => (9, BinaryOperator::Plus),
        Kind::Minus => (9, BinaryOperator::Minus),
        Kind::Star => (10, BinaryOperator::Multiply),
        Kind::Slash => (10, BinaryOperator::Divide),
        Kind::Percent => (10, BinaryOperator::Modulo),
        _ => return None,
    })
}
