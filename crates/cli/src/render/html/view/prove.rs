//! `prove`: claims at their lines, and which invariants each proof rests on.

use super::{Detail, Mark, View, bindings};
use crate::render::html::document::{self, Place, count, list, texts};
use crate::render::html::escape::Html;
use crate::render::html::svg::{Anchor, LETTER, Path, Svg, clipped};
use serde_json::Value;
use std::collections::BTreeMap;

/// Claims whose proofs are drawn, and lemmas in the drawing.
const MOST_CLAIMS: usize = 12;
const MOST_LEMMAS: usize = 40;

pub fn view(result: &Value) -> View {
    let mut view = View::default();
    let properties = list(result, "properties");
    for property in properties {
        view.marks.push(mark(property));
        for assumption in texts(property, "assumptions") {
            if !view.assumptions.iter().any(|known| known == assumption)
                && document::text(property, "verdict").starts_with("proved")
            {
                view.assumptions.push(assumption.to_string());
            }
        }
    }
    for obstacle in list(result, "obstacles") {
        view.marks.push(Mark {
            verdict: "note".into(),
            kind: "obstacle".into(),
            text: format!("replaced by an arbitrary value: {}", document::text(obstacle, "what")),
            place: Place::of(obstacle),
            ..Mark::default()
        });
    }
    let (drawing, left_out) = drawing(properties);
    if !drawing.is_empty() {
        let mut body = drawing;
        body.raw("<p class=\"caption\">Arcs lead from a claim to the invariants that its proof uses; k is how many steps its induction takes.");
        if left_out > 0 {
            body.raw(" ").count(left_out).raw(" more are not drawn.");
        }
        body.raw("</p>");
        view.panel("What the proofs rest on", body);
    }
    let invariants = list(result, "invariants");
    if !invariants.is_empty() {
        let mut body = Html::new();
        body.raw("<ul class=\"plain\">");
        for invariant in invariants {
            body.raw("<li><code>").text(document::text(invariant, "text")).raw("</code> <span class=\"soft\">at ");
            body.text(document::text(invariant, "location")).raw("</span></li>");
        }
        body.raw("</ul>");
        let title = match invariants.len() {
            1 => "1 invariant was proved on the way".to_string(),
            many => format!("{many} invariants were proved on the way"),
        };
        view.panel("Invariants", super::folded(&title, &body));
    }
    if let Some(queries) = result.get("queries") {
        view.counted(queries, &[("by algebra", "algebra"), ("by linear arithmetic", "linear"), ("left open", "open")]);
    }
    view
}

fn mark(property: &Value) -> Mark {
    let verdict = document::text(property, "verdict");
    let mut mark = Mark {
        verdict: verdict.to_string(),
        kind: document::text(property, "kind").to_string(),
        text: document::text(property, "text").to_string(),
        is_code: true,
        place: Place::of(property),
        ..Mark::default()
    };
    mark.remark = match count(property, "k") {
        Some(k) => format!("k = {k}"),
        None => String::new(),
    };
    mark.detail("how", Detail::Text(document::text(property, "how").to_string()));
    if let Some(k) = count(property, "plain_k") {
        mark.detail("alone", Detail::Text(format!("k = {k}")));
    }
    if let Some(witness) = property.get("witness").filter(|witness| !witness.is_null()) {
        let inputs = list(witness, "inputs").iter();
        let inputs: Vec<(&str, &Value)> =
            inputs.filter_map(|input| Some((document::text(input, "name"), input.get("value")?))).collect();
        mark.remark = format!("with {}", bindings(&inputs));
        mark.detail("broken by", Detail::Code(bindings(&inputs)));
        mark.replayed(witness);
    }
    mark.detail("assuming", Detail::Text(texts(property, "assumptions").join(", ")));
    texts(property, "lemmas").into_iter().for_each(|lemma| mark.detail("by", Detail::Code(lemma.to_string())));
    mark.detail("in C", Detail::Code(document::text(property, "c").to_string()));
    mark
}

/// A row of the drawing.
struct Row<'a> {
    text: &'a str,
    k: Option<u64>,
    is_claim: bool,
}

/// Claims from top to bottom, below them what they rest on; and how much there was no room for.
fn drawing(properties: &[Value]) -> (Html, usize) {
    let proved: Vec<&Value> = properties.iter().filter(|p| !texts(p, "lemmas").is_empty()).collect();
    let mut left_out = proved.len().saturating_sub(MOST_CLAIMS);
    let mut rows: Vec<Row> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    for property in proved.iter().take(MOST_CLAIMS) {
        let text = document::text(property, "text");
        index.entry(text).or_insert(rows.len());
        rows.push(Row { text, k: count(property, "k"), is_claim: true });
    }
    let claims = rows.len();
    let mut edges = Vec::new();
    for (from, property) in proved.iter().take(MOST_CLAIMS).enumerate() {
        for lemma in texts(property, "lemmas") {
            let to = match index.get(lemma) {
                Some(to) => *to,
                None if rows.len() - claims >= MOST_LEMMAS => {
                    left_out += 1;
                    continue;
                }
                None => {
                    index.insert(lemma, rows.len());
                    rows.push(Row { text: lemma, k: None, is_claim: false });
                    rows.len() - 1
                }
            };
            if from != to {
                edges.push((from, to));
            }
        }
    }
    (if edges.is_empty() { Html::new() } else { arcs(&rows, &edges) }, left_out)
}

const HEIGHT: f64 = 34.0;
/// Letters of a claim that are shown.
const ROOM: usize = 42;

/// Rows under each other, and arcs on their left that lead from a claim to what it rests on.
fn arcs(rows: &[Row], edges: &[(usize, usize)]) -> Html {
    let bow = |from: usize, to: usize| (12.0 + 11.0 * (from.abs_diff(to) as f64).powf(0.8)).min(120.0);
    let left = edges.iter().map(|(from, to)| bow(*from, *to)).fold(0.0, f64::max) * 0.75 + 14.0;
    let width = LETTER * (ROOM as f64 + 6.0) + 12.0;
    let mut svg = Svg::new(left + width + 2.0, HEIGHT * rows.len() as f64 + 4.0);
    let middle = |row: usize| 2.0 + HEIGHT * (row as f64 + 0.5);
    for (number, row) in rows.iter().enumerate() {
        svg.titled(row.text, |svg| {
            let class = if row.is_claim { "box good" } else { "box" };
            svg.rect(class, (left, middle(number) - 14.0), (width, 28.0));
            svg.text("mono", (left + 8.0, middle(number) + 4.5), Anchor::Start, &clipped(row.text, ROOM));
            if let Some(k) = row.k {
                svg.text("mono strong", (left + width - 8.0, middle(number) + 4.5), Anchor::End, &format!("k={k}"));
            }
        });
    }
    for &(from, to) in edges {
        let (start, end, out) = ((left, middle(from) + 5.0), (left - 1.0, middle(to) - 5.0), left - bow(from, to));
        let mut path = Path::from(start);
        path.curve((out, start.1), (out, end.1), end);
        svg.arrow("edge", &path, (end.0 - 10.0, end.1), end);
    }
    let said: Vec<String> =
        edges.iter().map(|(from, to)| format!("{} rests on {}", rows[*from].text, rows[*to].text)).collect();
    svg.finish(&said.join("; "))
}
