//! Declarations of variables, functions and typedefs, at file scope and in blocks.

use super::attribute::Marks;
use super::declarator::{Declared, Qual, Specifiers, Storage};
use super::lvalue::Place;
use super::scope::{Definition, Entity, Symbol, SymbolId};
use super::{Lowered, Lowerer, Stop};
use diagnostics::{Finding, Rule, Severity, Span};
use ir::{GlobalKind, Length, Linkage, Local, LocalKind, Lvalue, StmtKind, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

/// What a name stands for whose declaration has no model.
const DECLARATION: &str = "a declaration that has no model";

impl<'u> Lowerer<'u, '_> {
    pub(super) fn file_declaration(&mut self, node: &Node<Declaration>) -> Lowered<()> {
        let declaration = &node.node;
        let specifiers = self.specifiers_of(declaration)?;
        for declarator in &declaration.declarators {
            let name = crate::parse::declared_name(&declarator.node.declarator.node);
            match self.file_declarator(&specifiers, &declarator.node) {
                Ok(()) => {
                    if let Some(name) = name
                        && specifiers.storage != Storage::Typedef
                    {
                        let marks = self.marks(&declaration.specifiers, &declarator.node.declarator.node);
                        let defines = specifiers.storage != Storage::Extern;
                        let (name, span) = (self.src.name(name), self.src.span(name.span));
                        let variable = matches!(self.names.get(name), Some(Entity::Symbol(id))
                            if self.program.types.signature(self.symbol(id).qual.ty).is_none());
                        self.apply_marks(name, marks, defines && variable, span);
                    }
                }
                Err(Stop::Reported) => {}
                Err(Stop::Unsupported(what)) => {
                    self.without_model(what, self.src.span(declarator.span));
                    if let Some(name) = name {
                        self.names.declare(self.src.name(name), Entity::Unsupported(DECLARATION));
                    }
                }
            }
        }
        Ok(())
    }

    /// Something at file level has no model. That costs those who use it; it is a warning where nobody does.
    pub(super) fn without_model(&mut self, what: String, span: Span) {
        let mut finding = Finding::new(Rule::Unsupported, span, what);
        finding.severity = Severity::Warning;
        if !self.in_system_header(span) {
            self.report(finding);
        }
    }

    /// The specifiers of a declaration; where they are wrong its names are known all the same.
    fn specifiers_of(&mut self, declaration: &Declaration) -> Lowered<Specifiers> {
        let specifiers = self.specifiers(&declaration.specifiers);
        if let Err(stop) = &specifiers {
            self.declare_broken(declaration, stop);
        }
        specifiers
    }

    /// Names whose declaration is wrong are known all the same, so that their uses are not reported again.
    fn declare_broken(&mut self, declaration: &Declaration, stop: &Stop) {
        let entity = match stop {
            Stop::Reported => Entity::Broken,
            Stop::Unsupported(_) => Entity::Unsupported(DECLARATION),
        };
        for declarator in &declaration.declarators {
            if let Some(name) = crate::parse::declared_name(&declarator.node.declarator.node) {
                self.names.declare(self.src.name(name), entity);
            }
        }
    }

    fn file_declarator(&mut self, specifiers: &Specifiers, node: &InitDeclarator) -> Lowered<()> {
        let declared = match self.declarator(specifiers.qual, &node.declarator) {
            Ok(declared) => declared,
            Err(stop) => {
                if let Some(name) = crate::parse::declared_name(&node.declarator.node) {
                    self.names.declare(self.src.name(name), Entity::Broken);
                }
                return Err(stop);
            }
        };
        let Some(name) = declared.name else { return Ok(()) };
        let span = declared.name_span;
        if specifiers.storage == Storage::Typedef {
            self.name_record(name, declared.qual.ty);
            return self.declare_typedef(name, declared.qual, span);
        }
        if self.program.types.signature(declared.qual.ty).is_some() {
            return self.declare_function(name, specifiers, &declared);
        }
        if self.unsupported_type(declared.qual.ty).is_some() {
            let what = self.unsupported_type(declared.qual.ty).unwrap_or_default();
            self.names.declare(name, Entity::Unsupported(what));
            return Ok(());
        }
        if self.program.types.is_void(declared.qual.ty) && specifiers.storage != Storage::Extern {
            self.names.declare(name, Entity::Broken);
            return self.fail(span, format!("the variable `{name}` has type `void`"));
        }
        let mut qual = declared.qual;
        if specifiers.deduced
            && let Some(Initializer::Expression(value)) = node.initializer.as_ref().map(|i| &i.node)
        {
            qual.ty = self.without_evaluation(|this| this.rvalue(value))?.ty;
        }
        let id = self.declare_symbol(name, qual, specifiers.storage, span)?;
        match &node.initializer {
            Some(initializer) => {
                if self.symbol(id).definition == Definition::Full {
                    return self.fail(span, format!("`{name}` is initialised a second time"));
                }
                self.symbol_mut(id).definition = Definition::Full;
                self.define_variable(id, initializer)
            }
            None => {
                if specifiers.storage != Storage::Extern && self.symbol(id).definition == Definition::None {
                    self.symbol_mut(id).definition = Definition::Tentative;
                }
                Ok(())
            }
        }
    }

    fn define_variable(&mut self, id: SymbolId, initializer: &Node<Initializer>) -> Lowered<()> {
        let global = self.global_of(id);
        let (qual, span, name) = (self.symbol(id).qual, self.symbol(id).span, self.symbol(id).name);
        let (init, ty) = self.static_initializer(qual.ty, initializer, span)?;
        if matches!(self.program.types.get(ty), Type::Array { .. }) {
            self.symbol_mut(id).qual.ty = ty;
        } else if ty != qual.ty {
            self.link.extend(global);
        }
        if let Err(earlier) = self.link.define(self.program, global, ty, init, span, true) {
            let finding = Finding::new(Rule::LinkError, span, format!("`{name}` is defined in two units"))
                .with_note(earlier, "the other definition is here");
            self.report(finding);
        }
        Ok(())
    }

    /// Gives the variables that were declared and never initialised their zero value.
    pub(super) fn finish_tentative(&mut self) {
        for index in 0..self.symbols.len() {
            let id = SymbolId(index as u32);
            if self.symbol(id).definition != Definition::Tentative {
                continue;
            }
            let (qual, span, name) = (self.symbol(id).qual, self.symbol(id).span, self.symbol(id).name);
            let mut ty = qual.ty;
            if let Type::Array { of, length: Length::Unknown } = *self.program.types.get(ty) {
                ty = self.types().array(of, 1);
            }
            if !self.program.types.is_complete(ty) {
                let shown = self.describe(ty);
                let message = format!("the variable `{name}` has the incomplete type `{shown}`");
                self.report(Finding::new(Rule::TypeError, span, message));
                continue;
            }
            let global = self.global_of(id);
            // A second tentative definition in another unit is the same object.
            let _ = self.link.define(self.program, global, ty, ir::Initializer::default(), span, false);
        }
    }

    /// A record without a tag is known by the first name that a `typedef` gives it.
    fn name_record(&mut self, name: &str, ty: TypeId) {
        if let Type::Record(id) = *self.program.types.get(ty) {
            let record = &mut self.program.types.records[id];
            if record.name.is_empty() && record.alias.is_empty() {
                record.alias = name.to_string();
            }
        }
    }

    fn declare_typedef(&mut self, name: &'u str, qual: Qual, span: Span) -> Lowered<()> {
        match self.names.get_here(name) {
            Some(Entity::Typedef(old)) if !self.compatible(old.ty, qual.ty) => {
                let (a, b) = (self.describe(old.ty), self.describe(qual.ty));
                self.fail(span, format!("the type `{name}` was `{a}` and is now `{b}`"))
            }
            Some(Entity::Symbol(_) | Entity::Local(_) | Entity::Enumerator { .. }) => {
                self.fail(span, format!("`{name}` is declared as something else already"))
            }
            _ => {
                let mut qual = qual;
                if qual.align > 0 {
                    // A typedef may ask for less than the type, too.
                    self.program.data.unaligned_types |= qual.align < self.program.types.align_of(qual.ty);
                    qual.type_align = std::mem::take(&mut qual.align);
                }
                self.names.declare(name, Entity::Typedef(qual));
                Ok(())
            }
        }
    }

    fn declare_function(&mut self, name: &'u str, specifiers: &Specifiers, declared: &Declared<'u, '_>) -> Lowered<()> {
        let storage = match specifiers.storage {
            Storage::None => Storage::Extern,
            other => other,
        };
        let id = self.declare_symbol(name, declared.qual, storage, declared.name_span)?;
        if specifiers.noreturn || declared.noreturn {
            self.mark_noreturn(id);
        }
        Ok(())
    }

    /// Declares a name with linkage, or agrees with an earlier declaration of it.
    pub(super) fn declare_symbol(
        &mut self,
        name: &'u str,
        qual: Qual,
        storage: Storage,
        span: Span,
    ) -> Lowered<SymbolId> {
        if matches!(
            self.names.get_here(name),
            Some(Entity::Typedef(_) | Entity::Enumerator { .. } | Entity::Local(_) | Entity::Static { .. })
        ) {
            return self.fail(span, format!("`{name}` is declared as something else already"));
        }
        let internal = Linkage::Internal { unit: self.src.index };
        if let Some(&id) = self.linked.get(name) {
            let old = self.symbol(id).qual;
            if !self.compatible(old.ty, qual.ty) {
                let (a, b) = (self.describe(old.ty), self.describe(qual.ty));
                let earlier = self.symbol(id).span;
                let finding = Finding::new(Rule::TypeError, span, format!("`{name}` was `{a}` and is now `{b}`"))
                    .with_note(earlier, "the earlier declaration is here");
                self.report(finding);
                self.names.declare(name, Entity::Broken);
                return Err(Stop::Reported);
            }
            if storage == Storage::Static && self.symbol(id).linkage == Linkage::External {
                if self.symbol(id).function.is_some() || self.symbol(id).global.is_some() {
                    return self.fail(span, format!("`{name}` is `static` here and was used as a global name before"));
                }
                self.symbol_mut(id).linkage = internal;
            }
            let composite = self.composite(old.ty, qual.ty);
            self.symbol_mut(id).qual.ty = composite;
            if let Some(function) = self.symbol(id).function
                && self.program.functions[function].body.is_none()
            {
                self.program.functions[function].ty = composite;
            }
            if let Some(global) = self.symbol(id).global
                && self.program.globals[global].init.is_none()
            {
                self.program.globals[global].ty = composite;
            }
            if self.symbol(id).definition != Definition::Full {
                self.symbol_mut(id).span = span;
            }
            self.names.declare(name, Entity::Symbol(id));
            return Ok(id);
        }
        let linkage = if storage == Storage::Static { internal } else { Linkage::External };
        let id = self.add_symbol(Symbol::declared(name, qual, linkage, span));
        self.names.declare(name, Entity::Symbol(id));
        Ok(id)
    }

    /// The type that has the knowledge of two compatible declarations.
    fn composite(&self, old: TypeId, new: TypeId) -> TypeId {
        match (self.program.types.get(old), self.program.types.get(new)) {
            (Type::Array { length: Length::Fixed(_), .. }, Type::Array { length: Length::Unknown, .. }) => old,
            (Type::Function(a), Type::Function(b)) if b.unprototyped && !a.unprototyped => old,
            _ => new,
        }
    }

    // Blocks.

    pub(super) fn block_declaration(&mut self, node: &Node<Declaration>) -> Lowered<()> {
        let declaration = &node.node;
        if declaration.declarators.is_empty() {
            self.declare_tag_alone(&declaration.specifiers);
        }
        let specifiers = self.specifiers_of(declaration)?;
        for declarator in &declaration.declarators {
            let marks = self.marks(&declaration.specifiers, &declarator.node.declarator.node);
            match self.block_declarator(&specifiers, declarator, marks) {
                Ok(()) | Err(Stop::Reported) => {}
                Err(Stop::Unsupported(what)) => {
                    let span = self.src.span(declarator.span);
                    self.give_up(what, span);
                }
            }
        }
        Ok(())
    }

    fn block_declarator(&mut self, specifiers: &Specifiers, node: &Node<InitDeclarator>, marks: Marks) -> Lowered<()> {
        let span = self.src.span(node.span);
        let declared = match self.declarator(specifiers.qual, &node.node.declarator) {
            Ok(declared) => declared,
            Err(stop) => {
                if let Some(name) = crate::parse::declared_name(&node.node.declarator.node) {
                    self.names.declare(self.src.name(name), Entity::Broken);
                }
                return Err(stop);
            }
        };
        let Some(name) = declared.name else { return Ok(()) };
        if specifiers.storage == Storage::Typedef {
            return self.declare_typedef(name, declared.qual, declared.name_span);
        }
        if let Some(what) = marks.renamed.filter(|_| !matches!(specifiers.storage, Storage::None | Storage::Static)) {
            self.names.declare(name, Entity::Unsupported(what));
            return self.unsupported(what);
        }
        if self.program.types.signature(declared.qual.ty).is_some() {
            if let Some(definition) = self.nested_definitions.remove(&node.node.declarator.span.start) {
                return self.nested_function(name, declared.qual.ty, &definition, declared.name_span);
            }
            return self.declare_function(name, specifiers, &declared);
        }
        if let Some(what) = self.unsupported_type(declared.qual.ty) {
            self.names.declare(name, Entity::Unsupported(what));
            return self.unsupported(what);
        }
        if specifiers.storage == Storage::Extern {
            self.declare_symbol(name, declared.qual, Storage::Extern, declared.name_span)?;
            return Ok(());
        }
        if self.program.types.is_void(declared.qual.ty) {
            self.names.declare(name, Entity::Broken);
            return self.fail(declared.name_span, format!("the variable `{name}` has type `void`"));
        }
        if !matches!(self.names.get_here(name), None | Some(Entity::Broken)) {
            return self.fail(declared.name_span, format!("`{name}` is declared a second time in this block"));
        }
        if specifiers.storage == Storage::Static {
            return self.static_local(name, &declared, node);
        }
        let qual = declared.qual;
        if specifiers.deduced {
            let Some(Initializer::Expression(value)) = node.node.initializer.as_ref().map(|i| &i.node) else {
                return self.fail(span, "`__auto_type` needs an initialiser");
            };
            if marks.cleanup.is_some() {
                return self.unsupported("the attribute `cleanup` of an `__auto_type` variable");
            }
            return self.deduced_local(name, qual, value, declared.name_span, span);
        }
        let unknown = matches!(self.program.types.get(qual.ty), Type::Array { length: Length::Unknown, .. });
        let given = unknown && node.node.initializer.is_some();
        if !self.program.types.is_complete(qual.ty) && !given {
            self.names.declare(name, Entity::Broken);
            let ty = self.describe(qual.ty);
            return self.fail(declared.name_span, format!("the variable `{name}` has the incomplete type `{ty}`"));
        }
        self.note_atomic(qual);
        let local = self.frame.locals.push(Local {
            name: name.to_string(),
            ty: qual.ty,
            kind: LocalKind::Variable,
            is_const: qual.is_const,
            is_volatile: qual.is_volatile,
            declared_length: None,
            span: declared.name_span,
        });
        self.list_local(local);
        self.names.declare(name, Entity::Local(local));
        self.emit(StmtKind::Live(local), span);
        if marks.cleanup.is_some() {
            self.frame.addressed.insert(name);
        }
        if let Some(initializer) = &node.node.initializer {
            let place = Place::new(Lvalue::local(local, qual.ty, declared.name_span));
            let ty = self.initialize(place, initializer, span);
            match ty {
                Ok(ty) => self.frame.locals[local].ty = ty,
                Err(stop) => {
                    if unknown {
                        let element = self.program.types.element(qual.ty).unwrap_or(qual.ty);
                        self.frame.locals[local].ty = self.types().array(element, 1);
                    }
                    return Err(stop);
                }
            }
        }
        match &marks.cleanup {
            Some(cleanup) => self.add_cleanup(cleanup, local, name, declared.name_span),
            None => Ok(()),
        }
    }

    /// `__auto_type x = value`: the value is lowered first, once, since it says what `x` is.
    fn deduced_local(
        &mut self,
        name: &'u str,
        qual: Qual,
        value: &Node<Expression>,
        name_span: Span,
        span: Span,
    ) -> Lowered<()> {
        let value = self.rvalue(value)?;
        if self.program.types.is_void(value.ty) {
            return self.fail(span, format!("the variable `{name}` has type `void`"));
        }
        let local = self.frame.locals.push(Local {
            name: name.to_string(),
            ty: value.ty,
            kind: LocalKind::Variable,
            is_const: qual.is_const,
            is_volatile: qual.is_volatile,
            declared_length: None,
            span: name_span,
        });
        self.list_local(local);
        self.names.declare(name, Entity::Local(local));
        self.emit(StmtKind::Live(local), span);
        let target = Lvalue::local(local, value.ty, name_span);
        self.emit(StmtKind::Assign { target, value }, span);
        Ok(())
    }

    /// Notes a variable in the innermost open block.
    pub(super) fn list_local(&mut self, local: ir::LocalId) {
        match self.frame.blocks.last_mut() {
            Some(block) => block.push(local),
            None => self.frame.blocks.push(vec![local]),
        }
    }

    fn static_local(&mut self, name: &'u str, declared: &Declared<'u, '_>, node: &Node<InitDeclarator>) -> Lowered<()> {
        let span = declared.name_span;
        let qual = declared.qual;
        let global = self.program.globals.push(ir::Global {
            name: name.to_string(),
            ty: qual.ty,
            kind: GlobalKind::StaticLocal,
            linkage: Linkage::Internal { unit: self.src.index },
            is_const: qual.is_const,
            is_volatile: qual.is_volatile,
            init: Some(ir::Initializer::default()),
            span,
        });
        self.note_atomic(qual);
        let (is_const, is_volatile) = (qual.is_const, qual.is_volatile);
        self.names.declare(name, Entity::Static { global, is_const, is_volatile });
        if !self.program.types.variable_lengths(qual.ty).is_empty() {
            return self.fail(span, format!("the `static` variable `{name}` has a variable length"));
        }
        if let Some(initializer) = &node.node.initializer {
            let (init, ty) = self.static_initializer(qual.ty, initializer, span)?;
            if ty != qual.ty && !matches!(self.program.types.get(ty), Type::Array { .. }) {
                return self.unsupported("a flexible array member initialised in a static variable of a function");
            }
            self.program.globals[global].ty = ty;
            self.program.globals[global].init = Some(init);
        } else if !self.program.types.is_complete(qual.ty) {
            let ty = self.describe(qual.ty);
            return self.fail(span, format!("the variable `{name}` has the incomplete type `{ty}`"));
        }
        Ok(())
    }

    pub(super) fn static_assert(&mut self, node: &Node<StaticAssert>) -> Lowered<()> {
        let span = self.src.span(node.node.expression.span);
        let value = self.integer_constant(&node.node.expression, "a static assertion")?;
        if value != 0 {
            return Ok(());
        }
        let text = self.string_text(&node.node.message).map(|text| text.bytes()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        self.fail(span, format!("the static assertion does not hold: {text}"))
    }
}
