//! `reach`: what is reached, and the path that leads there through the source.

use super::{Detail, LineNote, Mark, View, badge, bindings, code, first_rows, folded, text};
use crate::render::html::document::{self, Place, count, flag, list, members, shown};
use crate::render::html::escape::Html;
use crate::render::html::sources::Texts;
use crate::render::html::svg::{Anchor, LETTER, Path, Svg, clipped};
use serde_json::Value;

/// Paths that are drawn, decisions in a drawing and tests that are listed.
const MOST_PATHS: usize = 12;
const MOST_TURNS: usize = 120;
const MOST_TESTS: usize = 200;

pub fn view(result: &Value, texts: &Texts) -> View {
    let mut view = View::default();
    if result.get("path").is_some() {
        along(result, texts, &mut view);
    }
    let targets = list(result, "targets");
    for target in targets {
        view.marks.push(mark(target));
    }
    let mut reached: Vec<&Value> = targets.iter().filter(|target| !list(target, "path").is_empty()).collect();
    // The longest that can be drawn whole says most; it is the one that is followed in the source.
    reached.sort_by_key(|target| match list(target, "path").len() {
        turns if turns <= MOST_TURNS => MOST_TURNS - turns,
        turns => turns,
    });
    for (number, target) in reached.iter().take(MOST_PATHS).enumerate() {
        let body = followed(target, &goal(target), &members(target, "inputs"), texts);
        if number == 0 {
            label_lines(target, &mut view);
        }
        view.panel(format!("Path to {}", goal(target)), if number < 2 { body } else { folded("Show the path", &body) });
    }
    if reached.len() > MOST_PATHS {
        view.notes.push(format!("Of {} paths the first {MOST_PATHS} are drawn.", reached.len()));
    }
    let tests = list(result, "tests");
    if !tests.is_empty() && result.get("coverage").is_some() {
        view.panel("Test suite", suite(tests));
    }
    if let Some(search) = result.get("search") {
        view.counted(search, &[("states", "states"), ("rewriting steps", "rewrites")]);
    }
    for function in list(result, "functions").iter().filter(|function| function.get("notation").is_some()) {
        let mut body = Html::new();
        body.raw("<p><code>").text(document::text(function, "notation")).raw("</code></p><p>for example <code>");
        body.text(document::text(function, "example")).raw("</code></p>");
        view.panel(format!("Paths of {}", document::text(function, "name")), body);
    }
    view
}

/// `L`, or `true at line 7`.
fn goal(target: &Value) -> String {
    let name = document::text(target, "name");
    match (count(target, "line"), target.get("outcome")) {
        (Some(line), Some(_)) => format!("{name} at line {line}"),
        _ => name.to_string(),
    }
}

fn mark(target: &Value) -> Mark {
    let verdict = document::text(target, "verdict");
    let is_branch = target.get("outcome").is_some();
    let mut mark = Mark {
        verdict: verdict.to_string(),
        kind: if is_branch { "branch" } else { "target" }.to_string(),
        text: document::text(target, "name").to_string(),
        is_code: true,
        place: Place::of(target),
        ..Mark::default()
    };
    let inputs = bindings(&members(target, "inputs"));
    mark.remark = if inputs.is_empty() { String::new() } else { format!("with {}", clipped(&inputs, 60)) };
    mark.detail("inputs", Detail::Code(inputs));
    if verdict == "reached" {
        mark.replayed(target);
    }
    mark.detail("why", Detail::Text(document::text(target, "why").to_string()));
    mark
}

/// A path with the inputs that take it.
fn followed(path: &Value, goal: &str, inputs: &[(&str, &Value)], texts: &Texts) -> Html {
    let mut body = Html::new();
    let inputs = bindings(inputs);
    if !inputs.is_empty() {
        body.raw("<p>with <code>").text(&inputs).raw("</code></p>");
    }
    body.add(&drawing(path, goal, texts.get(document::text(path, "file"))));
    body
}

