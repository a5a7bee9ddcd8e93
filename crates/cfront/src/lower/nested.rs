//! Functions inside functions, as GNU C has them.
//!
//! Such a function becomes one of the file with a parameter more: the environment, a record of pointers to the variables
//! of the functions around it that it uses. A call fills an environment and passes its address; a pointer to the function
//! binds one ([`Intrinsic::Bind`]), which only the VM follows. A `goto` to a label of the function around it is a
//! `longjmp` to a `setjmp` that stands where the inner function is defined.
//!
//! *Not modelled*, and refused where it is used: variables of variable length of the outer function, and inner functions
//! that are declared ahead with `auto`.

use super::lvalue::{Operand, Place};
use super::{Lowered, Lowerer, Stop};
use diagnostics::Span;
use hashbrown::HashSet;
use ir::layout::Member;
use ir::{
    Base, Block, Callee, Expr, ExprKind, FunctionId, IntKind, Intrinsic, Linkage, Local, LocalId, LocalKind, Lvalue,
    Packing, Record, RecordId, RecordKind, Signature, Step, Stmt, StmtKind, Type, TypeId,
};
use lang_c::ast::*;
use lang_c::span::{Node, Span as TreeSpan};
use lang_c::visit::{self, Visit};

/// A variable of an outer function, or the buffer of a jump to one of its labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// How deep the function is nested that has the variable.
    depth: u32,
    local: LocalId,
    ty: TypeId,
    is_const: bool,
    is_volatile: bool,
}

/// What a function knows about those around it.
#[derive(Default)]
pub struct Surroundings<'u> {
    pub depth: u32,
    /// The number of the function among the nested ones, and the parameter that holds its environment.
    own: Option<(u32, LocalId)>,
    captures: Vec<Capture>,
    /// The labels of the body itself.
    labels: HashSet<String>,
    /// The labels around it that it jumps to, with the buffers for them.
    escapes: Vec<(&'u str, LocalId)>,
    /// Variables of the function around it that are not in use yet, to be buffers.
    spare: Vec<LocalId>,
}

/// A function that was defined inside another.
pub struct NestedFunction {
    function: FunctionId,
    /// Its type as the program declares it, without the environment.
    ty: TypeId,
    environment: RecordId,
    /// What its environment points to, once the body is known.
    captures: Option<Vec<Capture>>,
}

/// How many labels outside a nested function may jump to.
const MAX_ESCAPES: usize = 4;

