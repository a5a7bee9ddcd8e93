//! What may be written at a place: variables in scope, objects that the function speaks of, conditions it tests, and the
//! constants of the program.
//!
//! *Guarantee*: an atom is free of side effects and its text means the same object at the place. It may have no value
//! there, or lie outside its array; the VM finds that out when it is tried.

use super::sites::bare;
use super::text;
use ir::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, GlobalKind, IntKind, LocalId, LocalKind, Lvalue, Program, Step,
    StmtId, StmtKind, TypeId,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An atom of a [`Scope`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub u32);

#[derive(Clone, PartialEq, Debug)]
pub struct Atom {
    pub expr: Expr,
    pub text: String,
    /// A variable as a whole, which can be assigned.
    pub is_variable: bool,
    pub is_global: bool,
    /// A condition of the function rather than a value.
    pub is_condition: bool,
    pub is_const: bool,
    /// Used as a truth value somewhere, or a call.
    pub is_flag: bool,
    /// Compared or computed with somewhere.
    pub is_number: bool,
    /// A call; `expr` is then of its result's type and stands for the value.
    pub call: Option<(FunctionId, Vec<Expr>)>,
}

/// The atoms of a place.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub atoms: Vec<Atom>,
}

impl Scope {
    pub fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize]
    }

    /// The values of a type that are no conditions.
    pub fn values(&self, fits: impl Fn(TypeId) -> bool) -> impl Iterator<Item = (AtomId, &Atom)> {
        let numbered = self.atoms.iter().enumerate().map(|(i, atom)| (AtomId(i as u32), atom));
        numbered.filter(move |(_, atom)| !atom.is_condition && atom.call.is_none() && fits(atom.expr.ty))
    }

    /// Calls of functions that return numbers.
    pub fn calls(&self) -> impl Iterator<Item = (AtomId, &Atom)> {
        let numbered = self.atoms.iter().enumerate().map(|(i, atom)| (AtomId(i as u32), atom));
        numbered.filter(|(_, atom)| atom.call.is_some())
    }

    pub fn conditions(&self) -> impl Iterator<Item = (AtomId, &Atom)> {
        let numbered = self.atoms.iter().enumerate().map(|(i, atom)| (AtomId(i as u32), atom));
        numbered.filter(|(_, atom)| atom.is_condition)
    }
}

/// How many atoms of each sort a place gets at most; the most used come first.
const MOST_VARIABLES: usize = 28;
const MOST_OBJECTS: usize = 12;
const MOST_CONDITIONS: usize = 16;
const MOST_CALLS: usize = 16;

/// The scopes of a program, made as they are asked for.
pub struct Scopes<'p> {
    program: &'p Program,
    functions: HashMap<FunctionId, FunctionAtoms>,
    /// Globals that some function uses as truth values, and those that some function computes with.
    flags: BTreeSet<ir::GlobalId>,
    numbers: BTreeSet<ir::GlobalId>,
    /// Calls that the program makes: the function, pure arguments, and the text.
    calls: Vec<(FunctionId, Vec<Expr>, String, FunctionId)>,
}

/// What a function speaks of.
#[derive(Default)]
struct FunctionAtoms {
    /// Where each local is declared.
    declared: HashMap<LocalId, StmtId>,
    /// How often a variable is named.
    named: HashMap<Variable, usize>,
    objects: Vec<Atom>,
    conditions: Vec<Atom>,
    /// Variables that are used as truth values, and those that are computed with.
    flags: BTreeSet<Variable>,
    numbers: BTreeSet<Variable>,
}

/// A variable, local or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Variable {
    Local(LocalId),
    Global(ir::GlobalId),
}

