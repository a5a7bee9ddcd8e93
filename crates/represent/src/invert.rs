//! Inversion: from a normalisation program to the program that makes representations of a canonical value.
//!
//! *Source*: algorithms 1 to 8 of the paper named in [`super`]. `sequence` is algorithm 2, `assignment` 3 and 8,
//! `mark_determined` 4, `assume` 5, `conditional` 6, `looped` 7, and `undetermined` the check that 8 asks for.
//!
//! *Departures*. (1) The weakest precondition is not computed backwards: the pass carries, forwards, what each input
//! was set to, and puts that in place of the input wherever a condition is recorded, which gives the same formula.
//! (2) Bindings that differ between two branches are unified to `cond ? a : b`; a binding that only one branch has is
//! resolved there; no branch is dropped. (3) A right-hand side that is not linear in what it should determine leaves
//! the equation to the solver. (4) Every access is required to lie in its array, and every value in its type, where
//! that is not plain. (5) Index variables have closed forms ([`super::indices`]), so that conditions can name them.
//!
//! *Worked example*: `*a = x + y; *b = x` leaves x bound to `*a - y` after the first statement; the second becomes
//! `*b = *a - y`, which determines y as `*a - *b`, and with it x.

use super::constraints::{Ensure, Origin, conjunctions};
use super::determined::Entry;
use super::encode::Encoder;
use super::formula::{Formula, ParamId, PolynomialOfFormulas as _, Reference, VarId};
use super::indices::{self, Indices};
use super::language::{Counter, Normalisation, Refusal, Role, Statement};
use diagnostics::Span;
use ir::IntKind;
use std::collections::{BTreeMap, BTreeSet};

/// A statement of an inverse.
#[derive(Clone, PartialEq, Debug)]
pub enum Undo {
    Assign {
        target: Reference,
        value: Formula,
    },
    /// Any value of the type will do.
    Choose {
        target: Reference,
    },
    Assume {
        cond: Formula,
        span: Span,
    },
    Set {
        var: VarId,
        value: Formula,
    },
    If {
        cond: Formula,
        then: Vec<Undo>,
        otherwise: Vec<Undo>,
    },
    For {
        counter: Counter,
        body: Vec<Undo>,
    },
}

/// The inverse of a normalisation program.
#[derive(Clone, Debug)]
pub struct Inverse {
    pub normalisation: Normalisation,
    /// What must hold at entry, over the canonical value and what is chosen.
    pub ensure: Ensure,
    pub body: Vec<Undo>,
    /// The inputs that `ensure` chooses: scalars, and arrays of which it chooses elements.
    pub chosen: BTreeSet<ParamId>,
    /// What scalars are set to, over the canonical value and what is chosen.
    pub values: BTreeMap<ParamId, Formula>,
    /// The conditions outside of loops, on which the way through the program depends.
    pub branches: Vec<Formula>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Undetermined,
    /// Set by `ensure` or by `choose`.
    Chosen,
    /// Set by a statement of the inverse.
    Assigned,
}

/// The partition of the source, (U, D, P, σ).
#[derive(Clone, Debug)]
struct Partition {
    scalars: BTreeMap<ParamId, Status>,
    values: BTreeMap<ParamId, Formula>,
    bindings: BTreeMap<Reference, Formula>,
    entries: Vec<Entry>,
    indices: Indices,
}

struct Inverter<'n> {
    normalisation: &'n mut Normalisation,
    encoder: Encoder,
    ensure: Ensure,
    /// The loops around the current statement, outermost first, each with the elements that one round mentions.
    loops: Vec<(Counter, Vec<Entry>)>,
    path: Vec<Formula>,
    branches: Vec<Formula>,
    /// Arrays of which elements are assigned, so that a formula over them cannot be solved at entry.
    assigned: BTreeSet<ParamId>,
    written: BTreeMap<ParamId, Span>,
}

