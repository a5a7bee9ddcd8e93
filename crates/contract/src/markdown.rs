//! Contracts as documentation.

use crate::{FunctionContract, Report, Standing};

/// One section for each function.
pub fn documentation(report: &Report) -> String {
    let mut text = String::from("# Contracts\n");
    for contract in &report.functions {
        text += &section(contract);
    }
    text
}

fn section(contract: &FunctionContract) -> String {
    let mut text = format!("\n## `{}`\n\n```c\n{};\n```\n", contract.name, contract.signature);
    let list = |title: &str, items: Vec<String>| match items.is_empty() {
        true => String::new(),
        false => format!("\n**{title}**\n\n{}\n", items.join("\n")),
    };
    let requires = contract.requires.iter().map(|requirement| format!("- `{}`", requirement.text)).collect();
    text += &list("Needs", requires);
    text += &match (&contract.assigns_anything, contract.assigns.is_empty()) {
        (Some(why), _) => format!("\n**Changes** anything: {why}.\n"),
        (None, true) => "\n**Changes** nothing that its callers see.\n".to_string(),
        (None, false) => list("Changes", contract.assigns.iter().map(|place| format!("- `{place}`")).collect()),
    };
    if contract.releases {
        text += "\n**May release** memory that its callers know.\n";
    }
    let promise = |clause: &crate::Clause| match &clause.standing {
        Standing::Proved { assumptions, .. } if assumptions.is_empty() => Some(format!("- `{}` — proved", clause.text)),
        Standing::Proved { assumptions, .. } => {
            Some(format!("- `{}` — proved, assuming {}", clause.text, diagnostics::Assumption::list(assumptions)))
        }
        Standing::Observed { runs, .. } => Some(format!("- `{}` — observed in {runs} runs", clause.text)),
        Standing::Refuted { input, .. } => Some(format!("- ~~`{}`~~ — fails with {input}", clause.text)),
        Standing::Unknown { why } => Some(format!("- `{}` — not decided: {why}", clause.text)),
    };
    text += &list("Promises", contract.ensures.iter().filter_map(promise).collect());
    let undefined =
        contract.unexplained.iter().map(|u| format!("- {}, at {}, with {}", u.message, u.place, u.input)).collect();
    text + &list("Undefined all the same", undefined)
}
