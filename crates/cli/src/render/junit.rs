//! For build servers: JUnit XML as most of them read it, one suite per file.

use super::tone::Tone;
use crate::report::{Case, CaseState, Report};
use diagnostics::Severity;
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub fn render(report: &Report) -> Vec<u8> {
    let made;
    let cases = if report.cases.is_empty() {
        made = of_report(report);
        &made
    } else {
        &report.cases
    };
    let mut suites: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        suites.entry(&case.suite).or_default().push(case);
    }
    let count = |cases: &[&Case], is: fn(&CaseState) -> bool| cases.iter().filter(|case| is(&case.state)).count();
    let failed: fn(&CaseState) -> bool = |state| matches!(state, CaseState::Failed(_));
    let skipped: fn(&CaseState) -> bool = |state| matches!(state, CaseState::Skipped(_));
    let all: Vec<&Case> = cases.iter().collect();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"plumb {}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\">",
        report.command,
        all.len(),
        count(&all, failed),
        count(&all, skipped)
    );
    for (suite, cases) in suites {
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\">",
            escaped(suite),
            cases.len(),
            count(&cases, failed),
            count(&cases, skipped)
        );
        for case in cases {
            let _ = write!(
                xml,
                "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
                escaped(suite),
                escaped(&case.name),
                case.seconds
            );
            match &case.state {
                CaseState::Passed => xml += "/>\n",
                CaseState::Failed(messages) => {
                    xml += ">\n";
                    let first = messages.first().map_or("", |message| message.lines().next().unwrap_or(""));
                    let _ = writeln!(
                        xml,
                        "      <failure message=\"{}\">{}</failure>\n    </testcase>",
                        escaped(first),
                        escaped(&messages.join("\n"))
                    );
                }
                CaseState::Skipped(why) => {
                    let _ = writeln!(xml, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(why));
                }
            }
        }
        xml += "  </testsuite>\n";
    }
    xml += "</testsuites>\n";
    xml.into_bytes()
}

/// Of a verb that names no cases: its findings, and the relations with their verdicts.
fn of_report(report: &Report) -> Vec<Case> {
    let mut cases = Vec::new();
    for finding in report.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let region = report.sources.used(finding.span);
        let suite = region.map(|region| report.sources.file(region.start.file).path.clone());
        let name = format!("{} at {}", finding.rule.id(), report.sources.describe(finding.span));
        let state = CaseState::Failed(vec![finding.message.clone()]);
        cases.push(Case { suite: suite.unwrap_or_else(|| report.command.to_string()), name, state, seconds: 0.0 });
    }
    for relation in &report.relations {
        let region = relation.span.and_then(|span| report.sources.used(span));
        let suite = region.map(|region| report.sources.file(region.start.file).path.clone());
        let state = match Tone::of(relation.verdict) {
            // What failed is a finding already.
            Tone::Bad => continue,
            Tone::Open => CaseState::Skipped(relation.verdict.to_string()),
            _ => CaseState::Passed,
        };
        let name = format!("{}: {}", relation.location, relation.text);
        cases.push(Case { suite: suite.unwrap_or_else(|| report.command.to_string()), name, state, seconds: 0.0 });
    }
    if cases.is_empty() {
        let suite = report.command.to_string();
        cases.push(Case { suite, name: "nothing wrong".to_string(), state: CaseState::Passed, seconds: 0.0 });
    }
    cases
}

/// Text for XML 1.0, which has no way to write control characters.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' | '\r' => out.push(c),
            c if (c as u32) < 0x20 || matches!(c as u32, 0xfffe | 0xffff) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_of_the_text_is_markup() {
        assert_eq!(escaped("a<b> & \"c\"\u{1}\n"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}\n");
    }
}