impl<'p> Scopes<'p> {
    pub fn new(program: &'p Program) -> Scopes<'p> {
        let mut scopes = Scopes {
            program,
            functions: HashMap::new(),
            flags: BTreeSet::new(),
            numbers: BTreeSet::new(),
            calls: Vec::new(),
        };
        for (id, function, body) in program.defined_functions() {
            if in_system(program, function.span) {
                continue;
            }
            body.walk(&mut |stmt| {
                truths(stmt, &mut |variable| {
                    if let Variable::Global(global) = variable {
                        scopes.flags.insert(global);
                    }
                });
                numbers(stmt, &mut |variable| {
                    if let Variable::Global(global) = variable {
                        scopes.numbers.insert(global);
                    }
                });
                let StmtKind::Call { callee: Callee::Function(callee), args, .. } = &stmt.kind else { return };
                let texts: Option<Vec<String>> = args.iter().map(|arg| text::of(program, arg.span)).collect();
                if let Some(texts) = texts
                    && args.iter().all(|arg| is_pure(function, arg))
                    && answers_number(program, *callee)
                {
                    let text = format!("{}({})", program.functions[*callee].name, texts.join(", "));
                    if scopes.calls.iter().all(|(.., known, home)| *known != text || *home != id) {
                        scopes.calls.push((*callee, args.clone(), text, id));
                    }
                }
            });
        }
        scopes
    }

    /// The atoms at a statement.
    pub fn at(&mut self, id: FunctionId, stmt: StmtId) -> Scope {
        let program = self.program;
        let function = &program.functions[id];
        let atoms = self.functions.entry(id).or_insert_with(|| function_atoms(program, function));
        let mut names: BTreeMap<&str, LocalId> = BTreeMap::new();
        for local in function.in_scope(stmt) {
            let data = &function.locals[local];
            let seen = match data.kind {
                LocalKind::Parameter => true,
                LocalKind::Variable => atoms.declared.get(&local).is_some_and(|at| *at < stmt),
                LocalKind::Temporary => false,
            };
            // An inner declaration hides an outer one; the inner comes later.
            if seen && !data.name.is_empty() {
                names.insert(&data.name, local);
            }
        }
        let visible: BTreeSet<LocalId> = names.values().copied().collect();
        let uses = |base: Variable| atoms.named.get(&base).copied().unwrap_or(0);
        let mut variables: Vec<(usize, Atom)> = Vec::new();
        for &local in &visible {
            let data = &function.locals[local];
            if program.types.is_scalar(data.ty) && !data.is_volatile {
                let expr = Expr::load(Lvalue::local(local, data.ty, data.span));
                let atom = Atom {
                    expr,
                    text: data.name.clone(),
                    is_variable: true,
                    is_global: false,
                    is_condition: false,
                    is_const: data.is_const,
                    is_flag: atoms.flags.contains(&Variable::Local(local)),
                    is_number: atoms.numbers.contains(&Variable::Local(local)),
                    call: None,
                };
                variables.push((uses(Variable::Local(local)) + 1, atom));
            }
        }
        for (global, data) in &program.globals {
            let hidden = names.contains_key(data.name.as_str());
            let own = data.kind == GlobalKind::Variable && data.span.lo < function.span.lo;
            let named = uses(Variable::Global(global));
            let fits = own || (data.kind == GlobalKind::StaticLocal && named > 0);
            if hidden || !fits || data.is_volatile || !program.types.is_scalar(data.ty) || in_system(program, data.span)
            {
                continue;
            }
            let expr = Expr::load(Lvalue::global(global, data.ty, data.span));
            let atom = Atom {
                expr,
                text: data.name.clone(),
                is_variable: true,
                is_global: true,
                is_condition: false,
                is_const: data.is_const,
                is_flag: self.flags.contains(&global),
                is_number: self.numbers.contains(&global),
                call: None,
            };
            variables.push((named, atom));
        }
        variables.sort_by_key(|(uses, _)| std::cmp::Reverse(*uses));
        variables.truncate(MOST_VARIABLES);
        let in_scope = |atom: &&Atom| {
            let mut fine = true;
            atom.expr.walk(&mut |expr| {
                if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &expr.kind
                    && let Base::Local(local) = &lvalue.base
                {
                    fine &= visible.contains(local);
                }
            });
            fine
        };
        let mut scope = Scope { atoms: variables.into_iter().map(|(_, atom)| atom).collect() };
        scope.atoms.extend(atoms.objects.iter().filter(in_scope).take(MOST_OBJECTS).cloned());
        scope.atoms.extend(atoms.conditions.iter().filter(in_scope).take(MOST_CONDITIONS).cloned());
        let calls = self.calls_at(id, &scope.atoms, &in_scope);
        scope.atoms.extend(calls);
        scope
    }

    /// Calls that can be made here: of functions without parameters, of those whose parameters have the names of
    /// variables here, and as this function makes them elsewhere.
    fn calls_at(&self, home: FunctionId, atoms: &[Atom], in_scope: &dyn Fn(&&Atom) -> bool) -> Vec<Atom> {
        let program = self.program;
        let mut calls: Vec<Atom> = Vec::new();
        for (callee, function, _) in program.defined_functions() {
            let earlier = function.span.lo < program.functions[home].span.lo;
            if callee == home || !earlier || in_system(program, function.span) || !answers_number(program, callee) {
                continue;
            }
            let result = result_of(program, callee);
            let by_name: Option<Vec<&Atom>> = function
                .params
                .iter()
                .map(|&param| {
                    let local = &function.locals[param];
                    atoms.iter().find(|atom| atom.is_variable && atom.text == local.name && atom.expr.ty == local.ty)
                })
                .collect();
            let mut made: Vec<(Vec<Expr>, String)> = Vec::new();
            if let Some(given) = by_name {
                let texts: Vec<&str> = given.iter().map(|atom| atom.text.as_str()).collect();
                let text = format!("{}({})", function.name, texts.join(", "));
                made.push((given.into_iter().map(|atom| atom.expr.clone()).collect(), text));
            }
            let own = self.calls.iter().filter(|(known, .., at)| *known == callee && *at == home);
            made.extend(own.map(|(_, args, text, _)| (args.clone(), text.clone())));
            for (args, text) in made {
                let pure = args.iter().all(|arg| in_scope(&&atom(arg.clone(), String::new(), false)));
                if pure && calls.iter().all(|known| known.text != text) {
                    let value = Expr::int(0, result, function.span);
                    calls.push(Atom { is_flag: true, call: Some((callee, args)), ..atom(value, text, false) });
                }
            }
        }
        calls.truncate(MOST_CALLS);
        calls
    }
}

/// Whether a function takes numbers and gives one, and is no entry.
fn answers_number(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    let Some(signature) = program.types.signature(function.ty) else { return false };
    function.body.is_some()
        && function.name != "main"
        && !signature.variadic
        && function.params.len() <= 3
        && program.types.int_kind(signature.result).is_some()
        && function.params.iter().all(|&param| program.types.is_scalar(function.locals[param].ty))
}

fn result_of(program: &Program, id: FunctionId) -> TypeId {
    let signature = program.types.signature(program.functions[id].ty);
    signature.expect("a function should have a function type").result
}

/// `x != 0` as the front end makes it of a truth value.
pub fn is_test(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Binary(ir::BinaryOp::Ne, a, b)
        if matches!(b.kind, ExprKind::Int(0)) && a.span == b.span && a.span == expr.span)
}

