//! Clients: programs that are given the sample and its variants, and should not tell them apart.
//!
//! *Question*: the table of the source's Figure 5, client by undetermined field. *Departure*: the source marks every field
//! of a failing variant. Here the blame is looked for: a variant in which a single field differs from the sample,
//! with only what that forces, is made and tried; the whole difference is blamed only if no such variant fails. For
//! scalars every value that occurs in the variants is tried so, which tells a client that ignores a field (it fails
//! for each) from one that honours it for some values only.

use super::execute::Chosen;
use super::formula::ParamId;
use super::language::Role;
use super::solve::Ensurer;
use super::values::Values;
use super::variants::{Field, Material, Variant, fields};
use replay::{CommandEnd, hand_over, run_command, take_back};
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

/// How a client treats a variant, the worst last. It is what a run showed, and no verdict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Treatment {
    Pass,
    Fail,
    Crash,
}

impl Treatment {
    pub fn name(self) -> &'static str {
        match self {
            Treatment::Pass => "pass",
            Treatment::Fail => "fail",
            Treatment::Crash => "crash",
        }
    }
}

/// A variant that a client treats differently.
#[derive(Clone, PartialEq, Debug)]
pub struct Failing {
    /// Its number among the variants.
    pub variant: usize,
    pub treatment: Treatment,
    /// A clause about the client.
    pub how: String,
    /// The fields to blame.
    pub blame: Vec<Field>,
    /// The representation nearest to the sample that shows it, if that is not the variant itself.
    pub smallest: Option<Values>,
}

/// What is known about a client.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Examined {
    pub fields: BTreeMap<Field, Treatment>,
    pub failing: Vec<Failing>,
    /// Fields whose every other value it treats as if it were the sample's: it gives something else and is content.
    pub ignores: Vec<Field>,
    /// Fields of which it refuses values: it ends with another status, or crashes.
    pub refuses: Vec<Field>,
    /// Fields of which it gets some values right and some wrong.
    pub inconsistent: Vec<Field>,
    /// Of both, the values of the scalars that it gets wrong.
    pub wrong: BTreeMap<Field, Vec<i64>>,
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

/// A representation as near to the sample as one field allows that has another value.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    pub field: Field,
    /// Of a scalar.
    pub value: Option<i64>,
    pub values: Values,
    /// Everything in which it differs from the sample: the field and what it forces.
    pub changed: BTreeSet<Field>,
}

/// The most that is read of a file that a client wrote.
const MOST_WRITTEN: u64 = 1 << 28;
/// How many fields of failing variants are looked at one by one, beyond the probes.
const MOST_SEARCHES: usize = 48;
/// How many values are tried of a scalar that decides which way the program takes, and of any other.
const MOST_VALUES: [usize; 2] = [16, 4];

/// What clients are tried on.
pub struct Lineup<'a> {
    material: &'a Material<'a>,
    variants: &'a [Variant],
    /// Of all scalars, with values that occur in the variants, and one for what may be anything.
    probes: Vec<Probe>,
}

