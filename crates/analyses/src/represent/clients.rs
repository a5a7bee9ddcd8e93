//! Clients: programs that are given the sample and its variants, and should not tell them apart.
//!
//! *Question*: the table of the source's Figure 5, client by undetermined field. *Departure*: the source marks every field
//! of a failing variant. Here the blame is looked for: a variant in which a single field differs from the sample,
//! with only what that forces, is made and tried; the whole difference is blamed only if no such variant fails. For
//! scalars every value that occurs in the variants is tried so, which tells a client that ignores a field (it fails
//! for each) from one that honours it for some values only.

use super::execute::Chosen;
use super::formula::ParamId;
use super::invert::Inverse;
use super::language::Role;
use super::solve::Ensurer;
use super::values::{Value, Values};
use super::variants::{Normaliser, Variant, fields, make_near};
use exec::native::{CommandEnd, run_command};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A program to try.
#[derive(Clone, PartialEq, Debug)]
pub struct Client {
    pub name: String,
    /// The program and its arguments, in which `{}` is the file and `{out}` the beginning of the names it may write to.
    pub words: Vec<String>,
}

/// What a client did with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Behaviour {
    Gave { status: i32, output: Vec<u8> },
    Crashed(i32),
    TimedOut,
    Flooded,
}

impl Behaviour {
    /// How it differs from another, as a clause about the client.
    pub fn unlike(&self, usual: &Behaviour) -> String {
        match (self, usual) {
            (Behaviour::Crashed(signal), _) => format!("ends by signal {signal}"),
            (Behaviour::TimedOut, _) => "does not finish in time".to_string(),
            (Behaviour::Flooded, _) => "writes without end".to_string(),
            (Behaviour::Gave { status: a, .. }, Behaviour::Gave { status: b, .. }) if a != b => {
                format!("ends with status {a} instead of {b}")
            }
            _ => "gives something else".to_string(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    Pass,
    Fail,
    Crash,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Crash => "crash",
        }
    }
}

/// A variant that a client treats differently.
#[derive(Clone, PartialEq, Debug)]
pub struct Failing {
    /// Its number among the variants.
    pub variant: usize,
    pub verdict: Verdict,
    /// A clause about the client.
    pub how: String,
    /// The fields to blame.
    pub blame: Vec<ParamId>,
    /// The representation nearest to the sample that shows it.
    pub smallest: Option<Values>,
}

/// What is known about a client.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Examined {
    pub fields: BTreeMap<ParamId, Verdict>,
    pub failing: Vec<Failing>,
    /// Fields whose every other value it gets wrong.
    pub ignores: Vec<ParamId>,
    /// Fields of which it gets some values right and some wrong.
    pub inconsistent: Vec<ParamId>,
    /// Why nothing can be said: a clause.
    pub unusable: Option<String>,
}

/// How clients are run.
pub struct Conditions<'a> {
    /// Makes a file of a representation.
    pub encode: &'a (dyn Fn(&Values) -> Result<Vec<u8>, String> + Sync),
    /// The ending of the file's name.
    pub extension: &'a str,
    /// What is done to the output before it is compared.
    pub normalise: Option<&'a [String]>,
    pub time: Duration,
    pub cancel: &'a AtomicBool,
}

/// The sample with what was made of it.
pub struct Material<'a> {
    pub inverse: &'a Inverse,
    pub normaliser: &'a Normaliser<'a>,
    pub sample: &'a Values,
    pub canonical: &'a Values,
    pub variants: &'a [Variant],
    pub seed: u64,
}

/// For how many arrays of failing variants the blame is looked for.
const MOST_SEARCHES: usize = 4;
/// A scalar with more values than this is tried for these many.
const MOST_VALUES: usize = 16;

