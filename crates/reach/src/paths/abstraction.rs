//! What a block of statements does as a function of the state, whatever its path: every variable it sets gets a term
//! over the values at its start, with `if` where branches differ.
//!
//! A loop inside becomes operations with rules of their own, `loop(state) -> if(condition, loop(next(state)), state)`, one
//! for each variable it sets: a power function whose exponent narrowing finds.
//!
//! *Departure* from the source, whose loop bodies have no jumps: `break` and `continue` switch the rest of the block off,
//! by a truth value that guards what follows.

use super::error::PathError;
use super::translate::{Effect, Place, Translated, Translator};
use hashbrown::HashMap;
use ir::{Block, Loop, LoopKind, Stmt, StmtKind};
use rewriting::code::Code;
use rewriting::{Builtin, Pattern, Rule, SortId, SymbolId, TermId, VarId};
use std::collections::BTreeMap;

/// The state after some statements, over the state before them.
#[derive(Clone, Debug)]
pub struct State {
    pub values: BTreeMap<Place, TermId>,
    /// Whether the statements that follow run.
    pub active: TermId,
    /// Whether `break` was reached.
    pub broken: TermId,
    /// Whether everything so far had a value in C.
    pub fine: TermId,
    /// Whether all assumptions and assertions so far held.
    pub required: TermId,
    /// Whether `return` may stand here: not inside a loop.
    pub may_return: bool,
}

impl State {
    pub fn new(translator: &Translator<'_>) -> State {
        let (yes, no) = (translator.truth(true), translator.truth(false));
        State { values: BTreeMap::new(), active: yes, broken: no, fine: yes, required: yes, may_return: false }
    }

    /// The values as a substitution.
    pub fn map(&self, translator: &Translator<'_>) -> HashMap<VarId, TermId> {
        self.values.iter().filter_map(|(place, term)| Some((translator.known_var(*place)?, *term))).collect()
    }
}

/// A called function: what it returns, what becomes of global variables, and whether all is well.
pub struct Summary {
    pub result: Option<TermId>,
    pub globals: Vec<(Place, TermId)>,
    pub fine: TermId,
    pub required: TermId,
}

/// The body of the translator's frame, run with these values of its parameters.
pub fn summary(translator: &mut Translator<'_>, start: &[(Place, TermId)]) -> Translated<Summary> {
    let function = translator.frame;
    let mut state = State::new(translator);
    state.may_return = true;
    let program = translator.program;
    let body = program.functions[function].body.as_ref();
    for (place, _) in start {
        // So that the parameters have variables that can be replaced.
        if let Some(ty) = translator.type_of(*place) {
            let sort = translator.sort(ty, program.functions[function].span)?;
            translator.var(*place, sort);
        }
    }
    state.values.extend(start.iter().copied());
    if let Some(body) = body {
        block(translator, body, &mut state)?;
    }
    let result = state.values.get(&Place::Result(function)).copied();
    let globals = state.values.iter().filter(|(place, _)| matches!(place, Place::Global(_)));
    let globals = globals.map(|(place, term)| (*place, *term)).collect();
    Ok(Summary { result, globals, fine: state.fine, required: state.required })
}

pub fn block(translator: &mut Translator<'_>, block: &Block, state: &mut State) -> Translated<()> {
    stmts(translator, &block.stmts, state)
}

pub fn stmts(translator: &mut Translator<'_>, list: &[Stmt], state: &mut State) -> Translated<()> {
    for stmt in list {
        guarded(translator, state, |translator, state| statement(translator, stmt, state))?;
    }
    Ok(())
}

