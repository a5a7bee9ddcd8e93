//! The array relations of a program, location by location: runs, relations, and further runs that try to refute them.

use super::calls::{Called, reads_unwritten};
use super::functions::{Builtin, UserFunction};
use super::observe::{ArrayObservations, pivots};
use super::shown::Names;
use super::support::holds_of;
use super::table::Table;
use super::{ArrayRelation, ArrayRelations, Config, relations_of};
use crate::{Engine, Form, Refusal};
use ir::{ExprKind, FunctionId, Program};
use observe::LocationKind;
use observe::harness::{Extent, Filled, HarnessArray, Long, harness, takes_arrays, takes_only_arrays};
use observe::inputs::Values;
use observe::inputs::takes_objects;
use observe::locations::Request;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the user asks of array relations.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    pub repeats: usize,
    /// Functions by name: those that are always known, and those of the program. All known ones if there is none.
    pub functions: Vec<String>,
    /// Lengths of array parameters.
    pub extents: Vec<(String, Extent)>,
}

impl Default for Options {
    fn default() -> Options {
        Options { repeats: 1, functions: Vec::new(), extents: Vec::new() }
    }
}

/// A relation with the names that it is written with.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayInvariant {
    pub relation: ArrayRelation,
    pub names: Arc<Names>,
}

impl ArrayInvariant {
    pub fn text(&self) -> String {
        self.names.relation(&self.relation)
    }

    pub fn form(&self) -> Form {
        match self.relation.form {
            super::ArrayForm::Flat => Form::Flat,
            super::ArrayForm::Nested => Form::Nested,
        }
    }
}

/// What was found at one location.
#[derive(Clone, Debug)]
pub struct AtLocation {
    pub location: String,
    pub invariants: Vec<ArrayInvariant>,
    /// The arrays that were looked at.
    pub arrays: Vec<String>,
    pub notes: Vec<String>,
}

/// A program whose entry takes numbers only.
pub struct Prepared {
    pub program: Program,
    pub entry: FunctionId,
    pub made: Vec<HarnessArray>,
    pub config: crate::Config,
    /// What the entry lets the function count on, for the user.
    pub assumptions: Vec<diagnostics::Assumption>,
}

/// Makes an entry that gives arrays to a function that takes some; `None` if it takes none. An error is a whole
/// sentence.
pub fn prepare(program: &Program, entry: FunctionId, config: &crate::Config) -> Result<Option<Prepared>, Refusal> {
    let about = &program.functions[entry];
    let own = |(name, _): &&(String, Extent)| about.params.iter().any(|p| about.locals[*p].name == *name);
    let extents: Vec<(String, Extent)> = config.arrays.extents.iter().filter(own).cloned().collect();
    let takes_others = takes_objects(program, entry) && !takes_only_arrays(program, entry, &extents);
    let takes_some = takes_others || takes_arrays(program, entry);
    // Functions that are asked about as well may have the parameter.
    if config.arrays.functions.is_empty()
        && let Some((name, _)) = config.arrays.extents.iter().find(|extent| !takes_some || !own(extent))
    {
        let text = format!("`{}` takes no array `{name}` whose length could be said.", about.name);
        return Err(Refusal::Request(text));
    }
    if takes_others || !takes_some {
        return Ok(None);
    }
    if matches!(config.engine, Engine::Native { .. }) {
        return Err(Refusal::Request("Compiled runs cannot be given arrays; use --engine vm.".to_string()));
    }
    let is_array = |name: &str| {
        let local = about.params.iter().find(|param| about.locals[**param].name == name);
        local.is_some_and(|param| program.types.is_pointer(about.locals[*param].ty))
    };
    let mut config = config.clone();
    let mut elements: Vec<(String, (i128, i128))> = Vec::new();
    for (name, values) in config.ranges.iter().filter(|(name, _)| is_array(name)) {
        match values {
            Values::Range { low, high } => elements.push((name.clone(), (*low, *high))),
            _ => {
                let text = format!("The elements of `{name}` can be given as a range only: {name}=0..255.");
                return Err(Refusal::Request(text));
            }
        }
    }
    config.ranges.retain(|(name, _)| !is_array(name));
    let mut made = harness(program, entry, &extents, &elements, Filled::Read)?;
    if reads_unwritten(&made) {
        made = harness(program, entry, &extents, &elements, Filled::All)?;
    }
    // Short arrays show what long ones do.
    for array in &made.arrays {
        if let Long::Parameter(number) = array.length {
            let harness = &made.program.functions[made.entry];
            let name = harness.locals[harness.params[number]].name.clone();
            if config.ranges.iter().all(|(known, _)| *known != name) {
                config.ranges.push((name, Values::Range { low: 1, high: 12 }));
            }
        }
    }
    config.request.subject = Some(made.subject);
    let assumptions = made.assumptions();
    Ok(Some(Prepared { program: made.program, entry: made.entry, made: made.arrays, config, assumptions }))
}

/// Functions that are always known, and those of the program.
pub type Functions = (Vec<Builtin>, Vec<Box<dyn UserFunction>>);

