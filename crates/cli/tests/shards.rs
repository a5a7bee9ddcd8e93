//! A run that was cut into shards and joined again says what the uncut run says, byte for byte but for the times; what does not
//! belong together, or is lost, is named and not joined.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn plumb(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(words).current_dir(root()).stdin(Stdio::null()).output().expect("plumb should start")
}

/// The document without what the clock says.
fn timeless(mut document: Value) -> Value {
    fn forget(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|name, _| !["elapsed_ms", "elapsed_ns", "processor_ns"].contains(&name.as_str()));
                members.values_mut().for_each(forget);
            }
            Value::Array(values) => values.iter_mut().for_each(forget),
            _ => {}
        }
    }
    forget(&mut document);
    document
}

fn document(words: &[&str]) -> Value {
    let output = plumb(&[&["--format", "json"], words].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{words:?}: {error}\n{}", String::from_utf8_lossy(&output.stderr)))
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder should be had"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("the path should be text").to_string()
    }

    fn all(&self) -> String {
        self.path("")
    }

    /// Runs all shards of a question, and gives the names of their documents.
    fn shards(&self, words: &[&str], of: u32) -> Vec<String> {
        let run = |index| {
            let (shard, out) = (format!("{index}/{of}"), self.path(&format!("shard-{index}.json")));
            let output = plumb(&[words, &["--shard", &shard, "--format", "json", "-o", &out]].concat());
            assert!(Path::new(&out).exists(), "{}", String::from_utf8_lossy(&output.stderr));
            out
        };
        (1..=of).map(run).collect()
    }
}

/// The joined document is that of the whole, in whatever order the parts are named.
fn same_as_whole(words: &[&str], of: u32) {
    let folder = Folder::new();
    let mut parts = folder.shards(words, of);
    let whole = document(words);
    for _ in 0..2 {
        parts.reverse();
        let mut merge = vec!["merge"];
        merge.extend(parts.iter().map(String::as_str));
        let joined = document(&merge);
        let text = |document: Value| serde_json::to_string_pretty(&timeless(document)).expect("JSON should print");
        assert_eq!(text(joined), text(whole.clone()), "{words:?} in {of} shards");
    }
}

#[test]
fn a_check_up_in_shards_is_the_check_up() {
    // Small enough that no question meets its time, whatever the machine.
    let folder = Folder::new();
    let source = folder.path("small.c");
    let text = "int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }\n\
                int third(void) { int a[2] = {1, 2}; int i = 2; return a[i]; }\n\
                unsigned both(unsigned a, unsigned b) { return a & b; }\n\
                unsigned twice(unsigned a) { return both(a, a) + both(a, a); }\n";
    std::fs::write(&source, text).expect("the file should be written");
    same_as_whole(&["check-up", "--no-cache", "--time", "60", &source], 3);
}

#[test]
fn a_domain_in_shards_is_the_domain() {
    let domain = ["--permute", "i,j,k", "--domain", "i,j,k=0..40"];
    let with = |file| [&["symmetry", file], &domain[..]].concat();
    same_as_whole(&with("examples/symmetry/trityp_faulty.c"), 3);
    same_as_whole(&with("examples/symmetry/getmid.c"), 4);
    // More parts than rows.
    same_as_whole(&["symmetry", "examples/symmetry/getmid.c", "--permute", "i,j,k", "--domain", "i,j,k=0..2"], 5);
}

#[test]
fn files_in_shards_are_the_files() {
    let prove =
        ["prove", "--each", "examples/prove/middle.c", "examples/prove/ex1.c", "testdata/badinput/undeclared.c"];
    same_as_whole(&prove, 2);
    same_as_whole(&["infer", "--each", "--forms", "equality", "examples/infer/orbit.csv"], 2);
}

#[test]
fn items_of_one_program_in_shards_are_the_items() {
    let folder = Folder::new();
    let source = folder.path("items.c");
    let text = "#include <assert.h>\n\
                int between(int x, int lo, int hi) {\n\
                    assert(lo != 7);\n\
                    if (x < lo) return -1;\n\
                    assert(x >= lo);\n\
                    assert(lo != 7 && x != 12);\n\
                    return x > hi;\n\
                }\n";
    std::fs::write(&source, text).expect("the file should be written");
    let prove = ["prove", "--each=claim", "--entry", "between", &source];
    same_as_whole(&prove, 2);
    // What one claim says does not lean on whether the others hold.
    let whole = document(&prove);
    let verdict = |run: usize| whole["result"]["runs"][run]["result"]["properties"][0]["verdict"].clone();
    assert_eq!((0..3).map(verdict).collect::<Vec<_>>(), ["refuted", "proved", "refuted"]);
    same_as_whole(&["reach", "--each=place", "--all-branches", "--entry", "between", &source], 2);
    let (norm, data) = ("examples/represent/sum.c", "examples/represent/sum.json");
    let clients = ["--client", "same=cat {}", "--client", "size=wc -c {}"];
    same_as_whole(&[&["represent", "--each=client", norm, "--data", data, "--count", "3"], &clients[..]].concat(), 2);
    refused(&["reach", "--each=claim", &source], "no items of the kind `claim`");
    refused(&["prove", "--each=claim", "--overflow", &source], "claims of the text");
}

fn refused(words: &[&str], said: &str) {
    let output = plumb(words);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
    assert!(text.contains(said), "{words:?} should say {said:?}, and says: {text}");
}

