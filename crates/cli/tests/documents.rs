//! What programs read: every verb's SARIF is valid by the official schema, says what was found and carries the help of the
//! catalogue; every member of every JSON document is described.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command prints in a format, read as JSON.
fn document(args: &str, format: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(["--format", format]).args(args.split_whitespace()).current_dir(root()).stdin(Stdio::null());
    let output = command.output().expect("plumb should start");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{args} should print JSON: {error}\n{}", String::from_utf8_lossy(&output.stderr))
    })
}

/// A command line, and what of its run is in the log: rules of results, in order and each once.
const RUNS: [(&str, &[&str]); 14] = [
    ("check testdata/badinput/undeclared.c", &["undeclared"]),
    ("run examples/run/midpoint.c", &["signed-overflow"]),
    ("infer examples/infer/sqrt.c --forms equality --no-ghosts", &["relation-equality"]),
    ("prove examples/prove/middle.c", &["assertion-failed"]),
    ("reach examples/reach/figure.c --target L", &["relation-place"]),
    ("reach examples/reach/magic.c --all-branches", &["relation-branch"]),
    ("reach examples/reach/preorder.c --path X", &["bad-path"]),
    ("symmetry examples/symmetry/trityp_faulty.c --permute i,j,k --domain i,j,k=0..9", &["symmetry-violated"]),
    ("symmetry examples/symmetry/crc.c --entry crc_rotations --discover --domain a,b,c=0..3", &["relation-symmetry"]),
    (
        "conform --io examples/conform/io.toml --producer examples/conform/sensor-producer.c \
         --consumer examples/conform/sensor-consumer-buggy.c",
        &["incompatible"],
    ),
    ("repair examples/repair/leap.c --tests examples/repair/leap.csv", &["tests-fail"]),
    ("represent examples/represent/ddsurfacedesc.c --data examples/represent/ddsurfacedesc.json --count 2", &[]),
    ("check-up examples/run/midpoint.c --time 20", &["signed-overflow"]),
    ("explain", &[]),
];

#[test]
fn every_verb_is_valid_and_says_what_was_found() {
    let schema = root().join(".deps/sarif/sarif-schema-2.1.0.json");
    let schema = std::fs::read(&schema).expect("the schema should be there, because `make test-deps` fetches it");
    let schema: Value = serde_json::from_slice(&schema).expect("the schema should be JSON");
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    compiler.add_resource("sarif.json", schema).expect("the schema should be taken");
    let index = compiler.compile("sarif.json", &mut schemas).expect("the schema should be compiled");
    for (args, expected) in RUNS {
        let log = document(args, "sarif");
        if let Err(problem) = schemas.validate(&log, index) {
            panic!("{args} should print valid SARIF: {problem:#}");
        }
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("a run should have rules");
        let mut seen: Vec<&str> = Vec::new();
        for result in run["results"].as_array().expect("a run should have results") {
            let id = result["ruleId"].as_str().expect("a result should name its rule");
            let index = result["ruleIndex"].as_u64().expect("a result should point to its rule") as usize;
            assert_eq!(rules[index]["id"], id, "{args}");
            if !seen.contains(&id) {
                seen.push(id);
            }
        }
        for rule in expected {
            assert!(seen.contains(rule), "{args} should report {rule}, and reports {seen:?}");
        }
    }
}

#[test]
fn rules_carry_what_explain_says() {
    let (log, told) = (document("explain", "sarif"), document("explain", "json"));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("a run should have rules");
    let explained = told["result"]["rules"].as_array().expect("explain should list rules");
    assert_eq!(rules.len(), explained.len());
    for (rule, explained) in rules.iter().zip(explained) {
        assert_eq!(rule["id"], explained["id"]);
        assert_eq!(rule["help"]["text"], explained["explanation"]);
    }
}