impl<'u> Lowerer<'u, '_> {
    /// Lowers a function that is defined in a block.
    pub(super) fn nested_function(
        &mut self,
        name: &'u str,
        ty: TypeId,
        definition: &Node<FunctionDefinition>,
        span: Span,
    ) -> Lowered<()> {
        let ty = match super::function::own_parameters(&definition.node.declarator.node) {
            Some(DerivedDeclarator::KRFunction(names)) if !names.is_empty() => {
                self.old_style_type(ty, names, &definition.node.declarations)?.ty
            }
            _ => ty,
        };
        let Some(signature) = self.program.types.signature(ty).cloned() else { return Ok(()) };
        if let Some(what) = self.blocked_by(&signature) {
            return self.unsupported(what);
        }
        let record = Record::declared(RecordKind::Struct, format!(".environment of {name}"), span);
        let environment = self.program.types.records.push(record);
        let whole = self.types().intern(Type::Record(environment));
        let pointer = self.types().pointer(whole);
        let mut params = vec![pointer];
        params.extend(&signature.params);
        let full = Signature { params, unprototyped: false, ..signature.clone() };
        let full = self.types().intern(Type::Function(full));
        let inner_name = format!("{}.{name}", self.frame.name);
        let linkage = Linkage::Internal { unit: self.src.index };
        let function = self.link.function(self.program, &inner_name, full, linkage, span);
        let number = self.nested.len() as u32;
        self.nested.push(NestedFunction { function, ty, environment, captures: None });
        self.names.declare(name, super::scope::Entity::Nested(number));

        let depth = self.frame.around.depth;
        let mut frame = super::function::Frame::new(signature.result);
        frame.name = inner_name;
        frame.function = Some(function);
        frame.addressed = super::order::addressed_names(&definition.node.statement.node, &self.src);
        frame.addresses.capacity = self.source_text(definition.node.statement.span).matches("&&").count() as u64;
        frame.around.depth = depth + 1;
        frame.around.labels = own_labels(&definition.node.statement);
        // Buffers have to be variables of this function; those that are not needed do no harm.
        let word = self.program.types.int(IntKind::ULong);
        let buffer = self.types().array(word, 2);
        let jumps = self.source_text(definition.node.statement.span).contains("goto");
        let spare = if jumps { MAX_ESCAPES } else { 0 };
        frame.around.spare = (0..spare).map(|_| self.temporary(buffer, span)).collect();
        let visible: Vec<(&'u str, Capture)> = self
            .names
            .locals()
            .map(|(name, local)| {
                let Local { ty, is_const, is_volatile, .. } = self.frame.locals[local];
                (name, Capture { depth, local, ty, is_const, is_volatile })
            })
            .collect();
        let outer = std::mem::replace(&mut self.frame, frame);
        let outer_depth = std::mem::take(&mut self.depth);
        let outer_lengths = std::mem::take(&mut self.lengths);
        self.open_scope();
        for (name, capture) in visible {
            self.names.declare(name, super::scope::Entity::Captured(capture));
        }
        self.open_scope();
        let parameter = self.frame.locals.push(Local {
            name: String::new(),
            ty: pointer,
            kind: LocalKind::Parameter,
            is_const: false,
            is_volatile: false,
            declared_length: None,
            span,
        });
        self.frame.around.own = Some((number, parameter));
        let params = self.parameters(&signature, &definition.node);
        let body = self.function_block(params.is_ok(), &definition.node);
        self.close_scope();
        self.close_scope();
        self.depth = outer_depth;
        self.lengths = outer_lengths;
        let frame = std::mem::replace(&mut self.frame, outer);
        let data = &mut self.program.functions[function];
        data.ty = full;
        data.locals = frame.locals;
        data.labels = frame.labels;
        data.params = vec![parameter];
        match params {
            Ok(params) => data.params.extend(params),
            Err(Stop::Reported) => {}
            Err(stop) => return Err(stop),
        }
        data.body = Some(body);
        data.number_statements();
        self.define_environment(environment, &frame.around.captures);
        for capture in &frame.around.captures {
            if capture.depth == depth {
                let name = self.frame.locals[capture.local].name.clone();
                if let Some(name) = self.names.name_of(&name) {
                    self.frame.addressed.insert(name);
                }
            }
        }
        self.nested[number as usize].captures = Some(frame.around.captures);
        for (label, buffer_local) in frame.around.escapes {
            self.landing(label, Lvalue::local(buffer_local, buffer, span), span);
        }
        Ok(())
    }

    fn define_environment(&mut self, record: RecordId, captures: &[Capture]) {
        let mut members = Vec::with_capacity(captures.len());
        for (index, capture) in captures.iter().enumerate() {
            members.push(Member::plain(format!("captured{index}"), self.types().pointer(capture.ty)));
        }
        self.types().define_record(record, members, Packing::Natural, 1);
    }

    /// Where jumps out of a nested function arrive: a `setjmp`, and a `goto` for when it returns again.
    fn landing(&mut self, label: &'u str, buffer: Lvalue, span: Span) {
        let int = self.program.types.int(IntKind::Int);
        let pointer = self.types().pointer(buffer.ty);
        let address = Expr::new(ExprKind::AddressOf(buffer), pointer, span);
        let result = self.temporary_place(int, span);
        let callee = Callee::Intrinsic(Intrinsic::SetJump);
        self.emit(StmtKind::Call { result: Some(result.clone()), callee, args: vec![address] }, span);
        let target = self.label_named(label, span);
        let then = Block { locals: Vec::new(), stmts: vec![Stmt::new(StmtKind::Goto(target), span)] };
        self.emit(StmtKind::If { cond: Expr::load(result), then, otherwise: Block::default() }, span);
    }

    /// Whether a `goto` in a nested function leaves it.
    pub(super) fn leaves_function(&self, label: &str) -> bool {
        self.frame.around.own.is_some() && !self.frame.around.labels.contains(label)
    }

    /// A `goto` to a label of the function around.
    pub(super) fn goto_outside(&mut self, label: &'u str, span: Span) -> Lowered<()> {
        let known = self.frame.around.escapes.iter().find(|(known, _)| *known == label).map(|(_, buffer)| *buffer);
        let buffer = match known.or_else(|| self.frame.around.spare.pop()) {
            Some(buffer) => buffer,
            None => return self.unsupported("jumps out of a nested function to very many labels"),
        };
        if known.is_none() {
            self.frame.around.escapes.push((label, buffer));
        }
        let word = self.program.types.int(IntKind::ULong);
        let ty = self.types().array(word, 2);
        let depth = self.frame.around.depth - 1;
        let capture = Capture { depth, local: buffer, ty, is_const: false, is_volatile: false };
        let address = self.captured_address(capture, span)?;
        let one = Expr::int(1, self.program.types.int(IntKind::Int), span);
        let callee = Callee::Intrinsic(Intrinsic::LongJump);
        self.emit(StmtKind::Call { result: None, callee, args: vec![address, one] }, span);
        Ok(())
    }

    /// The address of a variable of this function or one around it.
    fn captured_address(&mut self, capture: Capture, span: Span) -> Lowered<Expr> {
        if !self.program.types.variable_lengths(capture.ty).is_empty() {
            return self.unsupported("an array of variable length used in a nested function");
        }
        let pointer = self.types().pointer(capture.ty);
        if capture.depth == self.frame.around.depth {
            let lvalue = Lvalue::local(capture.local, capture.ty, span);
            return Ok(Expr::new(ExprKind::AddressOf(lvalue), pointer, span));
        }
        let Some((_, parameter)) = self.frame.around.own else {
            return self.unsupported("a variable of a function that is not around this one");
        };
        let captures = &mut self.frame.around.captures;
        let known = captures.iter().position(|known| known.depth == capture.depth && known.local == capture.local);
        let index = known.unwrap_or_else(|| {
            captures.push(capture);
            captures.len() - 1
        });
        let environment = Expr::load(Lvalue::local(parameter, self.frame.locals[parameter].ty, span));
        let path = vec![Step::Field(index as u32)];
        let field = Lvalue { base: Base::Deref(Box::new(environment)), path, ty: pointer, span };
        Ok(Expr::load(field))
    }

    /// A variable of an outer function as an object.
    pub(super) fn captured_place(&mut self, capture: Capture, span: Span) -> Lowered<Operand> {
        let address = self.captured_address(capture, span)?;
        let lvalue = Lvalue { base: Base::Deref(Box::new(address)), path: Vec::new(), ty: capture.ty, span };
        let (is_const, is_volatile) = (capture.is_const, capture.is_volatile);
        Ok(Operand::Place(Place { is_const, is_volatile, ..Place::new(lvalue) }))
    }

    /// The function that a call of a nested one leads to, its type without the environment, and the environment.
    pub(super) fn nested_callee(&mut self, number: u32, span: Span) -> Lowered<(FunctionId, TypeId, Expr)> {
        let environment = self.environment(number, span)?;
        let nested = &self.nested[number as usize];
        Ok((nested.function, nested.ty, environment))
    }

    /// The address of an environment for a nested function.
    fn environment(&mut self, number: u32, span: Span) -> Lowered<Expr> {
        if let Some((own, parameter)) = self.frame.around.own
            && own == number
        {
            return Ok(Expr::load(Lvalue::local(parameter, self.frame.locals[parameter].ty, span)));
        }
        let nested = &self.nested[number as usize];
        let (record, Some(captures)) = (nested.environment, nested.captures.clone()) else {
            return self.unsupported("a call of a nested function from one inside it");
        };
        let ty = self.types().intern(Type::Record(record));
        let target = self.temporary_place(ty, span);
        for (index, capture) in captures.into_iter().enumerate() {
            let value = self.captured_address(capture, span)?;
            let mut field = target.clone();
            field.path.push(Step::Field(index as u32));
            field.ty = value.ty;
            self.emit(StmtKind::Assign { target: field, value }, span);
        }
        let pointer = self.types().pointer(ty);
        Ok(Expr::new(ExprKind::AddressOf(target), pointer, span))
    }

    /// A nested function that is not called: a pointer that knows its environment.
    pub(super) fn nested_operand(&mut self, number: u32, span: Span) -> Lowered<Operand> {
        let nested = &self.nested[number as usize];
        let (function, ty) = (nested.function, nested.ty);
        let full = self.program.functions[function].ty;
        if self.unevaluated > 0 {
            return Ok(Operand::Function { id: function, ty, span });
        }
        if self.constant_only {
            return self.unsupported("the address of a nested function in a static initialiser");
        }
        let environment = self.environment(number, span)?;
        let plain = self.types().pointer(full);
        let plain = Expr::new(ExprKind::Function(function), plain, span);
        let pointer = self.types().pointer(ty);
        let target = self.temporary_place(pointer, span);
        let callee = Callee::Intrinsic(Intrinsic::Bind);
        self.emit(StmtKind::Call { result: Some(target.clone()), callee, args: vec![plain, environment] }, span);
        let lvalue = Lvalue { base: Base::Deref(Box::new(Expr::load(target))), path: Vec::new(), ty, span };
        Ok(Operand::Place(Place::new(lvalue)))
    }
}

/// The labels that stand in a statement.
fn own_labels(statement: &Node<Statement>) -> HashSet<String> {
    struct Labels(HashSet<String>);
    impl<'t> Visit<'t> for Labels {
        fn visit_label(&mut self, label: &'t Label, span: &'t TreeSpan) {
            if let Label::Identifier(name) = label {
                self.0.insert(name.node.name.clone());
            }
            visit::visit_label(self, label, span);
        }
    }
    let mut labels = Labels(HashSet::new());
    labels.visit_statement(&statement.node, &statement.span);
    labels.0
}
