//! Pages: well-formed, whole in themselves, and deaf to whatever the analysed program or its data would tell a browser.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn plumb(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(args).current_dir(root()).stdin(std::process::Stdio::null()).output().expect("plumb should start")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// One example per verb, small enough for every day.
const EXAMPLES: [&[&str]; 14] = [
    &["infer", "examples/infer/ex1.c", "--no-prove"],
    &["infer", "examples/infer/orbit.csv", "--forms", "equality,octagon"],
    &["prove", "examples/prove/ex1.c"],
    &["reach", "examples/reach/figure.c", "--target", "L"],
    &["reach", "examples/reach/preorder.c", "--rules", "examples/reach/tree.rules", "--path", "T([#2])"],
    &["symmetry", "examples/symmetry/trityp_faulty.c", "--permute", "i,j,k", "--domain", "i,j,k=0..5"],
    &[
        "conform",
        "--io",
        "examples/conform/io.toml",
        "--producer",
        "examples/conform/sensor-producer.c",
        "--consumer",
        "examples/conform/sensor-consumer-buggy.c",
    ],
    &["conform", "--automata", "examples/conform/words.nwa", "examples/conform/calls.nwa", "--no-enrich"],
    &["repair", "examples/repair/is_upward.c", "--tests", "examples/repair/is_upward.csv"],
    &[
        "represent",
        "examples/represent/ddsurfacedesc.c",
        "--data",
        "examples/represent/ddsurfacedesc.json",
        "--count",
        "3",
    ],
    &["check", "examples/run/primes.c"],
    &["run", "examples/run/midpoint.c"],
    &["dump", "examples/run/midpoint.c", "--stage", "ir"],
    &["explain"],
];

/// Verbs whose example has a drawing.
const DRAWN: [&str; 5] = ["infer", "prove", "reach", "symmetry", "conform"];

/// An element as it is opened.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
}

/// Reads a page the strict way: every element closed in order, every attribute quoted, text without `<`. The contents of
/// `style` and `script` are kept beside.
fn parse(page: &str) -> (Vec<Element>, Vec<(String, String)>) {
    let mut rest = page.strip_prefix("<!doctype html>").expect("a page should begin with its type");
    let (mut all, mut raw, mut open) = (Vec::new(), Vec::new(), Vec::<String>::new());
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a bracket in text: {:?}", &rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag should end");
        if let Some(name) = rest[..end].strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "elements should be closed in order");
            rest = &rest[end + 1..];
            continue;
        }
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(!name.is_empty(), "no element begins with {:?}", &rest[..end.min(20)]);
        rest = &rest[name.len()..];
        let mut attributes = Vec::new();
        while let Some(more) = rest.strip_prefix(' ') {
            let stop = more.find(['=', ' ', '>', '/']).expect("an attribute should end");
            let (attribute, after) = more.split_at(stop);
            rest = after;
            let mut value = "";
            if let Some(quoted) = after.strip_prefix("=\"") {
                let end = quoted.find('"').expect("a quote should be closed");
                value = &quoted[..end];
                rest = &quoted[end + 1..];
            }
            assert!(!value.contains(['<', '>']), "a bracket in the attribute {attribute}={value:?}");
            attributes.push((attribute.to_string(), value.to_string()));
        }
        let is_empty = matches!(name.as_str(), "meta" | "input" | "img");
        if let Some(after) = rest.strip_prefix("/>") {
            rest = after;
        } else {
            rest =
                rest.strip_prefix('>').unwrap_or_else(|| panic!("{name} should end, not go on with {:?}", &rest[..20]));
            if name == "style" || name == "script" {
                let end = rest.find(&format!("</{name}>")).expect("style and script should end");
                raw.push((name.clone(), rest[..end].to_string()));
                rest = &rest[end + name.len() + 3..];
            } else if !is_empty {
                open.push(name.clone());
            }
        }
        all.push(Element { name, attributes });
    }
    assert!(open.is_empty(), "{open:?} should be closed");
    (all, raw)
}

