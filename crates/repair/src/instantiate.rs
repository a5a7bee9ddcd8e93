//! From a change to the functions that the VM runs in place of the program's own.
//!
//! *Invariant*: what is made is well-formed ([`ir::verify_function`]); operands get the conversions that a C compiler
//! would make of the text.

use super::scope::{Atom, AtomId, Scope};
use super::sites::{NodeRef, Site, Sites, Usage, bare};
use super::template::{Added, Change, Replacement};
use ir::{
    BinaryOp, Block, Callee, EntityRef, Expr, ExprKind, FloatKind, Function, FunctionId, GlobalId, InitValue,
    Initializer, IntKind, Local, LocalId, Lvalue, Program, Stmt, StmtId, StmtKind, Type, TypeId, Types, UnaryOp,
};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What changes in the program.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    pub functions: Vec<(FunctionId, Function)>,
    pub globals: Vec<(GlobalId, Initializer)>,
}

/// What a change is made of.
pub struct Context<'p> {
    pub program: &'p Program,
    pub sites: &'p Sites,
    pub scopes: &'p BTreeMap<(FunctionId, StmtId), Scope>,
    /// Variables of the program that stand for holes; none where holes are filled before.
    pub holes: Vec<GlobalId>,
}

impl Context<'_> {
    pub fn scope(&self, function: FunctionId, stmt: StmtId) -> &Scope {
        static NOTHING: Scope = Scope { atoms: Vec::new() };
        self.scopes.get(&(function, stmt)).unwrap_or(&NOTHING)
    }

    /// Applies changes one after the other; `None` if one does not fit the types.
    pub fn instantiate<'c>(&self, changes: impl IntoIterator<Item = &'c Change>) -> Option<Changed> {
        let mut changed = Changed::default();
        for change in changes {
            self.apply(change, &mut changed)?;
        }
        Some(changed)
    }

    fn apply(&self, change: &Change, changed: &mut Changed) -> Option<()> {
        match change {
            Change::Expression { site, new } => {
                let site = self.sites.site(*site);
                for node in &site.nodes {
                    let function = changed.function(self.program, node.function);
                    let scope = self.scope(node.function, node.stmt);
                    let calls = Calls::new(function);
                    let slot = find_node(function, node)?;
                    let builder = Builder {
                        types: &self.program.types,
                        scope,
                        original: slot,
                        calls: &calls,
                        holes: &self.holes,
                    };
                    *slot = builder.site(new, site)?;
                    calls.insert(scope, function, node.stmt)?;
                }
            }
            Change::Connective { place } => {
                let place = self.sites.place(*place);
                let stmt = find_stmt(changed.function(self.program, place.function), place.stmt)?;
                let StmtKind::If { then, otherwise, .. } = &mut stmt.kind else { return None };
                std::mem::swap(then, otherwise);
            }
            Change::Swap { place, first, second } => {
                let place = self.sites.place(*place);
                let stmt = find_stmt(changed.function(self.program, place.function), place.stmt)?;
                let StmtKind::Call { args, .. } = &mut stmt.kind else { return None };
                let (a, b) = (usize::from(*first), usize::from(*second));
                if b >= args.len() || args[a].ty != args[b].ty {
                    return None;
                }
                args.swap(a, b);
            }
            Change::Remove { place } => {
                let place = self.sites.place(*place);
                let stmt = find_stmt(changed.function(self.program, place.function), place.stmt)?;
                stmt.kind = StmtKind::Block(Block::default());
            }
            Change::Guard { place, condition } => {
                let place = self.sites.place(*place);
                let scope = self.scope(place.function, place.stmt);
                let function = changed.function(self.program, place.function);
                let calls = Calls::new(function);
                let cond = self.free(scope, &calls, condition)?;
                let stmt = find_stmt(function, place.stmt)?;
                let inner = std::mem::replace(&mut stmt.kind, StmtKind::Break);
                let inner = Stmt { id: stmt.id, kind: inner, span: stmt.span };
                let then = Block { locals: Vec::new(), stmts: vec![inner] };
                stmt.kind = StmtKind::If { cond, then, otherwise: Block::default() };
                calls.insert(scope, function, place.stmt)?;
            }
            Change::Insert { place, after, condition, added } => {
                let place = self.sites.place(*place);
                let scope = self.scope(place.function, place.stmt);
                let function = changed.function(self.program, place.function);
                let calls = Calls::new(function);
                let kind = self.added(scope, &calls, function, added)?;
                let stmt = find_stmt(function, place.stmt)?;
                let mut put = Stmt { id: stmt.id, kind, span: stmt.span };
                if let Some(condition) = condition {
                    let cond = self.free(scope, &calls, condition)?;
                    let then = Block { locals: Vec::new(), stmts: vec![put] };
                    put = Stmt {
                        id: stmt.id,
                        kind: StmtKind::If { cond, then, otherwise: Block::default() },
                        span: stmt.span,
                    };
                }
                let own = std::mem::replace(&mut stmt.kind, StmtKind::Break);
                let own = Stmt { id: stmt.id, kind: own, span: stmt.span };
                let stmts = if *after { vec![own, put] } else { vec![put, own] };
                stmt.kind = StmtKind::Block(Block { locals: Vec::new(), stmts });
                // The condition is evaluated before a statement that comes behind; only calls make a difference.
                if *after && !calls.is_empty() {
                    return None;
                }
                calls.insert(scope, function, place.stmt)?;
            }
            Change::Constant { constant, value } => {
                let constant = self.sites.constant(*constant);
                for node in &constant.nodes {
                    let function = changed.function(self.program, node.function);
                    set_int(&self.program.types, find_node(function, node)?, *value)?;
                }
                for (function, stmt, arm) in &constant.arms {
                    let stmt = find_stmt(changed.function(self.program, *function), *stmt)?;
                    let StmtKind::Switch { arms, value: on, .. } = &mut stmt.kind else { return None };
                    let kind = self.program.types.int_kind(on.ty)?;
                    if !kind.contains(*value) || arms.iter().any(|other| other.low <= *value && *value <= other.high) {
                        return None;
                    }
                    (arms[*arm].low, arms[*arm].high) = (*value, *value);
                }
                for (global, item) in &constant.items {
                    let init = changed.global(self.program, *global)?;
                    let InitValue::Expr(expr) = &mut init.items.get_mut(*item)?.value else { return None };
                    set_int(&self.program.types, expr, *value)?;
                }
            }
        }
        Some(())
    }

    fn added(&self, scope: &Scope, calls: &Calls, function: &Function, added: &Added) -> Option<StmtKind> {
        let types = &self.program.types;
        let builder = Builder { types, scope, original: &nothing(), calls, holes: &self.holes };
        Some(match added {
            Added::Assign(target, value) => {
                let atom = scope.atom(*target);
                let ExprKind::Load(lvalue) = &atom.expr.kind else { return None };
                let value = builder.converted(builder.build(value)?, lvalue.ty)?;
                StmtKind::Assign { target: lvalue.clone(), value }
            }
            Added::Return(value) => {
                let result = types.signature(function.ty)?.result;
                if types.is_void(result) {
                    StmtKind::Return(None)
                } else {
                    StmtKind::Return(Some(builder.converted(builder.build(value)?, result)?))
                }
            }
            Added::Break => StmtKind::Break,
            Added::Continue => StmtKind::Continue,
        })
    }

    /// An expression that does not speak of a site.
    fn free(&self, scope: &Scope, calls: &Calls, new: &Replacement) -> Option<Expr> {
        Builder { types: &self.program.types, scope, original: &nothing(), calls, holes: &self.holes }.build(new)
    }
}

