//! What is said about an inverse and its variants.

use super::sample::to_json;
use crate::exit::Exit;
use crate::report::Report;
use diagnostics::{Finding, Rule, SourceMap, Span};
use represent::clients::{Client, Examined, Failing, Treatment};
use represent::invert::Inverse;
use represent::language::{Normalisation, Role};
use represent::picture::{self, Picture};
use represent::values::{Value, Values};
use represent::variants::{Field, Material, Variant, Variants, fields};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// An array longer than this is not shown as a choice element by element.
const LONGEST_SHOWN: usize = 64;

/// The report of `--show-inverse`.
pub(super) fn inverse(inverse: &Inverse, text: String, sources: SourceMap) -> Report {
    let mut report = Report::new("represent");
    report.result.insert("inverse".into(), json!(text));
    report.result.insert("fields".into(), json!(chosen_names(inverse)));
    report.result.insert("variants".into(), json!([]));
    report.result.insert("clients".into(), json!([]));
    report.summary = match inverse.ensure.unsolved {
        0 => "inverted".to_string(),
        1 => "inverted; one condition is checked when the inverse runs".to_string(),
        n => format!("inverted; {n} conditions are checked when the inverse runs"),
    };
    report.text = text;
    report.sources = sources;
    report
}

fn chosen_names(inverse: &Inverse) -> Vec<&str> {
    let normalisation = &inverse.normalisation;
    let inputs = normalisation.ids(Role::Input).filter(|id| inverse.chosen.contains(id));
    inputs.map(|id| normalisation.param(id).name.as_str()).collect()
}

/// What is remembered of a variant to be told.
pub(super) struct Listed {
    pub file: String,
    pub choices: BTreeMap<Field, Json>,
}

/// What was chosen for each field, as far as it can be shown; of slack, how much there is.
pub(super) fn choices(normalisation: &Normalisation, variant: &Variant, values: &Values) -> BTreeMap<Field, Json> {
    let of_param = |id| {
        [(Field::Value(id), shown(values.get(id))), (Field::Slack(id), json!(variant.slack.get(&id.0).unwrap_or(&0)))]
    };
    normalisation.ids(Role::Input).flat_map(of_param).collect()
}

/// Everything that a run has to tell.
pub(super) struct Outcome<'a> {
    pub material: &'a Material<'a>,
    pub text: String,
    pub made: &'a Variants,
    /// Of each variant.
    pub listed: &'a [Listed],
    pub clients: &'a [Client],
    pub examined: &'a [Examined],
}

impl Outcome<'_> {
    fn normalisation(&self) -> &Normalisation {
        &self.material.inverse.normalisation
    }

    fn name(&self, field: Field) -> String {
        match field {
            Field::Value(id) => self.normalisation().param(id).name.clone(),
            Field::Slack(id) => format!("{} (slack)", self.normalisation().param(id).name),
        }
    }

    /// The choices of a variant by the names of the fields.
    fn choices(&self, variant: usize, fields: &[Field]) -> Map<String, Json> {
        let choices = &self.listed[variant].choices;
        fields.iter().map(|field| (self.name(*field), choices.get(field).cloned().unwrap_or_default())).collect()
    }

    pub(super) fn report(&self, folder: Option<&Path>) -> Report {
        let mut report = Report::new("represent");
        let fields = fields(&self.made.variants);
        let names: Vec<String> = fields.iter().map(|&field| self.name(field)).collect();
        let mut text = String::new();
        let mut variants = Vec::new();
        for (number, Listed { file, .. }) in self.listed.iter().enumerate() {
            let choices = self.choices(number, &fields);
            let said: Vec<String> = choices.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let _ = writeln!(text, "{file}  {}", said.join(", "));
            variants.push(json!({ "file": file, "choices": choices }));
        }
        let canonical = self.material.canonical;
        let sample = json!({ "picture": picture::shown(self.normalisation(), canonical).map(drawn) });
        report.result.insert("inverse".into(), json!(self.text));
        report.result.insert("fields".into(), json!(names));
        report.result.insert("sample".into(), sample);
        report.result.insert("variants".into(), json!(variants));
        let clients: Vec<Json> =
            self.clients.iter().zip(self.examined).map(|(c, e)| self.client(c, e, &fields)).collect();
        report.result.insert("clients".into(), json!(clients));
        report.result.insert("rejected".into(), json!(self.made.rejected));
        if !self.clients.is_empty() {
            text = self.table(&fields);
        }
        report.text = text;
        let count = self.listed.len();
        report.summary = match (count, &self.made.short) {
            (0, Some(why)) => {
                report.exit = Exit::Inconclusive;
                format!("no variant was found: {why}")
            }
            (_, Some(why)) => format!("{}, each with the canonical value of the sample; {why}", plural(count)),
            (_, None) => format!("{}, each with the canonical value of the sample", plural(count)),
        };
        self.judge(&mut report);
        if let (Some(folder), 1..) = (folder, count) {
            let _ = write!(report.summary, "; they are in {}", folder.display());
        }
        report
    }
}