/// Checks a page: what is in it, what it may load, and that it says so to the browser.
fn check(page: &str) -> Vec<Element> {
    const ELEMENTS: &str = " html head meta title style body script a header div p b h1 h2 strong span dl dt dd button fieldset legend \
         label input output main section ol ul li i code details summary aside svg path circle rect line text g table thead tbody \
         tr th td pre ins del figure figcaption img footer ";
    const ATTRIBUTES: &str = " lang charset http-equiv content name class id href type hidden role aria-label aria-hidden aria-live \
         tabindex checked for placeholder autocomplete spellcheck value scope alt src width height viewBox d x y x1 y1 x2 y2 cx cy r rx \
         text-anchor ";
    let (elements, raw) = parse(page);
    for Element { name, attributes } in &elements {
        assert!(ELEMENTS.contains(&format!(" {name} ")), "an element of no page: {name}");
        for (attribute, value) in attributes {
            assert!(
                ATTRIBUTES.contains(&format!(" {attribute} ")),
                "{name} with an attribute of no page: {attribute}={value:?}"
            );
            let is_ours = |address: &str| {
                address.starts_with('#')
                    || address.ends_with(".html")
                        && address.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
            };
            match attribute.as_str() {
                "href" => assert!(is_ours(value), "a link out of the page: {value:?}"),
                "src" => {
                    assert!(value.starts_with("data:image/bmp;base64,") && name == "img", "{name} loads {value:?}")
                }
                "id" | "class" | "for" => assert!(value.is_ascii(), "{value:?}"),
                _ => {}
            }
        }
    }
    let policy =
        elements.iter().flat_map(|element| &element.attributes).find(|(_, value)| value.starts_with("default-src"));
    let (_, policy) = policy.expect("a page should say what it may load");
    assert!(
        policy.starts_with("default-src &#39;none&#39;; ") || policy.starts_with("default-src 'none'; "),
        "{policy}"
    );
    let kinds: Vec<&str> = raw.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(kinds, ["style", "script"], "one style and one script");
    for (name, text) in &raw {
        let hash = STANDARD.encode(Sha256::digest(text.as_bytes()));
        assert!(policy.contains(&format!("{name}-src 'sha256-{hash}'")), "{policy} should allow the {name}");
        assert!(
            !text.contains("@import") && !text.contains("url(") && !text.contains("://"),
            "{name} should load nothing"
        );
    }
    let shown: Vec<char> = page
        .chars()
        .filter(|c| c.is_control() && *c != '\n' && *c != '\t' || ('\u{202a}'..='\u{202e}').contains(c))
        .collect();
    assert!(shown.is_empty(), "characters that a page should name: {shown:?}");
    elements
}

fn count(elements: &[Element], name: &str, class: &str) -> usize {
    let has = |element: &&Element| {
        let classes = element.attributes.iter().find(|(attribute, _)| attribute == "class");
        element.name == name
            && (class.is_empty() || classes.is_some_and(|(_, value)| value.split(' ').any(|one| one == class)))
    };
    elements.iter().filter(has).count()
}

/// Everything a browser could take for markup or script, or a reader for something else.
const HOSTILE: &str = "</script></style></title><script>alert(1)</script><img src=x onerror=alert(1)>\"' onload='alert(1)' \
                       javascript:alert(1) <!-- ]]> &lt; \u{202e}\u{0}\u{1b}[31m /../\u{2028}";

/// The document with every text, and every name that is data, replaced.
fn poisoned(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{HOSTILE}{text}")),
        Value::Array(values) => values.iter().map(poisoned).collect(),
        Value::Object(members) => {
            let mut changed: serde_json::Map<String, Value> =
                members.iter().map(|(name, value)| (name.clone(), poisoned(value))).collect();
            changed.insert(HOSTILE.to_string(), json!(HOSTILE));
            Value::Object(changed)
        }
        other => other.clone(),
    }
}

/// What documents carry for pictures is bounded.
fn bounded(result: &Value) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for location in list(&result["locations"]) {
        let pairs = list(&location["pairs"]);
        assert!(
            pairs.len() <= 3 && pairs.iter().all(|pair| (1..=200).contains(&list(&pair["points"]).len())),
            "{location}"
        );
    }
    for side in ["producer", "consumer"].map(|side| &result[side]["automaton"]).into_iter().filter(|a| a.is_object()) {
        assert!(side["states"].as_u64().is_some_and(|states| (1..=40).contains(&states)), "{side}");
    }
}