/// Stands where no site is.
fn nothing() -> Expr {
    Expr::int(0, Types::new().int(IntKind::Int), diagnostics::Span::NONE)
}

impl Changed {
    fn function(&mut self, program: &Program, id: FunctionId) -> &mut Function {
        if let Some(index) = self.functions.iter().position(|(known, _)| *known == id) {
            return &mut self.functions[index].1;
        }
        self.functions.push((id, program.functions[id].clone()));
        &mut self.functions.last_mut().expect("a function was just pushed").1
    }

    fn global(&mut self, program: &Program, id: GlobalId) -> Option<&mut Initializer> {
        if let Some(index) = self.globals.iter().position(|(known, _)| *known == id) {
            return Some(&mut self.globals[index].1);
        }
        self.globals.push((id, program.globals[id].init.clone()?));
        self.globals.last_mut().map(|(_, init)| init)
    }
}

fn set_int(types: &Types, expr: &mut Expr, value: i128) -> Option<()> {
    match &mut expr.kind {
        ExprKind::Convert { value: inner, .. } => set_int(types, inner, value),
        ExprKind::Int(number) if types.int_kind(expr.ty).is_some_and(|kind| kind.contains(value)) => {
            *number = value;
            Some(())
        }
        _ => None,
    }
}

/// The statement with this id; an edit that came before leaves ids as they are, and the outermost is the one meant.
fn find_stmt(function: &mut Function, id: StmtId) -> Option<&mut Stmt> {
    find_in(function.body.as_mut()?, id)
}