/// Runs the work if the state is active, and leaves it as it is otherwise.
pub fn guarded(
    translator: &mut Translator<'_>,
    state: &mut State,
    work: impl FnOnce(&mut Translator<'_>, &mut State) -> Translated<()>,
) -> Translated<()> {
    let yes = translator.truth(true);
    if state.active == yes {
        return work(translator, state);
    }
    let (active, before) = (state.active, state.clone());
    state.active = yes;
    work(translator, state)?;
    let after = std::mem::replace(state, before.clone());
    merge(translator, active, after, before, state);
    Ok(())
}

/// The state after one of two branches.
fn merge(translator: &mut Translator<'_>, condition: TermId, then: State, otherwise: State, into: &mut State) {
    let places: Vec<Place> = then.values.keys().chain(otherwise.values.keys()).copied().collect();
    for place in places {
        let of = |translator: &mut Translator<'_>, state: &State| match state.values.get(&place) {
            Some(term) => Some(*term),
            None => translator.known_var(place).map(|var| translator.store.var(var)),
        };
        let undefined =
            |translator: &mut Translator<'_>| translator.store.make(rewriting::Head::Builtin(Builtin::Undefined), &[]);
        let a = of(translator, &then).unwrap_or_else(|| undefined(translator));
        let b = of(translator, &otherwise).unwrap_or_else(|| undefined(translator));
        let value = translator.choice(condition, a, b);
        into.values.insert(place, value);
    }
    into.active = translator.choice(condition, then.active, otherwise.active);
    into.broken = translator.choice(condition, then.broken, otherwise.broken);
    into.fine = translator.choice(condition, then.fine, otherwise.fine);
    into.required = translator.choice(condition, then.required, otherwise.required);
}

/// Puts the values of the state into a term over the program's variables.
pub fn now(translator: &mut Translator<'_>, state: &State, term: TermId) -> TermId {
    let map = state.map(translator);
    translator.substitute(term, &map)
}

fn require(translator: &mut Translator<'_>, state: &mut State, requirements: &[TermId]) {
    for &one in requirements {
        let one = now(translator, state, one);
        state.fine = translator.and(state.fine, one);
    }
}

pub fn apply(translator: &mut Translator<'_>, state: &mut State, effect: &Effect) {
    require(translator, state, &effect.requirements);
    for &one in &effect.required {
        let one = now(translator, state, one);
        state.required = translator.and(state.required, one);
    }
    let map = state.map(translator);
    for &(place, value) in &effect.assigned {
        let value = translator.substitute(value, &map);
        if let Some(ty) = translator.type_of(place)
            && let Some(sort) = translator.operations.sort(translator.program, ty)
        {
            translator.var(place, sort);
        }
        state.values.insert(place, value);
    }
}

fn statement(translator: &mut Translator<'_>, stmt: &Stmt, state: &mut State) -> Translated<()> {
    match &stmt.kind {
        StmtKind::Block(inner) => block(translator, inner, state),
        StmtKind::If { cond, then, otherwise } => {
            let (condition, requirements) = test(translator, cond, state)?;
            require_now(translator, state, &requirements, condition);
            let yes = translator.truth(true);
            let (fine, required) = (state.fine, state.required);
            let mut first = State { fine: yes, required: yes, ..state.clone() };
            let mut second = first.clone();
            block(translator, then, &mut first)?;
            block(translator, otherwise, &mut second)?;
            merge(translator, condition, first, second, state);
            state.fine = translator.and(fine, state.fine);
            state.required = translator.and(required, state.required);
            Ok(())
        }
        StmtKind::Loop(looped) => inner_loop(translator, looped, stmt, state),
        StmtKind::Break => {
            state.broken = translator.truth(true);
            state.active = translator.truth(false);
            Ok(())
        }
        StmtKind::Continue => {
            state.active = translator.truth(false);
            Ok(())
        }
        StmtKind::Return(value) => {
            if !state.may_return {
                return Err(PathError::unsupported(
                    stmt.span,
                    "`return` inside a loop whose iterations are not said one by one",
                ));
            }
            if let Some(value) = value {
                let term = translator.value(value)?;
                let term = now(translator, state, term);
                let place = Place::Result(translator.frame);
                let sort = translator.sort(value.ty, value.span)?;
                translator.var(place, sort);
                state.values.insert(place, term);
            }
            state.active = translator.truth(false);
            Ok(())
        }
        StmtKind::Switch { .. } => Err(PathError::unsupported(
            stmt.span,
            "a `switch` whose case is not said, inside a loop or a called function",
        )),
        _ => {
            let once = std::mem::replace(&mut translator.once, false);
            let effect = translator.effect(stmt);
            translator.once = once;
            apply(translator, state, &effect?);
            Ok(())
        }
    }
}

