//! The language of normalisation programs: a C function read as assignments, assumptions, conditionals and counted
//! loops over integer formulas, or the reason why it is none, with its place.
//!
//! *Source*: Figure 2 of the paper named in [`super`]. *Departures*: loops start anywhere and step by any constant,
//! need not be perfectly nested and may hold conditionals; local variables that are set and not stepped are replaced
//! by what they were set to; formulas are polynomials with `/`, `%` and `?:`, not only affine.
//!
//! *What is taken on trust*: C's arithmetic is read as that of integers. Where a value wraps around the two differ;
//! every variant is therefore run by the VM before it is believed.

mod formulas;

use super::formula::{Cmp, Formula, ParamId, PolynomialOfFormulas as _, Reference, VarId};
use super::wrapping::may_wrap;
use diagnostics::Span;
use ir::{
    Block, Expr, ExprKind, Function, FunctionId, IntKind, Length, LocalId, Loop, LoopKind, Lvalue, Program, Stmt,
    StmtKind, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// Why a function is no normalisation program, or cannot be inverted.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    pub span: Span,
    pub reason: String,
}

type Read<T> = Result<T, Refusal>;

fn refuse<T>(span: Span, reason: impl Into<String>) -> Read<T> {
    Err(Refusal { span, reason: reason.into() })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Part of the representation.
    Input,
    /// Part of the canonical value.
    Output,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub name: String,
    pub role: Role,
    pub kind: IntKind,
    /// The lengths of an array; none for a scalar.
    pub dims: Vec<Formula>,
    /// A scalar behind a pointer.
    pub pointer: bool,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    Assign {
        target: Reference,
        value: Formula,
        span: Span,
    },
    /// An index variable gets a value.
    Set {
        var: VarId,
        value: Formula,
        span: Span,
    },
    Assume {
        cond: Formula,
        span: Span,
    },
    If {
        cond: Formula,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
        span: Span,
    },
    For {
        counter: Counter,
        body: Vec<Statement>,
        span: Span,
    },
}

/// `for (var = from; var < to; var += step)`, or with `>` where the step is negative.
#[derive(Clone, PartialEq, Debug)]
pub struct Counter {
    pub var: VarId,
    pub from: Formula,
    pub to: Formula,
    pub step: i128,
}

impl Counter {
    /// How many steps of one come before the counter has this value; `to` for all of them.
    pub fn distance(&self, at: &Formula) -> Formula {
        if self.step > 0 { at.clone().less(self.from.clone()) } else { self.from.clone().less(at.clone()) }
    }

    /// The smallest value, and one more than the largest.
    pub fn ends(&self) -> (Formula, Formula) {
        if self.step > 0 {
            return (self.from.clone(), self.to.clone());
        }
        (self.to.clone().plus(Formula::Int(1)), self.from.clone().plus(Formula::Int(1)))
    }

    /// With other bounds.
    pub fn map(&self, change: impl Fn(&Formula) -> Formula) -> Counter {
        Counter { from: change(&self.from), to: change(&self.to), ..*self }
    }
}

/// A normalisation program.
#[derive(Clone, PartialEq, Debug)]
pub struct Normalisation {
    pub name: String,
    pub function: FunctionId,
    pub params: Vec<Param>,
    /// The names of the variables.
    pub vars: Vec<String>,
    pub body: Vec<Statement>,
    /// The first operation that may wrap around; what it gives then is not part of the statements.
    pub wraps: Option<Span>,
    pub span: Span,
}

impl Normalisation {
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.0 as usize]
    }

    pub fn ids(&self, role: Role) -> impl Iterator<Item = ParamId> + '_ {
        let with_role = self.params.iter().enumerate().filter(move |(_, p)| p.role == role);
        with_role.map(|(i, _)| ParamId(i as u32))
    }

    pub fn fresh_var(&mut self, name: &str) -> VarId {
        self.vars.push(name.to_string());
        VarId(self.vars.len() as u32 - 1)
    }
}