fn find_in(block: &mut Block, id: StmtId) -> Option<&mut Stmt> {
    // Ids ascend in text order, so the statement is in the last one that does not come after it.
    let index = block.stmts.partition_point(|stmt| stmt.id <= id).checked_sub(1)?;
    let stmt = &mut block.stmts[index];
    if stmt.id == id {
        return Some(stmt);
    }
    stmt.blocks_mut()
        .into_iter()
        .rev()
        .filter(|inner| inner.first_id().is_some_and(|first| first <= id))
        .find_map(|inner| find_in(inner, id))
}

fn find_node<'f>(function: &'f mut Function, node: &NodeRef) -> Option<&'f mut Expr> {
    let stmt = find_stmt(function, node.stmt)?;
    let mut expr = stmt.exprs_mut().into_iter().nth(node.slot as usize)?;
    for &step in &node.path {
        expr = expr.children_mut().into_iter().nth(usize::from(step))?;
    }
    Some(expr)
}

/// The calls that an expression makes. They run before the statement, each into a temporary; the functions that are
/// called have no business with the order, or the compiled program shows it.
struct Calls {
    first: usize,
    made: RefCell<Vec<AtomId>>,
}

impl Calls {
    fn new(function: &Function) -> Calls {
        Calls { first: function.locals.len(), made: RefCell::new(Vec::new()) }
    }

    fn is_empty(&self) -> bool {
        self.made.borrow().is_empty()
    }

    /// The temporary that will hold the value.
    fn value(&self, id: AtomId, atom: &Atom) -> Expr {
        let mut made = self.made.borrow_mut();
        let index = made.iter().position(|known| *known == id).unwrap_or_else(|| {
            made.push(id);
            made.len() - 1
        });
        Expr::load(Lvalue::local(LocalId::new(self.first + index), atom.expr.ty, atom.expr.span))
    }

    fn insert(&self, scope: &Scope, function: &mut Function, before: StmtId) -> Option<()> {
        let made = self.made.borrow();
        if made.is_empty() {
            return Some(());
        }
        let mut stmts = Vec::new();
        for id in made.iter() {
            let atom = scope.atom(*id);
            let (callee, args) = atom.call.clone()?;
            let local = function.locals.push(Local::temporary(atom.expr.ty, atom.expr.span));
            let result = Some(Lvalue::local(local, atom.expr.ty, atom.expr.span));
            let kind = StmtKind::Call { result, callee: Callee::Function(callee), args };
            stmts.push(Stmt { id: before, kind, span: atom.expr.span });
        }
        let stmt = find_stmt(function, before)?;
        if let StmtKind::Loop(looped) = &mut stmt.kind {
            looped.pre.stmts.extend(stmts);
        } else {
            let own = std::mem::replace(&mut stmt.kind, StmtKind::Break);
            stmts.push(Stmt { id: before, kind: own, span: stmt.span });
            stmt.kind = StmtKind::Block(Block { locals: Vec::new(), stmts });
        }
        Some(())
    }
}

struct Builder<'a> {
    types: &'a Types,
    scope: &'a Scope,
    original: &'a Expr,
    calls: &'a Calls,
    holes: &'a [GlobalId],
}

