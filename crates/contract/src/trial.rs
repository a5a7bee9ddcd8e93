//! Candidates tried on inputs: in the VM, and on the compiled program with inputs that no candidate comes from.

use crate::assigned::{Place, Root};
use crate::buffers::is_character;
use crate::harness::{BROKEN, CALL, CHECK, Copied, DONE, MET};
use crate::variants::is_single;
use crate::vocabulary::Shape;
use crate::{Config, Origin, Report, Standing, Work, each, harnesses, is_seen, load_harnessed};
use cfront::Loaded;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Given, Input, Outcome, Scalar, ValueType};
use ir::{CallGraph, FunctionId, Program};
use observe::inputs::{Generator, c, with_stubs};
use rayon::prelude::*;
use replay::{Binary, Conditions, Marks};
use std::collections::BTreeMap;

/// Inputs of the compiled program at most.
const COMPILED: usize = 48;
const BUDGET: Budget = Budget { steps: 300_000, memory: 1 << 26, depth: 2_000, output: 1 << 18, time_ms: 2_000 };
/// Fresh inputs are those of another seed.
const ANOTHER: u64 = 0x5eed_1e55;

/// Loads the program with harnesses that check, prove and stand in.
pub fn load(config: &Config, works: &mut [Work]) -> Result<Loaded, String> {
    load_harnessed(config, works, &|work| {
        let (requires, clauses) = (work.conditions(), work.clause_texts());
        let checks: Vec<(Option<String>, String)> =
            work.clauses.iter().map(|clause| (clause.when.clone(), clause.c.clone())).collect();
        let mut text = work.subject.check(&requires, &checks);
        text += &work.subject.prove(&requires, &clauses, &[]);
        if !work.copied.is_empty() {
            text += &work.subject.prove(&requires, &clauses, &work.copied);
        }
        if let Some(changed) = &work.changed {
            text += &work.subject.stand_in(&requires, &clauses, changed).unwrap_or_default();
        }
        text
    })
}

/// Which parameters lead to one object each, of which a copy may stand for it; and what a stand-in changes, if that
/// has a text.
pub fn prepare(program: &Program, graph: &CallGraph, works: &mut [Work]) {
    let all: Vec<FunctionId> = program.defined_functions().map(|(id, ..)| id).collect();
    let mut looked_at: BTreeMap<ir::TypeId, bool> = BTreeMap::new();
    for to in works.iter().flat_map(|work| work.subject.looked_at()) {
        looked_at.entry(to).or_insert_with(|| is_single(program, &all, to));
    }
    each(works, |work| {
        let reachable = graph.reachable(work.subject.function);
        let function = &program.functions[work.subject.function];
        let single = |to: ir::TypeId| !is_character(program, to) && is_single(program, &reachable, to);
        let terms = work.subject.terms.iter().filter(|term| term.is_parameter);
        let copied = terms.filter_map(|term| match term.ty {
            Shape::Pointer(to) if work.needs(&term.text) && single(to) => {
                Some(Copied::new(program, function, &term.text, to))
            }
            _ => None,
        });
        work.copied = copied.collect();
        // A stand-in looks at what its parameters lead to, which is no access of the program.
        let looks_well = work.subject.looked_at().iter().all(|to| looked_at[to]);
        if work.assigned.everything.is_some() || work.assigned.releases() || !looks_well {
            return;
        }
        let places: Option<Vec<_>> = work.assigned.places.iter().map(|place| work.given(program, place)).collect();
        work.skips_buffers = places.as_ref().is_some_and(|places| places.iter().any(Option::is_none));
        work.changed = places.map(|places| places.into_iter().flatten().collect());
    });
}

impl Work {
    /// Whether the requirements say that a parameter is not null.
    fn needs(&self, parameter: &str) -> bool {
        let text = format!("{parameter} != \\null");
        self.requires.iter().any(|condition| condition.requirement.text == text)
    }

    /// How a stand-in gives any value to a place: by its text and type, or not at all, as buffers of characters hold
    /// anything wherever stand-ins are used. `None` if that has no text.
    fn given(&self, program: &Program, place: &Place) -> Option<Option<(String, ValueType)>> {
        let ty = self.assigned.type_of(place)?;
        if place.is_buffer() && is_character(program, ty) {
            return Some(None);
        }
        let function = &program.functions[self.subject.function];
        let parameters: Vec<&str> = function.params.iter().map(|param| function.locals[*param].name.as_str()).collect();
        let is_reached = match place.root {
            Root::Parameter(k) => {
                let ty = function.locals[function.params[k]].ty;
                self.needs(parameters[k]) && !matches!(program.types.get(ty), ir::Type::Pointer { to_const: true, .. })
            }
            Root::Global(id) => {
                is_seen(program, id, self.subject.unit) && !parameters.contains(&program.globals[id].name.as_str())
            }
        };
        let ty = ValueType::of(&program.types, ty)?;
        (place.is_exact() && place.is_near() && is_reached).then(|| Some((place.text(program, function), ty)))
    }
}