/// Reads a function as a normalisation program.
pub fn normalisation(program: &Program, id: FunctionId) -> Read<Normalisation> {
    let function = &program.functions[id];
    let Some(body) = &function.body else {
        return refuse(function.span, format!("`{}` has no body", function.name));
    };
    let mut reader = Reader {
        program,
        function,
        vars: vec!["s".to_string()],
        var_of: BTreeMap::new(),
        values: BTreeMap::new(),
        stepped: BTreeSet::new(),
        counters: BTreeSet::new(),
        param_of: function.params.iter().enumerate().map(|(i, &p)| (p, ParamId(i as u32))).collect(),
        params: Vec::new(),
        in_prefix: true,
    };
    reader.find_stepped(body);
    for &local in &function.params {
        let param = reader.shape(local)?;
        reader.params.push(param);
    }
    let statements = reader.block(body, true)?;
    for &local in &function.params {
        let dims = reader.dims(local)?;
        let ParamId(at) = reader.param_of[&local];
        reader.params[at as usize].dims = dims;
    }
    let signature = program.types.signature(function.ty);
    if signature.is_some_and(|s| !program.types.is_void(s.result)) {
        return refuse(function.span, format!("`{}` returns a value; results go to parameters", function.name));
    }
    for role in [Role::Input, Role::Output] {
        if !reader.params.iter().any(|p| p.role == role) {
            let what = match role {
                Role::Input => "nothing that is read: by-value and const parameters are the representation",
                Role::Output => "nothing that is written: non-const pointers and arrays are the canonical value",
            };
            return refuse(function.span, format!("`{}` has {what}", function.name));
        }
    }
    Ok(Normalisation {
        name: function.name.clone(),
        function: id,
        params: reader.params,
        vars: reader.vars,
        body: statements,
        wraps: may_wrap(program, function),
        span: function.span,
    })
}

struct Reader<'p> {
    program: &'p Program,
    function: &'p Function,
    vars: Vec<String>,
    var_of: BTreeMap<LocalId, VarId>,
    /// What locals that are not stepped stand for.
    values: BTreeMap<LocalId, Formula>,
    /// Locals that a loop changes from round to round. What a round sets before it reads it is not among them.
    stepped: BTreeSet<LocalId>,
    counters: BTreeSet<LocalId>,
    param_of: BTreeMap<LocalId, ParamId>,
    params: Vec<Param>,
    /// Before the first statement of the user: what declarators compute.
    in_prefix: bool,
}

