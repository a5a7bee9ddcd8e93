//! Initialisers and their designators.

use super::parser::{Parsed, Parser, join};
use super::tokens::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Node<Initializer>> {
        let start = self.start();
        let initializer = match self.kind() {
            Kind::OpenBrace => Initializer::List(self.initializer_list()?),
            _ => Initializer::Expression(Box::new(self.assignment()?)),
        };
        Ok(self.node(start, initializer))
    }

    /// `{ … }`; the list may be empty.
    pub(super) fn initializer_list(&mut self) -> Parsed<Vec<Node<InitializerListItem>>> {
        self.expect(Kind::OpenBrace, "`{`")?;
        let mark = self.initializers.len();
        while !self.eat(Kind::CloseBrace) {
            let start = self.start();
            let designation = self.designation()?;
            let initializer = Box::new(self.initializer()?);
            let item = self.node(start, InitializerListItem { designation, initializer });
            self.initializers.push(item);
            if !self.eat(Kind::Comma) {
                self.expect(Kind::CloseBrace, "an operator, `,` or `}`")?;
                break;
            }
        }
        Ok(self.initializers.split_off(mark))
    }

    /// `.a[1] =`, `a:` or `[1]`; nothing for most items.
    fn designation(&mut self) -> Parsed<Vec<Node<Designator>>> {
        if self.kind() == Kind::Name && self.kind_at(self.at + 1) == Kind::Colon {
            let start = self.start();
            let member = Designator::Member(self.identifier("a name")?);
            self.bump();
            return Ok(vec![self.node(start, member)]);
        }
        let mut designators = Vec::new();
        loop {
            let start = self.start();
            let designator = match self.kind() {
                Kind::Dot => {
                    self.bump();
                    Designator::Member(self.identifier("the name of a member")?)
                }
                Kind::OpenBracket => self.array_designator()?,
                _ => break,
            };
            designators.push(self.node(start, designator));
        }
        // Old programs leave out `=` behind a single index.
        let is_old = matches!(&designators[..], [Node { node: Designator::Index(_) | Designator::Range(_), .. }]);
        if !designators.is_empty() && !self.eat(Kind::Equal) && !is_old {
            return self.refuse("`=`, `.` or `[`");
        }
        Ok(designators)
    }

    fn array_designator(&mut self) -> Parsed<Designator> {
        self.bump();
        let from = self.conditional()?;
        let designator = if self.eat(Kind::Ellipsis) {
            let to = self.conditional()?;
            let span = join(from.span, to.span);
            Designator::Range(Node::new(RangeDesignator { from, to }, span))
        } else {
            Designator::Index(from)
        };
        self.expect(Kind::CloseBracket, "an operator or `]`")?;
        Ok(designator)
    }
}
