//! From a loaded program to the recipe of its native twin: the entry's driver, and probes for what the program model
//! knows and the compiler does not.
//!
//! The program model takes `vtrace…(x, y)` as a trace point and `vassume(c)` as an assumption even where the program
//! defines them (benchmark files define them empty). The compiler runs those definitions, so a probe goes before each
//! such call.

use super::compile::{Entry, Outside, Recipe, Source};
use cfront::preprocess::Options;
use cfront::probe::{Action, Position, Probe, Sites, SitesFailure, ValueKind};
use diagnostics::Span;
use exec::{ValueType, Variable};
use ir::{
    Base, Expr, ExprKind, Function, FunctionId, GlobalKind, Linkage, LocalKind, Program, StmtKind, TracePoint, Type,
    TypeId,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What to compile, and what will not be seen when it runs.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub recipe: Recipe,
    pub unobserved: Vec<Unobserved>,
}

/// A trace point or assumption that a native run does not notice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unobserved {
    pub span: Span,
    /// A clause: what, and why.
    pub why: String,
}

/// Why there is no recipe.
#[derive(Clone, Debug)]
pub enum NotPrepared {
    /// The entry cannot be called with given values.
    Entry(String),
    /// The files could not be read again.
    Files(SitesFailure),
}

impl std::fmt::Display for NotPrepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotPrepared::Entry(why) => f.write_str(why),
            NotPrepared::Files(SitesFailure::Environment(error)) => f.write_str(&error.message),
            NotPrepared::Files(SitesFailure::Program(findings)) => {
                let message = findings.first().map_or("they changed", |finding| finding.message.as_str());
                write!(f, "the program's files cannot be read again: {message}")
            }
        }
    }
}

impl std::error::Error for NotPrepared {}

/// A place to observe that is no trace point of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watch {
    pub position: Position,
    /// The name of the point.
    pub name: String,
    /// Names of variables that are in scope there and have values.
    pub variables: Vec<Variable>,
}

/// Prepares the native twin of a program, loaded from these paths with these options.
pub fn prepare(
    program: &Program,
    paths: &[PathBuf],
    options: &Options,
    entry: FunctionId,
) -> Result<Prepared, NotPrepared> {
    prepare_watched(program, paths, options, entry, &[])
}

/// As [`prepare`], with further places to observe.
pub fn prepare_watched(
    program: &Program,
    paths: &[PathBuf],
    options: &Options,
    entry: FunctionId,
    watches: &[Watch],
) -> Result<Prepared, NotPrepared> {
    prepare_marked(program, paths, options, entry, watches, &Marks::default()).map(|(prepared, _)| prepared)
}

/// What to tell about the way a run takes, and how the entry is called.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Places whose passing is counted, by the number of their counter.
    pub counted: Vec<Position>,
    /// Statements whose outcomes are counted: the two counters behind those of `counted` for each.
    pub outcomes: Vec<Span>,
    /// Statements whose `switch` value is recorded, in points named by their number here.
    pub selected: Vec<Span>,
    /// The arguments of the entry's call, where it takes more than numbers.
    pub arguments: Option<Vec<String>>,
    /// The globals that are set before the call.
    pub globals: Vec<String>,
}

/// Which marks could not be made: numbers of `counted`, `outcomes` and `selected`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unmarked {
    pub counted: BTreeSet<usize>,
    pub outcomes: BTreeSet<usize>,
    pub selected: BTreeSet<usize>,
}

/// The arguments of a call of the entry, as expressions that make them of the numbers of an input ([`exec::Given::encode`]).
/// An error says what cannot be made.
pub fn argument_expressions(program: &Program, entry: FunctionId) -> Result<Vec<String>, String> {
    let function = &program.functions[entry];
    let mut arguments = Vec::new();
    for (number, &param) in function.params.iter().enumerate() {
        let local = &function.locals[param];
        arguments.push(match program.types.get(local.ty) {
            Type::Int(kind) => format!("(__extension__ ({})plumb_param_int(plumb_at++))", kind.c_name()),
            Type::Float(kind) => format!("(({})plumb_param_float(plumb_at++))", kind.c_name()),
            Type::Pointer { .. } if number < 256 => format!("plumb_pointer(&plumb_at, {number})"),
            _ => {
                let why = format!("the parameter `{}` is passed as a record, which the replay cannot make", local.name);
                return Err(why);
            }
        });
    }
    Ok(arguments)
}