impl<'p> Reader<'p> {
    fn name(&self, local: LocalId) -> &'p str {
        &self.function.locals[local].name
    }

    fn find_stepped(&mut self, block: &Block) {
        let mut found = BTreeSet::new();
        let mut counters = BTreeSet::new();
        block.walk(&mut |stmt| {
            if let StmtKind::Loop(looped) = &stmt.kind {
                let (mut assigned, mut declared) = (BTreeSet::new(), BTreeSet::new());
                for inside in [&looped.body, &looped.step] {
                    inside.walk(&mut |stmt| match &stmt.kind {
                        StmtKind::Assign { target, .. } => assigned.extend(target.as_local()),
                        StmtKind::Live(local) => {
                            declared.insert(*local);
                        }
                        _ => {}
                    });
                }
                if let Some(counter) = assigned_local(&looped.step) {
                    counters.insert(counter);
                    assigned.remove(&counter);
                }
                found.extend(assigned.difference(&declared).filter(|local| !sets_anew(&looped.body, **local)));
            }
        });
        // Counters of inner loops that are declared outside are set anew each round.
        self.stepped = found.difference(&counters).copied().collect();
        self.counters = counters;
    }

    /// A parameter without the lengths, which may need what the declarators compute.
    fn shape(&self, local: LocalId) -> Read<Param> {
        let declared = &self.function.locals[local];
        let types = &self.program.types;
        let (span, name) = (declared.span, &declared.name);
        let param = |role, kind, pointer| Param {
            name: declared.name.clone(),
            role,
            kind,
            dims: Vec::new(),
            pointer,
            span: declared.span,
        };
        match types.get(declared.ty) {
            Type::Int(kind) => Ok(param(Role::Input, *kind, false)),
            Type::Pointer { to, to_const } => {
                let role = if *to_const { Role::Input } else { Role::Output };
                match types.get(types.innermost(*to)) {
                    Type::Int(kind) => Ok(param(role, *kind, declared.declared_length.is_none())),
                    _ => refuse(span, format!("`{name}` is not made of integers, which are all that can be inverted")),
                }
            }
            _ => refuse(span, format!("`{name}` is neither an integer nor an array of integers")),
        }
    }

    fn dims(&mut self, local: LocalId) -> Read<Vec<Formula>> {
        let declared = &self.function.locals[local];
        let types = &self.program.types;
        let Some(mut ty) = types.pointee(declared.ty) else { return Ok(Vec::new()) };
        let mut dims = Vec::new();
        match &declared.declared_length {
            Some(length) => dims.push(self.formula(length)?),
            None if types.element(ty).is_some() => {
                return refuse(declared.span, format!("the length of `{}` is not given", declared.name));
            }
            None => return Ok(dims),
        }
        while let Type::Array { of, length } = types.get(ty) {
            dims.push(match length {
                Length::Fixed(n) => Formula::Int(i128::from(*n)),
                Length::Variable(temp) => match self.values.get(temp) {
                    Some(value) => value.clone(),
                    None => return refuse(declared.span, format!("a length of `{}` is not known", declared.name)),
                },
                Length::Unknown => {
                    return refuse(declared.span, format!("a length of `{}` is not given", declared.name));
                }
            });
            ty = *of;
        }
        Ok(dims)
    }

    fn var(&mut self, local: LocalId) -> VarId {
        if let Some(var) = self.var_of.get(&local) {
            return *var;
        }
        let var = self.fresh(local);
        self.var_of.insert(local, var);
        var
    }

    fn fresh(&mut self, local: LocalId) -> VarId {
        self.vars.push(self.name(local).to_string());
        VarId(self.vars.len() as u32 - 1)
    }

    fn block(&mut self, block: &Block, outermost: bool) -> Read<Vec<Statement>> {
        let mut statements = Vec::new();
        let last = block.stmts.len().saturating_sub(1);
        for (position, stmt) in block.stmts.iter().enumerate() {
            let span = stmt.span;
            if self.in_prefix && !self.is_prefix(&stmt.kind) {
                self.in_prefix = false;
            }
            match &stmt.kind {
                StmtKind::Live(local) => {
                    self.values.remove(local);
                }
                StmtKind::Assign { target, value } => statements.extend(self.assignment(target, value, span)?),
                StmtKind::Assume(cond) => statements.push(Statement::Assume { cond: self.truth(cond)?, span }),
                StmtKind::If { cond, then, otherwise } => {
                    let cond = self.truth(cond)?;
                    let before = self.values.clone();
                    let then = self.block(then, false)?;
                    let after_then = std::mem::replace(&mut self.values, before);
                    let otherwise = self.block(otherwise, false)?;
                    self.merge(&cond, after_then);
                    statements.push(Statement::If { cond, then, otherwise, span });
                }
                StmtKind::Switch { value, arms, default, body } => {
                    let value = self.formula(value)?;
                    statements.push(self.switch(value, arms, *default, body, span)?);
                }
                StmtKind::Loop(looped) => statements.push(self.counted(looped, span)?),
                StmtKind::Block(inner) => match self.sum_block(inner)? {
                    Some((temp, sum)) if self.in_prefix => {
                        self.values.insert(temp, sum);
                    }
                    Some(_) => {
                        return refuse(span, "PLUMB_SUM stands in the declarator of a parameter only");
                    }
                    None => statements.extend(self.block(inner, false)?),
                },
                StmtKind::Return(None) if outermost && position == last => {}
                StmtKind::Return(_) => return refuse(span, "a return before the end cannot be inverted"),
                StmtKind::Call { .. } => {
                    return refuse(span, "a call cannot be inverted; what it does must stand in this function");
                }
                StmtKind::Assert { .. } => {
                    return refuse(span, "an assertion is no assumption; write assume(...) for what inputs must meet");
                }
                StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Label(_) => {
                    return refuse(span, "a jump cannot be inverted");
                }
                StmtKind::Zero(_) => return refuse(span, "an initialiser list cannot be inverted"),
                StmtKind::Trace(_) => return refuse(span, "a trace point cannot be inverted"),
                StmtKind::Unordered(open) => {
                    return refuse(span, format!("an order of evaluation that C leaves open: {}", open.what));
                }
                StmtKind::Unsupported(what) => return refuse(span, what.clone()),
            }
        }
        Ok(statements)
    }

    /// Whether a statement comes from the declarators of the parameters.
    fn is_prefix(&self, kind: &StmtKind) -> bool {
        match kind {
            StmtKind::Assign { target, .. } => target.as_local().is_some_and(|l| self.name(l).is_empty()),
            StmtKind::Block(block) => block.locals.iter().any(|&l| self.name(l) == SUM_NAME),
            _ => false,
        }
    }

    /// After a conditional, a local that both branches set differently has a value that depends on the condition.
    fn merge(&mut self, cond: &Formula, then: BTreeMap<LocalId, Formula>) {
        let otherwise = std::mem::take(&mut self.values);
        for (local, yes) in then {
            if let Some(no) = otherwise.get(&local) {
                self.values.insert(local, Formula::choice(cond.clone(), yes, no.clone()));
            }
        }
    }

    fn assignment(&mut self, target: &Lvalue, value: &Expr, span: Span) -> Read<Option<Statement>> {
        let Some(local) = target.as_local() else {
            let (param, indices) = self.place(target)?;
            let declared = &self.params[param.0 as usize];
            if declared.role == Role::Input {
                return refuse(span, format!("`{}` is part of the representation and is written here", declared.name));
            }
            // What is stored is converted to the type of the output. The inverse asks for the value itself, so that
            // nothing is lost by the conversion; that to `_Bool` is a comparison.
            let is_bool = self.program.types.int_kind(target.ty) == Some(IntKind::Bool);
            let value = match &value.kind {
                ExprKind::Convert { value: inner, .. }
                    if !is_bool && self.program.types.int_kind(inner.ty).is_some() =>
                {
                    inner
                }
                _ => value,
            };
            let value = self.formula(value)?;
            return Ok(Some(Statement::Assign { target: Reference { param, indices }, value, span }));
        };
        if self.param_of.contains_key(&local) {
            return refuse(span, format!("the parameter `{}` is changed", self.name(local)));
        }
        if self.program.types.int_kind(target.ty).is_none() {
            return refuse(span, format!("`{}` is not an integer", self.name(local)));
        }
        let value = self.formula(value)?;
        if !self.stepped.contains(&local) {
            self.values.insert(local, value);
            return Ok(None);
        }
        if value.references().iter().any(|r| self.params[r.param.0 as usize].role == Role::Output) {
            return refuse(span, format!("the index variable `{}` depends on an output", self.name(local)));
        }
        let var = self.var(local);
        Ok(Some(Statement::Set { var, value, span }))
    }

    /// `for (from; cond; step)` with the counter's first value standing before it.
    fn counted(&mut self, looped: &Loop, span: Span) -> Read<Statement> {
        let shape = "the loop is not counted: for (i = a; i < b; i++) is, with any bounds and a constant step";
        if looped.kind != LoopKind::For || !looped.pre.stmts.is_empty() {
            return refuse(span, shape);
        }
        let (Some(local), Some(cond), [step]) = (assigned_local(&looped.step), &looped.cond, &looped.step.stmts[..])
        else {
            return refuse(span, shape);
        };
        if self.param_of.contains_key(&local) {
            return refuse(span, format!("the parameter `{}` is changed", self.name(local)));
        }
        let Some(from) = self.values.get(&local).cloned() else {
            return refuse(
                span,
                format!("the first value of the counter `{}` is not given before the loop", self.name(local)),
            );
        };
        let mut assigned = BTreeSet::new();
        looped.body.walk(&mut |stmt| {
            if let StmtKind::Assign { target, .. } = &stmt.kind {
                assigned.extend(target.as_local());
            }
        });
        if assigned.contains(&local) {
            return refuse(span, format!("the counter `{}` is changed inside its loop", self.name(local)));
        }
        // Each loop has a counter of its own, even where the source uses one variable twice.
        let var = self.fresh(local);
        self.values.insert(local, Formula::Var(var));
        let step = match &step.kind {
            StmtKind::Assign { value, .. } => {
                let difference = self.formula(value)?.polynomial().minus(&Formula::Var(var).polynomial());
                difference.as_int().filter(|c| *c != 0)
            }
            _ => None,
        };
        let Some(step) = step else { return refuse(span, shape) };
        let cond = self.formula(cond)?;
        let to = match &cond {
            Formula::Compare(Cmp::Lt, a, b) if step > 0 && **a == Formula::Var(var) => Some((**b).clone()),
            Formula::Compare(Cmp::Le, a, b) if step > 0 && **a == Formula::Var(var) => {
                Some((**b).clone().plus(Formula::Int(1)))
            }
            Formula::Compare(Cmp::Lt, a, b) if step < 0 && **b == Formula::Var(var) => Some((**a).clone()),
            Formula::Compare(Cmp::Le, a, b) if step < 0 && **b == Formula::Var(var) => {
                Some((**a).clone().less(Formula::Int(1)))
            }
            _ => None,
        };
        let Some(to) = to.filter(|to| !to.mentions_var(var)) else { return refuse(span, shape) };
        for bound in [&from, &to] {
            if bound.references().iter().any(|r| self.params[r.param.0 as usize].role == Role::Output) {
                return refuse(span, "a bound of the loop is an output");
            }
            for &other in &self.stepped {
                if self.var_of.get(&other).is_some_and(|&v| bound.mentions_var(v)) {
                    let name = self.name(other);
                    return refuse(span, format!("a bound of the loop depends on the index variable `{name}`"));
                }
            }
        }
        // What the body sets, such as the counter of an inner loop, has another value in the next round and afterwards.
        self.values.retain(|other, _| !assigned.contains(other));
        let before = self.values.clone();
        let body = self.block(&looped.body, false)?;
        self.values = before;
        self.values.remove(&local);
        Ok(Statement::For { counter: Counter { var, from, to, step }, body, span })
    }

    /// A switch whose arms end with a break, as a chain of conditionals.
    fn switch(
        &mut self,
        value: Formula,
        arms: &[ir::Arm],
        default: Option<ir::LabelId>,
        body: &Block,
        span: Span,
    ) -> Read<Statement> {
        // The body is cut at its labels; labels that follow each other name one arm.
        let mut pieces: Vec<(Vec<ir::LabelId>, Vec<Stmt>)> = Vec::new();
        let mut open = false;
        for stmt in &body.stmts {
            match &stmt.kind {
                StmtKind::Label(label) => {
                    if open && pieces.last().is_some_and(|(_, stmts)| !stmts.is_empty()) {
                        return refuse(stmt.span, "the arm before falls through into this one; end it with a break");
                    }
                    match pieces.last_mut() {
                        Some((labels, _)) if open => labels.push(*label),
                        _ => pieces.push((vec![*label], Vec::new())),
                    }
                    open = true;
                }
                StmtKind::Break => open = false,
                _ if !open && matches!(stmt.kind, StmtKind::Live(_)) => {}
                _ => match pieces.last_mut() {
                    // A block behind a label may end with the break.
                    Some((_, stmts)) if open => {
                        let mut stmt = stmt.clone();
                        if let StmtKind::Block(inner) = &mut stmt.kind
                            && inner.stmts.last().is_some_and(|s| s.kind == StmtKind::Break)
                        {
                            inner.stmts.pop();
                            open = false;
                        }
                        stmts.push(stmt);
                    }
                    _ => return refuse(stmt.span, "this statement of the switch is never reached"),
                },
            }
        }
        let before = self.values.clone();
        let (mut otherwise, mut otherwise_values) = (Vec::new(), before.clone());
        let mut chain = Vec::new();
        for (labels, stmts) in pieces {
            let inside = Block { locals: Vec::new(), stmts };
            self.values = before.clone();
            let statements = self.block(&inside, false)?;
            let after = std::mem::take(&mut self.values);
            if default.is_some_and(|d| labels.contains(&d)) {
                (otherwise, otherwise_values) = (statements, after);
                continue;
            }
            let of_arm = |arm: &ir::Arm| match arm.low == arm.high {
                true => Formula::eq(value.clone(), Formula::Int(arm.low)),
                false => Formula::and([
                    Formula::le(Formula::Int(arm.low), value.clone()),
                    Formula::le(value.clone(), Formula::Int(arm.high)),
                ]),
            };
            let cond = Formula::or(arms.iter().filter(|arm| labels.contains(&arm.label)).map(of_arm));
            chain.push((cond, statements, after));
        }
        self.values = otherwise_values;
        for (cond, then, after) in chain.into_iter().rev() {
            self.merge(&cond, after);
            otherwise = vec![Statement::If { cond, then, otherwise, span }];
        }
        match otherwise.pop() {
            Some(only) if otherwise.is_empty() => Ok(only),
            Some(last) => {
                otherwise.push(last);
                Ok(Statement::If { cond: Formula::TRUE, then: otherwise, otherwise: Vec::new(), span })
            }
            None => Ok(Statement::Assume { cond: Formula::TRUE, span }),
        }
    }

    /// The block that `PLUMB_SUM` of `plumb.h` becomes, and the temporary that holds its value.
    fn sum_block(&mut self, block: &Block) -> Read<Option<(LocalId, Formula)>> {
        let Some(&total) = block.locals.iter().find(|&&l| self.name(l) == SUM_NAME) else { return Ok(None) };
        // The loop adds to it, but what is wanted is the term of one round.
        self.stepped.remove(&total);
        let mut looped = None;
        let mut result = None;
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Loop(found) => looped = Some((found, stmt.span)),
                StmtKind::Assign { target, value } => match target.as_local() {
                    Some(local) if local != total && self.name(local).is_empty() => result = Some(local),
                    Some(local) => {
                        let value = self.formula(value)?;
                        self.values.insert(local, value);
                    }
                    None => {}
                },
                _ => {}
            }
        }
        let (Some((looped, span)), Some(result)) = (looped, result) else { return Ok(None) };
        let (Some(counter), Some(cond)) = (assigned_local(&looped.step), &looped.cond) else { return Ok(None) };
        let var = self.var(counter);
        self.values.insert(counter, Formula::Var(var));
        self.values.insert(total, Formula::Int(0));
        let count = match self.formula(cond)? {
            Formula::Compare(Cmp::Lt, _, count) => count,
            _ => return refuse(span, "PLUMB_SUM needs a counter, a number of terms and a term"),
        };
        let mut body = None;
        for stmt in &looped.body.stmts {
            if let StmtKind::Assign { target, value } = &stmt.kind
                && target.as_local() == Some(total)
            {
                body = Some(Box::new(self.formula(value)?));
            }
        }
        let Some(body) = body else { return refuse(span, "PLUMB_SUM needs a term") };
        if !body.mentions_var(var) {
            return Ok(Some((result, count.times(*body))));
        }
        let body = Box::new(body.with_var(var, &Formula::Var(SUM_VAR)));
        Ok(Some((result, Formula::Sum { var: SUM_VAR, count, body })))
    }
}