impl<'a> Lineup<'a> {
    pub fn new(material: &'a Material<'a>, variants: &'a [Variant]) -> Lineup<'a> {
        let mut near = Near::new(material, variants);
        let mut probes = Vec::new();
        for field in near.all.clone() {
            match field {
                Field::Slack(_) => probes.extend(near.slack(field)),
                Field::Value(id) => {
                    let most = MOST_VALUES[usize::from(!near.decides(id))];
                    let values: BTreeSet<i64> = variants.iter().filter_map(|v| v.scalars.get(&id).copied()).collect();
                    let others = values.into_iter().filter(|v| material.sample.scalar(id) != Some(*v));
                    for value in others.take(most) {
                        probes.extend(near.scalar(id, value, true));
                    }
                }
            }
        }
        Lineup { material, variants, probes }
    }
}

/// Tries a client on everything, in a folder of its own. An error means that it cannot be started.
pub fn examine(
    client: &Client,
    lineup: &Lineup<'_>,
    conditions: &Conditions<'_>,
    folder: &Path,
) -> Result<Examined, String> {
    let Lineup { material, variants, probes } = lineup;
    let mut examined = Examined::default();
    let trial = Trial { client, conditions, folder };
    let usual = trial.run(material.sample)?;
    // A client that fails on the sample fails on the variants in the same way, and would pass for nothing.
    let fails = match &usual {
        Behaviour::Gave { status: 0, .. } => None,
        Behaviour::Gave { status, .. } => Some(format!("ends with status {status}")),
        other => Some(other.unlike(other)),
    };
    if let Some(how) = fails {
        examined.unusable = Some(format!("it {how} on the sample itself"));
        return Ok(examined);
    }
    if trial.run(material.sample)? != usual {
        examined.unusable = Some("it does not give the same twice for the sample".into());
        return Ok(examined);
    }
    let mut near = Near::new(material, variants);
    let all = near.all.clone();
    for &field in &all {
        examined.fields.insert(field, Treatment::Pass);
    }
    let mut tried: Vec<(&Probe, Option<Judged>)> = Vec::new();
    for probe in probes {
        tried.push((probe, trial.judge(&probe.values, &usual)?));
    }
    let mut found: Vec<Probe> = Vec::new();
    let mut searches = 0;
    for (number, variant) in variants.iter().enumerate() {
        let values = material.values(variant);
        let Some(Judged { treatment, how, .. }) = trial.judge(&values, &usual)? else { continue };
        let applies = |probe: &Probe| match (probe.field, probe.value) {
            (Field::Value(id), Some(value)) => values.scalar(id) == Some(value),
            (Field::Value(id), None) => values.get(id) == probe.values.get(id),
            (field, _) => variant.differing.contains(&field),
        };
        let failed = tried.iter().filter(|(_, found)| found.is_some()).map(|(probe, _)| *probe);
        let mut suspects: Vec<Probe> = failed.chain(&found).filter(|p| applies(p)).cloned().collect();
        // Field by field; what may be anything is as in the sample first, and something else if that hides it.
        for (like_sample, &field) in
            [true, false].into_iter().flat_map(|l| variant.differing.iter().map(move |f| (l, f)))
        {
            let Field::Value(id) = field else { continue };
            let value = values.scalar(id);
            let was_tried = || tried.iter().any(|(p, _)| p.field == field && p.value == value);
            if !suspects.is_empty() || searches >= MOST_SEARCHES || (like_sample && value.is_some() && was_tried()) {
                continue;
            }
            searches += 1;
            let probe = match value {
                Some(value) => near.scalar(id, value, like_sample),
                None => near.array(id, variant, &values, like_sample),
            };
            if let Some(probe) = probe
                && trial.judge(&probe.values, &usual)?.is_some()
            {
                found.push(probe.clone());
                suspects.push(probe);
            }
        }
        let culprits = near.culprits(&suspects);
        let smallest = culprits.first().map(|probe| probe.values.clone());
        let blame: Vec<Field> = match culprits.is_empty() {
            true => variant.differing.iter().copied().collect(),
            false => culprits.iter().map(|probe| probe.field).collect(),
        };
        for field in &blame {
            let entry = examined.fields.entry(*field).or_insert(Treatment::Pass);
            *entry = (*entry).max(treatment);
        }
        examined.failing.push(Failing { variant: number, treatment, how, blame, smallest });
    }
    for &field in &all {
        let own = || tried.iter().filter(|(probe, _)| probe.field == field);
        let wrong = own().filter(|(_, found)| found.is_some()).count();
        // Only a field that was blamed says something about the client; others merely come with it.
        if wrong == 0 || examined.fields.get(&field) == Some(&Treatment::Pass) {
            continue;
        }
        let refused = own().filter(|(_, found)| found.as_ref().is_some_and(|judged| judged.refused)).count();
        if refused > 0 {
            examined.refuses.push(field);
        } else if wrong < own().count() {
            examined.inconsistent.push(field);
        } else if wrong > 1 {
            examined.ignores.push(field);
        }
        let values = own().filter(|(_, found)| found.is_some()).filter_map(|(probe, _)| probe.value);
        examined.wrong.insert(field, values.collect());
    }
    Ok(examined)
}

/// Representations near the sample. The solver is started when one is asked for.
struct Near<'a> {
    material: &'a Material<'a>,
    /// The fields in which variants differ from the sample.
    all: Vec<Field>,
    ensurer: Option<Ensurer<'a>>,
}

