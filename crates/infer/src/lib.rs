//! Which relations hold among the variables at each location of interest?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, chapter 3 (DIG): run the program on many inputs, take the values of the variables at a location
//! as points, and find the smallest region of each form that holds all points.
//!
//! *Departures*: equations come degree by degree with what follows left out ([`equalities`]); bounds that merely echo
//! the range of the inputs are recognised by widening the range ([`Evidence`]); rounds of loops are counted by ghost
//! variables, so that `b == B * 2^n1` is an equation like any other ([`Role::Ghost`]).
//!
//! *Phases*: locations (where to look, which variables) → inputs and runs (evidence) → one module per form
//! (candidates) → pruning (what follows from the rest goes, the most informative come first) → further runs that try to
//! refute what is left ([`falsify`]) → bounds of arbitrary constants that nothing but the rows speaks for go, unless they
//! are proved first ([`reason`]).
//!
//! *Guarantee*: every relation reported held of every row seen; its verdict is `observed` and nothing stronger.
//!
//! ```
//! let text = "int sum(int n) { int i = 0, s = 0; while (i < n) { s += i; i++; } return s; }";
//! let program = cfront::load_text(&[("sum.c", text)]).expect("this is C").program;
//! let entry = program.find_function("sum").expect("the function should be there");
//! let report = infer::infer(&program, entry, &infer::Config::default()).expect("numbers can be made up for `n`");
//! let found = report.locations.iter().flat_map(|at| &at.invariants).map(|invariant| invariant.predicate.to_string());
//! assert!(found.count() > 0);
//! ```

pub mod arrays;
pub mod bounds;
pub mod claim;
pub mod congruences;
pub mod deduction;
pub mod disjunctions;
pub mod emit;
pub mod equalities;
mod exponentials;
pub mod falsify;
mod few_rows;
mod modular;
mod nullness;
mod one_of;
mod plausible;
pub mod polyhedra;
mod preconditions;
pub mod prune;
mod reason;
pub mod relations;
mod residues;
mod saturation;
pub mod shown;
pub mod terms;
pub mod traces;
pub mod tropical;
pub mod wording;

pub use arrays::affine::Ratio;
pub use arrays::table::unflat;
pub use arrays::{Affine, ArrayInvariant, Builtin, Expr as ArrayExpr};
pub use observe::Refusal;
pub use preconditions::Preconditions;
pub use relations::{FormConfig, Relations, relations};
pub use shown::text as text_of;

use diagnostics::{Deadline, Verdict};
use exec::Input;
use ir::{FunctionId, Program};
use logic::Predicate;
use observe::inputs::{Generator, Values, returns_pointer, takes_objects, with_stubs};
use observe::locations::{Request, VALID, instrument};
use observe::native::Natively;
pub use observe::runs::Limits;
use observe::runs::{self, Observations};
pub use observe::{Evidence, Kind, Location, LocationKind, Role, Samples, Variable};
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::Instant;
use terms::UserTerm;

/// The shape of a relation, and the name it is chosen by (`--forms`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Form {
    Equality,
    Interval,
    Zone,
    Octagon,
    Polyhedron,
    MaxPlus,
    MinPlus,
    Congruence,
    /// A product of equations that is zero, shown as its cases.
    Disjunction,
    /// Elements of an array as sums of elements of others ([`arrays`]).
    Flat,
    /// Elements of an array looked up in others, or computed from them by functions.
    Nested,
}

impl Form {
    pub const ALL: [Form; 11] = [
        Form::Equality,
        Form::Interval,
        Form::Zone,
        Form::Octagon,
        Form::Polyhedron,
        Form::MaxPlus,
        Form::MinPlus,
        Form::Congruence,
        Form::Disjunction,
        Form::Flat,
        Form::Nested,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Form::Equality => "equality",
            Form::Interval => "interval",
            Form::Zone => "zone",
            Form::Octagon => "octagon",
            Form::Polyhedron => "polyhedron",
            Form::MaxPlus => "max-plus",
            Form::MinPlus => "min-plus",
            Form::Congruence => "congruence",
            Form::Disjunction => "disjunction",
            Form::Flat => "flat",
            Form::Nested => "nested",
        }
    }

    /// Whether it is looked for unless `--forms` says otherwise.
    pub fn is_default(self) -> bool {
        self != Form::Polyhedron
    }
}

/// A relation that held of everything seen at a location.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub form: Form,
    /// Over the names of the location's variables.
    pub predicate: Predicate,
    pub verdict: Verdict,
    /// Whether the rows give it a reason beyond that they happen to obey it ([`reason`]). Without one it is a guess,
    /// which is good for nothing but to be proved.
    pub has_reason: bool,
}

impl Invariant {
    pub fn is_proved(&self) -> bool {
        !matches!(self.verdict, Verdict::Observed { .. })
    }

