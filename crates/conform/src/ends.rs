//! Who notices that the input is over: the reads whose result somebody asks about.
//!
//! A read whose result nobody looks at has nothing to go on with at the end of the input: it counts as refusing the
//! message there, though the program may stumble on. A read that is asked about may return what it returns at the end.
//! The question may be asked where the read stands, or by a caller that gets the result handed on; then it is a matter
//! of the single call of the function ([`Ends::unwatched`]).
//!
//! *Guarantee*: flow-insensitive; who looks at the result for another reason is taken to ask, which accepts more.

use super::cells::without_conversions;
use ir::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, GlobalId, LocalId, Lvalue, Program, RecordId, Step, Stmt,
    StmtId, StmtKind, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// What holds a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    Field(RecordId, u32),
    /// What a pointer of a function points to.
    Through(FunctionId, LocalId),
    Result(FunctionId),
}

/// How a holder is asked about.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// Constants it is compared with, and whether for equality.
    compared: Vec<(i128, bool)>,
    /// Variables it is compared with.
    with: BTreeSet<Holder>,
    /// Compared with what is computed.
    varied: bool,
    /// Some of its bits are asked for.
    masked: bool,
    /// Used as a condition.
    truth: bool,
    used: bool,
}

/// The answers for one program.
pub(super) struct Ends {
    flows: BTreeMap<Holder, BTreeSet<Holder>>,
    /// Where something is computed from a holder.
    derived: BTreeMap<Holder, BTreeSet<Holder>>,
    asked: BTreeMap<Holder, Asked>,
    /// Functions that ask `feof`.
    asking: BTreeSet<FunctionId>,
    /// What is left to be moved, or was moved, and what is taken from it or added: `n -= k` and `done += k`.
    counted: BTreeSet<(Holder, Holder)>,
    /// Calls by name, with where the result goes.
    calls: Vec<(FunctionId, StmtId, FunctionId, Option<Holder>)>,
}

/// Who asks about a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notice {
    Nobody,
    /// The function that reads, or whoever looks at the variable it is kept in.
    Here,
    /// Only callers can, because the function hands it on.
    Handed,
}