/// The functions that the user names, or all that are always known.
pub fn functions(program: Option<&Program>, options: &Options) -> Result<Functions, Refusal> {
    if options.functions.is_empty() {
        return Ok((Builtin::ALL.to_vec(), Vec::new()));
    }
    let (mut builtins, mut called): (Vec<Builtin>, Vec<Box<dyn UserFunction>>) = (Vec::new(), Vec::new());
    for name in &options.functions {
        if let Some(builtin) = Builtin::ALL.into_iter().find(|builtin| builtin.name() == name) {
            builtins.push(builtin);
        } else if let Some(program) = program {
            called.push(Box::new(Called::new(program, name, &options.extents)?));
        } else {
            let known: Vec<&str> = Builtin::ALL.iter().map(|builtin| builtin.name()).collect();
            let known = known.join(", ");
            let text = format!("--functions does not know `{name}`; of files of traces it knows: {known}.");
            return Err(Refusal::Request(text));
        }
    }
    if builtins.is_empty() {
        builtins = Builtin::ALL.to_vec();
    }
    Ok((builtins, called))
}

/// How a program is instrumented to show arrays.
pub fn request(of: &Request) -> Request {
    Request { arrays: true, ghosts: false, ..of.clone() }
}

/// What a search among arrays is given, from the options of the whole.
pub fn search_config(program: Option<&Program>, config: &crate::Config) -> Result<Config, Refusal> {
    let (builtins, functions) = functions(program, &config.arrays)?;
    Ok(Config {
        repeats: config.arrays.repeats,
        builtins,
        functions,
        constants: program.map(constants).unwrap_or_default(),
        flat: config.forms.wants(Form::Flat),
        nested: config.forms.wants(Form::Nested),
        ..Config::default()
    })
}

/// The numbers that the program divides by, or takes bits with.
fn constants(program: &Program) -> Vec<i64> {
    let mut found = BTreeSet::new();
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |part| {
                    use ir::BinaryOp::{BitAnd, BitOr, Div, Rem};
                    if let ExprKind::Binary(Rem | Div | BitAnd | BitOr, left, right) = &part.kind {
                        for side in [left, right] {
                            side.walk(&mut |part| {
                                if let ExprKind::Int(value) = part.kind {
                                    found.extend(i64::try_from(value).ok().filter(|value| *value > 1));
                                }
                            });
                        }
                    }
                });
            }
        });
    }
    found.into_iter().take(24).collect()
}

/// Runs that relations are found on; further runs that try to refute them; and rounds.
const RUNS: usize = 64;
const CHALLENGES: usize = 64;
const ROUNDS: usize = 3;

/// The array relations of a program.
pub fn array_findings(
    program: &Program,
    entry: FunctionId,
    made: &[HarnessArray],
    config: &crate::Config,
) -> Result<Vec<AtLocation>, Refusal> {
    if !config.forms.wants(Form::Flat) && !config.forms.wants(Form::Nested) {
        return Ok(Vec::new());
    }
    if matches!(config.engine, Engine::Native { .. }) {
        return Ok(Vec::new());
    }
    let searched = search_config(Some(program), config)?;
    let Some(mut observations) = ArrayObservations::new(program, entry, made, config)? else { return Ok(Vec::new()) };
    observations.run(RUNS, config);
    let subject = config.request.subject.unwrap_or(entry);
    let orders: Vec<Vec<usize>> = (0..observations.tables.len())
        .map(|at| {
            let shown = &observations.instrumented.arrays[at];
            let has_point = observations.instrumented.locations[at].kind == LocationKind::Trace;
            if has_point {
                return (0..shown.len()).collect();
            }
            let order = pivots(program, subject, shown);
            order.iter().for_each(|(n, given)| observations.tables[at].arrays[*n].is_given = *given);
            order.into_iter().map(|(n, _)| n).collect()
        })
        .collect();
    let mut found: Vec<ArrayRelations> = Vec::new();
    for round in 0..ROUNDS {
        let look = |(table, order): (&Table, &Vec<usize>)| relations_of(table, order, &searched);
        found = observations.tables.iter().zip(&orders).map(look).collect();
        if config.inputs.is_some() || config.deadline.is_over() {
            break;
        }
        let before: Vec<usize> = observations.tables.iter().map(|table| table.visits.len()).collect();
        observations.run(CHALLENGES, config);
        let mut refuted = false;
        for ((table, found), before) in observations.tables.iter().zip(&mut found).zip(before) {
            let fresh = Table { visits: table.visits[before..].to_vec(), ..table.clone() };
            let count = found.relations.len();
            found.relations.retain(|relation| holds_of(&fresh, &searched, relation));
            refuted |= found.relations.len() < count;
        }
        if !refuted || round + 1 == ROUNDS {
            break;
        }
    }
    let mut all = Vec::new();
    for (at, found) in found.into_iter().enumerate() {
        let table = &observations.tables[at];
        let names = Arc::new(Names::of(table, &searched.functions));
        let visits = table.visits.len() as u64;
        let invariants = found.relations.into_iter().map(|relation| ArrayInvariant {
            relation: ArrayRelation { verdict: diagnostics::Verdict::Observed { visits }, ..relation },
            names: names.clone(),
        });
        let mut notes = observations.notes(at);
        notes.extend(found.notes);
        all.push(AtLocation {
            location: observations.instrumented.locations[at].name.clone(),
            invariants: invariants.collect(),
            arrays: table.arrays.iter().filter(|array| !array.is_constant).map(|array| array.name.clone()).collect(),
            notes,
        });
    }
    Ok(all)
}