/// The variable of sums, the same in all, so that equal sums are equal formulas. Sums inside sums have their own.
pub const SUM_VAR: VarId = VarId(0);

/// The accumulator that `PLUMB_SUM` declares.
const SUM_NAME: &str = "plumb_sum";

/// Whether a block sets the local before it does anything else with it, so that its value from before does not matter.
fn sets_anew(block: &Block, local: LocalId) -> bool {
    let Some(first) = block.stmts.iter().find(|stmt| mentions(stmt, local)) else { return false };
    match &first.kind {
        StmtKind::Assign { target, value } => target.as_local() == Some(local) && !reads(value, local),
        StmtKind::Block(inner) => sets_anew(inner, local),
        StmtKind::Loop(looped) => {
            let around = first.exprs().iter().any(|expr| reads(expr, local))
                || looped.step.stmts.iter().any(|stmt| mentions(stmt, local));
            !around && sets_anew(&looped.body, local)
        }
        _ => false,
    }
}

fn mentions(stmt: &Stmt, local: LocalId) -> bool {
    matches!(&stmt.kind, StmtKind::Assign { target, .. } if target.as_local() == Some(local))
        || stmt.exprs().iter().any(|expr| reads(expr, local))
        || stmt.blocks().iter().any(|block| block.stmts.iter().any(|inner| mentions(inner, local)))
}

fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(&e.kind, ExprKind::Load(lvalue) if lvalue.as_local() == Some(local)));
    found
}

fn assigned_local(block: &Block) -> Option<LocalId> {
    match &block.stmts[..] {
        [stmt] => match &stmt.kind {
            StmtKind::Assign { target, .. } => target.as_local(),
            _ => None,
        },
        _ => None,
    }
}