/// The units of a program as all its entries share them.
pub fn units(program: &Program, paths: &[PathBuf], options: &Options) -> Recipe {
    let source = |(unit, path): (usize, &PathBuf)| Source {
        flags: options.file_flags.get(path).cloned(),
        statics: statics(program, unit),
        ..Source::file(path)
    };
    let mut recipe = Recipe::new(paths.iter().enumerate().map(source));
    recipe.flags = options.flags.clone();
    recipe.compiler = Some(options.cc.clone());
    recipe.time = options.time_limit;
    recipe
}

/// What is `static` in a unit and written there.
fn statics(program: &Program, unit: usize) -> Vec<String> {
    let here = Linkage::Internal { unit: unit as u32 };
    let is_system = |span| program.sources.used(span).is_none_or(|at| program.sources.file(at.start.file).system);
    let functions = program.defined_functions().map(|(_, function, _)| function);
    let functions = functions.filter(|function| function.linkage == here && !is_system(function.span));
    let variables = program.globals.values().filter(|global| global.kind == GlobalKind::Variable);
    let variables = variables.filter(|global| global.linkage == here && global.init.is_some());
    let names: BTreeSet<String> =
        functions.map(|function| &function.name).chain(variables.map(|global| &global.name)).cloned().collect();
    names.into_iter().collect()
}

/// As [`prepare_watched`], with marks on the way.
pub fn prepare_marked(
    program: &Program,
    paths: &[PathBuf],
    options: &Options,
    entry: FunctionId,
    watches: &[Watch],
    marks: &Marks,
) -> Result<(Prepared, Unmarked), NotPrepared> {
    let recipe = units(program, paths, options);
    let mut wanted = Wanted { program, recipe, probes: Vec::new(), spans: Vec::new(), unobserved: Vec::new() };
    let defines = |name: &str| program.defined_functions().any(|(_, function, _)| function.name == name);
    let assumes = defines("vassume");
    let mut stubs = BTreeSet::new();
    // The condition's text is known only after the files are read again; remember where it stands.
    let mut assumptions = Vec::new();
    for (_, function, body) in program.defined_functions() {
        body.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Trace(point) => {
                wanted.trace(function, point, stmt.span);
                if !defines(&point.name) {
                    stubs.insert(point.name.clone());
                }
            }
            StmtKind::Assume(condition) if assumes => assumptions.push((function, condition, stmt.span)),
            _ => {}
        });
    }
    wanted.recipe.stubs = stubs.into_iter().collect();
    watches.iter().for_each(|watch| wanted.watch(watch));
    let first_mark = wanted.probes.len();
    wanted.mark(marks);
    let function = &program.functions[entry];
    let written_in = unit_written_in(program, function, paths);
    let is_unplaced = function.name != "main" && paths.len() > 1 && written_in.is_none();
    let needs_sites = !wanted.probes.is_empty() || !assumptions.is_empty() || is_unplaced;
    let sites = if needs_sites { Some(Sites::read(paths, options).map_err(NotPrepared::Files)?) } else { None };
    if function.name != "main" {
        let seen_in = || sites.as_ref().and_then(|sites| sites.unit_of(function.span));
        let source = written_in.or_else(seen_in).unwrap_or(0);
        let statics = &wanted.recipe.sources[source].statics;
        wanted.recipe.entry = Some(driver_of(program, function, source, statics, marks)?);
    }
    let mut unmarked = Unmarked::default();
    if let Some(sites) = &sites {
        for (function, condition, span) in assumptions {
            wanted.assume(sites, function, condition, span);
        }
        for index in wanted.insert(sites) {
            let Some(mark) = index.checked_sub(first_mark) else { continue };
            let (counted, outcomes) = (marks.counted.len(), marks.outcomes.len());
            if mark < counted {
                unmarked.counted.insert(mark);
            } else if mark < counted + outcomes {
                unmarked.outcomes.insert(mark - counted);
            } else if mark < counted + outcomes + marks.selected.len() {
                unmarked.selected.insert(mark - counted - outcomes);
            }
        }
    }
    Ok((Prepared { recipe: wanted.recipe, unobserved: wanted.unobserved }, unmarked))
}

