//! `represent`: clients by fields, and the sample beside the variants that a client fails on.

use super::{View, badge, bindings, code, folded, pixels, preformatted, table, text};
use crate::render::html::document::{self, list, members, texts};
use crate::render::html::escape::Html;
use serde_json::Value;

/// Thumbnails of variants, and variants in the list.
const MOST_PICTURES: usize = 12;
const MOST_VARIANTS: usize = 100;
/// Failures of a client that are seen at once.
const FEW: usize = 4;

pub fn view(result: &Value) -> View {
    let mut view = View::default();
    let clients = list(result, "clients");
    view.facts.push(("variants", list(result, "variants").len().to_string()));
    view.counted(result, &[("thrown away", "rejected")]);
    let pictures = pictures(result, clients);
    if !pictures.is_empty() {
        view.panel("The same picture, written in other ways", pictures);
    }
    if !clients.is_empty() {
        view.panel("Which client depends on what", matrix(clients, &texts(result, "fields")));
    }
    for client in clients {
        let failures = list(client, "failures");
        if !failures.is_empty() {
            let row = |failure: &Value| {
                let mut how = badge(document::text(failure, "verdict"));
                how.raw(" ").text(document::text(failure, "how"));
                let blamed = texts(failure, "blame").join(", ");
                let smallest = bindings(&members(failure, "smallest"));
                vec![code(document::text(failure, "file")), how, text(&blamed), code(&smallest)]
            };
            let rows: Vec<Vec<Html>> = failures.iter().take(MOST_VARIANTS).map(row).collect();
            let (first, more) = rows.split_at(rows.len().min(FEW));
            let headings = ["variant", "how", "blame", "nearest to the sample"];
            let mut body = table(&headings, first);
            if !more.is_empty() {
                body.add(&folded(&format!("{} more", more.len()), &table(&headings, more)));
            }
            view.panel(format!("Where {} fails", document::text(client, "name")), body);
        }
    }
    let variants = list(result, "variants");
    if !variants.is_empty() {
        let row = |variant: &Value| {
            vec![code(document::text(variant, "file")), code(&bindings(&members(variant, "choices")))]
        };
        let rows: Vec<Vec<Html>> = variants.iter().take(MOST_VARIANTS).map(row).collect();
        view.panel("Variants", folded("What was chosen for each", &table(&["file", "choices"], &rows)));
    }
    if !document::text(result, "inverse").is_empty() {
        view.panel("The inverse", preformatted(document::text(result, "inverse")));
    }
    view
}

fn matrix(clients: &[Value], fields: &[&str]) -> Html {
    let names: Vec<&str> = clients.iter().map(|client| document::text(client, "name")).collect();
    let verdict = |client: usize, field: usize| {
        let told = clients[client].get("fields").and_then(|told| told.get(fields[field])).and_then(Value::as_str);
        let unusable = clients[client].get("unusable").is_some_and(|why| !why.is_null());
        told.unwrap_or(if unusable { "not compared" } else { "not tried" })
    };
    // What there is more of goes downwards.
    let is_turned = fields.len() > names.len();
    let (across, down) = if is_turned { (&names[..], fields) } else { (fields, &names[..]) };
    let mut html = Html::new();
    html.raw("<div class=\"scroll\" tabindex=\"0\"><table class=\"matrix\"><thead><tr><th scope=\"col\">");
    html.raw(if is_turned { "field" } else { "client" }).raw("</th>");
    for name in across {
        html.raw("<th scope=\"col\">").text(name).raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
    for (row, name) in down.iter().enumerate() {
        html.raw("<tr><th scope=\"row\">").text(name).raw("</th>");
        for column in 0..across.len() {
            let verdict = if is_turned { verdict(column, row) } else { verdict(row, column) };
            html.raw("<td>").add(&badge(verdict)).raw("</td>");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
    for client in clients {
        for (name, said) in [("ignores", " ignores "), ("inconsistent", " honours some values only of ")] {
            let fields = texts(client, name);
            if !fields.is_empty() {
                html.raw("<p class=\"caption\">")
                    .text(document::text(client, "name"))
                    .raw(said)
                    .text(&fields.join(", "))
                    .raw("</p>");
            }
        }
        if let Some(why) = client.get("unusable").and_then(Value::as_str) {
            html.raw("<p class=\"caption\">")
                .text(document::text(client, "name"))
                .raw(" was not compared: ")
                .text(why)
                .raw("</p>");
        }
    }
    html
}

/// The sample and what clients fail on, as far as they are pictures.
fn pictures(result: &Value, clients: &[Value]) -> Html {
    let mut html = Html::new();
    let sample = result.get("sample").and_then(|sample| sample.get("picture"));
    if let Some(figure) = sample.and_then(|picture| pixels::figure(picture, "the sample", "")) {
        html.add(&figure);
    }
    let failures = clients.iter().flat_map(|client| {
        list(client, "failures").iter().map(move |failure| (document::text(client, "name"), failure))
    });
    let drawn = failures.filter_map(|(client, failure)| {
        let title = format!("{}, where {client} fails", document::text(failure, "file"));
        pixels::figure(failure.get("picture")?, &title, &bindings(&members(failure, "smallest")))
    });
    for figure in drawn.take(MOST_PICTURES) {
        html.add(&figure);
    }
    if html.is_empty() {
        return html;
    }
    let mut row = Html::new();
    row.raw("<div class=\"thumbs\">").add(&html).raw("</div>");
    row
}
