//! `plumb lsp` as an editor starts it: a process, its standard streams, and real answers about a text that is not saved. What the
//! server does in every order of events is tested where it lives (`crates/lsp/tests`).

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const TEXT: &str =
    "#include \"bound.h\"\n#include <assert.h>\n\nint twice(int x) {\n    assert(x != BOUND);\n    return 2 * x;\n}\n";

struct Editor {
    child: Child,
    output: ChildStdin,
    input: BufReader<ChildStdout>,
}

impl Editor {
    fn start() -> Editor {
        let mut child = Command::new(env!("CARGO_BIN_EXE_plumb"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("plumb should start");
        let output = child.stdin.take().expect("the input should be a pipe");
        let input = BufReader::new(child.stdout.take().expect("the output should be a pipe"));
        Editor { child, output, input }
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server should listen");
        self.output.flush().expect("the server should listen");
    }

    /// The first message of a kind.
    fn wait(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                assert!(self.input.read_line(&mut line).expect("the server should be read") > 0, "it went away");
                match line.trim_end().strip_prefix("Content-Length: ") {
                    Some(number) => length = number.parse().expect("a length should be a number"),
                    None => break,
                }
            }
            let mut body = vec![0; length];
            self.input.read_exact(&mut body).expect("a message should be whole");
            let message: Value = serde_json::from_slice(&body).expect("a message should be JSON");
            if is_meant(&message) {
                return message;
            }
        }
    }

    fn request(&mut self, id: i32, method: &str, params: Value) -> Value {
        self.send(json!({ "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())["result"].clone()
    }
}

#[test]
fn an_editor_gets_real_answers_about_a_text_that_is_not_saved() {
    let folder = tempfile::tempdir().expect("a folder should be made");
    let folder = folder.path().canonicalize().expect("the folder should be there");
    std::fs::write(folder.join("bound.h"), "#define BOUND 7\n").expect("the header should be written");
    let uri = format!("file://{}/twice.c", folder.display());
    let mut editor = Editor::start();
    let capabilities = json!({ "window": { "workDoneProgress": true } });
    let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities,
        "initializationOptions": { "time": 5 } });
    let begun = editor.request(1, "initialize", params);
    assert_eq!(begun["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    editor.send(json!({ "method": "initialized", "params": {} }));
    let opened = json!({ "uri": uri, "languageId": "c", "version": 1, "text": TEXT });
    editor.send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": opened } }));
    let found = editor.wait(|message| {
        let diagnostics = message["params"]["diagnostics"].as_array();
        diagnostics.is_some_and(|all| all.iter().any(|found| found["code"] == "assertion-failed"))
    });
    let failed = &found["params"]["diagnostics"][0];
    assert_eq!(failed["range"]["start"]["line"], 4, "{found}");
    assert!(failed["message"].as_str().is_some_and(|message| message.contains("x = 7")), "{found}");
    editor.wait(|message| message["params"]["value"]["kind"] == "end");
    let place = json!({ "line": 4, "character": 4 });
    let at = json!({ "textDocument": { "uri": uri }, "position": place, "range": { "start": place, "end": place },
        "context": { "diagnostics": [failed] } });
    let hover = editor.request(2, "textDocument/hover", at.clone());
    assert!(hover["contents"]["value"].as_str().is_some_and(|value| value.contains("refuted")), "{hover}");
    let actions = editor.request(3, "textDocument/codeAction", at);
    let titles: Vec<&str> = actions
        .as_array()
        .expect("actions should be a list")
        .iter()
        .filter_map(|action| action["title"].as_str())
        .collect();
    assert!(titles.contains(&"Explain assertion-failed"), "{titles:?}");
    assert!(titles.contains(&"Add the failing input twice(7) as a test"), "{titles:?}");
    // The function is mended.
    let line = json!({ "start": { "line": 4, "character": 0 }, "end": { "line": 5, "character": 0 } });
    editor.send(json!({ "method": "textDocument/didChange", "params": {
        "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "range": line, "text": "    if (x > 1000 || x < -1000) return 0;\n" }] } }));
    let found =
        editor.wait(|message| message["params"]["version"] == 2 && message["params"]["diagnostics"] == json!([]));
    assert_eq!(found["params"]["uri"], uri);
    editor.wait(|message| message["params"]["value"]["kind"] == "end");
    let lenses = editor.request(4, "textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    assert!(
        lenses[0]["command"]["title"].as_str().is_some_and(|title| title.contains("nothing goes wrong")),
        "{lenses}"
    );
    editor.request(5, "shutdown", Value::Null);
    editor.send(json!({ "method": "exit" }));
    assert!(editor.child.wait().expect("the server should end").success());
}