/// What runs of a check say.
#[derive(Default)]
struct Said {
    done: u64,
    broken: BTreeMap<usize, usize>,
    met: BTreeMap<usize, u64>,
}

impl Said {
    /// Takes what a run printed, which calls as many times as it says. The number of calls that it began.
    fn add(&mut self, outcome: &Outcome, first: usize) -> usize {
        let mut calls = 0;
        for line in String::from_utf8_lossy(&outcome.stdout).lines() {
            let at = first + usize::max(calls, 1) - 1;
            if let Some(number) = line.strip_prefix(BROKEN).and_then(|number| number.parse().ok()) {
                self.broken.entry(number).or_insert(at);
            } else if let Some(number) = line.strip_prefix(MET).and_then(|number| number.parse().ok()) {
                *self.met.entry(number).or_default() += 1;
            } else if line == CALL {
                calls += 1;
            } else if line == DONE {
                self.done += 1;
            }
        }
        calls
    }
}

/// Drops what inputs in the VM break, and what none of them speaks of.
pub fn run_in_vm(loaded: &Loaded, config: &Config, works: &mut [Work]) {
    let stubbed = with_stubs(&loaded.program);
    let program = stubbed.as_ref().unwrap_or(&loaded.program);
    let image = Image::new(program, exec::libc::LIBRARY);
    let entries = harnesses(program, works, CHECK);
    each(works, |work| {
        let Some(&entry) = entries.get(&work.subject.key) else { return };
        let Some(inputs) = inputs(program, entry, config, config.seed ^ ANOTHER, config.inputs) else { return };
        let mut machine = Machine::new(&image);
        let mut said = Said::default();
        for (number, input) in inputs.iter().enumerate() {
            if config.deadline.is_over() {
                break;
            }
            let run = machine.run(entry, input, &BUDGET, Options::default());
            said.add(&run.outcome, number);
        }
        work.runs = said.done;
        for (number, clause) in work.clauses.iter_mut().enumerate() {
            if let Some(&at) = said.broken.get(&number)
                && clause.origin == Origin::User
                && clause.alive
            {
                let input = c::one_line(program, entry, &inputs[at]);
                clause.standing = Some(Standing::Refuted { input, natively: false });
                work.against.push((number, inputs[at].clone()));
            }
            let met = clause.when.is_none() && said.done > 0 || said.met.get(&number).is_some_and(|met| *met >= 2);
            let speaks = met || clause.origin == Origin::User || config.inputs == 0;
            clause.alive &= !said.broken.contains_key(&number) && speaks;
        }
    });
}

fn inputs(program: &Program, entry: FunctionId, config: &Config, seed: u64, count: usize) -> Option<Vec<Input>> {
    let mut generator = Generator::new(program, entry, &[], seed).ok()?;
    let mut inputs = Vec::new();
    while inputs.len() < count && !config.deadline.is_over() {
        let batch = generator.batch((count - inputs.len()).min(64));
        if batch.is_empty() {
            break;
        }
        inputs.extend(batch.into_iter().map(|candidate| candidate.input));
    }
    if inputs.is_empty() && count > 0 {
        inputs.push(Input::default());
    }
    Some(inputs)
}

/// Drops what the compiled program breaks on inputs of another seed.
pub fn run_compiled(loaded: &Loaded, config: &Config, works: &mut [Work], report: &mut Report) {
    for unit in 0..config.files.len() {
        let own: Vec<usize> = (0..works.len())
            .filter(|index| works[*index].subject.unit == unit && works[*index].clauses.iter().any(|c| c.alive))
            .collect();
        if own.is_empty() || config.deadline.is_over() || config.inputs == 0 {
            continue;
        }
        let entries = harnesses(&loaded.program, works, CHECK);
        let Some(binary) = build(loaded, config, works, &own, unit, &entries) else {
            report.notes.push(format!("{} was not compiled with its checks.", config.files[unit].display()));
            continue;
        };
        let said: Vec<Said> = own
            .par_iter()
            .enumerate()
            .map(|(turn, index)| {
                let mut said = Said::default();
                let work = &works[*index];
                let Some(&entry) = entries.get(&work.subject.key) else { return said };
                let seed = config.seed ^ ANOTHER.rotate_left(13);
                let fresh = inputs(&loaded.program, entry, config, seed, COMPILED).unwrap_or_default();
                let against = work.against.iter().map(|(_, input)| input.clone());
                let all: Vec<Vec<Scalar>> = against.chain(fresh).filter_map(|input| encoded(&input)).collect();
                let mut at = 0;
                while at < all.len() && !config.deadline.is_over() {
                    let conditions = Conditions { cancel: Some(&config.deadline.cancel), ..Conditions::default() };
                    let Ok(run) = binary.run(&together(turn, &all[at..]), &BUDGET, &conditions) else { break };
                    // A call that ends the process is the last of its run; the next begins behind it.
                    at += said.add(&run.outcome, at).max(1);
                }
                said
            })
            .collect();
        for (index, said) in own.into_iter().zip(said) {
            let work = &mut works[index];
            work.natively = said.done;
            for (number, clause) in work.clauses.iter_mut().enumerate() {
                let broken = said.broken.contains_key(&number);
                if let Some(Standing::Refuted { natively, .. }) = &mut clause.standing {
                    *natively = broken;
                }
                if !clause.alive {
                    continue;
                }
                report.tried += usize::from(said.done > 0);
                report.fell += usize::from(broken);
                clause.alive = !broken;
            }
        }
    }
}

