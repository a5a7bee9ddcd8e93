//! Nothing that the VM can report is overlooked by the prover.
//!
//! Two checks over the corpus. *By kind*: each instruction that can fault, of each function, lies at a site of
//! [`ir::hazards`] that asks what the instruction asks. *By value*: where the VM does report something, the system of the
//! program has a property of that kind at that line.

use diagnostics::Span;
use exec::vm::Image;
use ir::Program;
use ir::hazards::{self, Site};
use prove::{Encoding, PropertyKind, System, encode};
use std::path::{Path, PathBuf};

fn corpus(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(folder);
    filetest::files(&root, "c").expect("the corpus should be there").into_iter().map(|(path, _)| path).collect()
}

fn read(path: &Path) -> Option<Program> {
    cfront::load(&[path.to_path_buf()], &cfront::preprocess::Options::default()).ok().map(|loaded| loaded.program)
}

fn overlaps(a: Span, b: Span) -> bool {
    a.lo <= b.hi && b.lo <= a.hi
}

/// The sites of a function, those of all its statements.
fn sites_of(program: &Program, function: &ir::Function) -> Vec<Site> {
    let mut sites = Vec::new();
    if let Some(body) = &function.body {
        body.walk(&mut |stmt| {
            sites.extend(hazards::of_statement(program, function, stmt));
        });
    }
    sites
}

#[test]
fn every_instruction_that_can_fault_is_at_a_site() {
    let mut looked_at = 0;
    let mut missing = Vec::new();
    for path in ["lang", "findings", "attacks"].into_iter().flat_map(corpus) {
        let Some(program) = read(&path) else { continue };
        let image = Image::new(&program, exec::libc::LIBRARY);
        for (id, function, _) in program.defined_functions() {
            let sites = sites_of(&program, function);
            for fault in image.fault_sites(id) {
                looked_at += 1;
                let is_asked = |site: &Site| fault.hazards.contains(&site.hazard) && overlaps(site.span, fault.span);
                if !fault.span.is_none() && !sites.iter().any(is_asked) {
                    let place = program.sources.describe(fault.span);
                    missing.push(format!("{}: {place}: {:?}", function.name, fault.hazards));
                }
            }
        }
    }
    assert!(looked_at > 2_000, "{looked_at} instructions are too few to say anything");
    assert!(missing.is_empty(), "{} of {looked_at} are at no site:\n{}", missing.len(), missing.join("\n"));
}

/// The kinds of properties that a rule of the VM breaks.
fn kinds_of(rule: &str) -> Option<&'static [PropertyKind]> {
    Some(match rule {
        "signed-overflow" => &[PropertyKind::Overflow],
        "division-by-zero" => &[PropertyKind::DivisionByZero],
        "bad-shift" => &[PropertyKind::Shift],
        "bad-conversion" => &[PropertyKind::Conversion],
        "uninitialised-read" => &[PropertyKind::Initialised, PropertyKind::Call],
        "assertion-failed" => &[PropertyKind::Assert, PropertyKind::Unreachable],
        "missing-return" => &[PropertyKind::Call],
        "out-of-bounds" | "null-dereference" | "use-after-free" | "use-after-scope" | "invalid-pointer"
        | "misaligned-access" | "write-to-constant" => {
            &[PropertyKind::Bounds, PropertyKind::Pointer, PropertyKind::Call]
        }
        // Defined, and reported all the same.
        "aborted" | "leak" => return None,
        _ => &[PropertyKind::Call],
    })
}

fn has(system: &System, program: &Program, line: u32, kinds: &[PropertyKind]) -> bool {
    system.properties.iter().any(|property| {
        let at = program.sources.used(property.span).map(|region| region.start.line);
        // Code that is not followed is one property of its own.
        property.kind == PropertyKind::Defined || (at == Some(line) && kinds.contains(&property.kind))
    })
}

#[test]
fn what_the_vm_reports_is_a_property_there() {
    let encoding = Encoding { checks: true, ..Encoding::default() };
    let mut looked_at = 0;
    let mut missing = Vec::new();
    for path in corpus("findings") {
        let file = filetest::TestFile::read(&path, "findings").expect("a test file should be readable");
        let Some(program) = read(&path) else { continue };
        let Some(entry) = program.find_function("main") else { continue };
        let system = encode(&program, entry, &encoding);
        for expected in file.expectations.iter().filter(|expected| expected.kind == "ERROR") {
            let Some(kinds) = kinds_of(expected.rule.trim()) else { continue };
            looked_at += 1;
            if !has(&system, &program, expected.line, kinds) {
                missing.push(format!("{}:{}: {}", path.display(), expected.line, expected.rule));
            }
        }
    }
    assert!(looked_at > 40, "{looked_at} reports are too few to say anything");
    assert!(missing.is_empty(), "{} of {looked_at} are no property:\n{}", missing.len(), missing.join("\n"));
}

/// Every assertion of a text is listed, whatever stands beside it: there are as many properties as the text has claims, or
/// more where a function that claims is called in several ways.
#[test]
fn no_assertion_is_lost() {
    let mut looked_at = 0;
    for path in corpus("attacks/lost-assertions") {
        let program = read(&path).unwrap_or_else(|| panic!("{} should be read", path.display()));
        let text = std::fs::read_to_string(&path).expect("a test file should be readable");
        let asserted = text.matches("assert(").count() + text.matches("assert_perror(").count();
        let claims = asserted.max(usize::from(text.contains("reach_error(")));
        // A unit that another file is linked with.
        let Some(entry) = program.find_function("main") else { continue };
        let system = encode(&program, entry, &Encoding::default());
        assert!(system.properties.len() >= claims, "{}: {claims} claims", path.display());
        looked_at += claims;
    }
    assert!(looked_at > 10, "{looked_at} assertions are too few to say anything");
}
