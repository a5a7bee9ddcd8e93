//! For reading and passing on: one self-contained page, without scripts. Everything that comes from the analysed
//! program is escaped here, in one place ([`escape`]).

use crate::report::Report;
use diagnostics::{Finding, SourceMap};
use std::fmt::Write as _;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d232a; --paper: #fff; --line: #d5dae0; --error: #b3261e; --warning: #8a5a00; --note: #1a5fb4 }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --paper: #14181c; --line: #39414a; --error: #ff8a80; --warning: #ffc14d; --note: #8ab4f8 } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
td { padding: .15rem 1rem .15rem 0; vertical-align: top }
pre { overflow-x: auto; padding: .7rem; border: 1px solid var(--line); border-radius: 6px }
section { border-top: 1px solid var(--line); padding: .5rem 0 }
.error { color: var(--error) } .warning { color: var(--warning) } .note { color: var(--note) }
mark { background: none; color: inherit; font-weight: 700; text-decoration: underline wavy }
";

pub fn render(report: &Report) -> Vec<u8> {
    let mut body = String::new();
    let _ = writeln!(body, "<h1>plumb {}</h1>\n<p>{}</p>", escape(report.command), escape(&report.summary));
    for finding in &report.findings {
        section(finding, &report.sources, &mut body);
    }
    for place in report.relations.chunk_by(|a, b| a.location == b.location) {
        let _ = writeln!(body, "<section><h2>{}</h2>\n<table>", escape(&place[0].location));
        for relation in place {
            let _ = writeln!(
                body,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                escape(&relation.text),
                escape(relation.kind),
                escape(relation.verdict)
            );
        }
        body.push_str("</table></section>\n");
    }
    if !report.text.is_empty() && report.relations.is_empty() {
        let _ = writeln!(body, "<section><pre>{}</pre></section>", escape(&report.text));
    }
    if let Some(streams) = &report.passthrough {
        for (name, bytes) in [("standard output", &streams.stdout), ("standard error", &streams.stderr)] {
            if !bytes.is_empty() {
                let text = String::from_utf8_lossy(bytes);
                let _ =
                    writeln!(body, "<section><h2>The program's {name}</h2>\n<pre>{}</pre></section>", escape(&text));
            }
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>plumb {}</title>\n<style>{STYLE}</style></head>\n\
         <body>\n{body}</body></html>\n",
        escape(report.command)
    )
    .into_bytes()
}

fn section(finding: &Finding, sources: &SourceMap, body: &mut String) {
    let severity = finding.severity.name();
    let _ = write!(
        body,
        "<section><h2 class=\"{severity}\">{severity}: {}</h2>\n<p><code>{}</code> · {} · {}</p>\n",
        escape(&finding.message),
        escape(finding.rule.id()),
        escape(finding.rule.summary()),
        escape(&sources.describe(finding.span)),
    );
    if let Some(excerpt) = excerpt(finding, sources) {
        let _ = writeln!(body, "<pre>{excerpt}</pre>");
    }
    for note in &finding.notes {
        let _ = writeln!(body, "<p>{}: {}</p>", escape(&sources.describe(note.span)), escape(&note.message));
    }
    if let Some(help) = &finding.help {
        let _ = writeln!(body, "<p>{}</p>", escape(help));
    }
    body.push_str("</section>\n");
}

/// Three lines of source around the finding, the finding's own line marked.
fn excerpt(finding: &Finding, sources: &SourceMap) -> Option<String> {
    let start = sources.used(finding.span)?.start;
    let file = sources.file(start.file);
    file.line(start.line)?;
    let mut text = String::new();
    for number in start.line.saturating_sub(1).max(1)..=start.line + 1 {
        if let Some(line) = file.line(number) {
            let line = escape(line);
            let line = if number == start.line { format!("<mark>{line}</mark>") } else { line };
            let _ = writeln!(text, "{number:>5}  {line}");
        }
    }
    Some(text)
}

/// Text as HTML shows it, safe in element content and in quoted attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use diagnostics::{Rule, Span};

    #[test]
    fn nothing_from_the_program_becomes_markup() {
        let mut report = Report::new("run");
        report.findings.push(Finding::new(Rule::Aborted, Span::NONE, "<script>alert('\"&')</script>"));
        report.text = "</pre><img src=x onerror=y>".into();
        let page = String::from_utf8(render(&report)).unwrap();
        assert!(!page.contains("<script") && !page.contains("<img"));
        assert!(page.contains("&lt;script&gt;alert(&#39;&quot;&amp;&#39;)"));
    }
}