/// A condition under the state, with what it demands.
fn test(translator: &mut Translator<'_>, cond: &ir::Expr, state: &State) -> Translated<(TermId, Vec<TermId>)> {
    let (term, requirements) = translator.test(cond)?;
    let map = state.map(translator);
    let requirements = requirements.into_iter().map(|one| translator.substitute(one, &map)).collect();
    Ok((translator.substitute(term, &map), requirements))
}

/// Demands that are over the start of the state already; the condition must have a value, too.
fn require_now(translator: &mut Translator<'_>, state: &mut State, requirements: &[TermId], condition: TermId) {
    for &one in requirements {
        state.fine = translator.and(state.fine, one);
    }
    if translator.store.as_truth(condition).is_none() {
        let defined = translator.build(Builtin::Defined, &[condition]);
        state.fine = translator.and(state.fine, defined);
    }
}

/// One iteration of a loop as a function of the state: whether it runs, and the state after it.
pub struct Iteration {
    /// After the effects of the condition alone.
    pub tested: State,
    /// Over the state before; true for a loop without condition.
    pub condition: TermId,
    /// After a whole iteration (for `do`: with the effects of the condition after it), `broken` if it was left.
    pub after: State,
}

pub fn iteration(translator: &mut Translator<'_>, looped: &Loop) -> Translated<Iteration> {
    let mut tested = State::new(translator);
    let yes = translator.truth(true);
    let is_do = looped.kind == LoopKind::DoWhile;
    let mut condition = yes;
    if !is_do {
        block(translator, &looped.pre, &mut tested)?;
        if let Some(cond) = &looped.cond {
            let (term, requirements) = test(translator, cond, &tested)?;
            require_now(translator, &mut tested, &requirements, term);
            condition = term;
        }
    }
    let mut after = tested.clone();
    block(translator, &looped.body, &mut after)?;
    // `continue` ends here, `break` does not come here.
    after.active = translator.not(after.broken);
    guarded(translator, &mut after, |translator, after| block(translator, &looped.step, after))?;
    if is_do {
        guarded(translator, &mut after, |translator, after| block(translator, &looped.pre, after))?;
        if let Some(cond) = &looped.cond {
            let (term, requirements) = test(translator, cond, &after)?;
            let fine = after.fine;
            after.fine = translator.truth(true);
            require_now(translator, &mut after, &requirements, term);
            let left = translator.build(Builtin::Or, &[after.broken, after.fine]);
            after.fine = translator.and(fine, left);
            condition = term;
        }
    }
    after.active = yes;
    Ok(Iteration { tested, condition, after })
}

/// Operations over a state: the places that are their arguments.
pub struct Arguments {
    pub places: Vec<Place>,
    pub vars: Vec<VarId>,
    pub sorts: Vec<SortId>,
}

impl Arguments {
    /// The places that terms depend on, directly or through the values that an iteration gives them.
    pub fn of(translator: &Translator<'_>, terms: &[TermId], iteration: &State) -> Arguments {
        let mut vars: Vec<VarId> = Vec::new();
        let mut open = terms.to_vec();
        while let Some(term) = open.pop() {
            for var in translator.store.variables(&[term]) {
                if !vars.contains(&var) {
                    vars.push(var);
                    let place = translator.place_of(var);
                    open.extend(place.and_then(|place| iteration.values.get(&place)));
                }
            }
        }
        vars.retain(|var| translator.place_of(*var).is_some());
        vars.sort_by_key(|var| translator.place_of(*var));
        let places = vars.iter().filter_map(|var| translator.place_of(*var)).collect();
        let sorts = vars.iter().map(|var| translator.store.var_sort(*var)).collect();
        Arguments { places, vars, sorts }
    }

    pub fn terms(&self, translator: &mut Translator<'_>) -> Vec<TermId> {
        self.vars.iter().map(|var| translator.store.var(*var)).collect()
    }