    /// The smaller, the more it says: equations, then what is proved, then what was seen.
    fn rank(&self) -> u8 {
        match self.form {
            Form::Equality => 0,
            Form::Disjunction if self.is_proved() => 1,
            _ if matches!(self.predicate, Predicate::Compare(logic::Relation::Eq, ..)) => 1,
            _ if self.is_proved() => 2,
            _ => 3,
        }
    }
}

impl LocationReport {
    /// Leaves out the guesses that are not proved and puts what says most first.
    pub fn settle(&mut self) {
        self.invariants.retain(|invariant| invariant.has_reason || invariant.is_proved());
        self.invariants.sort_by_key(Invariant::rank);
    }
}

/// What was found at one location.
#[derive(Clone, Debug)]
pub struct LocationReport {
    pub location: Location,
    /// How often the location was visited, repetitions included.
    pub visits: u64,
    /// Distinct rows.
    pub samples: usize,
    /// The most informative first.
    pub invariants: Vec<Invariant>,
    /// Relations among arrays.
    pub arrays: Vec<ArrayInvariant>,
    /// What was cut short or left out, in whole sentences.
    pub notes: Vec<String>,
    /// Some of the rows, see [`Evidence::some_rows`].
    pub rows: Vec<Vec<i64>>,
}

/// What was found, location by location in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct InferReport {
    pub locations: Vec<LocationReport>,
    /// Runs of the program that counted.
    pub runs: u64,
    /// Runs that an assumption excluded.
    pub excluded: u64,
    /// What concerns the whole search.
    pub notes: Vec<String>,
    /// What callers owe the entry, where it takes more than numbers.
    pub preconditions: preconditions::Preconditions,
}

/// What runs the program.
#[derive(Clone, Debug, Default)]
pub enum Engine {
    #[default]
    Vm,
    /// The user's compiler; the files and options that the program was loaded with. There are no ghosts and no entry
    /// values then, because they are not in the user's text.
    Native { paths: Vec<PathBuf>, options: cfront::preprocess::Options },
}

/// How a program is looked at.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub request: Request,
    pub engine: Engine,
    /// Values that parameters may take (`--input`).
    pub ranges: Vec<(String, Values)>,
    /// Inputs to run instead of generated ones (`--inputs`).
    pub inputs: Option<Vec<Input>>,
    pub seed: u64,
    pub limits: Limits,
    pub deadline: Deadline,
    pub forms: FormConfig,
    /// Terms to look at beside the variables (`--term`).
    pub terms: Vec<UserTerm>,
    /// The variables to look at; all if there is none (`--vars`).
    pub vars: Vec<String>,
    /// Places whose turn comes later than this have no relations.
    pub relations_until: Option<Instant>,
    pub arrays: arrays::Options,
}

/// Finds relations that hold at the locations of a program whenever it is run.
pub fn infer(program: &Program, entry: FunctionId, config: &Config) -> Result<InferReport, Refusal> {
    if let Some(prepared) = arrays::prepare(program, entry, config)? {
        return infer_prepared(&prepared.program, prepared.entry, &prepared.made, &prepared.config);
    }
    if takes_objects(program, entry) {
        if matches!(config.engine, Engine::Native { .. }) {
            return Err(Refusal::Request("Compiled runs cannot be given objects; use --engine vm.".to_string()));
        }
        if let Some(stubbed) = with_stubs(program) {
            return infer_prepared(&stubbed, entry, &[], config);
        }
    }
    infer_prepared(program, entry, &[], config)
}

/// As [`infer`], for an entry that takes no arrays, or makes those that are here.
pub fn infer_prepared(
    program: &Program,
    entry: FunctionId,
    made: &[observe::harness::HarnessArray],
    config: &Config,
) -> Result<InferReport, Refusal> {
    let objects = takes_objects(program, entry);
    // Strings and buffers are short: powers of the rounds over them would only be interpolated.
    let ghosts = config.request.ghosts && !objects;
    let native = matches!(config.engine, Engine::Native { .. });
    let reads = objects || !native && returns_pointer(program, entry);
    let request = Request { reads, ghosts, ..config.request.clone() };
    let config = &Config { request, ..config.clone() };
    let mut observations = observe_with(program, entry, made, config)?;
    let mut locations = falsify::falsify(&mut observations, config);
    locations.iter_mut().for_each(LocationReport::settle);
    join_arrays(&mut locations, arrays::array_findings(program, entry, made, config)?);
    if reads {
        join_valid(&mut locations);
        let constants = observe::inputs::constants(program).into_iter().collect();
        for location in &mut locations {
            if objects {
                plausible::keep(location, &constants);
            }
            nullness::tell(location);
        }
    }
    let preconditions = match objects {
        true => preconditions::preconditions(program, entry, &observations),
        false => preconditions::Preconditions::default(),
    };
    Ok(InferReport {
        locations,
        runs: observations.runs,
        excluded: observations.excluded,
        notes: observations.notes(),
        preconditions,
    })
}

