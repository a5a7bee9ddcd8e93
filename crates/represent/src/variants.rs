//! Variants of a sample: representations with the same canonical value, each one checked by running the program.
//!
//! The solver works through its questions one after the other; meanwhile what it chose before is turned into representations,
//! and the normalisation program is run on them in the VM, on all threads. A variant is kept if the program's outputs are
//! those of the sample, byte for byte and all of them written. That the inverse is right is thereby checked on every variant
//! by code that shares nothing with the inversion but the front end.
//!
//! *Cost*: variants are a stream. Each is handed on and forgotten but for what was chosen, from which it can be made again;
//! memory is that of some copies of the data, whatever the number of variants.

use super::execute::{Chosen, Frame, Preimage, Source, check_outputs, execute};
use super::formula::ParamId;
use super::ground::Exhausted;
use super::invert::Inverse;
use super::language::{Normalisation, Role};
use super::solve::Ensurer;
use super::values::{Array, Value, Values, from_bytes};
use diagnostics::Span;
use exec::vm::{Given, Image, Machine};
use exec::{Budget, Ending};
use ir::Program;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many variants are made at a time.
const BATCH: usize = 16;
/// After how many batches without a new variant the search is given up.
const FRUITLESS: usize = 40;

/// Why a sample cannot be used.
#[derive(Clone, PartialEq, Debug)]
pub struct BadSample {
    pub span: Span,
    pub message: String,
}

/// The program, ready to be run on representations.
pub struct Normaliser<'p> {
    normalisation: &'p Normalisation,
    image: Image<'p>,
    budget: Budget,
}

impl<'p> Normaliser<'p> {
    pub fn new(program: &'p Program, normalisation: &'p Normalisation) -> Normaliser<'p> {
        Normaliser { normalisation, image: Image::new(program, exec::libc::LIBRARY), budget: Budget::default() }
    }

    /// What the program writes for a representation, or how the run ended instead.
    fn outputs(&self, machine: &mut Machine<'_>, values: &Values) -> Result<Vec<Output>, Ending> {
        let normalisation = self.normalisation;
        let unsupported = |what: String| Ending::Unsupported { what, span: normalisation.span };
        let mut frame = Frame::new(normalisation, values.clone());
        let ids = || (0..normalisation.params.len() as u32).map(ParamId);
        let bytes: Vec<Vec<u8>> = ids().map(|id| values.bytes(normalisation, id)).collect();
        let (mut given, mut lengths) = (Vec::new(), Vec::new());
        for (id, bytes) in ids().zip(&bytes) {
            let param = normalisation.param(id);
            let dims = frame.lengths(&param.dims).map_err(|stuck| unsupported(stuck.0))?;
            if param.role == Role::Input {
                given.push(values.given(normalisation, id, bytes));
                continue;
            }
            given.push(Given::Unwritten(dims.iter().product::<usize>() as u64 * param.kind.bytes()));
            lengths.push(dims);
        }
        let applied = machine.apply(normalisation.function, &given, &self.budget, exec::vm::Options::default());
        if !matches!(applied.ending, Ending::Returned(_)) {
            return Err(applied.ending);
        }
        let written = normalisation.ids(Role::Output).zip(lengths).zip(applied.objects);
        let output = |((id, dims), object): ((ParamId, Vec<usize>), Option<Vec<u8>>)| match object {
            Some(bytes) => Ok(Output { id, dims, bytes }),
            None => {
                let name = &normalisation.param(id).name;
                Err(unsupported(format!("the output `{name}`, of which a part is not assigned")))
            }
        };
        written.map(output).collect()
    }

    /// The canonical value of a sample, or what is wrong with the sample.
    pub fn canonical(&self, sample: &Values) -> Result<Values, BadSample> {
        let bad = |span, message: String| Err(BadSample { span, message });
        let mut machine = Machine::new(&self.image);
        let outputs = match self.outputs(&mut machine, sample) {
            Ok(outputs) => outputs,
            Err(Ending::Assumed { span }) => {
                return bad(span, "the sample violates this assumption".into());
            }
            Err(Ending::Faulted(finding)) => {
                return bad(finding.span, format!("the program fails on the sample: {}", finding.message));
            }
            Err(Ending::Unsupported { what, span }) => {
                return bad(span, format!("the program cannot be run on the sample: {what}"));
            }
            Err(other) => return bad(self.normalisation.span, format!("the program does not finish: {other:?}")),
        };
        let mut canonical = Values::empty(self.normalisation);
        for Output { id, dims, bytes } in outputs {
            let elements = from_bytes(self.normalisation.param(id).kind, &bytes);
            let value = match self.normalisation.param(id).dims.is_empty() {
                true => Value::Scalar(elements[0]),
                false => Value::Array(Array { dims, elements }),
            };
            canonical.set(id, value);
        }
        match check_outputs(self.normalisation, sample, &canonical) {
            Ok(()) => Ok(canonical),
            Err(stuck) => bad(self.normalisation.span, format!("on the sample, {}", stuck.0)),
        }
    }

    /// Whether a representation has the canonical value.
    fn is_right(&self, machine: &mut Machine<'_>, values: &Values, canonical: &Values) -> bool {
        let as_wanted = |output: &Output| {
            let dims = canonical.array(output.id).map_or(&[][..], |array| &array.dims);
            output.dims == dims && output.bytes == canonical.bytes(self.normalisation, output.id)
        };
        self.outputs(machine, values).is_ok_and(|outputs| outputs.iter().all(as_wanted))
    }
}