/// The variables that a statement computes with or compares, not counting with 0 and 1.
fn numbers(stmt: &ir::Stmt, note: &mut impl FnMut(Variable)) {
    for expr in stmt.exprs() {
        expr.walk(&mut |expr| {
            let ExprKind::Binary(op, a, b) = &expr.kind else { return };
            let says_little = |other: &Expr| op.is_comparison() && matches!(bare(other).kind, ExprKind::Int(0 | 1));
            for (side, other) in [(a, b), (b, a)] {
                if let ExprKind::Load(lvalue) = &bare(side).kind
                    && lvalue.path.is_empty()
                    && !says_little(other)
                {
                    match lvalue.base {
                        Base::Local(local) => note(Variable::Local(local)),
                        Base::Global(global) => note(Variable::Global(global)),
                        Base::Deref(_) => {}
                    }
                }
            }
        });
    }
}

/// The variables that a statement uses as truth values.
fn truths(stmt: &ir::Stmt, note: &mut impl FnMut(Variable)) {
    fn truth(expr: &Expr, note: &mut impl FnMut(Variable)) {
        match &expr.kind {
            ExprKind::Convert { value, .. } => truth(value, note),
            ExprKind::Load(lvalue) if lvalue.path.is_empty() => match lvalue.base {
                Base::Local(local) => note(Variable::Local(local)),
                Base::Global(global) => note(Variable::Global(global)),
                Base::Deref(_) => {}
            },
            ExprKind::Logical(_, a, b) => {
                truth(a, note);
                truth(b, note);
            }
            ExprKind::Unary(ir::UnaryOp::Not, a) => truth(a, note),
            // What the front end makes of an operand with side effects beside it.
            ExprKind::Binary(ir::BinaryOp::Ne, a, b) if b.kind == ExprKind::Int(0) && a.span == b.span => {
                truth(a, note)
            }
            _ => {}
        }
    }
    if let StmtKind::If { cond, .. } = &stmt.kind {
        truth(cond, note);
    }
    for expr in stmt.exprs() {
        expr.walk(&mut |expr| match &expr.kind {
            ExprKind::Logical(..) | ExprKind::Unary(ir::UnaryOp::Not, _) => truth(expr, note),
            ExprKind::Binary(ir::BinaryOp::Ne, ..) => truth(expr, note),
            ExprKind::Conditional(cond, ..) => truth(cond, note),
            _ => {}
        });
    }
    // A variable that holds the outcome of a comparison.
    if let StmtKind::Assign { target, value } = &stmt.kind
        && let Some(local) = target.as_local()
        && (matches!(&value.kind, ExprKind::Binary(op, ..) if op.is_comparison())
            || matches!(value.kind, ExprKind::Logical(..) | ExprKind::Unary(ir::UnaryOp::Not, _)))
    {
        note(Variable::Local(local));
    }
}