/// Makes one of a place and of the same place where all its pointers are valid: where they always are, the latter says
/// everything; else it says only what speaks of what pointers lead to.
fn join_valid(locations: &mut Vec<LocationReport>) {
    let mut kept: Vec<LocationReport> = Vec::new();
    for mut report in std::mem::take(locations) {
        if !report.location.pointers_valid {
            kept.push(report);
            continue;
        }
        let plain = report.location.name.trim_end_matches(VALID).to_string();
        let Some(at) = kept.iter().position(|known| known.location.name == plain) else { continue };
        if report.visits == 0 {
            continue;
        }
        if report.visits == kept[at].visits {
            report.location.name = plain;
            report.location.pointers_valid = false;
            report.arrays = std::mem::take(&mut kept[at].arrays);
            kept[at] = report;
            continue;
        }
        let ours: Vec<String> = kept[at].location.variables.iter().map(|v| v.name.clone()).collect();
        let speaks = |invariant: &Invariant| {
            invariant.predicate.variables().into_iter().any(|name| ours.iter().all(|known| known != name))
        };
        report.invariants.retain(speaks);
        if !report.invariants.is_empty() {
            kept.insert(at + 1, report);
        }
    }
    *locations = kept;
}

/// Puts array relations to the locations of their names.
pub fn join_arrays(locations: &mut [LocationReport], found: Vec<arrays::findings::AtLocation>) {
    for at in found {
        let Some(report) = locations.iter_mut().find(|report| report.location.name == at.location) else { continue };
        report.arrays = at.invariants;
        report.notes.extend(at.notes);
        // That there is nothing but arrays is no reason for a note.
        if !at.arrays.is_empty() {
            report.notes.retain(|note| note != runs::NO_NUMBERS);
        }
    }
}

/// Runs the program and keeps what its variables were at the locations.
pub fn observe(program: &Program, entry: FunctionId, config: &Config) -> Result<Observations, Refusal> {
    observe_with(program, entry, &[], config)
}

/// As [`observe`], where the entry asks for the elements of arrays.
pub fn observe_with(
    program: &Program,
    entry: FunctionId,
    made: &[observe::harness::HarnessArray],
    config: &Config,
) -> Result<Observations, Refusal> {
    let mut generator = Generator::new(program, entry, &config.ranges, config.seed)?;
    generator.set_extents(&config.arrays.extents);
    if !made.is_empty() {
        generator.answer_all(observe::harness::questions(made));
    }
    let lengths = generator.recognised_lengths();
    let mut observations = match &config.engine {
        Engine::Vm => {
            let instrumented = instrument(program, entry, &config.request);
            Observations::new(instrumented, generator, config.limits, config.deadline.clone())
        }
        Engine::Native { paths, options } => {
            let request = Request { ghosts: false, ..config.request.clone() };
            let instrumented = instrument(program, entry, &request);
            let (native, instrumented) = Natively::build(program, paths, options, instrumented, &config.deadline)?;
            let mut observations = Observations::new(instrumented, generator, config.limits, config.deadline.clone());
            observations.run_natively(native);
            observations
        }
    };
    for (buffer, length) in lengths {
        let note = format!("`{length}` is taken for the length of `{buffer}`; --extent {buffer}=… says otherwise.");
        observations.instrumented.notes.push(note);
    }
    match &config.inputs {
        Some(inputs) => observations.add(inputs.clone()),
        None => observations.search(),
    }
    Ok(observations)
}

/// The relations that hold of everything observed, location by location.
pub fn relations_of(observations: &Observations, config: &Config) -> Vec<LocationReport> {
    let all: Vec<usize> = (0..observations.locations().len()).collect();
    relations_at(observations, &all, config)
}

/// As [`relations_of`], for the locations of these indices.
pub fn relations_at(observations: &Observations, locations: &[usize], config: &Config) -> Vec<LocationReport> {
    let seen: Vec<(&Location, (Evidence, Vec<String>))> =
        locations.iter().map(|&index| (&observations.locations()[index], observations.evidence_at(index))).collect();
    let report = |(location, (evidence, mut notes)): (&Location, (Evidence, Vec<String>))| {
        let visits = evidence.near.visits() + evidence.far.visits();
        let (mut evidence, more) = terms::extend(evidence, &config.terms);
        notes.extend(more);
        if !config.vars.is_empty() {
            evidence = terms::choose(&evidence, &config.vars);
        }
        let location = Location { variables: evidence.variables().to_vec(), ..location.clone() };
        let mut invariants = Vec::new();
        let is_late = config.relations_until.is_some_and(|until| Instant::now() >= until);
        if !evidence.is_empty() && !is_late {
            let found = relations(&location, &evidence, &config.forms);
            invariants = found.invariants;
            notes.extend(found.notes);
        }
        let (samples, rows) = (evidence.len(), evidence.some_rows());
        LocationReport { location, visits, samples, invariants, arrays: Vec::new(), notes, rows }
    };
    let progress = &config.deadline.progress;
    progress.count("locations", seen.len() as u64);
    seen.into_par_iter().map(report).inspect(|_| progress.add(1)).collect()
}
