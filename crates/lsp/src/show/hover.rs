//! What is known at a place: relations and claims of its line, and of a function at its name.

use super::hints::described;
use super::{View, lenses};
use crate::answers::text;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use std::fmt::Write as _;

pub(crate) fn hover(view: &View<'_>, position: Position) -> Option<Hover> {
    let line = position.line + 1;
    let mut out = String::new();
    let named = view.outline.functions.iter().find(|(_, lines)| lines.first == line);
    if let Some((name, _)) = named {
        let summary = lenses::summary(view, name);
        if !summary.is_empty() {
            let _ = writeln!(out, "**{name}**: {}\n", summary.join(" · "));
        }
    }
    let relations: Vec<_> = view.relations().into_iter().filter(|relation| relation.line == line).collect();
    if let Some(first) = relations.first() {
        let _ = writeln!(out, "**{}**\n", text(&first.location["name"]));
        out += &described(view, &relations);
    }
    if let Some(function) = view.outline.function_at(line) {
        for (_, property) in view.properties(function).into_iter().filter(|(at, _)| *at == line) {
            let how = property["how"].as_str().map(|how| format!(": {how}")).unwrap_or_default();
            let _ = writeln!(out, "- `{}` *{}{how}*", text(&property["text"]), text(&property["verdict"]));
        }
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: out.trim().to_string() });
    (!out.is_empty()).then_some(Hover { contents, range: Some(view.text.word(line, None)) })
}
