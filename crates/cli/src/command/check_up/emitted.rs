//! A C test for everything that was found, with a Makefile.

use crate::output;
use crate::report::Failure;
use checkup::{Class, Fault, Report};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Writes the tests, and gives their number in words.
pub(super) fn write(folder: &Path, found: &Report) -> Result<String, Failure> {
    output::make_folder(folder)?;
    let mut names = BTreeSet::new();
    let mut makefile = String::from(
        "# Tests that show what a check-up found. `make` builds and runs them under the sanitizers; each fails as long as\n\
         # the fault is there.\n\
         CFLAGS += -g -fsanitize=address,undefined -fno-sanitize-recover=undefined\n\n",
    );
    let mut targets = String::new();
    let owed = found.preconditions.iter().filter(|fault| fault.class == Class::Precondition);
    for fault in found.findings.iter().chain(owed) {
        let Some(test) = &fault.test else { continue };
        let name = unique(&name(fault), &mut names);
        let text = format!(
            "/* {}: {}: {}\n   with {} */\n{}",
            fault.place,
            fault.rule,
            fault.message,
            fault.input.replace("*/", "* /"),
            test
        );
        output::write_whole(&folder.join(format!("{name}.c")), anchored(&text).as_bytes())?;
        let _ = writeln!(makefile, "{name}: {name}.c\n\t$(CC) $(CFLAGS) -o $@ $< {} -lm", others(test).join(" "));
        let _ = write!(targets, " {name}");
    }
    let _ = writeln!(makefile, "\nTESTS ={targets}\n.DEFAULT_GOAL := check\n.PHONY: check clean");
    makefile += "check: $(TESTS)\n\t@failed=0; for test in $(TESTS); do \\\n\t  if ./$$test >/dev/null 2>&1; then echo \"passed $$test\"; \\\n\t  else echo \"FAILED $$test\"; failed=1; fi; done; exit $$failed\n";
    makefile += "clean:\n\t$(RM) $(TESTS)\n";
    output::write_whole(&folder.join("Makefile"), makefile.as_bytes())?;
    Ok(if names.len() == 1 { "1 test".to_string() } else { format!("{} tests", names.len()) })
}

/// `rle_encode_out_of_bounds_line_41`.
fn name(fault: &Fault) -> String {
    let text = format!("{}_{}_line_{}", fault.entry, fault.rule, fault.place.line);
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn unique(name: &str, names: &mut BTreeSet<String>) -> String {
    let candidates = std::iter::once(name.to_string()).chain((2..).map(|number| format!("{name}_{number}")));
    let free = candidates.into_iter().find(|candidate| !names.contains(candidate)).unwrap_or_default();
    names.insert(free.clone());
    free
}

/// The files that the test says it is linked with.
fn others(test: &str) -> Vec<String> {
    let line = test.lines().find(|line| line.contains("cc -o replay driver.c"));
    let words = line.and_then(|line| line.split_once("driver.c")).map_or("", |(_, rest)| rest);
    words.split_whitespace().filter(|word| !word.starts_with("-l")).map(full).collect()
}

/// The text with the included source by its full name, to be compiled anywhere.
fn anchored(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"')) {
        Some(path) => format!("#include \"{}\"", full(path)),
        None => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

fn full(path: &str) -> String {
    std::fs::canonicalize(path).map_or_else(|_| path.to_string(), |path| path.display().to_string())
}