#[test]
fn examples_make_pages_that_nothing_in_them_can_break_out_of() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: String| folder.path().join(name).to_str().unwrap().to_string();
    let (mut documents, mut changed) = (Vec::new(), Vec::new());
    for (number, words) in EXAMPLES.iter().enumerate() {
        let file = at(format!("{number}.json"));
        let output = plumb(&[words, &["--format", "json", "-o", &file][..]].concat());
        assert!(output.status.code().is_some_and(|code| code < 2), "{words:?}: {}", said(&output));
        let mut document: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        bounded(&document["result"]);
        document["result"] = poisoned(&document["result"]);
        document["stopped"] = json!(HOSTILE);
        let hostile = at(format!("{number}'\"<b onclick=x>.json"));
        std::fs::write(&hostile, document.to_string()).unwrap();
        documents.push(file);
        changed.push(hostile);
    }
    for (name, files) in [("site", &documents), ("hostile", &changed)] {
        let site = at(name.to_string());
        let words: Vec<&str> = ["report", "-o", &site].into_iter().chain(files.iter().map(String::as_str)).collect();
        let output = plumb(&words);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let index = check(&std::fs::read_to_string(Path::new(&site).join("index.html")).unwrap());
        assert!(count(&index, "a", "") >= EXAMPLES.len());
        for (number, words) in EXAMPLES.iter().enumerate() {
            let page = Path::new(&site).join(format!("{:02}-{}.html", number + 1, words[0]));
            let elements = check(&std::fs::read_to_string(&page).unwrap());
            if name == "site" && DRAWN.contains(&words[0]) && words[1] != "examples/infer/orbit.csv" {
                let drawings = elements
                    .iter()
                    .filter(|e| e.attributes.iter().any(|(name, value)| name == "role" && value == "img"));
                assert!(drawings.count() > 0, "{words:?} should have a drawing");
                // Automata that are given have no source.
                let is_marked = count(&elements, "li", "marked") > 0 || words.contains(&"--automata");
                assert!(count(&elements, "div", "mark") > 0 && is_marked, "{words:?}");
            }
        }
    }
}

#[test]
fn what_a_run_shows_is_what_its_document_shows() {
    let words = ["run", "examples/run/midpoint.c", "--format", "html"];
    let output = plumb(&words);
    let page = String::from_utf8(output.stdout).unwrap();
    let elements = check(&page);
    assert_eq!((count(&elements, "div", "mark"), count(&elements, "li", "marked")), (1, 1));
    assert!(page.contains("id=\"f0-6\" class=\"marked "), "the mark should be at its line");
    let folder = tempfile::tempdir().unwrap();
    let (json, site) = (folder.path().join("a.json"), folder.path().join("site"));
    plumb(&["run", "examples/run/midpoint.c", "--format", "json", "-o", json.to_str().unwrap()]);
    plumb(&["report", json.to_str().unwrap(), "-o", site.to_str().unwrap()]);
    let joined = std::fs::read_to_string(site.join("01-run.html")).unwrap();
    let main = |page: &str| page[page.find("<main").unwrap()..page.find("</main>").unwrap()].to_string();
    assert_eq!(main(&page), main(&joined));
}

#[test]
fn hostile_programs_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a'\"><img src=x onerror=alert(1)> javascript:b.c";
    let path = folder.path().join(name);
    let program = format!(
        "/* {} \u{202e} */\n#include <stdio.h>\nint main(void) {{\n    puts(\"</pre></script><script>alert(1)</script>\\033[1m\");\n    int x = 1 << 40; // <b>\n    return x;\n}}\n",
        HOSTILE.replace(['\0', '\u{2028}'], "")
    );
    std::fs::write(&path, program).unwrap();
    for verb in ["check", "run"] {
        let output = plumb(&[verb, path.to_str().unwrap(), "--format", "html"]);
        let page = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(page.len() > 1000, "{}", said(&output));
        check(&page);
        assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("⟨U+202E⟩"), "what is there should be shown");
    }
}

fn document(command: &str, result: Value) -> String {
    json!({ "schema": 1, "command": command, "seed": 1, "elapsed_ms": 1, "stopped": "done", "result": result })
        .to_string()
}

