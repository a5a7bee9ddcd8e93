//! C expressions and statements as terms over the variables of the program.
//!
//! Besides its value, a C expression makes *demands*: what must hold for it to have a value in C. A signed result must
//! fit its type, a divisor must not be zero, a variable must have been set, an operation must have a rule for its
//! arguments. Demands are kept apart from the precondition, so that this stays what the program tests.

use super::error::PathError;
use super::operations::{Meaning, Operations, c_name};
use diagnostics::Span;
use ir::arith::{self, Case, undefined_cases};
use ir::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, GlobalId, IntKind, Intrinsic, LocalId, LogicalOp, Lvalue,
    Program, Stmt, StmtKind, TypeId, UnaryOp,
};
use rewriting::arithmetic::build;
use rewriting::{Builtin, Head, SortId, Store, System, TermId, VarId};
use std::collections::{BTreeMap, HashMap};

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    /// What a call of the function returned.
    Result(FunctionId),
    /// The answer number so-and-so to a call of `__VERIFIER_nondet_*`.
    Nondet(u32),
}

/// What a statement does: places and their new values, all at once, and what must hold for the run to go on.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    pub assigned: Vec<(Place, TermId)>,
    pub required: Vec<TermId>,
    pub requirements: Vec<TermId>,
}

pub struct Translator<'a> {
    pub program: &'a Program,
    pub operations: &'a Operations,
    pub system: &'a mut System,
    pub store: Store,
    vars: BTreeMap<Place, VarId>,
    places: HashMap<VarId, Place>,
    /// The function whose locals are meant.
    pub frame: FunctionId,
    /// The calls that are being put in, the outermost first.
    pub calls: Vec<FunctionId>,
    requirements: Vec<TermId>,
    /// Under which the expression at hand is evaluated at all.
    guards: Vec<TermId>,
    /// Types of the answers asked for so far.
    pub answers: Vec<IntKind>,
    /// Whether calls of `__VERIFIER_nondet_*` can be told apart here.
    pub once: bool,
}

pub type Translated<T> = Result<T, PathError>;

impl<'a> Translator<'a> {
    pub fn new(program: &'a Program, operations: &'a Operations, system: &'a mut System, frame: FunctionId) -> Self {
        Translator {
            program,
            operations,
            system,
            store: Store::new(),
            vars: BTreeMap::new(),
            places: HashMap::new(),
            frame,
            calls: vec![frame],
            requirements: Vec::new(),
            guards: Vec::new(),
            answers: Vec::new(),
            once: true,
        }
    }

    pub fn build(&mut self, builtin: Builtin, args: &[TermId]) -> TermId {
        build(&mut self.store, builtin, args)
    }

    pub fn not(&mut self, term: TermId) -> TermId {
        self.build(Builtin::Not, &[term])
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.build(Builtin::And, &[a, b])
    }

    pub fn truth(&self, value: bool) -> TermId {
        self.store.truth(value)
    }

    /// `if(condition, then, otherwise)`, or the choice if there is none. Whoever asks demands the condition.
    pub fn choice(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if then == otherwise { then } else { self.build(Builtin::If, &[condition, then, otherwise]) }
    }

    /// Replaces variables, simplifying on the way.
    pub fn substitute(&mut self, term: TermId, values: &hashbrown::HashMap<VarId, TermId>) -> TermId {
        self.substitute_sharing(term, values, &mut hashbrown::HashMap::new())
    }

    /// As [`Translator::substitute`], with the parts already done for the same values.
    pub fn substitute_sharing(
        &mut self,
        term: TermId,
        values: &hashbrown::HashMap<VarId, TermId>,
        known: &mut hashbrown::HashMap<TermId, TermId>,
    ) -> TermId {
        let signature = &self.system.signature;
        let make = |store: &mut Store, head: Head, args: &[TermId]| match head {
            Head::Builtin(builtin) => build(store, builtin, args),
            Head::Symbol(symbol) => store.apply(signature, symbol, args),
            Head::Var(_) | Head::Int(_) => store.make(head, args),
        };
        self.store.substitute_with(term, values, known, &make)
    }