/// The arguments of an input as numbers; none for one that sets globals. What is read from elsewhere is not there.
fn encoded(input: &Input) -> Option<Vec<Scalar>> {
    let mut numbers = Vec::new();
    match input.arguments.is_empty() {
        true => numbers.extend(&input.params),
        false => {
            for given in &input.arguments {
                Given::encode(given, &mut numbers).ok()?;
            }
        }
    }
    input.globals.is_empty().then_some(numbers)
}

/// Many calls of one function as one input: its number, that of the calls, and the arguments of each.
fn together(turn: usize, calls: &[Vec<Scalar>]) -> Input {
    let head = [Scalar::Int(turn as i128), Scalar::Int(calls.len() as i128)];
    Input { params: head.into_iter().chain(calls.iter().flatten().copied()).collect(), ..Input::default() }
}

/// One binary for all functions of a unit: its entry calls the one that the first number says.
fn build(
    loaded: &Loaded,
    config: &Config,
    works: &[Work],
    own: &[usize],
    unit: usize,
    entries: &BTreeMap<String, FunctionId>,
) -> Option<Binary> {
    let program = &loaded.program;
    let path = &config.files[unit];
    let mut text = cfront::preprocess::read_text(path.to_str()?)?.into_bytes();
    text.push(b'\n');
    let mut calls = String::new();
    for (turn, index) in own.iter().enumerate() {
        let work = &works[*index];
        let clauses: Vec<(Option<String>, String)> =
            work.clauses.iter().map(|clause| (clause.when.clone(), clause.c.clone())).collect();
        text.extend(work.subject.check(&work.conditions(), &clauses).bytes());
        let Some(entry) = entries.get(&work.subject.key) else { continue };
        let Ok(arguments) = replay::argument_expressions(program, *entry) else { continue };
        let given: Vec<String> = (0..arguments.len()).map(|k| format!("plumb_given_{k}")).collect();
        let made: String =
            arguments.iter().zip(&given).map(|(argument, name)| format!("__auto_type {name} = {argument}; ")).collect();
        let name = format!("{CHECK}{}", work.subject.key);
        calls += &format!("plumb_which == {turn} ? ({{ {made} {name}({}); 0; }}) : ", given.join(", "));
    }
    let of_unit = &works[*own.first()?];
    let marks = Marks { arguments: Some(Vec::new()), ..Marks::default() };
    let original = of_unit.in_program(program)?;
    let (prepared, _) = replay::prepare_marked(program, &config.files, &config.options, original, &[], &marks).ok()?;
    let mut recipe = prepared.recipe;
    text.extend(
        b"extern int plumb_flush(void *) __asm__(\"fflush\");\n\
          static void plumb_check_called(int plumb_done) { (void)plumb_done; }\n"
            .iter(),
    );
    let entry = recipe.entry.as_mut()?;
    entry.source = unit;
    entry.name = "plumb_check_called".to_string();
    entry.result = None;
    entry.outside = None;
    entry.arguments = Some(vec![format!(
        "({{ long plumb_which = (long)plumb_param_int(plumb_at++), plumb_calls = (long)plumb_param_int(plumb_at++); \
         while (plumb_calls-- > 0) {{ __builtin_printf(\"\\n{CALL}\\n\"); plumb_flush(0); {calls} 0; }} 0; }})"
    )]);
    recipe.sources[unit].text = Some(text);
    recipe.sanitize = true;
    match replay::compile(&recipe, Some(&config.deadline.cancel)) {
        Ok(binary) => Some(binary),
        Err(error) => {
            // Without its definition nothing is linked; such functions end the run.
            recipe.missing = error.undefined();
            replay::compile(&recipe, Some(&config.deadline.cancel)).ok()
        }
    }
}