impl Outcome<'_> {
    fn client(&self, client: &Client, examined: &Examined, fields: &[Field]) -> Json {
        let verdicts: Map<String, Json> =
            examined.fields.iter().map(|(&field, verdict)| (self.name(field), json!(verdict.name()))).collect();
        let names = |fields: &[Field]| fields.iter().map(|&field| self.name(field)).collect::<Vec<_>>();
        let mut seen: Vec<&[Field]> = Vec::new();
        let mut failures = Vec::new();
        for failing in &examined.failing {
            let mut failure = json!({
                "file": self.listed[failing.variant].file,
                "verdict": failing.treatment.name(),
                "how": failing.how,
                "choices": self.choices(failing.variant, fields),
                "blame": names(&failing.blame),
                "smallest": self.smallest(failing, fields),
            });
            // The others of this kind look much the same.
            if !seen.contains(&&failing.blame[..]) {
                seen.push(&failing.blame);
                let stored =
                    picture::stored(self.normalisation(), self.material.canonical, &self.representation(failing));
                failure["picture"] = json!(stored.map(drawn));
            }
            failures.push(failure);
        }
        let wrong: Map<String, Json> =
            examined.wrong.iter().map(|(&field, values)| (self.name(field), json!(values))).collect();
        json!({
            "name": client.name,
            "command": client.words.join(" "),
            "fields": verdicts,
            "ignores": names(&examined.ignores),
            "refuses": names(&examined.refuses),
            "inconsistent": names(&examined.inconsistent),
            "wrong": wrong,
            "unusable": examined.unusable,
            "failures": failures,
        })
    }

    /// The representation nearest to the sample that shows a failure.
    fn representation(&self, failing: &Failing) -> Values {
        let variant = || self.material.values(&self.made.variants[failing.variant]);
        failing.smallest.clone().unwrap_or_else(variant)
    }

    /// The fields in which that differs from the sample.
    fn smallest(&self, failing: &Failing, fields: &[Field]) -> Map<String, Json> {
        let values = self.representation(failing);
        let differing = fields.iter().filter_map(|&field| match field {
            Field::Value(id) if values.get(id) != self.material.sample.get(id) => {
                Some((self.name(field), shown(values.get(id))))
            }
            _ => None,
        });
        differing.collect()
    }

    /// The source's Figure 5: clients by fields.
    fn table(&self, fields: &[Field]) -> String {
        let width = self.clients.iter().map(|c| c.name.len()).max().unwrap_or(0).max("client".len());
        let mut text = format!("{:width$}", "client");
        for &field in fields {
            let _ = write!(text, "  {:>6}", self.name(field));
        }
        text.push('\n');
        for (client, examined) in self.clients.iter().zip(self.examined) {
            let _ = write!(text, "{:width$}", client.name);
            if let Some(why) = &examined.unusable {
                let _ = writeln!(text, "  not compared: {why}");
                continue;
            }
            for field in fields {
                let room = self.name(*field).len().max(6);
                let verdict = examined.fields.get(field).copied().unwrap_or(Treatment::Pass).name();
                let _ = write!(text, "  {verdict:>room$}");
            }
            text.push('\n');
        }
        for (client, examined) in self.clients.iter().zip(self.examined) {
            for id in &examined.ignores {
                let _ = writeln!(text, "{} ignores {}: no other value of it is honoured", client.name, self.name(*id));
            }
            for id in &examined.refuses {
                let values = examined.wrong.get(id).into_iter().flatten().map(i64::to_string);
                let values: Vec<String> = values.collect();
                let which = if values.is_empty() { "other values".to_string() } else { values.join(", ") };
                let _ = writeln!(text, "{} refuses values of {}: {which}", client.name, self.name(*id));
            }
            for id in &examined.inconsistent {
                let _ = writeln!(
                    text,
                    "{} is inconsistent: it honours some values of {} and not others",
                    client.name,
                    self.name(*id)
                );
            }
        }
        text
    }

    /// The findings, one for each client and set of fields to blame, and what they mean for the exit status.
    fn judge(&self, report: &mut Report) {
        for (client, examined) in self.clients.iter().zip(self.examined) {
            let mut said: Vec<&[Field]> = Vec::new();
            for failing in &examined.failing {
                if said.contains(&&failing.blame[..]) {
                    continue;
                }
                said.push(&failing.blame);
                let values = self.representation(failing);
                let whole = self.material.values(&self.made.variants[failing.variant]);
                let said_of = |field: &Field| match field {
                    Field::Value(id) => {
                        // What was made small for one field may have the sample's own value of another.
                        let other = values.get(*id) != self.material.sample.get(*id);
                        format!("{} = {}", self.name(*field), shown(if other { &values } else { &whole }.get(*id)))
                    }
                    Field::Slack(_) => format!("{} is something else", self.name(*field)),
                };
                let blame: Vec<String> = failing.blame.iter().map(said_of).collect();
                let message = format!("{} {} when {}", client.name, failing.how, blame.join(" and "));
                let finding = Finding::new(Rule::RepresentationDependence, Span::NONE, message)
                    .with_note(Span::NONE, format!("first seen with {}", self.listed[failing.variant].file));
                report.findings.push(finding);
                report.exit = Exit::Found;
            }
            if let Some(why) = &examined.unusable {
                report.text.push_str(&format!("note: {} was not compared: {why}\n", client.name));
                if report.exit == Exit::Clean {
                    report.exit = Exit::Inconclusive;
                }
            }
        }
        if !self.clients.is_empty() {
            let failing = self.examined.iter().filter(|e| !e.failing.is_empty()).count();
            let apart = self.examined.iter().filter(|e| e.unusable.is_some()).count();
            let said = match (failing, apart) {
                (0, 0) => "no client tells them apart".to_string(),
                (0, apart) => format!("{apart} of {} clients could not be compared", self.clients.len()),
                (failing, _) => format!("{failing} of {} clients tell them apart", self.clients.len()),
            };
            report.summary = format!("{}; {said}", report.summary);
        }
    }
}

fn shown(value: Option<&Value>) -> Json {
    match value {
        Some(Value::Array(array)) if array.elements.len() > LONGEST_SHOWN => {
            json!(format!("{} elements", array.elements.len()))
        }
        Some(value) => to_json(value),
        None => Json::Null,
    }
}

fn drawn(picture: Picture) -> Json {
    let pixels: String = picture.pixels.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "width": picture.width, "height": picture.height, "channels": picture.channels, "pixels": pixels })
}

fn plural(count: usize) -> String {
    if count == 1 { "one variant".to_string() } else { format!("{count} variants") }
}