    /// The variable that stands for a place.
    pub fn var(&mut self, place: Place, sort: SortId) -> VarId {
        if let Some(&var) = self.vars.get(&place) {
            return var;
        }
        let name = self.name(place);
        let var = self.store.fresh(&name, sort);
        self.vars.insert(place, var);
        self.places.insert(var, place);
        var
    }

    pub fn place_of(&self, var: VarId) -> Option<Place> {
        self.places.get(&var).copied()
    }

    pub fn known_var(&self, place: Place) -> Option<VarId> {
        self.vars.get(&place).copied()
    }

    pub fn name(&self, place: Place) -> String {
        match place {
            Place::Local(function, local) => self.program.functions[function].locals[local].name.clone(),
            Place::Global(global) => self.program.globals[global].name.clone(),
            Place::Result(function) => format!("{}()", self.program.functions[function].name),
            Place::Nondet(number) => format!("nondet{}", number + 1),
        }
    }

    pub fn type_of(&self, place: Place) -> Option<TypeId> {
        match place {
            Place::Local(function, local) => Some(self.program.functions[function].locals[local].ty),
            Place::Global(global) => Some(self.program.globals[global].ty),
            Place::Result(function) => {
                self.program.types.signature(self.program.functions[function].ty).map(|s| s.result)
            }
            Place::Nondet(_) => None,
        }
    }

    pub fn sort(&self, ty: TypeId, span: Span) -> Translated<SortId> {
        self.operations.sort(self.program, ty).ok_or_else(|| {
            let name = c_name(self.program, ty);
            PathError::unsupported(
                span,
                format!("a value of type `{name}` on the path: no sort of the rules belongs to it"),
            )
            .with_help("paths know integers, and the pointers or structs that the operations of the rules take")
        })
    }

    /// The whole variable that an lvalue is.
    pub fn place(&self, lvalue: &Lvalue) -> Translated<Place> {
        let place = match lvalue.base {
            Base::Local(local) => Some(Place::Local(self.frame, local)),
            Base::Global(global) => Some(Place::Global(global)),
            Base::Deref(_) => None,
        };
        place.filter(|_| lvalue.path.is_empty()).ok_or_else(|| {
            PathError::unsupported(lvalue.span, "memory behind a pointer, a member or an element on the path")
                .with_help("paths know whole variables only; write an operation for it and give its rules")
        })
    }

    fn load(&mut self, lvalue: &Lvalue) -> Translated<TermId> {
        let place = self.place(lvalue)?;
        if let Place::Global(global) = place
            && let Some(symbol) = self.operations.constant(global)
        {
            return Ok(self.store.apply(&self.system.signature, symbol, &[]));
        }
        let sort = self.sort(lvalue.ty, lvalue.span)?;
        let var = self.var(place, sort);
        Ok(self.store.var(var))
    }

    fn require(&mut self, condition: TermId) {
        let yes = self.truth(true);
        let guards = self.guards.clone();
        let guarded =
            guards.into_iter().rev().fold(condition, |inner, guard| self.build(Builtin::If, &[guard, inner, yes]));
        if guarded != yes {
            self.requirements.push(guarded);
        }
    }

    fn require_value(&mut self, term: TermId) {
        // Variables may be unset; whether they are shows when the path before is put in.
        if self.store.as_int(term).is_none() && self.store.as_truth(term).is_none() {
            let defined = self.store.make(Head::Builtin(Builtin::Defined), &[term]);
            self.require(defined);
        }
    }

    fn require_fits(&mut self, term: TermId, kind: IntKind) {
        let (low, high) = (self.store.int(kind.min()), self.store.int(kind.max()));
        let above = self.build(Builtin::Le, &[low, term]);
        let below = self.build(Builtin::Le, &[term, high]);
        let fits = self.and(above, below);
        self.require(fits);
    }

