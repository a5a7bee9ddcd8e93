//! Statements: control flow, blocks, labels.

use super::lvalue::{Operand, Place};
use super::{Lowered, Lowerer, MAX_STMT_DEPTH, Stop};
use diagnostics::{Finding, Rule, Span};
use ir::{Arm, Block, Callee, Expr, Intrinsic, Label as IrLabel, LabelId, Loop, LoopKind, Stmt, StmtKind, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

/// A switch whose body is being lowered.
pub struct OpenSwitch {
    pub ty: TypeId,
    pub arms: Vec<Arm>,
    pub default: Option<LabelId>,
}

impl<'u> Lowerer<'u, '_> {
    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>]) {
        for item in items {
            let span = self.src.span(item.span);
            self.begin_full_expression();
            let mark = self.mark();
            let done = match &item.node {
                BlockItem::Declaration(declaration) => self.block_declaration(declaration),
                BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
                BlockItem::Statement(statement) => {
                    self.statement(statement);
                    Ok(())
                }
            };
            self.settle(done, mark, span);
        }
    }

    /// Ends a statement: what could not be lowered becomes one that says so.
    fn settle(&mut self, done: Lowered<()>, mark: usize, span: Span) {
        match done {
            Ok(()) => {}
            Err(Stop::Reported) => self.frame.stmts.truncate(mark),
            Err(Stop::Unsupported(what)) => {
                self.frame.stmts.truncate(mark);
                self.give_up(what, span);
            }
        }
    }

    pub(super) fn statement(&mut self, node: &Node<Statement>) {
        let span = self.src.span(node.span);
        if self.depth >= MAX_STMT_DEPTH {
            self.report(Finding::new(Rule::Unsupported, span, "statements are nested too deeply"));
            return;
        }
        self.depth += 1;
        self.begin_full_expression();
        let mark = self.mark();
        let done = self.statement_inner(node, span);
        self.settle(done, mark, span);
        self.depth -= 1;
    }

    fn statement_inner(&mut self, node: &Node<Statement>, span: Span) -> Lowered<()> {
        match &node.node {
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.effects(expression),
            Statement::Compound(items) => {
                let block = self.block(|this| this.block_items(items));
                self.emit_block(block, span);
                Ok(())
            }
            Statement::If(node) => self.if_statement(&node.node, span),
            Statement::Switch(node) => self.switch_statement(&node.node, span),
            Statement::While(node) => self.while_statement(&node.node, span),
            Statement::DoWhile(node) => self.do_statement(&node.node, span),
            Statement::For(node) => self.for_statement(&node.node, span),
            Statement::Labeled(node) => self.labeled_statement(&node.node, span),
            Statement::Goto(name) if self.leaves_function(&name.node.name) => {
                self.goto_outside(self.src.name(name), span)
            }
            Statement::Goto(name) => {
                let label = self.label(name);
                let label = self.jump_target(label, span);
                self.emit(StmtKind::Goto(label), span);
                Ok(())
            }
            Statement::Continue => {
                if self.frame.continuable == 0 {
                    return self.fail(span, "`continue` outside a loop");
                }
                self.before_continue(span);
                self.emit(StmtKind::Continue, span);
                Ok(())
            }
            Statement::Break => {
                if self.frame.breakable == 0 {
                    return self.fail(span, "`break` outside a loop or switch");
                }
                self.before_break(span);
                self.emit(StmtKind::Break, span);
                Ok(())
            }
            Statement::Return(value) => self.return_statement(value.as_deref(), span),
            Statement::Asm(asm) => self.assembler(&asm.node, span),
        }
    }

    /// Lowers into a block with a scope of its own.
    pub(super) fn block(&mut self, work: impl FnOnce(&mut Self)) -> Block {
        self.open_scope();
        self.frame.blocks.push(Vec::new());
        let floor = self.open_cleanups();
        let ((), stmts) = self.buffered(|this| {
            work(this);
            let end = this.frame.stmts.last().map_or(Span::NONE, |stmt| stmt.span);
            this.close_cleanups(floor, end);
        });
        self.close_scope();
        let locals = self.frame.blocks.pop().unwrap_or_default();
        Block { locals, stmts }
    }

    fn emit_block(&mut self, block: Block, span: Span) {
        self.emit(StmtKind::Block(block), span);
    }

    /// A statement that is the body of another one; braces do not nest twice.
    fn body(&mut self, node: &Node<Statement>) -> Block {
        if let Statement::Compound(items) = &node.node {
            if self.depth >= MAX_STMT_DEPTH {
                self.statement(node);
                return Block::default();
            }
            self.depth += 1;
            let block = self.block(|this| this.block_items(items));
            self.depth -= 1;
            return block;
        }
        self.block(|this| this.statement(node))
    }

    fn if_statement(&mut self, node: &IfStatement, span: Span) -> Lowered<()> {
        if self.assert_statement(node, span)? {
            return Ok(());
        }
        // Both branches are lowered even if the condition is wrong: labels in them count, errors are reported.
        let cond = self.condition(&node.condition);
        let then = self.body(&node.then_statement);
        let otherwise = node.else_statement.as_ref().map(|s| self.body(s)).unwrap_or_default();
        let cond = self.condition_or_unknown(cond, &node.condition)?;
        self.emit(StmtKind::If { cond, then, otherwise }, span);
        Ok(())
    }

    /// What has no model, and a value that may be any in its place: control goes on in every way that it could.
    pub(super) fn unknown(&mut self, what: String, ty: TypeId, span: Span) -> Expr {
        self.give_up(what, span);
        let target = self.temporary_place(ty, span);
        if self.program.types.is_scalar(ty) {
            let callee = Callee::Intrinsic(Intrinsic::Nondet);
            self.emit(StmtKind::Call { result: Some(target.clone()), callee, args: Vec::new() }, span);
        }
        Expr::load(target)
    }

    /// A condition without a model: control is lost there, but what follows keeps its shape.
    fn condition_or_unknown(&mut self, cond: Lowered<Expr>, node: &Node<Expression>) -> Lowered<Expr> {
        match cond {
            Err(Stop::Unsupported(what)) => {
                let int = self.program.types.int(ir::IntKind::Int);
                Ok(self.unknown(what, int, self.src.span(node.span)))
            }
            other => other,
        }
    }

    fn loop_body(&mut self, node: &Node<Statement>) -> Block {
        self.frame.breakable += 1;
        self.frame.continuable += 1;
        self.enter_loop();
        let block = self.body(node);
        self.leave_loop();
        self.frame.breakable -= 1;
        self.frame.continuable -= 1;
        block
    }

    /// The condition of a loop, and the statements that compute what it needs.
    fn loop_condition(&mut self, node: &Node<Expression>) -> Lowered<(Expr, Block)> {
        let (cond, stmts) = self.buffered(|this| {
            let cond = this.condition(node);
            this.condition_or_unknown(cond, node)
        });
        Ok((cond?, Block { locals: Vec::new(), stmts }))
    }

    fn while_statement(&mut self, node: &WhileStatement, span: Span) -> Lowered<()> {
        let cond = self.loop_condition(&node.expression);
        let body = self.loop_body(&node.statement);
        let (cond, pre) = cond?;
        let step = Block::default();
        self.emit(StmtKind::Loop(Box::new(Loop { kind: LoopKind::While, pre, cond: Some(cond), body, step })), span);
        Ok(())
    }

    fn do_statement(&mut self, node: &DoWhileStatement, span: Span) -> Lowered<()> {
        let body = self.loop_body(&node.statement);
        let (cond, pre) = self.loop_condition(&node.expression)?;
        let step = Block::default();
        self.emit(StmtKind::Loop(Box::new(Loop { kind: LoopKind::DoWhile, pre, cond: Some(cond), body, step })), span);
        Ok(())
    }

    fn for_statement(&mut self, node: &ForStatement, span: Span) -> Lowered<()> {
        match &node.initializer.node {
            ForInitializer::Declaration(declaration) => {
                let block = self.block(|this| {
                    let mark = this.mark();
                    let done = this.block_declaration(declaration);
                    let at = this.src.span(declaration.span);
                    this.settle(done, mark, at);
                    let mark = this.mark();
                    let done = this.for_loop(node, span);
                    this.settle(done, mark, span);
                });
                self.emit_block(block, span);
                Ok(())
            }
            ForInitializer::Expression(expression) => {
                let mark = self.mark();
                let done = self.effects(expression);
                let at = self.src.span(expression.span);
                self.settle(done, mark, at);
                self.for_loop(node, span)
            }
            ForInitializer::StaticAssert(assertion) => {
                self.static_assert(assertion)?;
                self.for_loop(node, span)
            }
            ForInitializer::Empty => self.for_loop(node, span),
        }
    }

    fn for_loop(&mut self, node: &ForStatement, span: Span) -> Lowered<()> {
        let cond = node.condition.as_ref().map(|condition| self.loop_condition(condition)).transpose();
        let body = self.loop_body(&node.statement);
        let ((), step) = self.buffered(|this| {
            if let Some(step) = &node.step {
                let done = this.effects(step);
                let at = this.src.span(step.span);
                this.settle(done, 0, at);
            }
        });
        let (cond, pre) = match cond? {
            Some((cond, pre)) => (Some(cond), pre),
            None => (None, Block::default()),
        };
        let step = Block { locals: Vec::new(), stmts: step };
        self.emit(StmtKind::Loop(Box::new(Loop { kind: LoopKind::For, pre, cond, body, step })), span);
        Ok(())
    }

    fn switch_statement(&mut self, node: &SwitchStatement, span: Span) -> Lowered<()> {
        let value = self.rvalue(&node.expression).and_then(|value| self.require_integer(value, "a switched value"));
        let value = value.map(|value| self.promote(value));
        let value = self.condition_or_unknown(value, &node.expression);
        let ty = value.as_ref().map_or(self.program.types.int(ir::IntKind::Int), |value| value.ty);
        self.frame.switches.push(OpenSwitch { ty, arms: Vec::new(), default: None });
        self.frame.breakable += 1;
        self.enter_switch();
        let body = self.body(&node.statement);
        self.leave_switch();
        self.frame.breakable -= 1;
        let Some(open) = self.frame.switches.pop() else { return Ok(()) };
        let value = value?;
        let mut sorted: Vec<&Arm> = open.arms.iter().collect();
        sorted.sort_by_key(|arm| arm.low);
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].high >= pair[1].low) {
            let at = self.frame.labels[pair[1].label].span;
            return self.fail(at, format!("the case {} stands twice in the switch", pair[1].low));
        }
        self.emit(StmtKind::Switch { value, arms: open.arms, default: open.default, body }, span);
        Ok(())
    }

    fn labeled_statement(&mut self, node: &LabeledStatement, span: Span) -> Lowered<()> {
        let at = self.src.span(node.label.span);
        let placed = match &node.label.node {
            Label::Identifier(name) => self.place_label(name, at),
            Label::Case(value) => self.integer_constant(value, "a case").and_then(|n| self.case(n, n, at)),
            Label::CaseRange(range) => self.integer_constant(&range.node.low, "a case").and_then(|low| {
                let high = self.integer_constant(&range.node.high, "a case")?;
                self.case(low, high, at)
            }),
            Label::Default => self.default_case(at),
        };
        let _ = span;
        // The statement after a wrong label is still a statement.
        match placed {
            Ok(Some(label)) => self.emit(StmtKind::Label(label), at),
            Ok(None) | Err(Stop::Reported) => {}
            Err(Stop::Unsupported(what)) => self.emit(StmtKind::Unsupported(what), at),
        }
        self.statement(&node.statement);
        Ok(())
    }

    pub(super) fn label(&mut self, name: &Node<Identifier>) -> LabelId {
        self.label_named(self.src.name(name), self.src.span(name.span))
    }

    pub(super) fn label_named(&mut self, name: &'u str, span: Span) -> LabelId {
        if let Some((id, _)) = self.frame.label_names.get(name) {
            return *id;
        }
        let id = self.frame.labels.push(IrLabel { name: name.to_string(), span });
        self.frame.label_names.insert(name, (id, false));
        id
    }

    fn place_label(&mut self, name: &Node<Identifier>, at: Span) -> Lowered<Option<LabelId>> {
        let id = self.label(name);
        let known = self.frame.label_names.insert(self.src.name(name), (id, true));
        if matches!(known, Some((_, true))) {
            return self.fail(at, format!("the label `{}` is defined a second time", name.node.name));
        }
        self.frame.labels[id].span = self.src.span(name.span);
        self.label_placed(id);
        Ok(Some(id))
    }

    fn case(&mut self, low: i128, high: i128, at: Span) -> Lowered<Option<LabelId>> {
        let Some(open) = self.frame.switches.last() else { return self.fail(at, "`case` outside a switch") };
        let Some(kind) = self.program.types.int_kind(open.ty) else { return Ok(None) };
        let (low, high) = if low == high {
            (kind.wrap(low), kind.wrap(low))
        } else {
            // A range is cut to the values the switch can have.
            (low.max(kind.min()), if kind.contains(high) { high } else { kind.max() })
        };
        if low > high {
            self.warn(at, "an empty range of cases");
            return Ok(None);
        }
        let label = self.frame.labels.push(IrLabel { name: String::new(), span: at });
        if let Some(open) = self.frame.switches.last_mut() {
            open.arms.push(Arm { low, high, label });
        }
        Ok(Some(label))
    }

    fn default_case(&mut self, at: Span) -> Lowered<Option<LabelId>> {
        match self.frame.switches.last() {
            None => self.fail(at, "`default` outside a switch"),
            Some(OpenSwitch { default: Some(_), .. }) => self.fail(at, "a second `default` in the switch"),
            Some(_) => {
                let label = self.frame.labels.push(IrLabel { name: String::new(), span: at });
                if let Some(open) = self.frame.switches.last_mut() {
                    open.default = Some(label);
                }
                Ok(Some(label))
            }
        }
    }

    fn return_statement(&mut self, value: Option<&Node<Expression>>, span: Span) -> Lowered<()> {
        let result = self.frame.result;
        let Some(node) = value else {
            self.before_return(None, span);
            self.emit(StmtKind::Return(None), span);
            return Ok(());
        };
        if self.program.types.is_void(result) {
            let operand = self.without_evaluation(|this| this.quietly(|this| this.operand(node)));
            if let Ok(operand) = operand
                && !self.program.types.is_void(operand.qual().ty)
            {
                self.warn(span, "a value is returned from a function that returns `void`");
            }
            self.effects(node)?;
            self.before_return(None, span);
            self.emit(StmtKind::Return(None), span);
            return Ok(());
        }
        let value = self.rvalue(node).and_then(|value| self.assign_convert(value, result, "return"));
        let value = match value {
            // The function ends here all the same.
            Err(Stop::Unsupported(what)) if self.unsupported_type(result).is_none() => self.unknown(what, result, span),
            Err(Stop::Unsupported(what)) => {
                self.give_up(what, span);
                let value = self.before_return(None, span);
                self.emit(StmtKind::Return(value), span);
                return Ok(());
            }
            other => other?,
        };
        let value = self.before_return(Some(value), span);
        self.emit(StmtKind::Return(value), span);
        Ok(())
    }

    /// `({ ... })`: the value of the last expression statement, if one is wanted.
    pub(super) fn statement_expression(
        &mut self,
        node: &Node<Statement>,
        span: Span,
        wanted: bool,
    ) -> Lowered<Operand> {
        let Statement::Compound(items) = &node.node else {
            return self.fail(span, "a statement expression needs braces");
        };
        if self.names.at_file_scope() || self.frame.in_prototype {
            return self.fail(span, "a statement expression outside functions");
        }
        let last = match items.last().map(|item| &item.node) {
            Some(BlockItem::Statement(statement)) if wanted => result_expression(statement),
            _ => None,
        };
        let mut value: Lowered<Option<Operand>> = Ok(None);
        let from = self.noted();
        self.frame.inside_expression += 1;
        let block = self.block(|this| match last {
            None => this.block_items(items),
            Some((labels, expression)) => {
                this.block_items(&items[..items.len() - 1]);
                for (label, at) in labels {
                    let placed = this.place_label(label, at_span(this, at));
                    if let Ok(Some(label)) = placed {
                        let at = at_span(this, at);
                        this.emit(StmtKind::Label(label), at);
                    }
                }
                value = this.block_value(expression, span);
            }
        });
        self.frame.inside_expression -= 1;
        self.sequence_point(from);
        self.only_perhaps(from);
        let value = value?;
        if block.locals.is_empty() {
            self.frame.stmts.extend(block.stmts);
        } else {
            self.emit_block(block, span);
        }
        Ok(value.unwrap_or_else(|| self.void_value(span)))
    }

    /// Saves the value of a block's last expression, since the block's variables end before it is used.
    fn block_value(&mut self, node: &Node<Expression>, span: Span) -> Lowered<Option<Operand>> {
        let operand = self.operand(node)?;
        if self.program.types.is_void(operand.qual().ty) {
            return Ok(None);
        }
        let value = self.value_of(operand)?;
        let ty = value.ty;
        if let ir::ExprKind::Int(_) | ir::ExprKind::Float(_) = value.kind {
            return Ok(Some(Operand::Value(value)));
        }
        let target = self.temporary_place(ty, span);
        self.frame.stmts.push(Stmt::new(StmtKind::Assign { target: target.clone(), value }, span));
        Ok(Some(if self.program.types.is_scalar(ty) {
            Operand::Value(Expr::load(target))
        } else {
            Operand::Place(Place::new(target))
        }))
    }
}

fn at_span(lowerer: &Lowerer<'_, '_>, span: lang_c::span::Span) -> Span {
    lowerer.src.span(span)
}

type NamedLabels<'t> = Vec<(&'t Node<Identifier>, lang_c::span::Span)>;

/// The expression a statement expression ends in, below labels.
fn result_expression(statement: &Node<Statement>) -> Option<(NamedLabels<'_>, &Node<Expression>)> {
    match &statement.node {
        Statement::Expression(Some(expression)) => Some((Vec::new(), expression)),
        Statement::Labeled(labeled) => {
            let Label::Identifier(name) = &labeled.node.label.node else { return None };
            let (mut labels, expression) = result_expression(&labeled.node.statement)?;
            labels.insert(0, (name, labeled.node.label.span));
            Some((labels, expression))
        }
        _ => None,
    }
}