/// A path over abstract data types: the answers are terms.
fn along(result: &Value, texts: &Texts, view: &mut View) {
    view.verdict = document::text(result, "verdict").to_string();
    view.why = document::text(result, "why").to_string();
    let path = document::text(result, "path");
    for solution in list(result, "solutions") {
        let mut mark = Mark {
            verdict: "reached".to_string(),
            kind: "solution".to_string(),
            text: bindings(&members(solution, "bindings")),
            is_code: true,
            place: way_of(solution, result).and_then(Place::of),
            ..Mark::default()
        };
        mark.remark = format!("along {}", document::text(solution, "path"));
        if !flag(solution, "replayed") {
            mark.detail("not replayed", Detail::Text(document::text(solution, "why").to_string()));
        }
        mark.detail("free", Detail::Code(document::texts(solution, "free").join(", ")));
        mark.detail("with", Detail::Code(document::texts(solution, "constraints").join(", ")));
        view.marks.push(mark);
    }
    let mut body = Html::new();
    body.raw("<p>")
        .add(&badge(&view.verdict))
        .raw(" <code>")
        .text(document::text(result, "function"))
        .raw("</code> along <code>");
    body.text(path).raw("</code></p>");
    if let Some(precondition) = result.get("precondition") {
        body.raw("<p class=\"caption\">What must hold of the inputs:</p>");
        body.add(&super::preformatted(document::text(precondition, "text")));
    }
    view.panel("Path", body);
    ways(result, texts, view);
}

/// The way of a solution that was replayed, which is that of the path unless the solution says more.
fn way_of<'a>(solution: &'a Value, result: &'a Value) -> Option<&'a Value> {
    let own = solution.get("way").filter(|way| way.is_object());
    own.or(result.get("way")).filter(|way| way.is_object() && flag(solution, "replayed"))
}

/// The ways of solutions, each once; without solutions that of the path which was asked for.
fn ways(result: &Value, texts: &Texts, view: &mut View) {
    let mut ways: Vec<(&Value, &Value)> = Vec::new();
    for solution in list(result, "solutions") {
        if let Some(way) = way_of(solution, result).filter(|way| !ways.iter().any(|(known, _)| known == way)) {
            ways.push((way, solution));
        }
    }
    if ways.is_empty() {
        ways.extend(result.get("way").filter(|way| way.is_object()).map(|way| (way, &Value::Null)));
    }
    if let Some((way, _)) = ways.first() {
        label_lines(way, view);
    }
    for (number, (way, solution)) in ways.iter().take(MOST_PATHS).enumerate() {
        let body = followed(way, "the end of the path", &members(solution, "bindings"), texts);
        let title = match (solution, ways.len()) {
            (Value::Null, _) => "The path that was asked for".to_string(),
            (_, 1) => "The way through the source".to_string(),
            _ => format!("Way {}", number + 1),
        };
        view.panel(title, if number < 2 { body } else { folded("Show the way", &body) });
    }
    if ways.len() > MOST_PATHS {
        view.notes.push(format!("Of {} ways the first {MOST_PATHS} are drawn.", ways.len()));
    }
}

/// Says at the lines of the first path in which order it decides there.
fn label_lines(target: &Value, view: &mut View) {
    let file = document::text(target, "file");
    for (step, turn) in list(target, "path").iter().enumerate() {
        let Some(line) = count(turn, "line").and_then(|line| u32::try_from(line).ok()) else { continue };
        let note: &mut LineNote = view.lines.entry(Place { file: file.to_string(), line }).or_default();
        match note.label.chars().count() {
            // A loop decides at one line again and again.
            0..28 => {
                let gap = if note.label.is_empty() { "" } else { "  " };
                note.label += &format!("{gap}{}\u{a0}{}", step + 1, document::text(turn, "outcome"));
            }
            _ if !note.label.ends_with('…') => note.label += " …",
            _ => {}
        }
    }
}

const ROW: f64 = 26.0;