impl<'a> Near<'a> {
    fn new(material: &'a Material<'a>, variants: &[Variant]) -> Near<'a> {
        Near { material, all: fields(variants), ensurer: None }
    }

    /// Whether a branch depends on the scalar.
    fn decides(&self, id: ParamId) -> bool {
        self.material.inverse.branches.iter().any(|b| b.references().iter().any(|r| r.param == id))
    }

    fn chosen(&mut self, scalars: &BTreeMap<u32, i64>, array: Option<(u32, &Chosen)>) -> Option<Chosen> {
        if self.ensurer.is_none() {
            let Material { inverse, canonical, sample, seed, cancel, .. } = self.material;
            self.ensurer = Ensurer::new(inverse, canonical, sample, *seed, cancel).ok();
        }
        self.ensurer.as_mut()?.nearest(scalars, array)
    }

    fn probe(&self, field: Field, value: Option<i64>, chosen: Chosen, like_sample: bool) -> Option<Probe> {
        let values = self.material.near(&chosen, like_sample)?;
        let differs = |field: &Field| match field {
            Field::Value(id) => values.get(*id) != self.material.sample.get(*id),
            Field::Slack(_) => false,
        };
        let mut changed: BTreeSet<Field> = self.all.iter().copied().filter(differs).collect();
        changed.insert(field);
        Some(Probe { field, value, values, changed })
    }

    fn scalar(&mut self, id: ParamId, value: i64, like_sample: bool) -> Option<Probe> {
        let chosen = self.chosen(&BTreeMap::from([(id.0, value)]), None)?;
        let probe = self.probe(Field::Value(id), Some(value), chosen, like_sample)?;
        (probe.values.scalar(id) == Some(value)).then_some(probe)
    }

    /// As the sample, but for what may be anything. Nothing if the sample has none of that.
    fn slack(&mut self, field: Field) -> Option<Probe> {
        let chosen = self.chosen(&BTreeMap::new(), None)?;
        let probe = self.probe(field, None, chosen, false)?;
        let differs = probe.values != self.material.sample.of_role(&self.material.inverse.normalisation, Role::Input);
        (differs && probe.changed.len() == 1).then_some(probe)
    }

    /// With the array of a variant, which has these values, and the scalars that its length depends on.
    fn array(&mut self, id: ParamId, variant: &Variant, values: &Values, like_sample: bool) -> Option<Probe> {
        let dims = &self.material.inverse.normalisation.param(id).dims;
        let scalars = dims.iter().flat_map(|d| d.references()).filter(|r| r.indices.is_empty());
        let scalars: BTreeMap<u32, i64> = scalars.filter_map(|r| Some((r.param.0, values.scalar(r.param)?))).collect();
        let chosen = self.chosen(&scalars, Some((id.0, &variant.chosen)))?;
        let probe = self.probe(Field::Value(id), None, chosen, like_sample)?;
        (probe.values.get(id) == values.get(id)).then_some(probe)
    }

    /// Those that are not explained by another: one that a probe forces and that fails on its own is the reason. Of two
    /// that force each other it is the one that decides which way the program takes, or else the first.
    fn culprits<'p>(&self, suspects: &'p [Probe]) -> Vec<&'p Probe> {
        let rank = |probe: &Probe| (!matches!(probe.field, Field::Value(id) if self.decides(id)), probe.field);
        let explains = |other: &Probe, probe: &Probe| {
            let forced = other.field != probe.field && probe.changed.contains(&other.field);
            forced && (!other.changed.contains(&probe.field) || rank(other) < rank(probe))
        };
        let mut kept: Vec<&Probe> = Vec::new();
        for probe in suspects {
            let explained = suspects.iter().any(|other| explains(other, probe));
            if !explained && !kept.iter().any(|other| other.field == probe.field) {
                kept.push(probe);
            }
        }
        kept
    }
}

/// What is wrong with what a client did.
struct Judged {
    treatment: Treatment,
    /// A clause about the client.
    how: String,
    /// Whether it says so itself, by its status or by crashing.
    refused: bool,
}

/// One client in one folder.
struct Trial<'a> {
    client: &'a Client,
    conditions: &'a Conditions<'a>,
    folder: &'a Path,
}

impl Trial<'_> {
    fn judge(&self, values: &Values, usual: &Behaviour) -> Result<Option<Judged>, String> {
        let found = self.run(values)?;
        if found == *usual {
            return Ok(None);
        }
        let treatment = match found {
            Behaviour::Gave { .. } => Treatment::Fail,
            _ => Treatment::Crash,
        };
        let refused = !matches!(found, Behaviour::Gave { status: 0, .. });
        Ok(Some(Judged { treatment, how: found.unlike(usual), refused }))
    }

    /// Runs the client on a representation. The file has the same name each time, in case the client prints it.
    fn run(&self, values: &Values) -> Result<Behaviour, String> {
        let bytes = (self.conditions.encode)(values)?;
        let broken = |what: &str, error: std::io::Error| format!("{what}: {error}");
        let file = self.folder.join(format!("input.{}", self.conditions.extension));
        hand_over(&file, &bytes).map_err(|e| broken("a variant cannot be written", e))?;
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
            output.extend(take_back(&path, MOST_WRITTEN).map_err(|e| broken("an output cannot be read", e))?);
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