impl Ends {
    pub fn new(program: &Program) -> Ends {
        let mut ends = Ends {
            flows: BTreeMap::new(),
            derived: BTreeMap::new(),
            asked: BTreeMap::new(),
            asking: BTreeSet::new(),
            counted: BTreeSet::new(),
            calls: Vec::new(),
        };
        for (function, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| ends.statement(program, function, stmt));
        }
        ends
    }

    /// Who asks about the result of a read that returns `end` at the end. A count or a pointer is asked about for one
    /// reason only, so that any use will do; a character is looked at for many.
    pub fn notice(&self, program: &Program, function: FunctionId, result: &Lvalue, end: i128, any: bool) -> Notice {
        let holder = holder(program, function, result);
        if self.asking.contains(&function) {
            return Notice::Here;
        }
        holder.map_or(Notice::Nobody, |holder| self.notice_of(function, holder, end, any))
    }

    fn notice_of(&self, function: FunctionId, start: Holder, end: i128, any: bool) -> Notice {
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(holder) = open.pop() {
            if self.asked.get(&holder).is_some_and(|asked| asked.notices(end, any)) {
                return Notice::Here;
            }
            let more = self.flows.get(&holder).into_iter().flatten();
            // A result goes to every caller; those are asked one by one.
            open.extend(more.filter(|to| seen.insert(**to) && !matches!(to, Holder::Result(_))));
        }
        if seen.contains(&Holder::Result(function)) { Notice::Handed } else { Notice::Nobody }
    }

    /// Whether somebody asks which number was read, other than what stands for the end of the input.
    pub fn asks(&self, program: &Program, function: FunctionId, result: &Lvalue, end: Option<i128>) -> bool {
        let mut open: Vec<Holder> = holder(program, function, result).into_iter().collect();
        let mut seen: BTreeSet<Holder> = open.iter().copied().collect();
        while let Some(holder) = open.pop() {
            let told = |asked: &Asked| {
                let other = |(value, equality): &(i128, bool)| Some(*value) != end && (*equality || *value != 0);
                asked.masked || asked.truth || asked.compared.iter().any(other)
            };
            if self.asked.get(&holder).is_some_and(told) {
                return true;
            }
            let more = [&self.flows, &self.derived].into_iter().flat_map(|flows| flows.get(&holder)).flatten();
            open.extend(more.filter(|to| seen.insert(**to)));
            if let Holder::Result(function) = holder {
                let calls = self.calls.iter().filter(|(_, _, callee, _)| *callee == function);
                open.extend(calls.filter_map(|(.., result)| *result).filter(|to| seen.insert(*to)));
            }
        }
        false
    }

    /// Whether somebody asks if a read returned as much as it was asked for, so that less will not do. Who asks for
    /// the rest after each read does too: `n -= read(fd, p, n)`, `done += read(fd, p + done, n - done)`.
    pub fn insists(&self, program: &Program, function: FunctionId, result: &Lvalue, count: &Expr) -> bool {
        let constant = integer(count);
        let variable = load(program, function, count);
        let rest = match &without_conversions(count).kind {
            ExprKind::Binary(BinaryOp::Sub, _, done) => load(program, function, done),
            _ => variable,
        };
        let mut open: Vec<Holder> = holder(program, function, result).into_iter().collect();
        let mut seen: BTreeSet<Holder> = open.iter().copied().collect();
        while let Some(holder) = open.pop() {
            let caller = matches!(holder, Holder::Local(owner, _) if owner != function);
            let whole = |asked: &Asked| match constant {
                Some(count) => asked.compared.iter().any(|(value, _)| *value == count),
                // For a caller the count has another name.
                None if caller => !asked.with.is_empty() || asked.compared.iter().any(|(value, _)| *value > 0),
                None => asked.varied || variable.is_some_and(|count| asked.with.contains(&count)),
            };
            if self.asked.get(&holder).is_some_and(whole)
                || rest.is_some_and(|rest| self.counted.contains(&(rest, holder)))
            {
                return true;
            }
            open.extend(self.flows.get(&holder).into_iter().flatten().filter(|to| seen.insert(**to)));
            if let Holder::Result(function) = holder {
                let calls = self.calls.iter().filter(|(_, _, callee, _)| *callee == function);
                open.extend(calls.filter_map(|(.., result)| *result).filter(|to| seen.insert(*to)));
            }
        }
        false
    }

    /// The calls of functions that hand on what a read returned, where nobody asks whether it was the end.
    pub fn unwatched(&self, handing: &[(FunctionId, i128, bool)]) -> BTreeSet<(FunctionId, StmtId)> {
        let mut open = handing.to_vec();
        let mut seen: BTreeSet<FunctionId> = open.iter().map(|(function, ..)| *function).collect();
        let mut found = BTreeSet::new();
        while let Some((function, end, any)) = open.pop() {
            for (caller, stmt, _, result) in self.calls.iter().filter(|(_, _, callee, _)| *callee == function) {
                let notice = match result {
                    _ if self.asking.contains(caller) => Notice::Here,
                    Some(holder) => self.notice_of(*caller, *holder, end, any),
                    None => Notice::Nobody,
                };
                match notice {
                    Notice::Here => {}
                    Notice::Nobody => drop(found.insert((*caller, *stmt))),
                    Notice::Handed if seen.insert(*caller) => open.push((*caller, end, any)),
                    Notice::Handed => {}
                }
            }
        }
        found
    }

    fn statement(&mut self, program: &Program, function: FunctionId, stmt: &Stmt) {
        let loaded = |expr: &Expr| load(program, function, expr);
        let target = match &stmt.kind {
            StmtKind::Assign { target, value } => holder(program, function, target).map(|to| (to, value)),
            StmtKind::Return(Some(value)) => Some((Holder::Result(function), value)),
            _ => None,
        };
        if let Some((to, value)) = target {
            if let Some(from) = loaded(value) {
                self.flows.entry(from).or_default().insert(to);
                return;
            }
            if let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = &without_conversions(value).kind
                && loaded(a) == Some(to)
                && let Some(by) = loaded(b)
            {
                self.counted.insert((to, by));
            }
            // Arithmetic of several variables is not followed, so that nobody can ask about it.
            let mut from = BTreeSet::new();
            value.walk(&mut |part| from.extend(loaded(part)));
            if let ([from], false) = (&from.iter().collect::<Vec<_>>()[..], from.contains(&to)) {
                self.derived.entry(**from).or_default().insert(to);
            }
        }
        match &stmt.kind {
            StmtKind::Call { callee: Callee::Function(callee), args, result } => {
                let result = result.as_ref().and_then(|result| holder(program, function, result));
                self.calls.push((function, stmt.id, *callee, result));
                let called = &program.functions[*callee];
                if called.name == "feof" || called.name == "feof_unlocked" {
                    self.asking.insert(function);
                }
                // A library function may look at what it is pointed to: `memcmp` does.
                for arg in args.iter().filter(|_| called.body.is_none()) {
                    if let ExprKind::AddressOf(lvalue) = &without_conversions(arg).kind
                        && let Some(holder) = holder(program, function, lvalue)
                    {
                        self.asked.entry(holder).or_default().masked = true;
                    }
                }
                for (param, arg) in called.params.iter().zip(args) {
                    if let ExprKind::AddressOf(lvalue) = &without_conversions(arg).kind
                        && let Some(to) = holder(program, function, lvalue)
                    {
                        let through = Holder::Through(*callee, *param);
                        self.flows.entry(through).or_default().insert(to);
                        self.derived.entry(to).or_default().insert(through);
                    }
                    // What is handed to a function of the program is asked about there.
                    if let Some(from) = loaded(arg).filter(|_| called.body.is_some()) {
                        self.flows.entry(from).or_default().insert(Holder::Local(*callee, *param));
                    }
                }
            }
            StmtKind::Switch { value, arms, .. } => {
                if let Some(holder) = loaded(value) {
                    let asked = self.asked.entry(holder).or_default();
                    asked.used = true;
                    asked.compared.extend(arms.iter().flat_map(|arm| [(arm.low, true), (arm.high, true)]));
                }
            }
            _ => {}
        }
        let condition = matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Loop(_));
        for expr in stmt.exprs() {
            if let Some(holder) = loaded(expr) {
                let asked = self.asked.entry(holder).or_default();
                asked.truth |= condition;
                asked.used |= condition || !matches!(stmt.kind, StmtKind::Call { .. });
            }
            expr.walk(&mut |part| {
                let asked = match &part.kind {
                    ExprKind::Binary(op, a, b) if op.is_comparison() => {
                        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                        for (side, other) in [(a, b), (b, a)] {
                            let Some(holder) = loaded(side) else { continue };
                            let asked = self.asked.entry(holder).or_default();
                            asked.used = true;
                            match integer(other) {
                                Some(value) => asked.compared.push((value, equality)),
                                None => match loaded(other) {
                                    Some(with) => drop(asked.with.insert(with)),
                                    None => asked.varied = true,
                                },
                            }
                        }
                        return;
                    }
                    ExprKind::Unary(UnaryOp::Not, inner) | ExprKind::Conditional(inner, ..) => vec![&**inner],
                    ExprKind::Logical(_, a, b) => vec![&**a, &**b],
                    ExprKind::Binary(op, a, b) => {
                        for holder in [a, b].into_iter().filter_map(|side| loaded(side)) {
                            let asked = self.asked.entry(holder).or_default();
                            asked.used = true;
                            asked.masked |= *op == BinaryOp::BitAnd;
                        }
                        return;
                    }
                    _ => return,
                };
                for holder in asked.into_iter().filter_map(loaded) {
                    let asked = self.asked.entry(holder).or_default();
                    (asked.truth, asked.used) = (true, true);
                }
            });
        }
    }
}

