//! `conform`: both languages as automata, with the message that tells them apart.

use super::{Detail, Mark, View, code};
use crate::render::html::automaton::{Automaton, Kind, Move, Reading, Walk};
use crate::render::html::document::{self, Place, count, flag, list, texts};
use crate::render::html::escape::Html;
use serde_json::Value;

/// States of an automaton that is drawn, and symbols of a message that are shown.
const MOST_STATES: u64 = 60;
const MOST_SYMBOLS: usize = 60;

pub fn view(result: &Value) -> View {
    let mut view = View { verdict: document::text(result, "verdict").to_string(), ..View::default() };
    view.why = document::text(result, "why").to_string();
    for name in ["model", "granularity"] {
        view.facts.push((name, document::text(result, name).to_string()));
    }
    let mutation = result.get("mutation").unwrap_or(&Value::Null);
    if count(mutation, "total").is_some_and(|total| total > 0) {
        let number = |name: &str| count(mutation, name).unwrap_or(0);
        view.facts.push(("changes caught", format!("{} of {}", number("caught"), number("total"))));
    }
    let counterexample = result.get("counterexample").filter(|found| !found.is_null());
    if let Some(found) = counterexample {
        marks(found, is_given(result), &mut view);
        view.panel("The message", message(found));
    }
    for missed in list(mutation, "missed") {
        view.marks.push(Mark {
            verdict: "unnoticed".to_string(),
            kind: "change".to_string(),
            text: format!("{} {}", document::text(missed, "symbol"), document::text(missed, "change")),
            place: Place::parse(document::text(missed, "at")),
            ..Mark::default()
        });
    }
    for (title, name) in [("What the producer writes", "producer"), ("What the consumer reads", "consumer")] {
        let Some(side) = result.get(name) else { continue };
        let hears_calls = document::text(result, "model") == "nested";
        // A consumer that is compared without calls never looks at its stack.
        let reading = Reading { hears_calls, matches_calls: hears_calls || name == "producer" };
        view.panel(title, language(side, name, counterexample, reading));
    }
    view.notes.extend(texts(result, "approximations").into_iter().map(str::to_string));
    if let Some(confirmation) = result.get("confirmation") {
        view.panel("Tried on the programs", confirmed(confirmation));
    }
    view
}

/// Whether automata were compared that the user gave: they have no functions, and are too large perhaps to be in the document.
fn is_given(result: &Value) -> bool {
    result.get("consumer").is_some_and(|side| side.get("functions") == Some(&Value::Null))
}

/// What is said of the message where it is written and read; in automata that were given there are states for places.
fn marks(found: &Value, are_states: bool, view: &mut View) {
    let taken = found.get("stuck_at").and_then(|stuck| count(stuck, "after")).unwrap_or(0);
    for (number, written) in list(found, "producer_path").iter().take(MOST_SYMBOLS).enumerate() {
        let mut mark = Mark {
            verdict: "incompatible".to_string(),
            kind: "written".to_string(),
            text: document::text(written, "symbol").to_string(),
            is_code: true,
            remark: format!("written {} of the message", ordinal(number + 1)),
            place: Place::parse(document::text(written, "at")),
            ..Mark::default()
        };
        let by = document::text(written, "callee");
        mark.detail(
            "by",
            Detail::Code(if by.is_empty() {
                String::new()
            } else {
                format!("{by} in {}", document::text(written, "function"))
            }),
        );
        for caller in texts(written, "called_from").iter().rev() {
            if let Some(place) = Place::parse(caller) {
                mark.detail("called from", Detail::Place(place));
            }
        }
        view.marks.push(mark);
    }
    for place in found.get("stuck_at").map_or(Vec::new(), |stuck| texts(stuck, "places")) {
        let next =
            texts(found, "message").get(taken as usize).map_or("the end of the message", |next| *next).to_string();
        let mut mark = Mark {
            verdict: "incompatible".to_string(),
            kind: "stuck".to_string(),
            text: match are_states {
                true => format!("the consumer gets {next} in the state {place}, after {taken} of the message"),
                false => format!("the consumer gets {next} here, after {taken} of the message"),
            },
            place: if are_states { None } else { Place::parse(place) },
            ..Mark::default()
        };
        mark.detail("it would take", Detail::Code(texts(found, "expected").join(", ")));
        view.marks.push(mark);
    }
}

fn ordinal(number: usize) -> String {
    match number {
        1 => "first".to_string(),
        2 => "second".to_string(),
        3 => "third".to_string(),
        more => format!("as number {more}"),
    }
}

