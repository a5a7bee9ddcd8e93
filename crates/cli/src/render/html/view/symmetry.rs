//! `symmetry`: the orbit of an input, and the two of its arrangements that answer differently.

use super::{Mark, View, code, table};
use crate::render::html::document::{self, Place, count, flag, list, shown, texts};
use crate::render::html::escape::Html;
use crate::render::html::svg::{Anchor, LETTER, Svg, clipped};
use serde_json::Value;

/// Arrangements that are drawn.
const MOST: usize = 24;

pub fn view(result: &Value) -> View {
    let mut view = View { verdict: document::text(result, "verdict").to_string(), ..View::default() };
    view.why = document::text(result, "why").to_string();
    view.counted(result, &[("tuples", "tuples"), ("calls", "calls"), ("comparisons", "checks")]);
    if let Some(size) = result.get("domain_size") {
        view.facts.push(("domain", shown(size)));
    }
    if let Some(violation) = result.get("violation").filter(|violation| !violation.is_null()) {
        let mut body = Html::new();
        if let Some(orbit) = Orbit::read(result, violation) {
            body.add(&orbit.draw());
        }
        body.add(&pair(violation));
        view.panel("The orbit and the violating pair", body);
    } else if !view.verdict.is_empty() && list(result, "findings").is_empty() {
        view.marks.push(Mark {
            verdict: view.verdict.clone(),
            kind: "symmetry".to_string(),
            text: document::text(result, "text").to_string(),
            ..Mark::default()
        });
    }
    for found in list(result, "discovered") {
        view.marks.push(Mark {
            verdict: document::text(found, "verdict").to_string(),
            kind: "symmetry".to_string(),
            text: document::text(found, "text").to_string(),
            remark: document::text(found, "flags").to_string(),
            ..Mark::default()
        });
    }
    if let Some(mutants) = result.get("mutants") {
        let (killed, total) = (count(mutants, "killed").unwrap_or(0), count(mutants, "total").unwrap_or(0));
        view.facts.push(("mutants killed", format!("{killed} of {total}")));
        for survivor in list(mutants, "survivors") {
            view.marks.push(Mark {
                verdict: "unnoticed".to_string(),
                kind: format!("mutant: {}", document::text(survivor, "kind")),
                text: format!("{} → {}", document::text(survivor, "before"), document::text(survivor, "after")),
                is_code: true,
                place: Place::of(survivor),
                ..Mark::default()
            });
        }
    }
    view
}

/// The two calls, one above the other.
fn pair(violation: &Value) -> Html {
    let row = |inputs: &str, output: &str| {
        let arguments = document::members(violation, inputs);
        (!arguments.is_empty()).then(|| {
            let answer = violation.get(output).filter(|answer| !answer.is_null()).map_or(String::new(), shown);
            vec![code(&super::bindings(&arguments)), code(&answer)]
        })
    };
    let rows: Vec<Vec<Html>> =
        [row("input", "output"), row("permuted_input", "permuted_output")].into_iter().flatten().collect();
    let mut html = table(&["input", "output"], &rows);
    html.raw("<p class=\"caption\">");
    if let Some(permutation) = violation.get("permutation").and_then(Value::as_str) {
        html.raw("Inputs permuted by <code>").text(permutation).raw("</code>; ");
    }
    html.raw(if flag(violation, "minimal") { "the smallest such input of the domain, " } else { "" });
    html.raw(if flag(violation, "replayed") {
        "seen again in fresh processes."
    } else {
        "not seen again in fresh processes."
    });
    html.raw("</p>");
    html
}

/// The arrangements of the values that are permuted.
struct Orbit {
    /// Arrangements; the first is the input.
    nodes: Vec<Vec<String>>,
    /// Steps by one of the two generators.
    edges: Vec<(usize, usize)>,
    other: usize,
    permutation: String,
    answers: (String, String),
    is_whole: bool,
}

