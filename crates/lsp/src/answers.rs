//! Answers, kept by what they depend on, and what they say about the lines of the text as it is now.

use crate::Question;
use crate::outline::{Key, Outline};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// So many answers are kept to each question, so that what is undone is known at once.
const KEPT: usize = 4;

/// An answer with what it depends on.
#[derive(Clone)]
pub(crate) struct Answer {
    key: Key,
    /// The outline of the text that was asked about.
    outline: Arc<Outline>,
    /// The document, or why there is none.
    pub(crate) document: Result<Arc<Value>, String>,
}

#[derive(Default)]
pub(crate) struct Answers {
    kept: HashMap<Question, Vec<Answer>>,
}

impl Answers {
    pub(crate) fn keep(
        &mut self,
        question: Question,
        key: Key,
        outline: Arc<Outline>,
        document: Result<Value, String>,
    ) {
        let answers = self.kept.entry(question).or_default();
        answers.retain(|answer| answer.key != key);
        answers.push(Answer { key, outline, document: document.map(Arc::new) });
        if answers.len() > KEPT {
            answers.remove(0);
        }
    }

    /// The answer to a question, if it was given for what the function is now.
    pub(crate) fn get(&self, question: &Question, outline: &Outline) -> Option<&Answer> {
        let key = outline.key(question.function());
        self.kept.get(question)?.iter().find(|answer| answer.key == key)
    }

    pub(crate) fn forget(&mut self) {
        self.kept.clear();
    }
}

impl Answer {
    /// The `result` of the document.
    pub(crate) fn result(&self) -> Option<&Value> {
        self.document.as_ref().ok().map(|document| &document["result"])
    }

    /// Where a line of the answer is in the text as it is now.
    pub(crate) fn line(&self, line: &Value, now: &Outline) -> Option<u32> {
        self.outline.moved(u32::try_from(line.as_u64()?).ok()?, now)
    }
}

impl Answer {
    /// What a text adds to the one that was asked about: lines, each before a line of the text as it is now. None if it
    /// changes more than that.
    pub(crate) fn added<'t>(&self, text: &'t str, now: &Outline) -> Option<Vec<(u32, &'t str)>> {
        let mut added = Vec::new();
        let mut asked = self.outline.text().lines().zip(1..).peekable();
        for line in text.lines() {
            match asked.peek() {
                Some((old, _)) if *old == line => _ = asked.next(),
                Some((_, number)) => added.push((*number, line)),
                None => return None,
            }
        }
        if asked.next().is_some() {
            return None;
        }
        added.into_iter().map(|(number, line)| Some((self.outline.moved(number, now)?, line))).collect()
    }
}

/// The members of an array; none if it is none.
pub(crate) fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

/// A text; empty if it is none.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
