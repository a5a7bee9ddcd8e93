//! Variants of a sample: representations with the same canonical value, each one checked by running the program.
//!
//! The solver works through its questions one after the other; what it chose is turned into representations, and the
//! normalisation program is run on them in the VM, on all threads. A variant is kept if the program's outputs are those
//! of the sample, byte for byte and all of them written. That the inverse is right is thereby checked on every variant by code
//! that shares nothing with the inversion but the front end.

use super::execute::{Chosen, Frame, Made, check_outputs, execute};
use super::formula::ParamId;
use super::invert::Inverse;
use super::language::{Normalisation, Role};
use super::solve::{Ensurer, Exhausted};
use super::values::{Array, Value, Values, from_bytes};
use diagnostics::Span;
use exec::vm::{Given, Image, Machine};
use exec::{Budget, Ending};
use ir::Program;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a sample cannot be used.
#[derive(Clone, PartialEq, Debug)]
pub struct BadSample {
    pub span: Span,
    pub message: String,
}

/// A representation of the canonical value.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    pub values: Values,
    pub chosen: Chosen,
    /// How many elements of each array may be anything.
    pub slack: BTreeMap<u32, usize>,
    /// What the elements that may be anything were drawn from.
    pub seed: u64,
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

    /// The canonical value of a representation, or how the run ended instead.
    fn run(&self, machine: &mut Machine<'_>, values: &Values) -> Result<Values, Ending> {
        let normalisation = self.normalisation;
        let unsupported = |what: String| Ending::Unsupported { what, span: normalisation.span };
        let mut frame = Frame::new(normalisation, values.clone());
        let ids = || (0..normalisation.params.len() as u32).map(ParamId);
        let mut bytes = Vec::new();
        let mut lengths = Vec::new();
        for param in &normalisation.params {
            let dims = frame.lengths(&param.dims).map_err(|stuck| unsupported(stuck.0))?;
            lengths.push(dims);
        }
        for id in ids() {
            bytes.push(values.bytes(normalisation, id));
        }
        let given: Vec<Given<'_>> = ids()
            .map(|id| match normalisation.param(id).role {
                Role::Output => {
                    let length = lengths[id.0 as usize].iter().product::<usize>() as u64;
                    Given::Unwritten(length * normalisation.param(id).kind.bytes())
                }
                Role::Input => values.given(normalisation, id, &bytes[id.0 as usize]),
            })
            .collect();
        let applied = machine.apply(normalisation.function, &given, &self.budget, exec::vm::Options::default());
        if !matches!(applied.ending, Ending::Returned(_)) {
            return Err(applied.ending);
        }
        let mut canonical = Values::empty(normalisation);
        for (id, object) in normalisation.ids(Role::Output).zip(applied.objects) {
            let param = normalisation.param(id);
            let Some(object) = object else {
                return Err(unsupported(format!("the output `{}`, of which a part is not assigned", param.name)));
            };
            let elements = from_bytes(param.kind, &object);
            let value = match param.dims.is_empty() {
                true => Value::Scalar(elements[0]),
                false => Value::Array(Array { dims: lengths[id.0 as usize].clone(), elements }),
            };
            canonical.set(id, value);
        }
        Ok(canonical)
    }

    /// The canonical value of a sample, or what is wrong with the sample.
    pub fn canonical(&self, sample: &Values) -> Result<Values, BadSample> {
        let bad = |span, message: String| Err(BadSample { span, message });
        let mut machine = Machine::new(&self.image);
        let canonical = match self.run(&mut machine, sample) {
            Ok(canonical) => canonical,
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
        match check_outputs(self.normalisation, sample, &canonical) {
            Ok(()) => Ok(canonical),
            Err(stuck) => bad(self.normalisation.span, format!("on the sample, {}", stuck.0)),
        }
    }

    /// Whether a representation has the canonical value.
    pub fn is_right(&self, machine: &mut Machine<'_>, values: &Values, canonical: &Values) -> bool {
        self.run(machine, values).is_ok_and(|found| found == *canonical)
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

/// Many different representations of the sample's canonical value.
pub fn variants(
    inverse: &Inverse,
    normaliser: &Normaliser<'_>,
    sample: &Values,
    canonical: &Values,
    count: usize,
    seed: u64,
    cancel: &AtomicBool,
) -> Variants {
    let mut result = Variants::default();
    let mut ensurer = match Ensurer::new(inverse, canonical, sample, seed) {
        Ok(ensurer) => ensurer,
        Err(Exhausted::Unknown(why)) => {
            result.short = Some(why);
            return result;
        }
        Err(Exhausted::NoMore) => return result,
    };
    result.ways = ensurer.ways();
    let mut seen: HashSet<Values> = HashSet::from([sample.of_role(&inverse.normalisation, Role::Input)]);
    let mut random = fastrand::Rng::with_seed(seed ^ 0x5EED);
    let mut fruitless = 0;
    let mut repeated: Vec<Chosen> = Vec::new();
    let mut finished = None;
    while result.variants.len() < count && fruitless < 6 {
        if cancel.load(Ordering::Relaxed) {
            finished = Some("the time is over".to_string());
            break;
        }
        let missing = (count - result.variants.len()).min(32);
        let mut batch: Vec<(Chosen, u64)> = Vec::new();
        while batch.len() < missing {
            // When all that can be chosen was chosen, what is left to chance still makes a difference.
            let chosen = match &finished {
                None => match ensurer.another() {
                    Ok(chosen) => {
                        repeated.push(chosen.clone());
                        chosen
                    }
                    Err(Exhausted::NoMore) => {
                        finished = Some("there are no more that differ".to_string());
                        continue;
                    }
                    Err(Exhausted::Unknown(why)) => {
                        finished = Some(why);
                        continue;
                    }
                },
                Some(_) if repeated.is_empty() => break,
                Some(_) => repeated[random.usize(0..repeated.len())].clone(),
            };
            batch.push((chosen, random.u64(..)));
        }
        if batch.is_empty() {
            break;
        }
        let before = result.variants.len();
        for made in make_all(inverse, normaliser, sample, canonical, batch) {
            match made {
                Some(variant) if seen.insert(variant.values.clone()) => result.variants.push(variant),
                Some(_) => {}
                None => result.rejected += 1,
            }
        }
        fruitless = if result.variants.len() == before { fruitless + 1 } else { 0 };
    }
    if result.variants.len() < count {
        result.short = Some(finished.unwrap_or_else(|| "no others were found".to_string()));
    }
    result
}

/// Runs the inverse on each choice and checks what it made, on all threads, in order.
fn make_all(
    inverse: &Inverse,
    normaliser: &Normaliser<'_>,
    sample: &Values,
    canonical: &Values,
    batch: Vec<(Chosen, u64)>,
) -> Vec<Option<Variant>> {
    let start = || Machine::new(&normaliser.image);
    batch
        .into_par_iter()
        .map_init(start, |machine, (chosen, seed)| make(inverse, normaliser, machine, sample, canonical, chosen, seed))
        .collect()
}

/// A variant from what is chosen, if it has the canonical value.
pub fn make(
    inverse: &Inverse,
    normaliser: &Normaliser<'_>,
    machine: &mut Machine<'_>,
    sample: &Values,
    canonical: &Values,
    chosen: Chosen,
    seed: u64,
) -> Option<Variant> {
    // Chance may run out of the types where sums are involved; the sample's own values never do.
    for timid in [None, Some(sample)] {
        if let Ok(Made { values, slack }) = execute(inverse, canonical, &chosen, seed, timid)
            && normaliser.is_right(machine, &values, canonical)
        {
            return Some(Variant { values, chosen, slack, seed });
        }
    }
    None
}

/// As [`make`], with everything that may be anything as in the sample, if one is given.
pub fn make_near(
    inverse: &Inverse,
    normaliser: &Normaliser<'_>,
    sample: Option<&Values>,
    canonical: &Values,
    chosen: Chosen,
    seed: u64,
) -> Option<Values> {
    let made = execute(inverse, canonical, &chosen, seed, sample).ok()?;
    let mut machine = Machine::new(&normaliser.image);
    normaliser.is_right(&mut machine, &made.values, canonical).then_some(made.values)
}

/// Something about a representation that is not determined by the canonical value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    /// A scalar, or an array of which elements are chosen.
    Value(ParamId),
    /// The elements of an array that may be anything.
    Slack(ParamId),
}

impl Variant {
    /// Whether the variant differs from the sample there.
    pub fn differs(&self, field: Field, sample: &Values) -> bool {
        match field {
            Field::Value(id) => self.values.get(id) != sample.get(id),
            Field::Slack(id) => self.slack.get(&id.0).is_some_and(|count| *count > 0),
        }
    }
}

/// The fields in which some variant differs from the sample.
pub fn fields(inverse: &Inverse, sample: &Values, variants: &[Variant]) -> Vec<Field> {
    let normalisation = &inverse.normalisation;
    let free = |id: &ParamId| normalisation.param(*id).dims.is_empty() || inverse.chosen.contains(id);
    let values = normalisation.ids(Role::Input).filter(free).map(Field::Value);
    let arrays = normalisation.ids(Role::Input).filter(|&id| !normalisation.param(id).dims.is_empty());
    let all = values.chain(arrays.map(Field::Slack));
    all.filter(|&field| variants.iter().any(|v| v.differs(field, sample))).collect()
}