fn in_system(program: &Program, span: diagnostics::Span) -> bool {
    program.sources.used(span).is_none_or(|region| program.sources.file(region.start.file).system)
}

fn function_atoms(program: &Program, function: &Function) -> FunctionAtoms {
    let mut atoms = FunctionAtoms::default();
    let Some(body) = &function.body else { return atoms };
    let mut objects: BTreeMap<String, (usize, Atom)> = BTreeMap::new();
    let mut conditions: Vec<Atom> = Vec::new();
    body.walk(&mut |stmt| {
        if let StmtKind::Live(local) = stmt.kind {
            atoms.declared.insert(local, stmt.id);
        }
        truths(stmt, &mut |variable| {
            atoms.flags.insert(variable);
        });
        numbers(stmt, &mut |variable| {
            atoms.numbers.insert(variable);
        });
        for expr in stmt.exprs() {
            expr.walk(&mut |expr| {
                if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &expr.kind {
                    match &lvalue.base {
                        Base::Local(local) => *atoms.named.entry(Variable::Local(*local)).or_default() += 1,
                        Base::Global(global) => *atoms.named.entry(Variable::Global(*global)).or_default() += 1,
                        Base::Deref(_) => {}
                    }
                }
                let ExprKind::Load(lvalue) = &expr.kind else { return };
                let is_part = !lvalue.path.is_empty() || matches!(lvalue.base, Base::Deref(_));
                if is_part
                    && program.types.is_scalar(expr.ty)
                    && is_pure(function, expr)
                    && let Some(text) = text::of(program, expr.span)
                {
                    let atom = atom(expr.clone(), text.clone(), false);
                    objects.entry(text).or_insert((0, atom)).0 += 1;
                }
            });
        }
        for expr in stmt.exprs() {
            parts(bare(expr), &mut |part| {
                if is_pure(function, part)
                    && let Some(text) = text::of(program, part.span)
                    && conditions.iter().all(|known| known.text != text)
                {
                    conditions.push(atom(part.clone(), text, true));
                }
            });
        }
    });
    let mut objects: Vec<(usize, Atom)> = objects.into_values().collect();
    objects.sort_by_key(|(uses, _)| std::cmp::Reverse(*uses));
    atoms.objects = objects.into_iter().map(|(_, atom)| atom).collect();
    atoms.conditions = conditions;
    atoms
}

fn atom(expr: Expr, text: String, is_condition: bool) -> Atom {
    Atom {
        expr,
        text,
        is_variable: false,
        is_global: false,
        is_condition,
        is_const: true,
        is_flag: is_condition,
        is_number: !is_condition,
        call: None,
    }
}