/// The unit whose own file a function stands in; that of a function in a header is known from the text alone.
fn unit_written_in(program: &Program, function: &Function, paths: &[PathBuf]) -> Option<usize> {
    let region = program.sources.used(function.span)?;
    let file = &program.sources.file(region.start.file).path;
    let mut same = (0..paths.len()).filter(|index| paths[*index].to_string_lossy() == file.as_str());
    // A file that is given twice, or that another one includes, needs a closer look.
    let only = same.next()?;
    same.next().is_none().then_some(only)
}

fn driver_of(
    program: &Program,
    function: &Function,
    source: usize,
    statics: &[String],
    marks: &Marks,
) -> Result<Entry, NotPrepared> {
    let (arguments, globals) = (marks.arguments.clone(), marks.globals.clone());
    let mut params = Vec::new();
    let result = program.types.signature(function.ty).and_then(|s| ValueType::of(&program.types, s.result));
    let outside = outside(program, function, statics, &globals);
    if arguments.is_some() {
        return Ok(Entry { source, name: function.name.clone(), params, result, arguments, globals, outside });
    }
    for &param in &function.params {
        let local = &function.locals[param];
        let Some(ty) = ValueType::of(&program.types, local.ty) else {
            let why =
                format!("`{}` cannot be the entry: its parameter `{}` is not a number", function.name, local.name);
            return Err(NotPrepared::Entry(why));
        };
        params.push(ty);
    }
    Ok(Entry { source, name: function.name.clone(), params, result, arguments, globals, outside })
}

/// How a driver outside the unit calls the entry and sets the globals, if it can.
fn outside(program: &Program, function: &Function, statics: &[String], globals: &[String]) -> Option<Outside> {
    let types = &program.types;
    let signature = types.signature(function.ty)?;
    // Arguments of a function without a prototype are converted before they are passed.
    if signature.unprototyped {
        return None;
    }
    let passed = |ty: TypeId| match types.get(ty) {
        Type::Int(kind) => Some(kind.c_name().to_string()),
        Type::Float(kind) => Some(kind.c_name().to_string()),
        Type::Pointer { .. } => Some("void *".to_string()),
        _ => None,
    };
    let result = match types.get(signature.result) {
        Type::Void => "void".to_string(),
        _ => passed(signature.result)?,
    };
    let mut params = signature.params.iter().map(|param| passed(*param)).collect::<Option<Vec<_>>>()?;
    if signature.variadic {
        params.push("...".to_string());
    }
    let is_seen = |linkage: Linkage, name: &String| linkage == Linkage::External || statics.contains(name);
    let size = |name: &String| {
        let global = program.globals.values().find(|global| global.name == *name)?;
        is_seen(global.linkage, name).then(|| types.size_of(global.ty)).flatten()
    };
    let sizes = globals.iter().map(size).collect::<Option<Vec<_>>>()?;
    is_seen(function.linkage, &function.name).then_some(Outside { result, params, sizes })
}

struct Wanted<'p> {
    program: &'p Program,
    recipe: Recipe,
    probes: Vec<Probe>,
    /// Of each probe, for the report.
    spans: Vec<Span>,
    unobserved: Vec<Unobserved>,
}