impl Orbit {
    fn read(result: &Value, violation: &Value) -> Option<Orbit> {
        let names = texts(result, "permute");
        let positions = |inputs: &str| -> Vec<String> {
            let inputs = violation.get(inputs);
            let values = names.iter().filter_map(|name| inputs?.get(*name));
            let flat = values.flat_map(|value| match value {
                Value::Array(elements) => elements.iter().map(shown).collect(),
                one => vec![shown(one)],
            });
            flat.collect()
        };
        let (input, permuted) = (positions("input"), positions("permuted_input"));
        let k = count(result.get("relation")?, "k")?;
        if input.len() as u64 != k || permuted.len() != input.len() || input.len() < 2 || input == permuted {
            return None;
        }
        let mut nodes = vec![input];
        let mut edges = Vec::new();
        let mut is_whole = true;
        let mut next = 0;
        while next < nodes.len() {
            let mut swapped = nodes[next].clone();
            swapped.swap(0, 1);
            let mut rotated = nodes[next].clone();
            rotated.rotate_right(1);
            for arrangement in [swapped, rotated] {
                let to = nodes.iter().position(|node| *node == arrangement);
                match to {
                    Some(to) if to != next => edges.push((next, to)),
                    Some(_) => {}
                    None if nodes.len() < MOST => {
                        edges.push((next, nodes.len()));
                        nodes.push(arrangement);
                    }
                    None => is_whole = false,
                }
            }
            next += 1;
        }
        let other = nodes.iter().position(|node| *node == permuted).unwrap_or(nodes.len());
        if other == nodes.len() {
            nodes.push(permuted);
        }
        let answer = |name: &str| clipped(&violation.get(name).map_or(String::new(), shown), 16);
        Some(Orbit {
            nodes,
            edges,
            other,
            permutation: document::text(violation, "permutation").to_string(),
            answers: (answer("output"), answer("permuted_output")),
            is_whole,
        })
    }

    fn draw(&self) -> Html {
        // Many values stand closer, so that the circle does not grow too large to be seen at once.
        let between = if self.nodes[0].len() > 4 { " " } else { ", " };
        let labels: Vec<String> =
            self.nodes.iter().map(|node| clipped(&format!("({})", node.join(between)), 24)).collect();
        let widest = LETTER * labels.iter().map(|label| label.chars().count()).max().unwrap_or(1) as f64 + 16.0;
        let count = labels.len() as f64;
        let radius = (count * 46.0 / std::f64::consts::TAU).max(count * widest / 9.0).max(96.0);
        let width = 2.0 * radius + widest + 30.0;
        // The pair stands on the left and on the right, so that what is between them is seen first.
        let order: Vec<usize> = {
            let rest: Vec<usize> = (1..self.nodes.len()).filter(|node| *node != self.other).collect();
            let (over, under) = rest.split_at(rest.len() / 2);
            [0].into_iter().chain(over.iter().copied()).chain([self.other]).chain(under.iter().rev().copied()).collect()
        };
        let mut at = vec![(0.0, 0.0); self.nodes.len()];
        let half = order.iter().position(|node| *node == self.other).unwrap_or(1);
        for (place, node) in order.iter().enumerate() {
            // The way from the input to its partner is the upper half of the circle, the way back the lower one.
            let part = match place < half {
                true => place as f64 / half as f64,
                false => 1.0 + (place - half) as f64 / (order.len() - half) as f64,
            };
            let angle = std::f64::consts::PI * (1.0 + part);
            at[*node] = (width / 2.0 + radius * angle.cos(), radius * angle.sin());
        }
        // A circle with nothing in its upper half needs no room there.
        let top = at.iter().map(|at| at.1).fold(f64::INFINITY, f64::min) - 30.0;
        let bottom = at.iter().map(|at| at.1).fold(f64::NEG_INFINITY, f64::max) + 30.0;
        at.iter_mut().for_each(|at| at.1 -= top);
        let mut svg = Svg::new(width, bottom - top);
        for (from, to) in &self.edges {
            svg.line("edge", at[*from], at[*to]);
        }
        svg.line("clash", at[0], at[self.other]);
        let middle = ((at[0].0 + at[self.other].0) / 2.0, (at[0].1 + at[self.other].1) / 2.0);
        svg.text("label bad", (middle.0, middle.1 - 8.0), Anchor::Middle, &self.permutation);
        for (number, label) in labels.iter().enumerate() {
            let is_pair = number == 0 || number == self.other;
            let size = (LETTER * label.chars().count() as f64 + 20.0, if is_pair { 44.0 } else { 26.0 });
            svg.rect(
                if is_pair { "box bad" } else { "box" },
                (at[number].0 - size.0 / 2.0, at[number].1 - size.1 / 2.0),
                size,
            );
            let line = if is_pair { at[number].1 - 5.0 } else { at[number].1 + 4.5 };
            svg.text("mono", (at[number].0, line), Anchor::Middle, label);
            let answer = if number == 0 { &self.answers.0 } else { &self.answers.1 };
            if is_pair && !answer.is_empty() {
                svg.text("mono strong", (at[number].0, line + 18.0), Anchor::Middle, &format!("gives {answer}"));
            }
        }
        let about = format!("{} gives {}, {} gives {}", labels[0], self.answers.0, labels[self.other], self.answers.1);
        let mut html = svg.scrolling(&about);
        html.raw("<p class=\"caption\">");
        html.raw(match self.is_whole {
            true => "All arrangements of the input, joined by the exchange of the first two and by rotation; the red pair breaks the relation.",
            false => "Some arrangements of the input, joined by the exchange of the first two and by rotation; the red pair breaks the relation.",
        });
        html.raw("</p>");
        html
    }
}
