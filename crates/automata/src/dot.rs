//! Automata as Graphviz text.

use crate::alphabet::Alphabet;
use crate::finite::Nfa;
use crate::nested::{Letter, Nested};
use crate::recursive::{Label, Machine, NEVER};
use std::collections::BTreeMap;
use std::fmt::Write;

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Edges between the same two nodes with their labels joined.
#[derive(Default)]
struct Arrows(BTreeMap<(String, String), Vec<String>>);

impl Arrows {
    fn add(&mut self, from: String, to: String, label: String) {
        let labels = self.0.entry((from, to)).or_default();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }

    fn write(&self, text: &mut String, indent: &str) {
        for ((from, to), labels) in &self.0 {
            _ = writeln!(text, "{indent}{from} -> {to} [label=\"{}\"];", escaped(&labels.join(", ")));
        }
    }
}

const HEAD: &str = "  rankdir=LR;\n  node [shape=circle, label=\"\", width=0.25];\n";

impl Machine {
    /// One cluster per module. Accepting states of the whole machine are double circles, other exits carry their
    /// number; calls show the callee and, where it has several exits, the exit.
    pub fn dot(&self, alphabet: &Alphabet, title: &str) -> String {
        let mut text = format!("digraph \"{}\" {{\n{HEAD}", escaped(title));
        for id in self.ids() {
            let module = self.module(id);
            let node = |state: crate::StateId| format!("{id}{state}");
            _ = writeln!(text, "  subgraph cluster_{id} {{\n    label=\"{}\";", escaped(&module.name));
            let mut arrows = Arrows::default();
            for state in (0..module.states).map(crate::StateId::new) {
                let exits: Vec<String> = (0..module.exits.len())
                    .filter(|&exit| module.exits[exit] == state)
                    .map(|exit| exit.to_string())
                    .collect();
                let accepting = module.ends.contains(&state) || id == self.main && !exits.is_empty();
                let mut style = Vec::new();
                if accepting {
                    style.push("shape=doublecircle".to_string());
                } else if !exits.is_empty() {
                    style.push(format!("label=\"{}\"", exits.join(",")));
                }
                if state == module.entry {
                    style.push("style=filled".to_string());
                }
                _ = writeln!(text, "    {} [{}];", node(state), style.join(", "));
            }
            for edge in &module.edges {
                let label = match edge.label {
                    Label::Silent => "ε".to_string(),
                    Label::Emit(symbol) => alphabet.name(symbol).to_string(),
                    Label::Call { module, exit } => {
                        let callee = self.module(module);
                        match exit {
                            NEVER => format!("{}() †", callee.name),
                            _ if callee.exits.len() > 1 => format!("{}() → {exit}", callee.name),
                            _ => format!("{}()", callee.name),
                        }
                    }
                };
                arrows.add(node(edge.from), node(edge.to), label);
            }
            arrows.write(&mut text, "    ");
            text.push_str("  }\n");
        }
        text.push_str("}\n");
        text
    }
}

impl Nfa {
    pub fn dot(&self, alphabet: &Alphabet, title: &str) -> String {
        let mut text = format!("digraph \"{}\" {{\n{HEAD}", escaped(title));
        for state in (0..self.states).map(crate::StateId::new) {
            let shape = if self.accepting.contains(&state) { "shape=doublecircle" } else { "" };
            let style = if self.initial.contains(&state) { "style=filled" } else { "" };
            let comma = if shape.is_empty() || style.is_empty() { "" } else { ", " };
            _ = writeln!(text, "  {state} [{shape}{comma}{style}];");
        }
        let mut arrows = Arrows::default();
        for arc in &self.arcs {
            let label = arc.symbol.map_or("ε".to_string(), |symbol| alphabet.name(symbol).to_string());
            arrows.add(arc.from.to_string(), arc.to.to_string(), label);
        }
        arrows.write(&mut text, "  ");
        text.push_str("}\n");
        text
    }
}

impl Nested {
    /// Calls are labelled `<f`, returns `f> s` with the state before the call.
    pub fn dot(&self, alphabet: &Alphabet, title: &str) -> String {
        let mut text = format!("digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=ellipse];\n", escaped(title));
        let letter = |letter: Letter| match letter {
            Letter::Epsilon => "ε".to_string(),
            Letter::Any => "@".to_string(),
            Letter::Is(symbol) => alphabet.name(symbol).to_string(),
        };
        for (number, name) in self.names.iter().enumerate() {
            let state = crate::StateId::new(number);
            let mut style = vec![format!("label=\"{}\"", escaped(name))];
            if self.accepting.contains(&state) {
                style.push("peripheries=2".to_string());
            }
            if self.initial.contains(&state) {
                style.push("style=filled".to_string());
            }
            _ = writeln!(text, "  {state} [{}];", style.join(", "));
        }
        let mut arrows = Arrows::default();
        for at in &self.internals {
            arrows.add(at.from.to_string(), at.to.to_string(), letter(at.letter));
        }
        for at in &self.calls {
            arrows.add(at.from.to_string(), at.to.to_string(), format!("<{}", letter(at.letter)));
        }
        for at in &self.returns {
            let label = format!("{}> {}", letter(at.letter), self.names[at.call.index()]);
            arrows.add(at.from.to_string(), at.to.to_string(), label);
        }
        arrows.write(&mut text, "  ");
        text.push_str("}\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{grammar, regular};

    #[test]
    fn calls_and_acceptance_are_shown() {
        let mut alphabet = Alphabet::new();
        let machine = grammar::parse("f = \"a\\b\" g ; g = c | d ;", &mut alphabet).unwrap().machine.reduce();
        let text = machine.dot(&alphabet, "spec");
        for line in [
            "digraph \"spec\" {",
            "    label=\"f\";",
            "    m0q0 -> m0q1 [label=\"a\\\\b\"];",
            "    m0q1 -> m0q2 [label=\"g()\"];",
            "    m0q2 [shape=doublecircle];",
            "    m1q0 [style=filled];",
            "    m1q1 [label=\"0\"];",
            "    m1q0 -> m1q1 [label=\"c, d\"];",
        ] {
            assert!(text.lines().any(|at| at == line), "{line} is missing in\n{text}");
        }
        let finite = regular(&machine, 100).nfa.minimise(100).unwrap().dot(&alphabet, "finite");
        assert!(
            finite.contains("  q1 -> q2 [label=\"c, d\"];") && finite.contains("  q2 [shape=doublecircle];"),
            "{finite}"
        );
        let nested = crate::Nested::of_machine(&machine, alphabet.intern("call"), alphabet.intern("return"));
        let nested = nested.dot(&alphabet, "nested");
        assert!(nested.contains("label=\"<call\"") && nested.contains("label=\"return> f:1\""), "{nested}");
    }
}
