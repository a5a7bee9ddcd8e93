//! Function definitions, and the state of the function being lowered.

use super::cleanup::Cleanups;
use super::declarator::{Qual, Storage};
use super::jump::LabelAddresses;
use super::nested::Surroundings;
use super::order::addressed_names;
use super::scope::{Definition, Entity, SymbolId};
use super::statement::OpenSwitch;
use super::{Lowered, Lowerer, Stop};
use crate::order::Evaluation;
use diagnostics::{Finding, Rule, Span};
use hashbrown::{HashMap, HashSet};
use ir::{
    Base, Block, Expr, ExprKind, FunctionId, IntKind, Label, LabelId, Length, Linkage, Local, LocalId, LocalKind,
    PrimaryMap, Signature, Stmt,
};
use ir::{Lvalue, StmtKind, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;
use std::borrow::Cow;

/// The function being lowered. Outside functions there is one too, where constants are computed.
pub struct Frame<'u> {
    pub locals: PrimaryMap<LocalId, Local>,
    pub labels: PrimaryMap<LabelId, Label>,
    /// The label of each name, and whether it was placed.
    pub label_names: HashMap<&'u str, (LabelId, bool)>,
    /// The open block.
    pub stmts: Vec<Stmt>,
    /// The variables of the open blocks, outermost first.
    pub blocks: Vec<Vec<LocalId>>,
    pub result: TypeId,
    pub name: String,
    /// The array `__func__`.
    pub name_object: Option<ir::GlobalId>,
    pub addressed: HashSet<&'u str>,
    pub switches: Vec<OpenSwitch>,
    /// How many loops and switches are open, and how many loops.
    pub breakable: u32,
    pub continuable: u32,
    /// Whether the parameters of a prototype are being read.
    pub in_prototype: bool,
    /// The function, inside one.
    pub function: Option<FunctionId>,
    /// What the open full expression evaluates, in the order it was lowered.
    pub notes: Vec<Evaluation>,
    /// How many statement expressions are open.
    pub inside_expression: u32,
    pub cleanups: Cleanups,
    /// What the body is compiled with that has no model.
    pub compiled_with: Option<String>,
    pub addresses: LabelAddresses,
    pub around: Surroundings<'u>,
}

impl Frame<'_> {
    pub fn new(result: TypeId) -> Self {
        Frame {
            locals: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            label_names: HashMap::new(),
            stmts: Vec::new(),
            blocks: Vec::new(),
            result,
            name: String::new(),
            name_object: None,
            addressed: HashSet::new(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
            in_prototype: false,
            function: None,
            notes: Vec::new(),
            inside_expression: 0,
            cleanups: Cleanups::default(),
            compiled_with: None,
            addresses: LabelAddresses::default(),
            around: Surroundings::default(),
        }
    }
}

/// Library functions that never come back, whatever their declaration says. A program's own function of such a name may.
pub fn never_returns(name: &str) -> bool {
    matches!(name, "exit" | "abort" | "_exit" | "_Exit" | "quick_exit" | "__assert_fail" | "__builtin_unreachable")
}