/// Tries a client on everything, in a folder of its own. An error means that it cannot be started.
pub fn examine(
    client: &Client,
    material: &Material<'_>,
    conditions: &Conditions<'_>,
    folder: &Path,
) -> Result<Examined, String> {
    let mut examined = Examined::default();
    let trial = Trial { client, conditions, folder };
    let usual = trial.run(material.sample)?;
    if !matches!(usual, Behaviour::Gave { .. }) {
        examined.unusable = Some(format!("it {} on the sample itself", usual.unlike(&usual)));
        return Ok(examined);
    }
    if trial.run(material.sample)? != usual {
        examined.unusable = Some("it does not give the same twice for the sample".into());
        return Ok(examined);
    }
    let all = fields(material.inverse, material.sample, material.variants);
    for &id in &all {
        examined.fields.insert(id, Verdict::Pass);
    }
    let mut near = Near { material, ensurer: None };
    let mut singles: BTreeMap<(ParamId, i64), Single> = BTreeMap::new();
    // What each value of a scalar does on its own.
    for &id in &all {
        let values: BTreeSet<i64> = material.variants.iter().filter_map(|v| v.values.scalar(id)).collect();
        for value in values.into_iter().filter(|v| material.sample.scalar(id) != Some(*v)).take(MOST_VALUES) {
            if let Some(values) = near.scalar(id, value) {
                // What the value forces may be to blame as well; then nothing is said about it alone.
                let found = trial.judge(&values, &usual)?;
                singles.insert((id, value), Single { values, found });
            }
        }
    }
    let mut searches = 0;
    for (number, variant) in material.variants.iter().enumerate() {
        let Some((verdict, how)) = trial.judge(&variant.values, &usual)? else { continue };
        let differing: Vec<ParamId> =
            all.iter().copied().filter(|&id| variant.values.get(id) != material.sample.get(id)).collect();
        let mut blame = Vec::new();
        let mut smallest = None;
        for &id in &differing {
            let alone = variant.values.scalar(id).and_then(|value| singles.get(&(id, value)));
            if let Some(Single { values, found: Some(_) }) = alone {
                blame.push(id);
                smallest.get_or_insert_with(|| values.clone());
            }
        }
        // A scalar that only failed because of what it forced, such as a length and its array, is not alone.
        for &id in &differing {
            if !blame.is_empty() || searches >= MOST_SEARCHES || material.sample.array(id).is_none() {
                continue;
            }
            searches += 1;
            if let Some(values) = near.array(id, &variant.chosen)
                && trial.judge(&values, &usual)?.is_some()
            {
                blame.push(id);
                smallest = Some(values);
            }
        }
        if blame.is_empty() {
            blame = differing;
            smallest = Some(variant.values.clone());
        }
        for id in &blame {
            let entry = examined.fields.entry(*id).or_insert(Verdict::Pass);
            *entry = (*entry).max(verdict);
        }
        examined.failing.push(Failing { variant: number, verdict, how, blame, smallest });
    }
    for &id in &all {
        let tried: Vec<bool> =
            singles.iter().filter(|((other, _), _)| *other == id).map(|(_, s)| s.found.is_some()).collect();
        let wrong = tried.iter().filter(|failed| **failed).count();
        if wrong > 0 && wrong == tried.len() && tried.len() > 1 {
            examined.ignores.push(id);
        } else if wrong > 0 && wrong < tried.len() {
            examined.inconsistent.push(id);
        }
        if wrong > 0 {
            let worst = singles.iter().filter(|((other, _), _)| *other == id).filter_map(|(_, s)| s.found.as_ref());
            let worst = worst.map(|(verdict, _)| *verdict).max().unwrap_or(Verdict::Fail);
            let entry = examined.fields.entry(id).or_insert(Verdict::Pass);
            *entry = (*entry).max(worst);
        }
    }
    Ok(examined)
}

/// One field with one value, the rest as in the sample: what a client makes of it.
struct Single {
    values: Values,
    found: Option<(Verdict, String)>,
}

/// Representations near the sample. The solver is started when one is asked for.
struct Near<'a> {
    material: &'a Material<'a>,
    ensurer: Option<Ensurer<'a>>,
}

impl<'a> Near<'a> {
    fn chosen(&mut self, scalars: &BTreeMap<u32, i64>, array: Option<(u32, &Chosen)>) -> Option<Chosen> {
        if self.ensurer.is_none() {
            let Material { inverse, canonical, sample, seed, .. } = self.material;
            self.ensurer = Ensurer::new(inverse, canonical, sample, *seed).ok();
        }
        self.ensurer.as_mut()?.nearest(scalars, array)
    }