/// Places go through texts of the form `file:line`, and a file may have any name.
#[test]
fn findings_have_places_in_files_with_odd_names() {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let copied = |from: &str, name: &str| {
        let path = folder.path().join(name);
        std::fs::copy(root().join("examples/conform").join(from), &path).expect("the example should be copied");
        path.to_str().expect("the path should be text").to_string()
    };
    copied("messages.h", "messages.h");
    let producer = copied("sensor-producer.c", "my producer (copy).c");
    let consumer = copied("sensor-consumer-buggy.c", "a 1:2 consumer.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(["conform", "--format", "json", "--io", "examples/conform/io.toml"]).current_dir(root());
    let output = command.args(["--producer", &producer, "--consumer", &consumer]).output().expect("plumb should start");
    let document: Value = serde_json::from_slice(&output.stdout).expect("the document should be JSON");
    let finding = &document["result"]["findings"][0];
    assert!(finding["file"] == consumer.as_str() && finding["line"].is_u64(), "{finding}");
    let note = &finding["notes"][0];
    assert!(note["file"] == producer.as_str() && note["line"].is_u64(), "{note}");
}

/// More documents, of the forms that the runs above do not print.
const FORMS: [&str; 14] = [
    "reach examples/reach/preorder.c --rules examples/reach/tree.rules --path T([#1])",
    "reach examples/reach/preorder.c --list-paths",
    "reach examples/reach/figure.c --target L --emit synthesis",
    "conform --automata examples/conform/words.nwa examples/conform/calls.nwa --no-enrich",
    "repair examples/repair/is_upward.c --tests examples/repair/is_upward.csv --emit reachability --at 5",
    "run examples/run/cohen.c --coverage -- 7 2",
    "dump examples/run/midpoint.c --function midpoint",
    "completions bash",
    "prove --each examples/prove/ex1.c testdata/badinput/undeclared.c",
    "symmetry examples/symmetry/getmid.c --permute i,j,k --domain i,j,k=0..9 --shard 1/2",
    "man",
    "doctor",
    "check examples/run/primes.c",
    "infer examples/infer/orbit.csv --forms equality",
];

/// Members whose own members are names that the user's program or files give.
const NAMES_OF_THE_USER: [&str; 9] =
    ["bindings", "choices", "emitted", "fields", "input", "inputs", "outputs", "permuted_input", "verdicts"];

fn members(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                found.insert(name.clone());
                if !NAMES_OF_THE_USER.contains(&name.as_str()) {
                    members(value, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| members(value, found)),
        _ => {}
    }
}

/// What is written is what `plumb schema` says, and what the book says.
#[test]
fn every_member_is_described() {
    let output = Command::new(env!("CARGO_BIN_EXE_plumb")).arg("schema").output().expect("plumb should start");
    let schema: Value = serde_json::from_slice(&output.stdout).expect("the schema should be JSON");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("plumb.json", schema).expect("the schema should be taken");
    let index = compiler.compile("plumb.json", &mut schemas).expect("the schema should be compiled");
    let text = std::fs::read_to_string(root().join("docs/json.md")).expect("the description should be there");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let described: BTreeSet<&str> =
        text.split('`').skip(1).step_by(2).flat_map(|quoted| quoted.split(|c| !is_word(c))).collect();
    let mut missing = Vec::new();
    for args in RUNS.iter().map(|(args, _)| *args).chain(FORMS) {
        let mut found = BTreeSet::new();
        let document = document(args, "json");
        if let Err(problem) = schemas.validate(&document, index) {
            panic!("the document of {args} should be as the schema says: {problem:#}");
        }
        members(&document, &mut found);
        assert!(found.contains("result"), "{args}");
        missing
            .extend(found.iter().filter(|name| !described.contains(name.as_str())).map(|n| format!("{n} of {args}")));
    }
    assert!(missing.is_empty(), "docs/json.md should describe\n{}", missing.join("\n"));
}

/// A form of relation that is added is named wherever users and programs read of forms.
#[test]
fn every_form_of_relation_is_documented() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("the document should be there");
    let schema: Value = serde_json::from_str(&read("docs/plumbline.schema.json")).expect("the schema should be JSON");
    let kinds = &schema["$defs"]["invariant"]["properties"]["kind"]["enum"];
    let names: Vec<Value> = infer::Form::ALL.iter().map(|form| form.name().into()).collect();
    assert_eq!(*kinds, Value::Array(names), "the schema lists the forms in their order");
    let (json, help) = (read("docs/json.md"), read("docs/reference/infer.md"));
    for name in infer::Form::ALL.map(infer::Form::name) {
        assert!(json.contains(&format!("`{name}`")), "docs/json.md should name `{name}`");
        assert!(help.contains(name), "the help of --forms should name {name}");
    }
}