/// What a run has written behind a parameter.
struct Output {
    id: ParamId,
    dims: Vec<usize>,
    bytes: Vec<u8>,
}

/// Something about a representation that is not determined by the canonical value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    /// A scalar, or an array of which elements are chosen.
    Value(ParamId),
    /// The elements of an array that may be anything.
    Slack(ParamId),
}

/// A representation of the canonical value, known by how it is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    pub chosen: Chosen,
    /// What the elements that may be anything are drawn from.
    seed: u64,
    /// Where they come from.
    filling: Filling,
    pub scalars: BTreeMap<ParamId, i64>,
    /// How many elements of each array may be anything.
    pub slack: BTreeMap<u32, usize>,
    /// Whether anything in it was left to chance.
    by_chance: bool,
    /// The fields in which it differs from the sample.
    pub differing: BTreeSet<Field>,
}

/// Where the elements of a variant come from that may be anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Filling {
    Chance,
    Shuffled,
    Sample,
}

impl Filling {
    fn source(self, sample: &Values) -> Source<'_> {
        match self {
            Filling::Chance => Source::Chance,
            Filling::Shuffled => Source::Shuffled(sample),
            Filling::Sample => Source::Sample(sample),
        }
    }
}

/// The fields in which some variant differs from the sample.
pub fn fields(variants: &[Variant]) -> Vec<Field> {
    let all: BTreeSet<Field> = variants.iter().flat_map(|v| v.differing.iter().copied()).collect();
    all.into_iter().collect()
}

/// A sample, and what variants of it are made with.
pub struct Material<'a> {
    pub inverse: &'a Inverse,
    pub normaliser: &'a Normaliser<'a>,
    pub sample: &'a Values,
    pub canonical: &'a Values,
    pub seed: u64,
    /// Work stops soon after it is raised.
    pub cancel: &'a Arc<AtomicBool>,
}

impl Material<'_> {
    /// Runs the inverse on what is chosen, and the program on what it made. Nothing if that is not the canonical value.
    fn make(&self, machine: &mut Machine<'_>, chosen: Chosen, seed: u64) -> Option<(Variant, Values)> {
        // Chance may run out of the types where sums are involved; the sample's own values never do.
        for filling in [Filling::Chance, Filling::Shuffled, Filling::Sample] {
            let made = execute(self.inverse, self.canonical, &chosen, seed, filling.source(self.sample));
            if let Ok(Preimage { values, slack, by_chance }) = made
                && self.normaliser.is_right(machine, &values, self.canonical)
            {
                let normalisation = &self.inverse.normalisation;
                let scalars = normalisation.ids(Role::Input).filter_map(|id| Some((id, values.scalar(id)?))).collect();
                let differing = self.differing(&values, &slack);
                return Some((Variant { chosen, seed, filling, scalars, slack, by_chance, differing }, values));
            }
        }
        None
    }

    fn differing(&self, values: &Values, slack: &BTreeMap<u32, usize>) -> BTreeSet<Field> {
        let normalisation = &self.inverse.normalisation;
        let mut differing = BTreeSet::new();
        for id in normalisation.ids(Role::Input) {
            let is_scalar = normalisation.param(id).dims.is_empty();
            if (is_scalar || self.inverse.chosen.contains(&id)) && values.get(id) != self.sample.get(id) {
                differing.insert(Field::Value(id));
            }
            if !is_scalar && slack.get(&id.0).is_some_and(|count| *count > 0) {
                differing.insert(Field::Slack(id));
            }
        }
        differing
    }

    /// The representation that a variant is.
    pub fn values(&self, variant: &Variant) -> Values {
        let source = variant.filling.source(self.sample);
        let made = execute(self.inverse, self.canonical, &variant.chosen, variant.seed, source);
        made.expect("a variant should be made again, because nothing in its making is left to chance").values
    }

    /// A representation from what is chosen, with everything that may be anything as in the sample if that is asked for.
    pub fn near(&self, chosen: &Chosen, like_sample: bool) -> Option<Values> {
        let filling = if like_sample { Filling::Sample } else { Filling::Chance };
        let made = execute(self.inverse, self.canonical, chosen, self.seed, filling.source(self.sample)).ok()?;
        let mut machine = Machine::new(&self.normaliser.image);
        self.normaliser.is_right(&mut machine, &made.values, self.canonical).then_some(made.values)
    }

    /// Makes a variant of each choice, on all threads, in order.
    fn make_all(&self, batch: Vec<(Chosen, u64)>) -> Vec<Option<(Variant, Values)>> {
        let start = || Machine::new(&self.normaliser.image);
        batch.into_par_iter().map_init(start, |machine, (chosen, seed)| self.make(machine, chosen, seed)).collect()
    }
}