#[test]
fn what_is_lost_or_foreign_is_named() {
    let folder = Folder::new();
    let words = ["symmetry", "examples/symmetry/getmid.c", "--permute", "i,j,k", "--domain", "i,j,k=0..9"];
    let parts = folder.shards(&words, 3);
    let whole = document(&words);
    // A shard that is cut short is as good as lost, and is run again where that is asked for.
    let text = std::fs::read(&parts[1]).expect("the part should be there");
    std::fs::write(&parts[1], &text[..text.len() / 2]).expect("the part should be cut");
    refused(&["merge", &folder.all()], "shard 2 of 3 is lost");
    refused(&["merge", &folder.all()], "cut short");
    assert_eq!(timeless(document(&["merge", "--missing", &folder.all()])), timeless(whole));
    // Parts of another question, of another cut, and what is no part at all.
    let other = Folder::new();
    let foreign = other.shards(&[&words[..5], &["i,j,k=0..8"]].concat(), 3);
    refused(&["merge", &parts[0], &foreign[1], &parts[2]], "not of one run: the command lines");
    let cut = Folder::new();
    let cut = cut.shards(&words, 2);
    refused(&["merge", &parts[0], &cut[1], &parts[2]], "cut differently");
    refused(&["merge", "examples/check-up/rle.c"], "no document of a shard");
    let mut older: Value = serde_json::from_slice(&text).expect("the part should be JSON");
    older["shard"]["version"] = "0.0.1".into();
    older["shard"]["run"] = "0".into();
    std::fs::write(&parts[1], older.to_string()).expect("the part should be written");
    refused(&["merge", &folder.all()], "versions ");
    refused(&["prove", "--shard", "1/2", "examples/prove/middle.c"], "--each");
    refused(&["symmetry", "--shard", "3/2", "examples/symmetry/getmid.c", "--permute", "i,j,k"], "not a shard");
}

#[test]
fn sources_that_changed_between_shards_are_noticed() {
    let folder = Folder::new();
    let source = folder.path("f.c");
    std::fs::write(&source, "int f(int a, int b) { return a + b; }\n").expect("the file should be written");
    let words = ["symmetry", &source, "--permute", "a,b", "--domain", "a,b=0..3"];
    let first = folder.shards(&words, 2);
    let kept = folder.path("kept.json");
    std::fs::copy(&first[0], &kept).expect("the part should be copied");
    std::fs::write(&source, "int f(int a, int b) { return a * b; }\n").expect("the file should be written");
    let second = folder.shards(&words, 2);
    refused(&["merge", &kept, &second[1]], "files that have changed");
    // A header is no file that was named.
    let header = folder.path("sign.h");
    std::fs::write(&source, "#include \"sign.h\"\nint f(int a, int b) { return SIGN(a + b); }\n").expect("written");
    std::fs::write(&header, "#define SIGN(x) ((x) > 0)\n").expect("the header should be written");
    let first = folder.shards(&words, 2);
    std::fs::copy(&first[0], &kept).expect("the part should be copied");
    std::fs::write(&header, "#define SIGN(x) ((x) < 0)\n").expect("the header should be written");
    let second = folder.shards(&words, 2);
    refused(&["merge", &kept, &second[1]], "different texts of");
}

#[test]
fn a_submitted_run_leaves_files_that_schedulers_read() {
    let folder = Folder::new();
    let (slurm, pods) = (folder.path("a run"), folder.path("pods"));
    let words = ["--", "symmetry", "examples/symmetry/getmid.c", "--permute", "i,j,k", "--domain", "i,j,k=0..9"];
    let submit = |to, at: &str| plumb(&[&["submit", "--to", to, "--shards", "3", "--folder", at], &words[..]].concat());
    assert!(submit("slurm", &slurm).status.success());
    for script in ["shard.sbatch", "merge.sbatch", "submit.sh"] {
        let path = Path::new(&slurm).join(script);
        let check = Command::new("sh").arg("-n").arg(&path).status().expect("sh should start");
        assert!(check.success(), "{script}");
    }
    // The script of a shard is what the array job runs: here without Slurm.
    let script = Path::new(&slurm).join("shard.sbatch");
    for index in ["1", "2", "3"] {
        let mut run = Command::new("sh");
        run.arg(&script).current_dir(root()).env("SLURM_ARRAY_TASK_ID", index);
        let status = run.env("PLUMB", env!("CARGO_BIN_EXE_plumb")).status().expect("sh should start");
        assert!(status.success(), "{index}");
    }
    let status = document(&["status", &slurm]);
    assert_eq!(status["result"]["lost"], serde_json::json!([]));
    assert_eq!(timeless(document(&["merge", &slurm])), timeless(document(&words[1..])));
    assert!(submit("kubernetes", &pods).status.success());
    let text = std::fs::read(Path::new(&pods).join("jobs.json")).expect("the manifest should be there");
    let manifest: Value = serde_json::from_slice(&text).expect("the manifest should be JSON");
    assert_eq!(manifest["items"][0]["spec"]["completions"], 3);
    let command = &manifest["items"][0]["spec"]["template"]["spec"]["containers"][0]["command"][2];
    // Kubernetes makes one `$` of two.
    assert!(command.as_str().is_some_and(|text| text.starts_with("index=$$((JOB_COMPLETION_INDEX")), "{command}");
    let started = plumb(
        &[&["submit", "--to", "local", "--start", "--shards", "2", "--folder", &folder.path("here")], &words[..]]
            .concat(),
    );
    assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    assert_eq!(timeless(document(&["merge", &folder.path("here")])), timeless(document(&words[1..])));
    refused(&["submit", "--to", "local", "--folder", &folder.path("x"), "--", "run", "a.c"], "does not work in shards");
    let other = [&words[..5], &["i,j,k=0..8"]].concat();
    refused(&[&["submit", "--to", "local", "--folder", &folder.path("here")], &other[..]].concat(), "has another run");
}