/// A condition and its conjuncts and disjuncts.
fn parts<'e>(cond: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    match &cond.kind {
        ExprKind::Logical(_, a, b) => {
            visit(cond);
            parts(a, visit);
            parts(b, visit);
        }
        ExprKind::Binary(op, ..) if op.is_comparison() => visit(cond),
        ExprKind::Unary(ir::UnaryOp::Not, _) => visit(cond),
        _ => {}
    }
}

/// Whether two expressions are the same wherever they stand.
pub fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Load(x), ExprKind::Load(y)) | (ExprKind::AddressOf(x), ExprKind::AddressOf(y)) => same_object(x, y),
        (ExprKind::Unary(p, x), ExprKind::Unary(q, y)) => p == q && same(x, y),
        (ExprKind::Convert { value: x, .. }, ExprKind::Convert { value: y, .. }) => a.ty == b.ty && same(x, y),
        (ExprKind::Binary(p, x, y), ExprKind::Binary(q, z, w)) => p == q && same(x, z) && same(y, w),
        (ExprKind::Logical(p, x, y), ExprKind::Logical(q, z, w)) => p == q && same(x, z) && same(y, w),
        (ExprKind::Conditional(c, x, y), ExprKind::Conditional(d, z, w)) => same(c, d) && same(x, z) && same(y, w),
        (x, y) => x == y,
    }
}

fn same_object(a: &Lvalue, b: &Lvalue) -> bool {
    let bases = match (&a.base, &b.base) {
        (Base::Deref(x), Base::Deref(y)) => same(x, y),
        (x, y) => x == y,
    };
    let steps = a.path.iter().zip(&b.path).all(|(x, y)| match (x, y) {
        (Step::Index(x), Step::Index(y)) => same(x, y),
        (x, y) => x == y,
    });
    bases && steps && a.path.len() == b.path.len()
}

/// The front end leaves the values of side effects in temporaries, whose text does it again.
pub fn is_pure(function: &Function, expr: &Expr) -> bool {
    let mut pure = true;
    expr.walk(&mut |expr| {
        if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &expr.kind
            && let Base::Local(local) = &lvalue.base
        {
            pure &= function.locals[*local].kind != LocalKind::Temporary;
        }
    });
    pure
}

/// The integers that occur in the program's own functions and initial values, the most frequent first.
pub fn constants(program: &Program) -> Vec<i128> {
    let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
    let mut note = |expr: &Expr| {
        expr.walk(&mut |expr| {
            if let ExprKind::Int(value) = expr.kind
                && program.types.int_kind(expr.ty).is_some_and(|kind| kind != IntKind::UInt128)
            {
                *counts.entry(value).or_default() += 1;
            }
        });
    };
    for (_, function, body) in program.defined_functions() {
        if in_system(program, function.span) {
            continue;
        }
        body.walk(&mut |stmt| stmt.exprs().into_iter().for_each(&mut note));
    }
    for global in program.globals.values() {
        if global.kind == GlobalKind::StringLiteral || in_system(program, global.span) {
            continue;
        }
        for item in global.init.iter().flat_map(|init| &init.items) {
            if let ir::InitValue::Expr(expr) = &item.value {
                note(expr);
            }
        }
    }
    // Names that nothing uses any more are constants of the program too.
    for (_, file) in program.sources.files().filter(|(_, file)| !file.system) {
        for line in file.text.as_deref().unwrap_or_default().lines() {
            let defined =
                line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("define "));
            let value = defined.and_then(|rest| rest.split_whitespace().nth(1));
            if let Some(number) = value.and_then(|value| value.trim_matches(['(', ')']).parse::<i128>().ok()) {
                *counts.entry(number).or_default() += 1;
            }
        }
    }
    let mut constants: Vec<(usize, i128)> = counts.into_iter().map(|(value, count)| (count, value)).collect();
    constants.sort_by_key(|(count, value)| (std::cmp::Reverse(*count), value.unsigned_abs(), *value));
    constants.into_iter().map(|(_, value)| value).take(48).collect()
}
