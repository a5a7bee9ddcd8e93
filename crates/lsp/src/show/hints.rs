//! What holds at a line, at its end: the most informative relations, marked as proved or only seen.

use super::{Relation, View};
use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, MarkupContent, MarkupKind, Range};
use std::fmt::Write as _;

/// So many relations are shown at a line; the rest is in the text that pops up.
const SHOWN: usize = 3;

pub(crate) fn hints(view: &View<'_>, range: Range) -> Vec<InlayHint> {
    let relations = view.relations();
    let at_lines = relations.chunk_by(|a, b| a.line == b.line);
    let visible = at_lines.filter(|chunk| {
        let line = chunk[0].line - 1;
        range.start.line <= line && line <= range.end.line
    });
    visible.map(|chunk| hint(view, chunk)).collect()
}

fn hint(view: &View<'_>, relations: &[Relation<'_>]) -> InlayHint {
    let mut shown = Vec::new();
    for relation in relations.iter().take(SHOWN) {
        // A turnstile says that it is proved, a tilde that runs have shown it.
        let mark = if relation.is_proved() { '⊢' } else { '~' };
        shown.push(format!("{mark} {}", relation.text()));
    }
    let more = relations.len().saturating_sub(SHOWN);
    if more > 0 {
        shown.push(format!("+{more}"));
    }
    InlayHint {
        position: view.text.end_of(relations[0].line),
        label: InlayHintLabel::String(shown.join("   ")),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: described(view, relations),
        })),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

/// Relations with their verdicts and what these rest on, as Markdown.
pub(super) fn described(view: &View<'_>, relations: &[Relation<'_>]) -> String {
    let mut out = String::new();
    for relation in relations {
        let _ = writeln!(out, "- `{}` *{}*", relation.text(), relation.evidence());
    }
    if let Some(proved) = relations.iter().find(|relation| relation.is_proved()) {
        let assumptions = view.assumptions(proved.function);
        if !assumptions.is_empty() {
            let _ = writeln!(
                out,
                "\n*proved* means on every run of `{}`, assuming {}",
                proved.function,
                assumptions.join(", ")
            );
        }
    }
    out
}
