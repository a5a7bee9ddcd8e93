//! For pull requests: a summary in Markdown that code hosts show.

use crate::report::Report;
use diagnostics::{Finding, Severity};
use std::fmt::Write as _;

/// Findings that are listed; a comment has a limit, and a reader too.
const MOST: usize = 50;

pub fn render(report: &Report) -> Vec<u8> {
    let mut text = format!("### plumb {}\n\n", report.command);
    let closing = report.summary.lines().last().unwrap_or_default();
    if !closing.is_empty() {
        let _ = writeln!(text, "{}\n", escaped(closing));
    }
    let is_known = |number: usize| report.details.get(number).is_some_and(|detail| detail.is_known);
    let new: Vec<&Finding> =
        report.findings.iter().enumerate().filter(|(number, _)| !is_known(*number)).map(|(_, f)| f).collect();
    if !new.is_empty() {
        text += "| | where | what |\n|---|---|---|\n";
        for finding in new.iter().take(MOST) {
            let sign = match finding.severity {
                Severity::Error => "**error**",
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            let place = if finding.span.is_none() { String::new() } else { report.sources.describe(finding.span) };
            let what = format!("`{}` {}", finding.rule.id(), escaped(&finding.message));
            let _ = writeln!(text, "| {sign} | {} | {what} |", escaped(&place));
        }
        if new.len() > MOST {
            let _ = writeln!(text, "\nand {} more", new.len() - MOST);
        }
        text.push('\n');
    }
    if !report.text.trim().is_empty() {
        let fence = fence(&report.text);
        let _ = writeln!(
            text,
            "<details><summary>Details</summary>\n\n{fence}text\n{}\n{fence}\n\n</details>",
            report.text.trim_end()
        );
    }
    text.into_bytes()
}

/// A fence that the text does not have.
fn fence(text: &str) -> String {
    let mut fence = "```".to_string();
    while text.contains(&fence) {
        fence.push('`');
    }
    fence
}

/// Text in a cell of a table: no markup, one line.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '@' => out += "&#64;",
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escaped, fence};

    #[test]
    fn nothing_of_the_text_is_markup() {
        assert_eq!(escaped("a|b <i> @me\n`x`"), "a\\|b &lt;i&gt; &#64;me \\`x\\`");
        assert_eq!(fence("a ``` b"), "````");
    }
}