impl Builder<'_> {
    /// What goes in the place of a site's node.
    fn site(&self, new: &Replacement, site: &Site) -> Option<Expr> {
        let made = self.build(new)?;
        match site.usage {
            Usage::Truth => Some(made),
            Usage::Test | Usage::Value => self.converted(made, self.original.ty),
        }
    }

    fn int(&self) -> TypeId {
        self.types.int(IntKind::Int)
    }

    fn expr(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr::new(kind, ty, self.original.span)
    }

    fn build(&self, new: &Replacement) -> Option<Expr> {
        Some(match new {
            Replacement::Original => bare(self.original).clone(),
            Replacement::Child(index) => {
                let child = bare(self.original).children().into_iter().nth(usize::from(*index))?;
                bare(child).clone()
            }
            Replacement::Atom(id) => {
                let atom = self.scope.atom(*id);
                if atom.call.is_some() { self.calls.value(*id, atom) } else { atom.expr.clone() }
            }
            Replacement::Int(value) => {
                let kind = if IntKind::Int.contains(*value) { IntKind::Int } else { IntKind::Long };
                kind.contains(*value).then(|| self.expr(ExprKind::Int(*value), self.types.int(kind)))?
            }
            Replacement::Real(value) => self.expr(ExprKind::Float(*value), self.types.float(FloatKind::Double)),
            Replacement::Hole(at) => {
                let global = *self.holes.get(usize::from(*at))?;
                Expr::load(Lvalue::global(global, self.int(), self.original.span))
            }
            Replacement::Not(inner) => {
                let inner = self.build(inner)?;
                self.expr(ExprKind::Unary(UnaryOp::Not, Box::new(inner)), self.int())
            }
            Replacement::Neg(inner) => {
                let inner = self.build(inner)?;
                let ty = match self.types.get(inner.ty) {
                    Type::Int(kind) => self.types.int(kind.promoted()),
                    Type::Float(_) => inner.ty,
                    _ => return None,
                };
                let inner = self.converted(inner, ty)?;
                self.expr(ExprKind::Unary(UnaryOp::Neg, Box::new(inner)), ty)
            }
            Replacement::Logical(op, a, b) => {
                let (a, b) = (self.build(a)?, self.build(b)?);
                self.expr(ExprKind::Logical(*op, Box::new(a), Box::new(b)), self.int())
            }
            Replacement::Conditional(c, a, b) => {
                let (c, a, b) = (self.build(c)?, self.build(a)?, self.build(b)?);
                let ty = self.common(a.ty, b.ty)?;
                let (a, b) = (self.converted(a, ty)?, self.converted(b, ty)?);
                self.expr(ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)), ty)
            }
            Replacement::Binary(op, a, b) => {
                let (a, b) = (self.build(a)?, self.build(b)?);
                self.binary(*op, a, b)?
            }
        })
    }

    fn binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        use BinaryOp::*;
        let pointers = self.types.is_pointer(a.ty) || self.types.is_pointer(b.ty);
        if pointers {
            let fits = op.is_comparison() && self.types.matches(a.ty, b.ty);
            return fits.then(|| self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), self.int()));
        }
        if matches!(op, Shl | Shr) {
            let (left, right) = (self.types.int_kind(a.ty)?, self.types.int_kind(b.ty)?);
            let (left, right) = (self.types.int(left.promoted()), self.types.int(right.promoted()));
            let (a, b) = (self.converted(a, left)?, self.converted(b, right)?);
            return Some(self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), left));
        }
        let ty = self.common(a.ty, b.ty)?;
        let integral = matches!(op, Rem | BitAnd | BitOr | BitXor);
        if integral && self.types.int_kind(ty).is_none() {
            return None;
        }
        let (a, b) = (self.converted(a, ty)?, self.converted(b, ty)?);
        let result = if op.is_comparison() { self.int() } else { ty };
        Some(self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), result))
    }

    /// The type of an operation on two values; pointers only with themselves.
    fn common(&self, a: TypeId, b: TypeId) -> Option<TypeId> {
        match (self.types.get(a), self.types.get(b)) {
            (Type::Int(a), Type::Int(b)) => Some(self.types.int(a.common(*b))),
            (Type::Float(a), Type::Float(b)) => Some(self.types.float(*a.max(b))),
            (Type::Float(kind), Type::Int(_)) | (Type::Int(_), Type::Float(kind)) => Some(self.types.float(*kind)),
            (Type::Pointer { .. }, Type::Pointer { .. }) if self.types.matches(a, b) => Some(a),
            _ => None,
        }
    }

    fn converted(&self, expr: Expr, ty: TypeId) -> Option<Expr> {
        if expr.ty == ty {
            return Some(expr);
        }
        if let (ExprKind::Int(value), Some(kind)) = (&expr.kind, self.types.int_kind(ty))
            && kind.contains(*value)
            && kind != IntKind::Bool
        {
            return Some(Expr { kind: ExprKind::Int(*value), ty, span: expr.span });
        }
        let numbers = self.types.is_arithmetic(expr.ty) && self.types.is_arithmetic(ty);
        let pointers = self.types.is_pointer(expr.ty) && self.types.is_pointer(ty) && self.types.matches(expr.ty, ty);
        if pointers {
            return Some(Expr { ty, ..expr });
        }
        numbers.then(|| {
            let span = expr.span;
            Expr::new(ExprKind::Convert { value: Box::new(expr), explicit: false }, ty, span)
        })
    }
}