impl Wanted<'_> {
    fn trace(&mut self, function: &Function, point: &TracePoint, span: Span) {
        let mut variables = Vec::new();
        let mut values = Vec::new();
        for (name, value) in &point.values {
            let Some(ty) = ValueType::of(&self.program.types, value.ty) else {
                let why = format!("the trace point `{}` records `{name}`, which is not a number", point.name);
                self.unobserved.push(Unobserved { span, why });
                return;
            };
            if has_effects(function, value) {
                let why =
                    format!("the trace point `{}` records `{name}`, whose evaluation has side effects", point.name);
                self.unobserved.push(Unobserved { span, why });
                return;
            }
            variables.push(Variable::new(name.clone(), ty));
            values.push((name.clone(), value_kind(ty)));
        }
        let point = self.recipe.points.declare(&point.name, &variables).0;
        self.probes.push(Probe { position: Position::Before(span), action: Action::Row { point, values } });
        self.spans.push(span);
    }

    fn watch(&mut self, watch: &Watch) {
        let values = watch.variables.iter().map(|v| (v.name.clone(), value_kind(v.ty))).collect();
        let point = self.recipe.points.declare(&watch.name, &watch.variables).0;
        self.probes.push(Probe { position: watch.position, action: Action::Row { point, values } });
        self.spans.push(span_of(watch.position));
    }

    fn mark(&mut self, marks: &Marks) {
        let outcomes = marks.counted.len() as u32;
        let decisions = marks.outcomes.iter().map(|span| Position::Decision(*span));
        for (counter, position) in (0u32..).zip(&marks.counted) {
            self.probes.push(Probe { position: *position, action: Action::Count { counter } });
            self.spans.push(span_of(*position));
        }
        for (k, position) in (0u32..).zip(decisions) {
            let counter = outcomes + 2 * k;
            self.probes.push(Probe { position, action: Action::Outcome { counter } });
            self.spans.push(span_of(position));
        }
        for (k, span) in marks.selected.iter().enumerate() {
            let value = Variable::new("value", ValueType::Int(ir::IntKind::LongLong));
            let point = self.recipe.points.declare(&format!("switch {k}"), &[value]).0;
            let position = Position::Decision(*span);
            self.probes.push(Probe { position, action: Action::Selected { point } });
            self.spans.push(*span);
        }
        self.recipe.counters = outcomes + 2 * marks.outcomes.len() as u32;
    }

    fn assume(&mut self, sites: &Sites, function: &Function, condition: &Expr, span: Span) {
        let text = match sites.text(condition.span) {
            Ok(text) if !has_effects(function, condition) => text.to_string(),
            Ok(_) => {
                let why = "the assumption has side effects".to_string();
                self.unobserved.push(Unobserved { span, why });
                return;
            }
            Err(refusal) => {
                self.unobserved.push(Unobserved { span, why: format!("the assumption cannot be observed: {refusal}") });
                return;
            }
        };
        self.probes.push(Probe { position: Position::Before(span), action: Action::Assume { condition: text } });
        self.spans.push(span);
    }

    /// Gives the numbers of the probes that could not be inserted.
    fn insert(&mut self, sites: &Sites) -> Vec<usize> {
        let probed = sites.insert(&self.probes);
        for (unit, text) in probed.texts {
            self.recipe.sources[unit].text = Some(text.into_bytes());
        }
        let refused = probed.refused.iter().map(|(index, _)| *index).collect();
        for (index, refusal) in probed.refused {
            self.unobserved.push(Unobserved { span: self.spans[index], why: refusal.to_string() });
        }
        self.unobserved.sort_by_key(|unobserved| (unobserved.span.lo, unobserved.span.hi));
        refused
    }
}

fn span_of(position: Position) -> Span {
    match position {
        Position::Before(span)
        | Position::LoopHead(span)
        | Position::FunctionStart(span)
        | Position::Decision(span) => span,
    }
}

fn value_kind(ty: ValueType) -> ValueKind {
    match ty {
        ValueType::Int(kind) => ValueKind::Int(kind),
        ValueType::Float(kind) => ValueKind::Float(kind),
    }
}

/// The front end moves side effects in front of the statement and leaves their values in temporaries.
fn has_effects(function: &Function, value: &Expr) -> bool {
    let mut found = false;
    value.walk(&mut |expr| {
        if let ExprKind::Load(lvalue) = &expr.kind
            && let Base::Local(local) = &lvalue.base
        {
            found |= function.locals[*local].kind == LocalKind::Temporary;
        }
    });
    found
}