    /// Adds an operation over the state with one rule, given by a term over the same variables.
    pub fn rule(&self, translator: &mut Translator<'_>, operation: SymbolId, result: TermId) {
        let rule = Rule {
            operation,
            patterns: (0..self.vars.len() as u32).map(Pattern::Slot).collect(),
            result: Code::new(&translator.store, result, &self.vars),
            slots: self.vars.len(),
            at: Default::default(),
        };
        translator.system.add_rule(rule);
    }
}

/// A loop whose iterations are not said: operations that go round until the condition fails.
fn inner_loop(translator: &mut Translator<'_>, looped: &Loop, stmt: &Stmt, state: &mut State) -> Translated<()> {
    let Iteration { tested, condition, after } = iteration(translator, looped)?;
    let is_do = looped.kind == LoopKind::DoWhile;
    let set: Vec<Place> = after.values.keys().chain(tested.values.keys()).copied().collect();
    let mut terms = vec![condition, after.broken, after.fine, after.required, tested.fine, tested.required];
    for place in &set {
        if let Some(var) = translator.known_var(*place) {
            terms.push(translator.store.var(var));
        }
    }
    let arguments = Arguments::of(translator, &terms, &after);
    let own = arguments.terms(translator);
    let next: Vec<TermId> = arguments
        .places
        .iter()
        .zip(&own)
        .map(|(place, term)| after.values.get(place).copied().unwrap_or(*term))
        .collect();
    let number = translator.system.rules().len();
    let mut results: Vec<(Option<Place>, TermId)> = Vec::new();
    // One operation for each place that is set, and two for whether all is well.
    enum Part {
        Place(usize),
        Fine,
        Required,
    }
    let mut parts: Vec<Part> =
        (0..arguments.places.len()).filter(|i| set.contains(&arguments.places[*i])).map(Part::Place).collect();
    parts.extend([Part::Fine, Part::Required]);
    for part in parts {
        let (name, sort) = match part {
            Part::Place(index) => (translator.name(arguments.places[index]), arguments.sorts[index]),
            Part::Fine => ("fine".to_string(), SortId::BOOL),
            Part::Required => ("required".to_string(), SortId::BOOL),
        };
        let name = format!("loop#{number}#{}#{name}", stmt.id.as_u32());
        let operation = translator.system.add_operation(&name, arguments.sorts.clone(), sort);
        let again = translator.store.make(rewriting::Head::Symbol(operation), &next);
        let yes = translator.truth(true);
        // Where the loop is left by its condition, and where it is left by `break`.
        let (left, broken, before, round) = match part {
            Part::Place(index) => {
                let place = arguments.places[index];
                let value = |values: &BTreeMap<Place, TermId>| values.get(&place).copied().unwrap_or(own[index]);
                (if is_do { value(&after.values) } else { value(&tested.values) }, value(&after.values), None, None)
            }
            Part::Fine => (yes, yes, Some(tested.fine), Some(after.fine)),
            Part::Required => (yes, yes, Some(tested.required), Some(after.required)),
        };
        let going_on = if is_do { translator.choice(condition, again, left) } else { again };
        let inside = translator.choice(after.broken, broken, going_on);
        let inside = match round {
            Some(round) => translator.and(round, inside),
            None => inside,
        };
        let mut result = if is_do { inside } else { translator.build(Builtin::If, &[condition, inside, left]) };
        if let Some(before) = before.filter(|_| !is_do) {
            result = translator.and(before, result);
        }
        arguments.rule(translator, operation, result);
        let call = translator.store.make(rewriting::Head::Symbol(operation), &own);
        let call = now(translator, state, call);
        let place = if let Part::Place(index) = part { Some(arguments.places[index]) } else { None };
        if matches!(part, Part::Required) {
            state.required = translator.and(state.required, call);
        } else {
            results.push((place, call));
        }
    }
    for (place, call) in results {
        match place {
            Some(place) => {
                state.values.insert(place, call);
            }
            None => state.fine = translator.and(state.fine, call),
        }
    }
    Ok(())
}