/// What is chosen for one variant after the other.
struct Choices<'a> {
    ensurer: Ensurer<'a>,
    random: fastrand::Rng,
    given: Vec<Chosen>,
    finished: Option<Exhausted>,
}

impl Choices<'_> {
    /// So many choices, or fewer if there is nothing to choose. When all that can be chosen was chosen, what is left to
    /// chance still makes a difference.
    fn take(&mut self, count: usize) -> Vec<(Chosen, u64)> {
        let mut batch = Vec::new();
        while batch.len() < count {
            if self.finished.is_none() {
                match self.ensurer.another() {
                    Ok(chosen) => {
                        self.given.push(chosen.clone());
                        batch.push((chosen, self.random.u64(..)));
                        continue;
                    }
                    Err(why) => self.finished = Some(why),
                }
            }
            if self.given.is_empty() {
                break;
            }
            let chosen = self.given[self.random.usize(0..self.given.len())].clone();
            batch.push((chosen, self.random.u64(..)));
        }
        batch
    }
}

/// Variants, and how they came about.
#[derive(Clone, Debug, Default)]
pub struct Variants {
    pub variants: Vec<Variant>,
    /// What was tried and did not have the canonical value; these never leave this place.
    pub rejected: usize,
    /// Why there are fewer than asked for: a clause.
    pub short: Option<String>,
    /// How many ways through the program's branches were found.
    pub ways: usize,
}

/// Many different representations of the sample's canonical value, each given to `each` as soon as it is made.
pub fn variants<E>(
    material: &Material<'_>,
    count: usize,
    mut each: impl FnMut(&Variant, &Values) -> Result<(), E>,
) -> Result<Variants, E> {
    let Material { inverse, canonical, sample, seed, cancel, .. } = *material;
    let mut result = Variants::default();
    let ensurer = match Ensurer::new(inverse, canonical, sample, seed, cancel) {
        Ok(ensurer) => ensurer,
        Err(Exhausted::Unknown(why)) => {
            result.short = Some(why);
            return Ok(result);
        }
        Err(Exhausted::NoMore) => return Ok(result),
    };
    result.ways = ensurer.ways();
    let random = fastrand::Rng::with_seed(seed ^ 0x5EED);
    let mut choices = Choices { ensurer, random, given: Vec::new(), finished: None };
    // Prints of 64 bits: two that are alike by accident cost one variant.
    let mut seen = HashSet::from([print_of(&sample.of_role(&inverse.normalisation, Role::Input))]);
    let mut fruitless = 0;
    // Whether something was left to chance, so that what was tried is not all there is.
    let mut chance = false;
    let mut tried = 0;
    let mut batch = choices.take(count.min(BATCH));
    while !batch.is_empty() && fruitless < FRUITLESS {
        if cancel.load(Ordering::Relaxed) {
            choices.finished = Some(Exhausted::Unknown("the time is over".to_string()));
            break;
        }
        let missing = count - result.variants.len();
        let ahead = (missing - batch.len()).min(BATCH);
        let (next, made) = rayon::join(|| choices.take(ahead), || material.make_all(batch));
        let before = result.variants.len();
        tried += made.len();
        let settled = choices.finished == Some(Exhausted::NoMore);
        let mut open = false;
        for made in made {
            open |= made.as_ref().is_none_or(|(variant, _)| variant.by_chance);
            match made {
                Some((variant, values)) if seen.insert(print_of(&values)) => {
                    each(&variant, &values)?;
                    result.variants.push(variant);
                }
                Some(_) => {}
                None => result.rejected += 1,
            }
        }
        chance |= open;
        fruitless = if result.variants.len() == before { fruitless + 1 } else { 0 };
        // Everything was chosen, nothing is left to chance: the same would come again.
        if settled && !chance && fruitless > 1 {
            break;
        }
        batch = next;
        if batch.is_empty() {
            batch = choices.take((count - result.variants.len()).min(BATCH));
        }
    }
    if result.variants.len() < count {
        // A search that ends is a proof only if the solver had the whole question and nothing was left to chance.
        let complete = !chance && result.rejected == 0 && inverse.ensure.unsolved == 0;
        result.short = Some(match (choices.finished, choices.ensurer.narrowed()) {
            (Some(Exhausted::Unknown(why)), _) => format!("the search stopped, {why}"),
            (Some(Exhausted::NoMore), []) if complete => "there are no more that differ".to_string(),
            (Some(Exhausted::NoMore), [first, ..]) if complete => {
                format!("there are no more where {first}, and others were not looked for")
            }
            _ => format!("{tried} were tried, and there may be more"),
        });
    }
    Ok(result)
}

fn print_of(values: &Values) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    hasher.finish()
}