impl<'u> Lowerer<'u, '_> {
    pub(super) fn function_definition(&mut self, node: Node<FunctionDefinition>) -> Lowered<()> {
        let definition = &node.node;
        let specifiers = self.specifiers(&definition.specifiers)?;
        let mut declared = self.declarator(specifiers.qual, &definition.declarator)?;
        let Some(name) = declared.name else { return self.fail(declared.name_span, "a function without a name") };
        if self.program.types.signature(declared.qual.ty).is_none() {
            let ty = self.describe(declared.qual.ty);
            return self.fail(declared.name_span, format!("`{name}` has a body and the type `{ty}`"));
        }
        if let Some(DerivedDeclarator::KRFunction(names)) = declared.params
            && !names.is_empty()
        {
            declared.qual = self.old_style_type(declared.qual.ty, names, &definition.declarations)?;
        }
        let storage = if specifiers.storage == Storage::None { Storage::Extern } else { specifiers.storage };
        let id = self.declare_symbol(name, declared.qual, storage, declared.name_span)?;
        if specifiers.noreturn || declared.noreturn {
            self.mark_noreturn(id);
        }
        let marks = self.marks(&definition.specifiers, &definition.declarator.node);
        self.apply_marks(name, marks, true, declared.name_span);
        if self.symbol(id).definition == Definition::Full {
            return self.fail(declared.name_span, format!("`{name}` is defined a second time"));
        }
        self.symbol_mut(id).definition = Definition::Full;
        // It was taken for the library's where it was called before.
        if let (false, Some(function)) = (self.symbol(id).noreturn, self.symbol(id).function) {
            self.program.functions[function].noreturn = false;
        }
        self.link.inline(name, specifiers.inline);
        let lazily = specifiers.inline || specifiers.storage == Storage::Static;
        if lazily && self.in_system_header(declared.name_span) {
            self.symbol_mut(id).waiting = Some(Box::new(node));
            if self.symbol(id).function.is_some() {
                self.wanted.push(id);
            }
            return Ok(());
        }
        self.function_body(id, &node)
    }

    pub(super) fn mark_noreturn(&mut self, id: SymbolId) {
        self.symbol_mut(id).noreturn = true;
        if let Some(function) = self.symbol(id).function {
            self.program.functions[function].noreturn = true;
        }
    }

    pub(super) fn in_system_header(&self, span: Span) -> bool {
        match self.program.sources.written(span) {
            Some(region) => self.program.sources.file(region.start.file).system,
            None => false,
        }
    }

    /// The type of a function whose parameters are declared after the list: callers pass promoted values.
    pub(super) fn old_style_type(
        &mut self,
        ty: TypeId,
        names: &[Node<Identifier>],
        declarations: &[Node<Declaration>],
    ) -> Lowered<Qual> {
        let int = self.program.types.int(IntKind::Int);
        let declared = self.old_style_params(declarations)?;
        let mut params = Vec::with_capacity(names.len());
        for name in names {
            let ty = declared.iter().find(|(n, _)| *n == name.node.name).map_or(int, |(_, ty)| *ty);
            params.push(self.promoted_type(ty));
        }
        let Some(signature) = self.program.types.signature(ty) else { return Ok(Qual::plain(ty)) };
        let signature = Signature { result: signature.result, params, variadic: false, unprototyped: true };
        Ok(Qual::plain(self.types().intern(Type::Function(signature))))
    }

    fn old_style_params(&mut self, declarations: &[Node<Declaration>]) -> Lowered<Vec<(&'u str, TypeId)>> {
        let mut found = Vec::new();
        for declaration in declarations {
            let specifiers = self.specifiers(&declaration.node.specifiers)?;
            for declarator in &declaration.node.declarators {
                let declared = self.declarator(specifiers.qual, &declarator.node.declarator)?;
                let (ty, _) = self.adjust_parameter(declared.qual);
                if let Some(name) = declared.name {
                    found.push((name, ty));
                }
            }
        }
        Ok(found)
    }

    fn promoted_type(&self, ty: TypeId) -> TypeId {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Int(kind) => types.int(kind.promoted()),
            Type::Float(ir::FloatKind::Float) => types.float(ir::FloatKind::Double),
            _ => ty,
        }
    }

    pub(super) fn function_body(&mut self, id: SymbolId, node: &Node<FunctionDefinition>) -> Lowered<()> {
        let definition = &node.node;
        let ty = self.symbol(id).qual.ty;
        let name_span = self.symbol(id).span;
        let Some(signature) = self.program.types.signature(ty).cloned() else { return Ok(()) };
        let function = self.function_of(id);
        let name = self.symbol(id).name;
        let (start, end) = (definition.declarator.span.start, definition.statement.span.end);
        let text = self.source_text(lang_c::span::Span { start, end });
        let is_shared = self.link.is_inline(name) && self.symbol(id).linkage == Linkage::External;
        let text = if is_shared { Cow::Owned(self.meaning(text)) } else { Cow::Borrowed(text) };
        if self.program.functions[function].body.is_some() {
            if self.link.is_inline(name) {
                // A second unit's copy changes nothing; where it differs, C does not say which of them is called.
                if !self.link.has_the_body(function, &text) {
                    self.leave_open(function, definition);
                }
            } else {
                let earlier = self.program.functions[function].span;
                let finding = Finding::new(Rule::LinkError, name_span, format!("`{name}` is defined in two units"))
                    .with_note(earlier, "the other definition is here");
                self.report(finding);
            }
            return Ok(());
        }
        self.link.note_body(function, &text);
        let mut frame = Frame::new(signature.result);
        frame.name = name.to_string();
        frame.function = Some(function);
        frame.compiled_with = self.compiled_with(id, name_span);
        frame.addressed = addressed_names(&definition.statement.node, &self.src);
        frame.addresses.capacity = self.source_text(definition.statement.span).matches("&&").count() as u64;
        let outer = std::mem::replace(&mut self.frame, frame);
        let outer_depth = std::mem::take(&mut self.depth);
        self.lengths.clear();
        self.forget_constants();
        self.open_scope();
        let blocked = self.blocked_by(&signature);
        let params = match blocked {
            Some(what) => {
                self.hide_parameters(what, definition);
                self.emit(StmtKind::Unsupported(what.to_string()), name_span);
                Ok(Vec::new())
            }
            None => self.parameters(&signature, definition),
        };
        let body = self.function_block(params.is_ok(), definition);
        self.close_scope();
        self.depth = outer_depth;
        self.forget_constants();
        let frame = std::mem::replace(&mut self.frame, outer);
        let ty = match blocked {
            Some(_) => self.open_signature(signature.result),
            None => ty,
        };
        let data = &mut self.program.functions[function];
        data.ty = ty;
        data.span = name_span;
        data.locals = frame.locals;
        data.labels = frame.labels;
        data.params = match params {
            Ok(params) => params,
            Err(Stop::Reported) => Vec::new(),
            Err(stop) => return Err(stop),
        };
        data.body = Some(body);
        data.number_statements();
        self.register_startup(id);
        Ok(())
    }

    /// Gives up a function that has another body besides this one. What either of them claims is kept.
    fn leave_open(&mut self, function: FunctionId, definition: &FunctionDefinition) {
        let what = format!("`{}`, which two units define differently", self.program.functions[function].name);
        let outer = std::mem::replace(&mut self.frame, Frame::new(self.program.types.void()));
        self.give_up(what, self.src.span(definition.statement.span));
        let frame = std::mem::replace(&mut self.frame, outer);
        let data = &mut self.program.functions[function];
        if let Some(body) = &mut data.body {
            body.stmts.splice(0..0, frame.stmts);
        }
        data.number_statements();
    }

    /// A parameter or result without a model. The function is there all the same: it has claims, and is called.
    pub(super) fn blocked_by(&self, signature: &Signature) -> Option<&'static str> {
        signature.params.iter().chain([&signature.result]).find_map(|&ty| self.unsupported_type(ty))
    }

    /// Declares the parameters of such a function as things without a model.
    fn hide_parameters(&mut self, what: &'static str, definition: &FunctionDefinition) {
        let names: Vec<&Node<Identifier>> = match own_parameters(&definition.declarator.node) {
            Some(DerivedDeclarator::Function(function)) => {
                let declarators = function.node.parameters.iter().filter_map(|node| node.node.declarator.as_ref());
                declarators.filter_map(|declarator| crate::parse::declared_name(&declarator.node)).collect()
            }
            Some(DerivedDeclarator::KRFunction(names)) => names.iter().collect(),
            _ => Vec::new(),
        };
        for name in names {
            self.names.declare(self.src.name(name), Entity::Unsupported(what));
        }
    }

    /// The type of such a function in the program model: nothing is known about its parameters.
    fn open_signature(&mut self, result: TypeId) -> TypeId {
        let result = if self.unsupported_type(result).is_some() { self.program.types.void() } else { result };
        let signature = Signature { result, params: Vec::new(), variadic: false, unprototyped: true };
        self.types().intern(Type::Function(signature))
    }

    pub(super) fn parameters(
        &mut self,
        signature: &Signature,
        definition: &FunctionDefinition,
    ) -> Lowered<Vec<LocalId>> {
        let derived = own_parameters(&definition.declarator.node);
        let nodes = match derived {
            Some(DerivedDeclarator::Function(function)) => &function.node.parameters,
            Some(DerivedDeclarator::KRFunction(names)) => {
                return self.old_style_locals(signature, names, &definition.declarations);
            }
            // The function type comes from a typedef, which C forbids.
            _ => return self.fail(self.src.span(definition.declarator.span), "a definition needs a parameter list"),
        };
        // All parameters come first among the locals; the lengths of their arrays follow.
        let mut ids = Vec::with_capacity(signature.params.len());
        for (&ty, node) in signature.params.iter().zip(nodes) {
            let span = self.src.span(node.span);
            if !self.program.types.is_scalar(ty) && !self.program.types.is_complete(ty) {
                let ty = self.describe(ty);
                return self.fail(span, format!("the parameter has the incomplete type `{ty}`"));
            }
            ids.push(self.frame.locals.push(Local {
                name: String::new(),
                ty,
                kind: LocalKind::Parameter,
                is_const: false,
                is_volatile: false,
                declared_length: None,
                span,
            }));
        }
        for (&id, node) in ids.iter().zip(nodes) {
            let declared = self.parameter(&node.node)?;
            let (ty, length) = self.adjust_parameter(declared.qual);
            let declared_length = match length {
                Some(Length::Fixed(n)) => Some(self.size_constant(n, declared.name_span)),
                Some(Length::Variable(local)) => {
                    self.frame.stmts.retain(|stmt| {
                        !matches!(&stmt.kind, StmtKind::Assign { target, .. } if target.as_local() == Some(local))
                    });
                    let over_parameters = |length: &&Expr| {
                        let mut fits = true;
                        length.walk(&mut |part| {
                            if let ExprKind::Load(lvalue) = &part.kind
                                && let Base::Local(local) = lvalue.base
                            {
                                fits &= self.frame.locals[local].kind != LocalKind::Variable;
                            }
                        });
                        fits
                    };
                    self.lengths.get(&local).filter(over_parameters).cloned()
                }
                _ => None,
            };
            let local = &mut self.frame.locals[id];
            local.ty = ty;
            local.declared_length = declared_length;
            local.span = declared.name_span;
            local.is_const = declared.qual.is_const && length.is_none();
            local.is_volatile = declared.qual.is_volatile && length.is_none();
            if let Some(name) = declared.name {
                local.name = name.to_string();
                self.names.declare(name, Entity::Local(id));
            }
        }
        Ok(ids)
    }

    fn old_style_locals(
        &mut self,
        signature: &Signature,
        names: &[Node<Identifier>],
        declarations: &[Node<Declaration>],
    ) -> Lowered<Vec<LocalId>> {
        let declared = self.old_style_params(declarations)?;
        let mut ids = Vec::with_capacity(names.len());
        let mut narrow = Vec::new();
        for (name, &passed) in names.iter().zip(&signature.params) {
            let span = self.src.span(name.span);
            let ty = declared.iter().find(|(n, _)| *n == name.node.name).map_or(passed, |(_, ty)| *ty);
            let id = self.frame.locals.push(Local {
                name: name.node.name.clone(),
                ty: passed,
                kind: LocalKind::Parameter,
                is_const: false,
                is_volatile: false,
                declared_length: None,
                span,
            });
            ids.push(id);
            self.names.declare(self.src.name(name), Entity::Local(id));
            if ty != passed {
                narrow.push((id, ty, name));
            }
        }
        // The caller passed a promoted value; the body sees a variable of the declared type.
        for (id, ty, name) in narrow {
            let span = self.src.span(name.span);
            let local = Local {
                name: name.node.name.clone(),
                ty,
                kind: LocalKind::Variable,
                is_const: false,
                is_volatile: false,
                declared_length: None,
                span,
            };
            let variable = self.frame.locals.push(local);
            self.names.declare(self.src.name(name), Entity::Local(variable));
            let passed = Expr::load(Lvalue::local(id, self.frame.locals[id].ty, span));
            let value = self.convert(passed, ty, false);
            self.emit(StmtKind::Live(variable), span);
            self.emit(StmtKind::Assign { target: Lvalue::local(variable, ty, span), value }, span);
            self.frame.blocks.push(vec![variable]);
        }
        Ok(ids)
    }

    pub(super) fn function_block(&mut self, params_fine: bool, definition: &FunctionDefinition) -> Block {
        // Variables that stand for old-style parameters belong to the outermost block.
        let mut locals: Vec<LocalId> = self.frame.blocks.drain(..).flatten().collect();
        if !params_fine {
            return Block { locals, stmts: Vec::new() };
        }
        self.frame.blocks.push(Vec::new());
        let whole = self.src.span(definition.statement.span);
        for index in 0..self.lost.len() {
            let (span, what) = (self.lost[index].span, self.lost[index].message.clone());
            if whole.contains(span) {
                self.emit(StmtKind::Unsupported(what), span);
            }
        }
        if let Some(what) = self.frame.compiled_with.take() {
            self.emit(StmtKind::Unsupported(what), whole);
        }
        if let Statement::Compound(items) = &definition.statement.node {
            self.block_items(items);
        }
        let end = self.src.span(definition.statement.span);
        let close = if end.is_none() { end } else { Span::new(end.hi.saturating_sub(1).max(end.lo), end.hi) };
        self.close_cleanups(0, close);
        let int = self.program.types.int(IntKind::Int);
        let returned = matches!(self.frame.stmts.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
        if self.frame.name == "main" && self.frame.result == int && !returned {
            // Reaching the end of `main` returns 0.
            let zero = Expr::new(ExprKind::Int(0), int, close);
            self.emit(StmtKind::Return(Some(zero)), close);
        }
        self.check_labels(close);
        self.finish_computed_gotos(close);
        locals.extend(self.frame.blocks.pop().unwrap_or_default());
        let mut stmts = std::mem::take(&mut self.frame.stmts);
        self.state_error(&mut stmts, whole);
        self.finish_jumps(&mut stmts);
        stmts.shrink_to_fit();
        Block { locals, stmts }
    }

    /// A program may define `reach_error` itself. That it is not called is a claim all the same, unless the body
    /// states one.
    fn state_error(&self, stmts: &mut Vec<ir::Stmt>, span: Span) {
        if !matches!(self.frame.name.as_str(), "reach_error" | "__VERIFIER_error") {
            return;
        }
        let mut states = false;
        let block = Block { locals: Vec::new(), stmts: std::mem::take(stmts) };
        block.walk(&mut |stmt| states |= matches!(stmt.kind, StmtKind::Assert { .. }));
        *stmts = block.stmts;
        if !states {
            let cond = Expr::int(0, self.program.types.int(IntKind::Int), span);
            let text = format!("{}()", self.frame.name);
            let claim = StmtKind::Assert { cond, kind: ir::AssertKind::ReachError, text };
            stmts.insert(0, ir::Stmt::new(claim, span));
        }
    }

    fn check_labels(&mut self, end: Span) {
        let mut missing: Vec<(LabelId, &str)> =
            self.frame.label_names.iter().filter(|(_, (_, placed))| !placed).map(|(n, (id, _))| (*id, *n)).collect();
        missing.sort();
        for (id, name) in missing {
            let span = self.frame.labels[id].span;
            self.report(Finding::new(Rule::Undeclared, span, format!("the label `{name}` is not defined")));
            self.emit(StmtKind::Label(id), end);
        }
    }
}

/// The parameter list that belongs to the declared name.
pub(super) fn own_parameters(declarator: &Declarator) -> Option<&DerivedDeclarator> {
    let own = declarator.derived.iter().map(|d| &d.node).find(|d| !matches!(d, DerivedDeclarator::Pointer(_)));
    match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => own_parameters(&inner.node).or(own),
        _ => own,
    }
}
