//! What of the answers is shown where. Every function here looks at a [`View`] and changes nothing.

pub(crate) mod actions;
pub(crate) mod diagnostics;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod lenses;

use crate::Question;
use crate::answers::{Answer, Answers, each, text};
use crate::outline::Outline;
use crate::text::Text;
use lsp_types::Uri;
use serde_json::Value;

/// An open file and what is known about its text as it is now.
pub(crate) struct View<'a> {
    pub(crate) uri: &'a Uri,
    /// The path by which documents name it.
    pub(crate) path: &'a str,
    pub(crate) text: &'a Text,
    pub(crate) outline: &'a Outline,
    pub(crate) answers: &'a Answers,
}

/// A relation at a line.
pub(crate) struct Relation<'a> {
    pub(crate) function: &'a str,
    /// The name of its place: `loop at line 12`.
    pub(crate) location: &'a Value,
    pub(crate) line: u32,
    pub(crate) invariant: &'a Value,
}

impl Relation<'_> {
    pub(crate) fn text(&self) -> &str {
        text(&self.invariant["text"])
    }

    pub(crate) fn is_proved(&self) -> bool {
        text(&self.invariant["verdict"]).starts_with("proved")
    }

    /// The verdict and what it rests on, in words.
    pub(crate) fn evidence(&self) -> String {
        let verdict = text(&self.invariant["verdict"]);
        match (self.is_proved(), self.invariant["how"].as_str()) {
            (true, Some(how)) => format!("{verdict} by {how}"),
            (true, None) => verdict.to_string(),
            (false, _) => format!("{verdict} in {} different states", self.location["samples"]),
        }
    }
}

impl View<'_> {
    pub(crate) fn answer(&self, question: Question) -> Option<&Answer> {
        self.answers.get(&question, self.outline)
    }

    fn is_here(&self, value: &Value) -> bool {
        value["file"].as_str() == Some(self.path)
    }

    /// All relations, in the order of the text.
    pub(crate) fn relations(&self) -> Vec<Relation<'_>> {
        let mut found = Vec::new();
        for (function, _) in &self.outline.functions {
            let Some(answer) = self.answer(Question::Infer(function.clone())) else { continue };
            let Some(result) = answer.result() else { continue };
            for location in each(&result["locations"]).filter(|location| self.is_here(location)) {
                let Some(line) = answer.line(&location["line"], self.outline) else { continue };
                let invariants = each(&location["invariants"]);
                found.extend(invariants.map(|invariant| Relation { function, location, line, invariant }));
            }
        }
        found.sort_by_key(|relation| relation.line);
        found
    }

    /// What the assumptions of proofs are, over all functions.
    pub(crate) fn assumptions(&self, function: &str) -> Vec<&str> {
        let answer = self.answer(Question::Infer(function.to_string()));
        let result = answer.and_then(Answer::result);
        result.map(|result| each(&result["assumptions"]).map(text).collect()).unwrap_or_default()
    }

    /// The claims about a function that were decided, each with its line.
    pub(crate) fn properties(&self, function: &str) -> Vec<(u32, &Value)> {
        let Some(answer) = self.answer(Question::Prove(function.to_string())) else { return Vec::new() };
        let Some(result) = answer.result() else { return Vec::new() };
        let here = each(&result["properties"]).filter(|property| self.is_here(property));
        here.filter_map(|property| Some((answer.line(&property["line"], self.outline)?, property))).collect()
    }
}