    fn guarded<T>(&mut self, guard: TermId, work: impl FnOnce(&mut Self) -> Translated<T>) -> Translated<T> {
        self.guards.push(guard);
        let result = work(self);
        self.guards.pop();
        result
    }

    /// The value of an expression, of the sort that belongs to its type.
    pub fn value(&mut self, expr: &Expr) -> Translated<TermId> {
        match self.sort(expr.ty, expr.span)? {
            SortId::BOOL => self.condition(expr),
            SortId::INT => self.int(expr),
            sort => self.data(expr, sort),
        }
    }

    fn data(&mut self, expr: &Expr, sort: SortId) -> Translated<TermId> {
        match &expr.kind {
            ExprKind::Load(lvalue) => self.load(lvalue),
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c)?;
                let no = self.not(c);
                let a = self.guarded(c, |this| this.data(a, sort))?;
                let b = self.guarded(no, |this| this.data(b, sort))?;
                Ok(self.build(Builtin::If, &[c, a, b]))
            }
            ExprKind::Convert { value, .. } if self.operations.sort(self.program, value.ty) == Some(sort) => {
                self.data(value, sort)
            }
            ExprKind::Convert { .. } => {
                let sort = &self.system.signature.sort(sort).name;
                Err(PathError::unsupported(
                    expr.span,
                    format!("a conversion to the type of the sort `{sort}`, such as a null pointer"),
                )
                .with_help("values of abstract types come from operations; declare one for the empty value"))
            }
            _ => Err(PathError::unsupported(
                expr.span,
                "an expression of an abstract type that is not a variable or a call",
            )),
        }
    }

    /// The expression as a truth value: whether it is not zero.
    pub fn condition(&mut self, expr: &Expr) -> Translated<TermId> {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = self.condition(inner)?;
                Ok(self.not(inner))
            }
            ExprKind::Logical(op, a, b) => {
                let a = self.condition(a)?;
                let (builtin, guard) = match op {
                    LogicalOp::And => (Builtin::And, a),
                    LogicalOp::Or => (Builtin::Or, self.not(a)),
                };
                let b = self.guarded(guard, |this| this.condition(b))?;
                Ok(self.build(builtin, &[a, b]))
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => self.comparison(*op, a, b, expr.span),
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c)?;
                let no = self.not(c);
                let a = self.guarded(c, |this| this.condition(a))?;
                let b = self.guarded(no, |this| this.condition(b))?;
                Ok(self.build(Builtin::If, &[c, a, b]))
            }
            ExprKind::Load(lvalue) if self.operations.sort(self.program, expr.ty) == Some(SortId::BOOL) => {
                self.load(lvalue)
            }
            ExprKind::Convert { value, .. } if self.keeps_zero(value.ty, expr.ty) => self.condition(value),
            _ => {
                if self.operations.sort(self.program, expr.ty).is_some_and(|s| s != SortId::INT && s != SortId::BOOL) {
                    return Err(self.pointer_test(expr.span));
                }
                let value = self.int(expr)?;
                let zero = self.store.int(0);
                let is_zero = self.build(Builtin::Eq, &[value, zero]);
                Ok(self.not(is_zero))
            }
        }
    }

    fn pointer_test(&self, span: Span) -> PathError {
        PathError::unsupported(span, "a test or comparison of abstract values as pointers")
            .with_help("declare an operation for it, such as `int is_null(tree)`, and give its rules")
    }

    /// Whether a conversion keeps zero zero and everything else something else.
    fn keeps_zero(&self, from: TypeId, to: TypeId) -> bool {
        match (self.program.types.int_kind(from), self.program.types.int_kind(to)) {
            (_, Some(IntKind::Bool)) => true,
            (Some(from), Some(to)) => to.bits() >= from.bits(),
            _ => false,
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Translated<TermId> {
        if self.program.types.int_kind(a.ty).is_none() {
            return Err(match self.program.types.float_kind(a.ty) {
                Some(_) => PathError::unsupported(span, "floating-point values on the path"),
                None => self.pointer_test(span),
            });
        }
        let (a, b) = (self.int(a)?, self.int(b)?);
        Ok(match op {
            BinaryOp::Eq => self.build(Builtin::Eq, &[a, b]),
            BinaryOp::Ne => {
                let equal = self.build(Builtin::Eq, &[a, b]);
                self.not(equal)
            }
            BinaryOp::Lt => self.build(Builtin::Lt, &[a, b]),
            BinaryOp::Le => self.build(Builtin::Le, &[a, b]),
            BinaryOp::Gt => self.build(Builtin::Lt, &[b, a]),
            BinaryOp::Ge => self.build(Builtin::Le, &[b, a]),
            _ => unreachable!("{op:?} should be a comparison"),
        })
    }

    fn int_kind(&self, expr: &Expr) -> Translated<IntKind> {
        // Terms are unbounded integers, and constants of `unsigned __int128` come as bit patterns.
        self.program.types.int_kind(expr.ty).filter(|kind| *kind != IntKind::UInt128).ok_or_else(|| {
            let name = c_name(self.program, expr.ty);
            PathError::unsupported(expr.span, format!("a value of type `{name}` in arithmetic on the path"))
        })
    }

    fn as_int(&mut self, truth: TermId) -> TermId {
        let (one, zero) = (self.store.int(1), self.store.int(0));
        self.build(Builtin::If, &[truth, one, zero])
    }

    /// The expression as an integer.
    fn int(&mut self, expr: &Expr) -> Translated<TermId> {
        let kind = self.int_kind(expr)?;
        match &expr.kind {
            ExprKind::Int(value) => Ok(self.store.int(*value)),
            ExprKind::Load(lvalue) => {
                let value = self.load(lvalue)?;
                Ok(if kind == IntKind::Bool { self.as_int(value) } else { value })
            }
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Logical(..) => {
                let truth = self.condition(expr)?;
                Ok(self.as_int(truth))
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => {
                let truth = self.condition(expr)?;
                Ok(self.as_int(truth))
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let inner = self.int(inner)?;
                let negated = self.build(Builtin::Neg, &[inner]);
                self.fitted(negated, kind, expr.span)
            }
            ExprKind::Unary(UnaryOp::Complement, inner) => {
                let inner = self.int(inner)?;
                let minus_one = self.store.int(-1);
                let complement = self.build(Builtin::Sub, &[minus_one, inner]);
                self.fitted(complement, kind, expr.span)
            }
            ExprKind::Binary(op, a, b) => self.arithmetic(*op, a, b, kind, expr.span),
            ExprKind::Conditional(c, a, b) => {
                let c = self.condition(c)?;
                let no = self.not(c);
                let a = self.guarded(c, |this| this.int(a))?;
                let b = self.guarded(no, |this| this.int(b))?;
                Ok(self.build(Builtin::If, &[c, a, b]))
            }
            ExprKind::Convert { value, .. } => {
                if kind == IntKind::Bool {
                    let truth = self.condition(value)?;
                    return Ok(self.as_int(truth));
                }
                let from = self.int_kind(value)?;
                let value = self.int(value)?;
                let fits = kind.contains(from.min()) && kind.contains(from.max())
                    || self.store.as_int(value).is_some_and(|v| kind.contains(v));
                if fits { Ok(value) } else { self.wrapped(value, kind, expr.span) }
            }
            _ => Err(PathError::unsupported(expr.span, "an integer expression that paths do not know")),
        }
    }

    /// The result of arithmetic in that type: unsigned results wrap, signed ones are demanded to fit.
    fn fitted(&mut self, value: TermId, kind: IntKind, span: Span) -> Translated<TermId> {
        if !kind.is_signed() {
            return self.wrapped(value, kind, span);
        }
        self.require_fits(value, kind);
        Ok(value)
    }

    fn wrapped(&mut self, value: TermId, kind: IntKind, span: Span) -> Translated<TermId> {
        if let Some(value) = self.store.as_int(value) {
            return Ok(self.store.int(kind.wrap(value)));
        }
        if kind.bits() > 64 {
            return Err(PathError::unsupported(span, "128-bit arithmetic that may wrap on the path"));
        }
        let modulus = self.store.int(1i128 << kind.bits());
        let half = self.store.int(if kind.is_signed() { 1i128 << (kind.bits() - 1) } else { 0 });
        let shifted = self.build(Builtin::Add, &[value, half]);
        let rest = self.build(Builtin::Mod, &[shifted, modulus]);
        Ok(self.build(Builtin::Sub, &[rest, half]))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Expr, b: &Expr, kind: IntKind, span: Span) -> Translated<TermId> {
        let (x, y) = (self.int(a)?, self.int(b)?);
        let builtin = match op {
            BinaryOp::Add => Builtin::Add,
            BinaryOp::Sub => Builtin::Sub,
            BinaryOp::Mul => Builtin::Mul,
            BinaryOp::Div => Builtin::Div,
            BinaryOp::Rem => Builtin::Rem,
            _ => {
                let (Some(x), Some(y)) = (self.store.as_int(x), self.store.as_int(y)) else {
                    let message = format!("`{}` on values that are not constants", op.symbol());
                    return Err(PathError::unsupported(span, message).with_help("arithmetic on paths is + - * / and %"));
                };
                return match arith::binary(op, kind, x, self.int_kind(b)?, y) {
                    Ok(value) => Ok(self.store.int(value)),
                    Err(undefined) => {
                        let message = format!("`{}` without a value in C: {undefined}", op.symbol());
                        Err(PathError::unsupported(span, message))
                    }
                };
            }
        };
        for case in undefined_cases(op, kind) {
            self.require_not(*case, x, y, kind);
        }
        let result = self.build(builtin, &[x, y]);
        self.fitted(result, kind, span)
    }

    /// The operation is not undefined in that way.
    fn require_not(&mut self, case: Case, x: TermId, y: TermId, kind: IntKind) {
        match case {
            Case::ZeroDivisor => {
                let zero = self.store.int(0);
                let is_zero = self.build(Builtin::Eq, &[y, zero]);
                let is_not = self.not(is_zero);
                self.require(is_not);
            }
            Case::QuotientOverflow => {
                let (least, minus_one) = (self.store.int(kind.min()), self.store.int(-1));
                let is_least = self.build(Builtin::Eq, &[x, least]);
                let is_minus_one = self.build(Builtin::Eq, &[y, minus_one]);
                let both = self.and(is_least, is_minus_one);
                let is_not = self.not(both);
                self.require(is_not);
            }
            // The result is demanded to fit where it is made, and shifts are of constants.
            Case::Overflow | Case::ShiftAmount | Case::LeftShift | Case::Unrepresentable => {}
        }
    }

    /// What a statement does that contains no other.
    pub fn effect(&mut self, stmt: &Stmt) -> Translated<Effect> {
        let mut effect = Effect::default();
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                let place = self.place(target)?;
                let value = self.value(value)?;
                self.require_value(value);
                effect.assigned.push((place, value));
            }
            StmtKind::Zero(target) => {
                let place = self.place(target)?;
                let value = match self.sort(target.ty, stmt.span)? {
                    SortId::BOOL => self.truth(false),
                    SortId::INT => self.store.int(0),
                    _ => return Err(PathError::unsupported(stmt.span, "an abstract value set to zero")),
                };
                effect.assigned.push((place, value));
            }
            StmtKind::Live(local) => {
                let unset = self.store.make(Head::Builtin(Builtin::Undefined), &[]);
                effect.assigned.push((Place::Local(self.frame, *local), unset));
            }
            StmtKind::Assume(cond) | StmtKind::Assert { cond, .. } => {
                let cond = self.condition(cond)?;
                effect.required.push(cond);
            }
            StmtKind::Call { result, callee, args } => {
                self.call(result.as_ref(), callee, args, stmt.span, &mut effect)?
            }
            StmtKind::Return(Some(value)) if self.operations.sort(self.program, value.ty).is_some() => {
                let value = self.value(value)?;
                self.require_value(value);
            }
            StmtKind::Return(_) | StmtKind::Label(_) | StmtKind::Trace(_) => {}
            StmtKind::Unordered(open) => {
                let what = format!("an order of evaluation that C leaves open on the path: {}", open.what);
                return Err(PathError::unsupported(stmt.span, what));
            }
            StmtKind::Unsupported(what) => {
                return Err(PathError::unsupported(stmt.span, format!("{what} on the path")));
            }
            StmtKind::Goto(_) => return Err(PathError::unsupported(stmt.span, "`goto` on the path")),
            StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Switch { .. }
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue => unreachable!("these are not single statements"),
        }
        effect.requirements.append(&mut self.requirements);
        Ok(effect)
    }

    /// A condition with its demands.
    pub fn test(&mut self, cond: &Expr) -> Translated<(TermId, Vec<TermId>)> {
        let term = self.condition(cond)?;
        Ok((term, std::mem::take(&mut self.requirements)))
    }

    /// The value of a switch with its demands.
    pub fn number(&mut self, value: &Expr) -> Translated<(TermId, Vec<TermId>)> {
        let term = self.int(value)?;
        Ok((term, std::mem::take(&mut self.requirements)))
    }

    fn call(
        &mut self,
        result: Option<&Lvalue>,
        callee: &Callee,
        args: &[Expr],
        span: Span,
        effect: &mut Effect,
    ) -> Translated<()> {
        let function = match callee {
            Callee::Function(function) => *function,
            Callee::Intrinsic(Intrinsic::Nondet) => return self.nondet(result, span, effect),
            Callee::Intrinsic(_) => {
                return Err(PathError::unsupported(span, "a call of a compiler's own function on the path"));
            }
            Callee::Pointer(_) => return Err(PathError::unsupported(span, "a call through a pointer on the path")),
        };
        let name = &self.program.functions[function].name;
        match self.operations.meaning(function) {
            Some(Meaning::Value(symbol)) => {
                let term = self.application(symbol, args, None)?;
                self.require_value(term);
                let sort = self.system.signature.symbol(symbol).result;
                if let Some(target) = result {
                    let value = self.returned(term, sort, target.ty);
                    effect.assigned.push((self.place(target)?, value));
                }
                Ok(())
            }
            Some(Meaning::Update(symbol, index)) => {
                let ExprKind::AddressOf(target) = &args[index].kind else {
                    let message = format!("argument {} of `{name}` should be the address of a variable", index + 1);
                    return Err(PathError::unsupported(args[index].span, message));
                };
                let term = self.application(symbol, args, Some((index, target)))?;
                self.require_value(term);
                effect.assigned.push((self.place(target)?, term));
                Ok(())
            }
            Some(Meaning::NoEffect) => {
                for arg in args {
                    let holds_variable = matches!(arg.kind, ExprKind::AddressOf(_));
                    if holds_variable {
                        let message = format!("the address of a variable is passed to `{name}`, which has no rules");
                        return Err(PathError::unsupported(arg.span, message)
                            .with_help("give rules that say how it changes the variable"));
                    }
                    // What it does with its arguments does not matter, but they must have a value.
                    if self.operations.sort(self.program, arg.ty).is_some() {
                        let value = self.value(arg)?;
                        self.require_value(value);
                    }
                }
                Ok(())
            }
            Some(Meaning::Body) => self.put_in(function, result, args, span, effect),
            None => Err(PathError::unsupported(span, format!("`{name}` has neither rules nor a body"))
                .with_help(format!("give rules for it: `{name}(...) -> ...`"))),
        }
    }

    /// An operation applied to C arguments; the one at the index is the value of that variable.
    fn application(
        &mut self,
        symbol: rewriting::SymbolId,
        args: &[Expr],
        update: Option<(usize, &Lvalue)>,
    ) -> Translated<TermId> {
        let sorts = self.system.signature.symbol(symbol).args.clone();
        let mut terms = Vec::new();
        for (index, (arg, sort)) in args.iter().zip(sorts).enumerate() {
            let term = match update {
                Some((updated, target)) if updated == index => self.load(target)?,
                _ if sort == SortId::BOOL => self.condition(arg)?,
                _ => {
                    let term = self.value(arg)?;
                    // C may pass a truth value where the rules have a number.
                    if sort == SortId::INT && self.program.types.int_kind(arg.ty) == Some(IntKind::Bool) {
                        self.as_int(term)
                    } else {
                        term
                    }
                }
            };
            terms.push(term);
        }
        Ok(self.store.apply(&self.system.signature, symbol, &terms))
    }

    /// The value of an operation as C sees it.
    fn returned(&mut self, term: TermId, sort: SortId, ty: TypeId) -> TermId {
        match (sort, self.program.types.int_kind(ty)) {
            (SortId::BOOL, Some(kind)) if kind != IntKind::Bool => self.as_int(term),
            (SortId::INT, Some(IntKind::Bool)) => {
                let zero = self.store.int(0);
                let is_zero = self.build(Builtin::Eq, &[term, zero]);
                self.not(is_zero)
            }
            (SortId::INT, Some(kind)) => {
                self.require_fits(term, kind);
                term
            }
            _ => term,
        }
    }

    fn nondet(&mut self, result: Option<&Lvalue>, span: Span, effect: &mut Effect) -> Translated<()> {
        let Some(target) = result else { return Ok(()) };
        if !self.once {
            let message = "a nondeterministic value where the number of iterations or the branch is not said";
            return Err(PathError::unsupported(span, message).with_help("say each iteration and branch of the path"));
        }
        let kind = self.program.types.int_kind(target.ty);
        let Some(kind) = kind else {
            return Err(PathError::unsupported(span, "a nondeterministic value that is not an integer"));
        };
        let sort = self.sort(target.ty, span)?;
        let number = self.answers.len() as u32;
        self.answers.push(kind);
        let var = self.var(Place::Nondet(number), sort);
        let value = self.store.var(var);
        effect.assigned.push((self.place(target)?, value));
        Ok(())
    }

    /// A call of a function with a body: the body is put in its place.
    fn put_in(
        &mut self,
        function: FunctionId,
        result: Option<&Lvalue>,
        args: &[Expr],
        span: Span,
        effect: &mut Effect,
    ) -> Translated<()> {
        let callee = &self.program.functions[function];
        if self.calls.contains(&function) {
            return Err(PathError::unsupported(span, format!("a recursive call of `{}` on the path", callee.name))
                .with_help("give rules for it"));
        }
        let mut start = Vec::new();
        for (param, arg) in callee.params.iter().zip(args) {
            let value = self.value(arg)?;
            self.require_value(value);
            start.push((Place::Local(function, *param), value));
        }
        let own = std::mem::take(&mut self.requirements);
        let (caller, once) = (std::mem::replace(&mut self.frame, function), std::mem::replace(&mut self.once, false));
        self.calls.push(function);
        let summary = super::abstraction::summary(self, &start);
        self.calls.pop();
        (self.frame, self.once) = (caller, once);
        self.requirements = own;
        let summary = summary?;
        effect.requirements.push(summary.fine);
        effect.required.push(summary.required);
        if let Some(target) = result {
            let value = summary.result.unwrap_or_else(|| self.store.make(Head::Builtin(Builtin::Undefined), &[]));
            self.require_value(value);
            effect.assigned.push((self.place(target)?, value));
        }
        effect.assigned.extend(summary.globals);
        Ok(())
    }
}