fn message(found: &Value) -> Html {
    let symbols = texts(found, "message");
    let taken = found.get("stuck_at").and_then(|stuck| count(stuck, "after")).unwrap_or(0) as usize;
    let mut html = Html::new();
    html.raw("<ol class=\"message\">");
    for (number, symbol) in symbols.iter().take(MOST_SYMBOLS).enumerate() {
        html.raw(if number < taken { "<li class=\"taken\">" } else { "<li class=\"refused\">" })
            .text(symbol)
            .raw("</li>");
    }
    if symbols.len() > MOST_SYMBOLS {
        html.raw("<li>and ").count(symbols.len() - MOST_SYMBOLS).raw(" more</li>");
    }
    if taken >= symbols.len() {
        html.raw("<li class=\"refused\">end</li>");
    }
    html.raw("</ol><p class=\"caption\">The consumer takes ").count(taken).raw(" of it; then it would take ");
    let expected = texts(found, "expected");
    if expected.is_empty() {
        html.raw("nothing.")
    } else {
        html.add(&code(&expected.join(", "))).raw(".")
    };
    html.raw("</p>");
    html
}

fn language(side: &Value, role: &str, counterexample: Option<&Value>, reading: Reading) -> Html {
    let mut html = Html::new();
    let expression = document::text(side, "language");
    if !expression.is_empty() {
        html.raw("<p>").add(&code(expression)).raw("</p>");
    }
    match read(side) {
        Some(automaton) => {
            let is_consumer = role == "consumer";
            let message = counterexample.map_or(Vec::new(), |found| texts(found, "message"));
            let walk = automaton.walk(&message, reading);
            // As far as the comparison says; what was made finite, or is too long to be searched, may go another way.
            let wanted = match counterexample {
                Some(found) if is_consumer => found.get("stuck_at").and_then(|stuck| count(stuck, "after")),
                Some(_) => Some(message.len() as u64),
                None => None,
            };
            let is_walked = wanted == Some(walk.taken as u64);
            let walk = if is_walked { walk } else { Walk::default() };
            let about = if expression.is_empty() {
                format!("automaton of the {role}")
            } else {
                format!("automaton of {expression}")
            };
            html.add(&automaton.draw(&about, &walk, is_consumer && is_walked));
            html.raw("<p class=\"caption\">It starts at the arrow and may end in a double circle");
            html.raw(match (is_walked, is_consumer) {
                (false, _) => ".",
                (true, false) => "; the coloured way writes the message.",
                (true, true) => "; the coloured way takes the message until it is stuck in the red state.",
            });
            let has = |kind: fn(&Move) -> bool| automaton.moves.iter().any(kind);
            if has(|step| matches!(step.kind, Kind::Call | Kind::Return(_))) {
                html.raw(" &lt;f is a call, f&gt; s a return to a call that was made in s.");
            }
            if has(|step| step.kind == Kind::Silent) {
                html.raw(" ε reads nothing.");
            }
            if has(|step| step.kind != Kind::Silent && step.symbol.is_none()) {
                html.raw(" @ is any symbol.");
            }
            if !side.get("automaton").is_some_and(|automaton| flag(automaton, "exact")) {
                html.raw(" Recursion is made finite here, so it has more messages than the program.");
            }
            html.raw("</p>");
        }
        None => {
            html.raw("<p class=\"caption\">The automaton is too large to be drawn");
            if let Some(states) = count(side, "states") {
                html.raw(": ").text(&states.to_string()).raw(" states");
            }
            html.raw(".</p>");
        }
    }
    html
}

fn read(side: &Value) -> Option<Automaton> {
    let automaton = side.get("automaton").filter(|automaton| automaton.is_object())?;
    let states = count(automaton, "states").filter(|states| (1..=MOST_STATES).contains(states))? as usize;
    let index = |value: &Value| value.as_u64().map(|state| state as usize).filter(|state| *state < states);
    let indices = |name: &str| list(automaton, name).iter().filter_map(index).collect::<Vec<usize>>();
    let step = |step: &Value| {
        let symbol = step.get("symbol").and_then(Value::as_str).map(str::to_string);
        let kind = match document::text(step, "kind") {
            "silent" => Kind::Silent,
            "call" => Kind::Call,
            "return" => Kind::Return(index(step.get("call")?)?),
            _ => Kind::Internal,
        };
        Some(Move { from: index(step.get("from")?)?, to: index(step.get("to")?)?, kind, symbol })
    };
    Some(Automaton {
        states,
        names: texts(automaton, "names").into_iter().map(str::to_string).collect(),
        // The deterministic ones of programs begin in the first state and do not say so.
        initial: if automaton.get("initial").is_some() { indices("initial") } else { vec![0] },
        accepting: indices("accepting").into_iter().collect(),
        moves: list(automaton, "moves").iter().filter_map(step).collect(),
    })
}

fn confirmed(confirmation: &Value) -> Html {
    let mut html = Html::new();
    if !flag(confirmation, "confirmed") {
        html.raw("<p>Not confirmed: ").text(document::text(confirmation, "why")).raw("</p>");
        return html;
    }
    html.raw("<p>On the input ").add(&code(document::text(confirmation, "input"))).raw(" the producer writes ");
    html.add(&code(document::text(confirmation, "message"))).raw(" and the consumer fails: ");
    html.text(document::text(confirmation, "ending")).raw("</p>");
    html
}