    fn made(&self, chosen: Chosen) -> Option<Values> {
        let Material { inverse, normaliser, canonical, sample, seed, .. } = self.material;
        make_near(inverse, normaliser, sample, canonical, chosen, *seed)
    }

    fn scalar(&mut self, id: ParamId, value: i64) -> Option<Values> {
        let chosen = self.chosen(&BTreeMap::from([(id.0, value)]), None)?;
        let values = self.made(chosen)?;
        let others_stay = self.material.inverse.normalisation.ids(Role::Input).all(|other| {
            let free = matches!(self.material.sample.get(other), Some(Value::Scalar(_)));
            other == id || !free || values.get(other) == self.material.sample.get(other)
        });
        (values.scalar(id) == Some(value) && others_stay).then_some(values)
    }

    fn array(&mut self, id: ParamId, from: &Chosen) -> Option<Values> {
        let chosen = self.chosen(&BTreeMap::new(), Some((id.0, from)))?;
        self.made(chosen)
    }
}

/// One client in one folder.
struct Trial<'a> {
    client: &'a Client,
    conditions: &'a Conditions<'a>,
    folder: &'a Path,
}

impl Trial<'_> {
    fn judge(&self, values: &Values, usual: &Behaviour) -> Result<Option<(Verdict, String)>, String> {
        let found = self.run(values)?;
        if found == *usual {
            return Ok(None);
        }
        let verdict = match found {
            Behaviour::Gave { .. } => Verdict::Fail,
            _ => Verdict::Crash,
        };
        Ok(Some((verdict, found.unlike(usual))))
    }

    /// Runs the client on a representation. The file has the same name each time, in case the client prints it.
    fn run(&self, values: &Values) -> Result<Behaviour, String> {
        let bytes = (self.conditions.encode)(values)?;
        let broken = |what: &str, error: std::io::Error| format!("{what}: {error}");
        let file = self.folder.join(format!("input.{}", self.conditions.extension));
        std::fs::write(&file, bytes).map_err(|e| broken("a variant cannot be written", e))?;
        for old in self.written()? {
            std::fs::remove_file(old).map_err(|e| broken("an output cannot be removed", e))?;
        }
        let (file, out) = (file.display().to_string(), self.folder.join("output").display().to_string());
        let words: Vec<String> =
            self.client.words.iter().map(|word| word.replace("{}", &file).replace("{out}", &out)).collect();
        let Conditions { time, cancel, normalise, .. } = self.conditions;
        let run = run_command(&words, &[], self.folder, *time, Some(cancel))
            .map_err(|e| format!("the client `{}` cannot be started: {}: {e}", self.client.name, words[0]))?;
        let status = match run.end {
            CommandEnd::Exited(status) => status,
            CommandEnd::Crashed(signal) => return Ok(Behaviour::Crashed(signal)),
            CommandEnd::TimedOut => return Ok(Behaviour::TimedOut),
            CommandEnd::Flooded => return Ok(Behaviour::Flooded),
            CommandEnd::Cancelled => return Err("the time is over".into()),
        };
        let mut output = run.stdout;
        for path in self.written()? {
            output.extend(std::fs::read(path).map_err(|e| broken("an output cannot be read", e))?);
        }
        if let Some(words) = normalise {
            let run = run_command(words, &output, self.folder, *time, Some(cancel))
                .map_err(|e| format!("the command of --normalise-output cannot be started: {}: {e}", words[0]))?;
            output = run.stdout;
        }
        Ok(Behaviour::Gave { status, output })
    }

    /// What the client wrote, by name.
    fn written(&self) -> Result<Vec<std::path::PathBuf>, String> {
        let entries = std::fs::read_dir(self.folder).map_err(|e| format!("the folder of a client: {e}"))?;
        let mut found: Vec<_> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("output"))
            .map(|entry| entry.path())
            .collect();
        found.sort();
        Ok(found)
    }
}