pub fn invert(mut normalisation: Normalisation) -> Result<Inverse, Refusal> {
    let body = normalisation.body.clone();
    let mut partition = Partition {
        scalars: scalars(&normalisation).map(|id| (id, Status::Undetermined)).collect(),
        values: BTreeMap::new(),
        bindings: BTreeMap::new(),
        entries: Vec::new(),
        indices: Indices::default(),
    };
    let mut inverter = Inverter {
        ensure: Ensure::default(),
        encoder: Encoder::new(&normalisation),
        normalisation: &mut normalisation,
        loops: Vec::new(),
        path: Vec::new(),
        branches: Vec::new(),
        assigned: BTreeSet::new(),
        written: BTreeMap::new(),
    };
    inverter.check_single_assignment(&body)?;
    let mut undo = inverter.sequence(&mut partition, &body)?;
    inverter.discharge_all(&mut partition, &mut undo, |_| true);
    for (&id, status) in &partition.scalars {
        if *status == Status::Undetermined {
            undo.push(Undo::Choose { target: Reference::scalar(id) });
        }
    }
    inverter.lengths();
    let Inverter { mut ensure, branches, assigned, encoder, .. } = inverter;
    let values = partition.values;
    let known = |f: &Formula| f.with_refs(&|r| values.get(&r.param).cloned());
    ensure.finish(&encoder, &known, &assigned);
    let branches: Vec<Formula> = branches.iter().map(&known).collect();
    let mut chosen = BTreeSet::new();
    for formula in ensure.formulas().iter().chain(&branches) {
        let inputs = formula.references().into_iter().filter(|r| normalisation.param(r.param).role == Role::Input);
        chosen.extend(inputs.map(|r| r.param));
    }
    remove_choices(&mut undo, &chosen);
    Ok(Inverse { normalisation, ensure, body: undo, chosen, values, branches })
}

fn scalars(normalisation: &Normalisation) -> impl Iterator<Item = ParamId> + '_ {
    normalisation.ids(Role::Input).filter(|&id| normalisation.param(id).dims.is_empty())
}

/// A scalar that `ensure` chooses must not be chosen again.
fn remove_choices(undo: &mut Vec<Undo>, chosen: &BTreeSet<ParamId>) {
    undo.retain(
        |step| !matches!(step, Undo::Choose { target } if target.indices.is_empty() && chosen.contains(&target.param)),
    );
    for step in undo {
        match step {
            Undo::If { then, otherwise, .. } => {
                remove_choices(then, chosen);
                remove_choices(otherwise, chosen);
            }
            Undo::For { body, .. } => remove_choices(body, chosen),
            _ => {}
        }
    }
}