impl Asked {
    fn notices(&self, end: i128, any: bool) -> bool {
        let compared =
            |(value, equality): &(i128, bool)| *value == end || !equality && (*value == 0 || *value == end + 1);
        any && self.used || self.compared.iter().any(compared) || end == 0 && self.truth
    }
}

/// The holder that an expression is, conversions aside.
fn load(program: &Program, function: FunctionId, expr: &Expr) -> Option<Holder> {
    match &without_conversions(expr).kind {
        ExprKind::Load(lvalue) => holder(program, function, lvalue),
        _ => None,
    }
}

fn holder(program: &Program, function: FunctionId, lvalue: &Lvalue) -> Option<Holder> {
    if let Some((record, field)) = super::cells::last_step(program, function, lvalue) {
        return Some(Holder::Field(record, field));
    }
    match (&lvalue.base, &lvalue.path[..]) {
        // The elements of an array are one.
        (Base::Local(id), [] | [Step::Index(_)]) => Some(Holder::Local(function, *id)),
        (Base::Global(id), [] | [Step::Index(_)]) => Some(Holder::Global(*id)),
        (Base::Deref(pointer), []) => match &without_conversions(pointer).kind {
            ExprKind::Load(from) => Some(Holder::Through(function, from.as_local()?)),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a constant expression.
pub(super) fn integer(expr: &Expr) -> Option<i128> {
    match &without_conversions(expr).kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Neg, inner) => integer(inner).map(|value| -value),
        _ => None,
    }
}