#[test]
fn pixels_are_images_and_missing_sources_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let picture = json!({ "width": 2, "height": 1, "channels": 3, "pixels": "AAECAwQF" });
    let failure = json!({ "file": "v1", "verdict": "fail", "how": "gives something else", "blame": ["pitch"], "picture": picture });
    let client = json!({ "name": "c", "fields": { "pitch": "fail" }, "failures": [failure] });
    let finding = json!({ "file": "gone/away.c", "line": 7, "column": 1, "rule": "aborted", "severity": "error", "message": "m", "notes": [] });
    let result = json!({ "sample": { "picture": picture }, "fields": ["pitch"], "variants": [], "clients": [client], "findings": [finding] });
    std::fs::write(&file, document("represent", result)).unwrap();
    let site = folder.path().join("site");
    let output = plumb(&["report", file.to_str().unwrap(), "-o", site.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("the text of gone/away.c is not at hand"), "{}", said(&output));
    let page = std::fs::read_to_string(site.join("01-represent.html")).unwrap();
    assert_eq!(count(&check(&page), "img", "pixels"), 2);
    assert!(page.contains("is not at hand") && page.contains("id=\"f0-7\""));
}

#[test]
fn a_check_up_begins_with_what_is_wrong_and_leads_to_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = "examples/run/midpoint.c";
    let place = json!({ "file": file, "line": 6, "column": 12, "end_line": 6, "end_column": 24 });
    let bug = json!({ "class": "bug", "rule": "signed-overflow", "function": "<b>midpoint", "entry": "main", "message": "m", "input": "x = 1", "command": "plumb run", "place": place });
    let fact = json!({ "question": "relations", "function": "midpoint", "location": "return", "place": place, "kind": "interval", "text": "x >= 0", "verdict": "observed" });
    let answer = json!({ "question": "faults", "function": "midpoint", "place": place, "ended": "open" });
    let function = json!({ "name": "midpoint", "place": place, "calls": ["main"], "statements": 3, "is_entry": true });
    let unit = json!({ "path": file, "lines": 20, "functions": 2, "unreadable": null });
    let finding =
        json!({ "file": file, "line": 6, "column": 1, "rule": "signed-overflow", "severity": "error", "message": "m" });
    let result = json!({ "bugs": [bug], "preconditions": [], "facts": [fact], "questions": [answer], "functions": [function], "units": [unit], "open": [{ "reason": "time", "questions": 1, "functions": ["midpoint"] }], "findings": [finding] });
    let path = folder.path().join("a.json");
    std::fs::write(&path, document("check-up", result)).unwrap();
    let site = folder.path().join("site");
    let output = plumb(&["report", path.to_str().unwrap(), "-o", site.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let page = std::fs::read_to_string(site.join("01-check-up.html")).unwrap();
    let elements = check(&page);
    assert_eq!((count(&elements, "div", "mark"), count(&elements, "li", "marked")), (2, 1));
    let lead = page.find("What is wrong").expect("the page should say what is wrong");
    assert!(lead < page.find("id=\"source\"").unwrap(), "what is wrong should come before the source");
    assert!(page[lead..].contains("href=\"#f0-6\"") && !page.contains("<b>midpoint"));
}

/// Lines that a document names are lines of the text that was read then, and of no other.
#[test]
fn a_source_that_has_changed_since_the_run_is_said_to_have() {
    let folder = tempfile::tempdir().unwrap();
    // Names and bytes are as odd as those of a file can be; Latin-1 is one thing that C programs come in.
    let source = folder.path().join("my <b>\"program\" & co.c");
    let program =
        b"#include \"own.h\"\nint main(void) {\n    int x = ONE << 40; // \xe4\xf6\xfc \xc3\n    return x;\n}\n"
            .to_vec();
    std::fs::write(&source, &program).unwrap();
    let header = folder.path().join("own.h");
    std::fs::write(&header, "#define ONE 1\n").unwrap();
    let (json, site) = (folder.path().join("a.json"), folder.path().join("site"));
    let output = plumb(&["run", source.to_str().unwrap(), "--format", "json", "-o", json.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let reported = |how: &str| {
        let output = plumb(&["report", json.to_str().unwrap(), "-o", site.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{how}: {}", said(&output));
        let page = std::fs::read_to_string(site.join("01-run.html")).unwrap();
        let index = std::fs::read_to_string(site.join("index.html")).unwrap();
        let (elements, _) = (check(&page), check(&index));
        assert_eq!(count(&elements, "div", "mark"), 1, "{how}: what was found should stay");
        let head = page[page.find("<header").unwrap()..page.find("</header>").unwrap()].to_string();
        (said(&output), head, page, index)
    };
    let changed = "The source has changed since this run";

    let (told, head, page, index) = reported("nothing changed");
    assert!(!told.contains("has changed") && !head.contains(changed) && !index.contains("changed since"), "{told}");
    assert!(page.contains("id=\"f0-3\" class=\"marked ") && page.contains("???"), "the mark should be in the text");
    assert!(!page.contains("which was after the run"), "the text is known to be that of the run");

    std::fs::write(&source, [b"/* a new first line */\n", &program[..]].concat()).unwrap();
    let (told, head, page, index) = reported("the program changed");
    assert!(told.contains("co.c has changed since it was read"), "{told}");
    assert!(head.contains(changed) && head.contains("my &lt;b&gt;&quot;program&quot; &amp; co.c</code>. "), "{head}");
    assert!(!page.contains("a new first line") && page.contains("has changed since the run; these are the lines"));
    assert!(page.contains("<li id=\"f0-3\" value=\"3\" class=\"marked \""), "the line of then should be named");
    assert!(index.contains("changed since"));

    std::fs::write(&source, &program).unwrap();
    std::fs::write(&header, "#define ONE 2\n").unwrap();
    let (_, head, page, _) = reported("an included file changed");
    assert!(head.contains(changed) && head.contains("own.h"), "{head}");
    assert!(page.contains("id=\"f0-3\" class=\"marked "), "the lines of the program are still those of the run");

    // A document of an earlier version has no hashes: its page says no more than it did.
    std::fs::write(&source, [b"/* a new first line */\n", &program[..]].concat()).unwrap();
    let mut document: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    assert!(document["sources"].as_array().is_some_and(|sources| sources.len() == 2), "{}", document["sources"]);
    document.as_object_mut().unwrap().remove("sources");
    std::fs::write(&json, document.to_string()).unwrap();
    let (_, head, page, _) = reported("no hashes");
    assert!(!head.contains(changed) && page.contains("which was after the run"));
    // Nor does one with something else in their place.
    document["sources"] = json!([HOSTILE, { "file": HOSTILE, "sha256": 7 }, { "sha256": HOSTILE }]);
    std::fs::write(&json, document.to_string()).unwrap();
    assert!(!reported("odd hashes").1.contains(changed));
}

/// The drawings of a page: what they say to those who do not see them.
fn drawings(elements: &[Element]) -> Vec<&str> {
    let of = |element: &&Element, name: &str| element.attributes.iter().any(|(known, _)| known == name);
    let drawn = elements.iter().filter(|element| element.name == "svg" && of(element, "role"));
    let about = |element: &'_ Element| element.attributes.iter().position(|(name, _)| name == "aria-label");
    drawn.filter_map(|element| Some(element.attributes[about(element)?].1.as_str())).collect()
}

/// A page that a run makes, which is the one that its document makes.
fn page_of(words: &[&str]) -> String {
    let page = String::from_utf8(plumb(&[words, &["--format", "html"]].concat()).stdout).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (json, site) = (folder.path().join("a.json"), folder.path().join("site"));
    plumb(&[words, &["--format", "json", "-o", json.to_str().unwrap()]].concat());
    let output = plumb(&["report", json.to_str().unwrap(), "-o", site.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let joined = std::fs::read_to_string(site.join(format!("01-{}.html", words[0]))).unwrap();
    let body =
        |page: &str| page[page.find("<div class=\"columns\">").unwrap()..page.find("<footer").unwrap()].to_string();
    assert_eq!(body(&page), body(&joined), "{words:?}");
    page
}

#[test]
fn paths_are_drawn_through_the_source() {
    let along = |path| {
        let rules = ["--rules", "examples/reach/tree.rules", "--path", path];
        page_of(&[&["reach", "examples/reach/preorder.c"], &rules[..]].concat())
    };
    // A loop that is only counted is drawn as the run went.
    let page = along("T([#1])");
    let elements = check(&page);
    assert_eq!(drawings(&elements), ["line 18: T, line 21: T, line 27: F, line 30: F, line 21: F"]);
    assert_eq!((count(&elements, "circle", "turn"), count(&elements, "li", "onway")), (5, 4));
    assert!(page.contains("while (!is_empt…"), "the drawing should have the lines");
    assert!(page.contains("id=\"f0-21\" class=\"marked onway\""), "the solution should be where its way ends");
    // What no input takes is drawn as it was asked for.
    let page = along("T([#0])");
    let elements = check(&page);
    assert_eq!(drawings(&elements), ["line 18: T, line 21: #0"]);
    assert!(page.contains("The path that was asked for") && count(&elements, "div", "mark") == 0);
    assert_eq!(drawings(&check(&along("T([T ..])"))), ["line 18: T, line 21: T, line 27: T"]);
    assert_eq!(drawings(&check(&along("F"))), ["line 18: F"]);
}

#[test]
fn cases_and_loops_of_all_kinds_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.c");
    let program = "int f(int n) {\n    do {\n        n--;\n    } while (n > 5);\n    switch (n) {\n    case 5:\n        return 1;\n    default:\n        break;\n    }\n    for (int i = 0;; i++)\n        if (i > n)\n            break;\n    return 0;\n}\n";
    std::fs::write(&source, program).unwrap();
    for (path, drawn) in [
        ("[#2] {5}", "line 4: T, line 4: F, line 5: case5"),
        ("[()] {default} [F; F; T]", "line 4: F, line 5: default, line 12: F, line 12: F, line 12: T"),
    ] {
        let page = page_of(&["reach", source.to_str().unwrap(), "--path", path]);
        assert_eq!(drawings(&check(&page)), [drawn], "{path}");
    }
}

#[test]
fn automata_that_are_given_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).to_str().unwrap().to_string()
    };
    // The producer calls itself as deep as it likes; the consumer reads at most one `x` before `y`. One of the states is
    // called like a place in a file of this project.
    let producer = written(
        "p.nwa",
        "Q0: { a } Qf: { d } Delta_i: { (a, *, b), (b, x, b), (b, y, c) } Delta_c: { (a, f, a) } Delta_r: { (c, a, f, d), (d, a, f, d) }",
    );
    let consumer = written(
        "c.nwa",
        "Q0: { <i>start</i> } Qf: { end } Delta_i: { (<i>start</i>, x, Cargo.toml:1), (Cargo.toml:1, y, end), (<i>start</i>, y, end) }",
    );
    let words = ["conform", "--automata", &producer, &consumer];
    let page = page_of(&words);
    let elements = check(&page);
    assert_eq!(drawings(&elements), ["automaton of the producer", "automaton of the consumer"]);
    assert_eq!(count(&elements, "circle", "state"), 4 + 3);
    assert_eq!(count(&elements, "circle", "stuck"), 1, "where the consumer is stuck should be seen");
    assert!(
        page.contains("the coloured way writes the message") && page.contains("until it is stuck in the red state")
    );
    assert!(page.contains("in the state Cargo.toml:1, after 1 of the message") && !page.contains("at hand"));
    for shown in [">&lt;f</text>", ">f&gt; a</text>", ">ε</text>", "<title>&lt;i&gt;start&lt;/i&gt;</title>"] {
        assert!(page.contains(shown), "{shown}");
    }
    // Calls are letters of the message when they are compared.
    let page =
        page_of(&["conform", "--automata", "examples/conform/words.nwa", "examples/conform/calls.nwa", "--no-enrich"]);
    let elements = check(&page);
    assert_eq!((drawings(&elements).len(), count(&elements, "circle", "stuck")), (2, 1));
    let page = page_of(&["conform", "--automata", "examples/conform/words.nwa", "examples/conform/calls.nwa"]);
    let elements = check(&page);
    assert_eq!((drawings(&elements).len(), count(&elements, "circle", "stuck")), (2, 0));
    // Too many states to be looked at.
    let many: String = (0..50).map(|n| format!("(s{n}, x, s{}), ", n + 1)).collect();
    let many = written("many.nwa", &format!("Q0: {{ s0 }} Qf: {{ s50 }} Delta_i: {{ {many} }}"));
    let page = page_of(&["conform", "--automata", &many, &consumer]);
    assert_eq!(drawings(&check(&page)), ["automaton of the consumer"]);
    assert!(page.contains("too large to be drawn: 51 states"));
}

/// A document may name any file, and a page goes to others.
#[test]
fn only_sources_get_into_pages() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.txt");
    std::fs::write(&secret, "a secret").unwrap();
    let finding = json!({ "file": secret.to_str(), "line": 1, "rule": "aborted", "severity": "error", "message": "m" });
    let file = folder.path().join("a.json");
    std::fs::write(&file, document("run", json!({ "findings": [finding], "files": [secret.to_str()] }))).unwrap();
    let site = folder.path().join("site");
    plumb(&["report", file.to_str().unwrap(), "-o", site.to_str().unwrap()]);
    let page = std::fs::read_to_string(site.join("01-run.html")).unwrap();
    assert!(page.contains("is not at hand") && !page.contains("a secret"));
}

#[test]
fn a_large_page_says_everything_once() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("large.c");
    std::fs::write(&source, (1..=20_000).map(|n| format!("int variable_{n} = {n};\n")).collect::<String>()).unwrap();
    let finding = |n: usize| json!({ "file": source.to_str(), "line": 1 + n * 4, "column": 1, "rule": "dead-store", "severity": "warning", "message": format!("finding {n}.") });
    let findings: Vec<Value> = (0..5_000).map(finding).collect();
    let file = folder.path().join("a.json");
    std::fs::write(&file, document("check", json!({ "findings": findings }))).unwrap();
    let site = folder.path().join("site");
    plumb(&["report", file.to_str().unwrap(), "-o", site.to_str().unwrap()]);
    let page = std::fs::read_to_string(site.join("01-check.html")).unwrap();
    let elements = check(&page);
    assert_eq!(count(&elements, "div", "mark"), 5_000);
    assert_eq!(count(&elements, "li", ""), 20_000);
    assert_eq!(page.matches("variable_777 ").count(), 1, "the source should be there once");
    assert_eq!((page.matches(" value=\"").count(), page.matches("<li id=\"f0-101\" value=\"101\"").count()), (200, 1));
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
}

#[test]
fn what_is_no_document_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    let cases = [
        ("", "is no JSON"),
        ("{\"schema\": 1, \"command\": \"run\"", "is no JSON"),
        ("[]", "it has no `schema`"),
        ("{}", "it has no `schema`"),
        ("{\"schema\": 2, \"command\": \"run\", \"result\": {}}", "its `schema` is not 1"),
        ("{\"schema\": 1}", "which `command` wrote it"),
        ("{\"schema\": 1, \"command\": \"<b>\", \"result\": {}}", "not one of those that write documents"),
        ("{\"schema\": 1, \"command\": \"run\", \"result\": []}", "it has no `result`"),
        ("{\"version\": \"2.1.0\", \"runs\": []}", "it has no `schema`"),
    ];
    let good = folder.path().join("good.json");
    std::fs::write(&good, document("run", json!({ "findings": [] }))).unwrap();
    let refused = |words: &[&str], expected: &str| {
        let output = plumb(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert!(
            said(&output).contains(expected) && !said(&output).contains("bug in plumb"),
            "{words:?}: {}",
            said(&output)
        );
        assert!(!site.exists(), "nothing should be written");
    };
    let (good, out) = (good.to_str().unwrap(), site.to_str().unwrap());
    for (content, expected) in cases {
        let bad = folder.path().join("bad.json");
        std::fs::write(&bad, content).unwrap();
        refused(&["report", good, bad.to_str().unwrap(), "-o", out], expected);
    }
    refused(&["report", "no/such.json", "-o", out], "no/such.json cannot be read");
    refused(&["report", good], "-o DIR");
    refused(&["report", good, "-o", good], "cannot be made");
    // Deep nesting is no document either.
    std::fs::write(folder.path().join("deep.json"), "[".repeat(100_000)).unwrap();
    refused(&["report", folder.path().join("deep.json").to_str().unwrap(), "-o", out], "is no JSON");
}