impl Inverter<'_> {
    fn kind(&self, id: ParamId) -> IntKind {
        self.normalisation.param(id).kind
    }

    fn is_input(&self, reference: &Reference) -> bool {
        self.normalisation.param(reference.param).role == Role::Input
    }

    /// Refuses programs that assign a scalar output twice on one path. Elements of arrays are watched when the
    /// program runs, because only then it is known which they are.
    fn check_single_assignment(&mut self, body: &[Statement]) -> Result<(), Refusal> {
        for statement in body {
            match statement {
                Statement::Assign { target, span, .. } => {
                    if target.indices.is_empty() && self.written.insert(target.param, *span).is_some() {
                        let name = &self.normalisation.param(target.param).name;
                        let reason = format!("the output `{name}` is assigned a second time here");
                        return Err(Refusal { span: *span, reason });
                    }
                }
                Statement::If { then, otherwise, .. } => {
                    let before = self.written.clone();
                    self.check_single_assignment(then)?;
                    let after = std::mem::replace(&mut self.written, before);
                    self.check_single_assignment(otherwise)?;
                    self.written.extend(after);
                }
                Statement::For { body, span, .. } => {
                    let before = self.written.clone();
                    self.check_single_assignment(body)?;
                    if let Some((id, _)) = self.written.iter().find(|(id, _)| !before.contains_key(id)) {
                        let name = &self.normalisation.param(*id).name;
                        let reason = format!("the output `{name}` is assigned in every round of this loop");
                        return Err(Refusal { span: *span, reason });
                    }
                }
                Statement::Set { .. } | Statement::Assume { .. } => {}
            }
        }
        Ok(())
    }

    fn sequence(&mut self, partition: &mut Partition, statements: &[Statement]) -> Result<Vec<Undo>, Refusal> {
        let mut undo = Vec::new();
        for statement in statements {
            match statement {
                Statement::Assign { target, value, span } => {
                    self.assignment(partition, target, value, *span, &mut undo)
                }
                Statement::Set { var, value, .. } => {
                    // A binding that names the variable means its value of now.
                    self.discharge_all(partition, &mut undo, |f| f.mentions_var(*var));
                    self.mark_determined(partition, nested_and_top(value), &mut undo);
                    partition.indices.set(*var, value);
                    undo.push(Undo::Set { var: *var, value: value.clone() });
                }
                Statement::Assume { cond, span } => self.assume(partition, cond, *span, &mut undo),
                Statement::If { cond, then, otherwise, .. } => {
                    self.conditional(partition, cond, then, otherwise, &mut undo)?;
                }
                Statement::For { counter, body, span } => self.looped(partition, counter, body, *span, &mut undo)?,
            }
        }
        Ok(undo)
    }

    /// The formula with everything put in that is known here: index variables, bound and assigned references.
    fn resolved(&self, partition: &Partition, formula: &Formula) -> Formula {
        let formula = partition.indices.resolve(formula);
        formula.with_refs(&|r| {
            if r.indices.is_empty() {
                return partition.values.get(&r.param).cloned();
            }
            partition.entries.iter().rev().find_map(|entry| entry.value_at(r))
        })
    }

    /// Records that a condition must hold at the current place.
    fn require(&mut self, partition: &Partition, cond: &Formula, origin: Origin, span: Span) {
        let cond = self.resolved(partition, cond);
        let counters: Vec<Counter> = self.loops.iter().map(|(c, _)| c.clone()).collect();
        self.ensure.require(&counters, &self.path, &cond, origin, span);
    }

    fn mark_determined(&mut self, partition: &mut Partition, references: Vec<Reference>, undo: &mut Vec<Undo>) {
        for reference in references {
            if !self.is_input(&reference) {
                continue;
            }
            if reference.indices.is_empty() {
                if let Some(status @ Status::Undetermined) = partition.scalars.get_mut(&reference.param)
                    && !partition.bindings.contains_key(&reference)
                {
                    *status = Status::Chosen;
                }
            } else {
                self.in_bounds(partition, &reference);
                self.enter(partition, &reference, None);
            }
        }
        self.discharge(partition, undo);
    }

    fn enter(&self, partition: &mut Partition, reference: &Reference, value: Option<Formula>) {
        let reference = resolve_reference(partition, reference);
        if value.is_some() || !partition.entries.iter().any(|e| e.domain.is_empty() && e.reference == reference) {
            partition.entries.push(Entry { reference, domain: Vec::new(), guard: Vec::new(), value });
        }
    }

    /// Emits the bindings all of whose references are determined by now.
    fn discharge(&mut self, partition: &mut Partition, undo: &mut Vec<Undo>) {
        loop {
            let ready = partition.bindings.iter().find(|(_, value)| {
                let inside = value.references();
                inside.iter().all(|r| !self.is_input(r) || !self.is_open(partition, r))
            });
            let Some((reference, value)) = ready.map(|(r, v)| (r.clone(), v.clone())) else { return };
            partition.bindings.remove(&reference);
            self.settle(partition, &reference, value, undo);
        }
    }

    /// Whether a reference is neither chosen nor assigned yet.
    fn is_open(&self, partition: &Partition, reference: &Reference) -> bool {
        if reference.indices.is_empty() {
            return partition.scalars.get(&reference.param) == Some(&Status::Undetermined);
        }
        let reference = resolve_reference(partition, reference);
        !partition.entries.iter().any(|e| e.domain.is_empty() && e.reference == reference)
    }

    /// Emits the bindings that the test picks, choosing what they still depend on.
    fn discharge_all(&mut self, partition: &mut Partition, undo: &mut Vec<Undo>, pick: impl Fn(&Formula) -> bool) {
        self.discharge(partition, undo);
        while let Some(value) = partition.bindings.values().find(|v| pick(v)).cloned() {
            // A binding may name what is bound itself; chosen are the things at the bottom.
            for reference in self.with_bindings(partition, &value).references().into_iter().cloned().collect::<Vec<_>>()
            {
                if self.is_input(&reference) && self.is_open(partition, &reference) {
                    undo.push(Undo::Choose { target: reference.clone() });
                    self.mark_determined(partition, vec![reference], undo);
                }
            }
            self.discharge(partition, undo);
        }
    }

    /// The inverse assigns `value` to the reference.
    fn settle(&mut self, partition: &mut Partition, reference: &Reference, value: Formula, undo: &mut Vec<Undo>) {
        undo.push(Undo::Assign { target: reference.clone(), value: value.clone() });
        self.in_range(partition, reference, &value);
        let resolved = self.resolved(partition, &value);
        if reference.indices.is_empty() {
            partition.scalars.insert(reference.param, Status::Assigned);
            partition.values.insert(reference.param, resolved);
        } else {
            self.assigned.insert(reference.param);
            self.in_bounds(partition, reference);
            self.enter(partition, reference, Some(resolved));
        }
    }

    fn in_bounds(&mut self, partition: &Partition, reference: &Reference) {
        let param = self.normalisation.param(reference.param);
        let (dims, span) = (param.dims.clone(), param.span);
        for (index, dim) in reference.indices.iter().zip(dims) {
            let inside = Formula::and([Formula::le(Formula::Int(0), index.clone()), Formula::lt(index.clone(), dim)]);
            self.require(partition, &inside, Origin::Bounds, span);
        }
    }

    /// A value must fit the type of what it is assigned to. For types of 32 bits and more only running tells: such
    /// a condition on every element would make the solver choose what may as well be random.
    fn in_range(&mut self, partition: &Partition, reference: &Reference, value: &Formula) {
        let kind = self.kind(reference.param);
        let fits = match value {
            Formula::Int(n) => kind.contains(*n),
            Formula::Ref(r) => {
                let other = self.kind(r.param);
                kind.min() <= other.min() && other.max() <= kind.max()
            }
            _ => false,
        };
        if fits || kind.bits() >= 32 {
            return;
        }
        let inside = Formula::and([
            Formula::le(Formula::Int(kind.min()), value.clone()),
            Formula::le(value.clone(), Formula::Int(kind.max())),
        ]);
        self.require(partition, &inside, Origin::Range, self.normalisation.param(reference.param).span);
    }

    fn with_bindings(&self, partition: &Partition, formula: &Formula) -> Formula {
        // Bindings can name each other; none names itself.
        let mut formula = formula.clone();
        for _ in 0..=partition.bindings.len() {
            formula = formula.with_refs(&|r| partition.bindings.get(r).cloned());
        }
        formula
    }

    fn assume(&mut self, partition: &mut Partition, cond: &Formula, span: Span, undo: &mut Vec<Undo>) {
        let cond = self.with_bindings(partition, cond);
        self.mark_determined(partition, nested_and_top(&cond), undo);
        self.require(partition, &cond, Origin::Assume, span);
        undo.push(Undo::Assume { cond, span });
    }

    fn assignment(
        &mut self,
        partition: &mut Partition,
        target: &Reference,
        value: &Formula,
        span: Span,
        undo: &mut Vec<Undo>,
    ) {
        let value = self.with_bindings(partition, value);
        let mut nested = Vec::new();
        for index in &target.indices {
            nested.extend(nested_and_top(index));
        }
        let mut top = Vec::new();
        // What stands in an index, a condition or a quotient cannot be solved for.
        collect_top(&value.polynomial().to_formula(), &mut top, &mut nested);
        self.mark_determined(partition, nested, undo);
        let output = Formula::Ref(target.clone());
        let mut open = Vec::new();
        for reference in &top {
            if self.undetermined(partition, reference, span) {
                open.push(reference.clone());
            }
        }
        let solved = open.iter().find_map(|r| Some((r.clone(), self.solve(partition, &output, &value, r, span)?)));
        let Some((reference, solution)) = solved else {
            // Nothing is left to determine, or nothing can be: the equation is a condition.
            self.mark_determined(partition, top, undo);
            let cond = Formula::eq(output, value);
            self.require(partition, &cond, Origin::Equation, span);
            undo.push(Undo::Assume { cond, span });
            return;
        };
        let determined = top.into_iter().filter(|r| !open.contains(r)).collect();
        self.mark_determined(partition, determined, undo);
        if open.len() == 1 {
            self.settle(partition, &reference, solution, undo);
        } else {
            partition.bindings.insert(reference, solution);
        }
        self.discharge(partition, undo);
    }

    /// What the reference must be for the equation to hold, if that can be said.
    fn solve(
        &mut self,
        partition: &Partition,
        output: &Formula,
        value: &Formula,
        reference: &Reference,
        span: Span,
    ) -> Option<Formula> {
        let atom = Formula::Ref(Reference {
            param: reference.param,
            indices: reference.indices.iter().map(|i| i.polynomial().to_formula()).collect(),
        });
        let (coefficient, rest) = value.polynomial().split_off(&atom)?;
        let factor = coefficient.as_int()?;
        let mut difference = output.polynomial();
        difference.add_scaled(&rest, &(-1).into());
        match factor {
            0 => None,
            1 => Some(difference.to_formula()),
            -1 => Some(rest.minus(&output.polynomial()).to_formula()),
            _ => {
                let (quotient, divisor) = (Box::new(difference.to_formula()), Box::new(Formula::Int(factor)));
                let remainder = Formula::Rem(quotient.clone(), divisor.clone());
                self.require(partition, &Formula::eq(remainder, Formula::Int(0)), Origin::Divides, span);
                Some(Formula::Div(quotient, divisor))
            }
        }
    }

    /// Whether a reference can be determined here, in every round of the loops around. Where that depends on what is
    /// chosen, the condition is required and the answer is yes.
    fn undetermined(&mut self, partition: &Partition, reference: &Reference, span: Span) -> bool {
        if reference.indices.is_empty() {
            return self.is_open(partition, reference);
        }
        if !self.is_open(partition, reference) {
            return false;
        }
        let reference = resolve_reference(partition, reference);
        let counters: Vec<Counter> = self.loops.iter().map(|(c, _)| c.clone()).collect();
        let mut cases = Vec::new();
        for entry in partition.entries.iter().filter(|e| e.reference.param == reference.param) {
            cases.push((entry.clone(), Vec::new()));
        }
        for (counter, mentioned) in &self.loops {
            for entry in mentioned.iter().filter(|e| e.reference.param == reference.param) {
                let mut entry = entry.clone();
                entry.domain.insert(0, counter.clone());
                cases.push((entry, vec![counter.clone()]));
            }
        }
        let mut conditions = Vec::new();
        for (entry, before) in cases {
            let renamed = entry.renamed(self.normalisation);
            let mut parts: Vec<Formula> = self.path.iter().map(|p| self.resolved(partition, p)).collect();
            parts.extend(renamed.entry.guard.iter().cloned());
            for counter in &before {
                let earlier = Formula::Var(renamed.of(counter.var));
                let now = Formula::Var(counter.var);
                parts.push(if counter.step > 0 { Formula::lt(earlier, now) } else { Formula::lt(now, earlier) });
            }
            for (a, b) in renamed.entry.reference.indices.iter().zip(&reference.indices) {
                parts.push(Formula::eq(a.clone(), b.clone()));
            }
            let mut all = counters.clone();
            all.extend(renamed.entry.domain.iter().cloned());
            let bad = conjunctions(&all, &parts);
            let possible: Vec<_> = bad.into_iter().filter(|c| c.is_possible(&self.encoder)).collect();
            if possible.is_empty() {
                continue;
            }
            let plain = is_affine(&reference) && is_affine(&renamed.entry.reference);
            if plain {
                return false;
            }
            conditions.extend(possible);
        }
        self.ensure.exclude(conditions, Origin::Aliasing, span);
        true
    }

    fn conditional(
        &mut self,
        partition: &mut Partition,
        cond: &Formula,
        then: &[Statement],
        otherwise: &[Statement],
        undo: &mut Vec<Undo>,
    ) -> Result<(), Refusal> {
        let cond = self.with_bindings(partition, cond);
        self.mark_determined(partition, nested_and_top(&cond), undo);
        let resolved = self.resolved(partition, &cond);
        if self.loops.is_empty() {
            self.branches.push(resolved.clone());
        }
        let outer = partition.clone();
        let known = partition.entries.len();
        let mut sides = Vec::new();
        for (statements, guard) in [(then, resolved.clone()), (otherwise, resolved.negate())] {
            let mut side = outer.clone();
            self.path.push(guard);
            let mut inside = self.sequence(&mut side, statements)?;
            self.discharge_all(&mut side, &mut inside, |_| false);
            sides.push((side, inside));
            self.path.pop();
        }
        let shared: BTreeSet<Reference> = {
            let bound = |i: usize| sides[i].0.bindings.keys().filter(|r| r.indices.is_empty()).cloned();
            let first: BTreeSet<Reference> = bound(0).collect();
            bound(1).filter(|r| first.contains(r)).collect()
        };
        for (i, guard) in [(0, resolved.clone()), (1, resolved.negate())] {
            let (mut side, mut inside) = sides[i].clone();
            self.path.push(guard);
            let alone: Vec<Formula> =
                side.bindings.iter().filter(|(r, _)| !shared.contains(r)).map(|(_, v)| v.clone()).collect();
            self.discharge_all(&mut side, &mut inside, |v| alone.contains(v));
            self.path.pop();
            sides[i] = (side, inside);
        }
        let (mut second, mut otherwise) = sides.pop().expect("there are two sides");
        let (mut first, mut then) = sides.pop().expect("there are two sides");
        // What one side determines, the other must determine too: any value will do there.
        let before = [second.scalars.clone(), first.scalars.clone()];
        for ((here, inside), there) in [(&mut first, &mut then), (&mut second, &mut otherwise)].into_iter().zip(before)
        {
            for (id, status) in there {
                let target = Reference::scalar(id);
                if status != Status::Undetermined
                    && here.scalars[&id] == Status::Undetermined
                    && !here.bindings.contains_key(&target)
                {
                    inside.push(Undo::Choose { target });
                    here.scalars.insert(id, Status::Chosen);
                }
            }
            self.discharge(here, inside);
        }
        // After a branch that is never taken everything is as the other left it.
        let dead = |inside: &[Undo]| {
            inside.iter().any(|step| matches!(step, Undo::Assume { cond, .. } if *cond == Formula::FALSE))
        };
        let resolved_join = match (dead(&then), dead(&otherwise)) {
            (true, false) => Formula::FALSE,
            (false, true) => Formula::TRUE,
            _ => resolved.clone(),
        };
        let mut joined = outer;
        for (&id, &status) in &first.scalars {
            let other = second.scalars[&id];
            let value = |side: &Partition| side.values.get(&id).cloned().unwrap_or(Formula::scalar(id));
            if status == Status::Assigned || other == Status::Assigned {
                joined.scalars.insert(id, Status::Assigned);
                joined.values.insert(id, Formula::choice(resolved_join.clone(), value(&first), value(&second)));
            } else {
                joined.scalars.insert(id, if status == Status::Chosen { status } else { other });
            }
        }
        joined.bindings = first.bindings.clone();
        joined.bindings.retain(|r, _| second.bindings.contains_key(r));
        for (reference, value) in &mut joined.bindings {
            *value = Formula::choice(cond.clone(), value.clone(), second.bindings[reference].clone());
        }
        for (side, guard) in [(&first, resolved.clone()), (&second, resolved.negate())] {
            for entry in &side.entries[known.min(side.entries.len())..] {
                let mut entry = entry.clone();
                entry.guard.push(guard.clone());
                entry.value = None;
                joined.entries.push(entry);
            }
        }
        joined.indices = first.indices.join(&second.indices, &resolved_join);
        *partition = joined;
        undo.push(Undo::If { cond, then, otherwise });
        self.discharge(partition, undo);
        Ok(())
    }

    fn looped(
        &mut self,
        partition: &mut Partition,
        counter: &Counter,
        body: &[Statement],
        span: Span,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Refusal> {
        let counter = counter.map(|bound| self.with_bindings(partition, bound));
        for bound in [&counter.from, &counter.to] {
            self.mark_determined(partition, nested_and_top(bound), undo);
        }
        // A scalar that one round mentions is determined in all others, so that it has to be chosen before them.
        let mut mentioned = Vec::new();
        indices::walk_formulas(body, &mut |f| mentioned.extend(f.references().into_iter().cloned()));
        mentioned.retain(|r| r.indices.is_empty());
        let open = mentioned.iter().filter_map(|r| partition.bindings.get(r)).flat_map(nested_and_top).collect();
        self.mark_determined(partition, open, undo);
        self.mark_determined(partition, mentioned, undo);
        let resolved = counter.map(|bound| self.resolved(partition, bound));
        // Bounds in the wrong order make a loop that does nothing: then outputs would be left out, and the closed forms
        // of index variables would count rounds that are not made.
        let ordered = match counter.step > 0 {
            true => Formula::le(counter.from.clone(), counter.to.clone()),
            false => Formula::le(counter.to.clone(), counter.from.clone()),
        };
        self.require(partition, &ordered, Origin::Rounds, span);
        let before = partition.indices.clone();
        partition.indices = before.in_round(self.normalisation, &resolved, body);
        let known = partition.entries.len();
        let mut round = Vec::new();
        let inputs: BTreeSet<ParamId> = self.normalisation.ids(Role::Input).collect();
        let mut start = partition.indices.clone();
        indices::elements(self.normalisation, &mut start, body, &mut Vec::new(), &mut Vec::new(), &mut |element| {
            if inputs.contains(&element.reference.param) {
                round.push(Entry {
                    reference: element.reference,
                    domain: element.domain,
                    guard: element.guard,
                    value: None,
                });
            }
        });
        for entry in &mut round {
            // Scalars that are assigned have their value everywhere.
            for index in &mut entry.reference.indices {
                *index = index.with_refs(&|r| partition.values.get(&r.param).cloned());
            }
            for inner in &mut entry.domain {
                *inner = inner.map(|bound| bound.with_refs(&|r| partition.values.get(&r.param).cloned()));
            }
        }
        self.loops.push((resolved.clone(), round));
        let mut inside = self.sequence(partition, body)?;
        self.discharge_all(partition, &mut inside, |_| true);
        self.loops.pop();
        for entry in &mut partition.entries[known..] {
            entry.domain.insert(0, resolved.clone());
        }
        partition.indices = before.after_loop(self.normalisation, &resolved, body);
        undo.push(Undo::For { counter, body: inside });
        Ok(())
    }

    /// The arrays of the canonical value are as long as they were, and no length is negative.
    fn lengths(&mut self) {
        let params = self.normalisation.params.clone();
        for (i, param) in params.iter().enumerate() {
            for (dimension, dim) in param.dims.iter().enumerate() {
                let cond = match param.role {
                    Role::Output => Formula::eq(dim.clone(), Formula::Length(ParamId(i as u32), dimension as u32)),
                    Role::Input => Formula::le(Formula::Int(0), dim.clone()),
                };
                self.ensure.require(&[], &[], &cond, Origin::Length, param.span);
            }
        }
    }
}