/// Lines from top to bottom, decisions from left to right.
fn drawing(target: &Value, goal: &str, source: Option<&str>) -> Html {
    let turns: Vec<(u64, &str)> = list(target, "path")
        .iter()
        .take(MOST_TURNS)
        .filter_map(|turn| Some((count(turn, "line")?, document::text(turn, "outcome"))))
        .collect();
    let end = count(target, "line");
    let mut lines: Vec<u64> = turns.iter().map(|turn| turn.0).chain(end).collect();
    lines.sort_unstable();
    lines.dedup();
    let text_of = |line: u64| {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        Some(source?.lines().nth(index)?.trim().to_string())
    };
    let labels: Vec<String> =
        lines.iter().map(|line| clipped(&format!("{line:>3}  {}", text_of(*line).unwrap_or_default()), 21)).collect();
    let left = 12.0 + LETTER * labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as f64 + 16.0;
    let step = (250.0 / (turns.len() + 1) as f64).clamp(12.5, 46.0);
    let radius = (step * 0.5).min(8.0);
    let (width, height) = (left + step * turns.len() as f64 + 26.0, ROW * lines.len() as f64 + 14.0);
    let row = |line: u64| 7.0 + ROW * (lines.partition_point(|known| *known < line) as f64 + 0.5);
    let mut svg = Svg::new(width, height);
    for (line, label) in lines.iter().zip(&labels) {
        svg.text("mono", (4.0, row(*line) + 4.0), Anchor::Start, label);
        svg.line("grid", (left - 14.0, row(*line)), (width - 4.0, row(*line)));
    }
    let at = |number: usize, line: u64| (left + step * number as f64, row(line));
    let mut points: Vec<(f64, f64)> = turns.iter().enumerate().map(|(number, turn)| at(number, turn.0)).collect();
    // Clear of the last decision, which may be on the same line.
    points.extend(end.map(|line| (at(turns.len(), line).0 + 20.0 - step.min(20.0), row(line))));
    let mut path = Path::default();
    for (number, point) in points.iter().enumerate() {
        if number == 0 {
            path.go(*point)
        } else {
            path.to(*point)
        };
    }
    svg.path("way", &path);
    for (number, turn) in turns.iter().enumerate() {
        let (outcome, point) = (turn.1, points[number]);
        svg.titled(&format!("step {}: line {} {outcome}", number + 1, turn.0), |svg| {
            svg.circle(if outcome == "F" { "turn no" } else { "turn yes" }, point, radius);
            let shown = match outcome.strip_prefix("case") {
                Some(case) => case.to_string(),
                None if outcome.starts_with('#') => outcome.to_string(),
                None => outcome.chars().take(1).collect(),
            };
            let class = if outcome == "F" { "turned no" } else { "turned yes" };
            svg.text(class, (point.0, point.1 + 3.5), Anchor::Middle, &shown);
        });
    }
    if let Some(point) = points.get(turns.len()) {
        svg.titled(goal, |svg| {
            svg.circle("goal", *point, 8.0);
            svg.circle("goal inner", *point, 3.5);
        });
    }
    let said: Vec<String> = turns.iter().map(|(line, outcome)| format!("line {line}: {outcome}")).collect();
    let mut html = svg.scrolling(&said.join(", "));
    html.raw(
        "<p class=\"caption\">Decisions from left to right, at their lines: T taken, F not taken, a number is a case.",
    );
    if turns.iter().any(|(_, outcome)| outcome.starts_with('#')) {
        html.raw(" # and a number are so many iterations, whatever is decided in them.");
    }
    let rest = list(target, "path").len().saturating_sub(MOST_TURNS);
    let rest = rest.saturating_add(count(target, "further").unwrap_or(0) as usize);
    if rest > 0 {
        html.raw(" The last ").count(rest).raw(" are not drawn.");
    }
    html.raw("</p>");
    html
}

fn suite(tests: &[Value]) -> Html {
    let row = |(number, test): (usize, &Value)| {
        let expected: Vec<String> =
            members(test, "expected").iter().map(|(name, value)| format!("{name} {}", shown(value))).collect();
        let branches = count(test, "branches").map_or(String::new(), |count| count.to_string());
        let inputs = bindings(&members(test, "inputs"));
        let inputs = if inputs.is_empty() { text("none") } else { code(&inputs) };
        vec![text(&(number + 1).to_string()), inputs, code(&expected.join(", ")), text(&branches)]
    };
    first_rows(&["", "inputs", "expected", "branches"], tests.iter().enumerate().map(row), MOST_TESTS)
}