fn resolve_reference(partition: &Partition, reference: &Reference) -> Reference {
    let known = |f: &Formula| {
        let f = partition.indices.resolve(f).with_refs(&|r| partition.values.get(&r.param).cloned());
        f.polynomial().to_formula()
    };
    Reference { param: reference.param, indices: reference.indices.iter().map(known).collect() }
}

/// All references of a formula, those in indices first.
fn nested_and_top(formula: &Formula) -> Vec<Reference> {
    let mut found: Vec<Reference> = formula.references().into_iter().cloned().collect();
    found.reverse();
    found
}

/// The references that stand directly in a sum, and those that do not.
fn collect_top(formula: &Formula, top: &mut Vec<Reference>, nested: &mut Vec<Reference>) {
    match formula {
        Formula::Ref(reference) => {
            if !top.contains(reference) {
                top.push(reference.clone());
            }
            nested.extend(reference.indices.iter().flat_map(nested_and_top));
        }
        Formula::Add(a, b) | Formula::Sub(a, b) => {
            collect_top(a, top, nested);
            collect_top(b, top, nested);
        }
        Formula::Mul(a, b) => match (&**a, &**b) {
            (Formula::Int(_), other) | (other, Formula::Int(_)) => collect_top(other, top, nested),
            _ => nested.extend(nested_and_top(formula)),
        },
        other => nested.extend(nested_and_top(other)),
    }
}

/// Whether the indices are sums of multiples of counters and single inputs.
fn is_affine(reference: &Reference) -> bool {
    reference.indices.iter().all(|index| {
        index.polynomial().terms().all(|(product, _)| match &product[..] {
            [] | [(Formula::Var(_) | Formula::Length(..), 1)] => true,
            [(Formula::Ref(r), 1)] => r.indices.is_empty(),
            _ => false,
        })
    })
}
