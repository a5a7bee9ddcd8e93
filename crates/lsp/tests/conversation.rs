//! Conversations of an editor with the server, over pipes and by the protocol's own bytes. The analyst is played, so that
//! every order of events can be had: here it answers at once, or only when it is cancelled.

use lsp::{Analyst, Buffer, Ended, Question, Wire};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

const URI: &str = "file:///folder/f.c";
const PATH: &str = "/folder/f.c";

/// An analyst that knows functions by `int NAME(` and finds fault with those whose body has `bad`.
#[derive(Default)]
struct Played {
    /// What was asked, in order.
    asked: Mutex<Vec<(Question, String)>>,
    /// Questions of this verb are answered only after they are cancelled.
    stuck: Option<&'static str>,
    cancelled: Arc<AtomicBool>,
}

impl Analyst for Played {
    fn ask(&self, buffer: &Buffer, question: &Question, _: f64, cancel: &Arc<AtomicBool>) -> Result<Value, String> {
        self.asked.lock().unwrap().push((question.clone(), buffer.text.to_string()));
        assert_eq!(buffer.path.to_str(), Some(PATH));
        if self.stuck.is_some_and(|stuck| question.words().join(" ").contains(stuck)) {
            while !cancel.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.cancelled.store(true, Ordering::Relaxed);
            return Err("cancelled".to_string());
        }
        let lines = buffer.text.lines().zip(1u32..);
        let result = match question {
            Question::Check => {
                if buffer.text.contains("syntax") {
                    let finding = json!({ "rule": "syntax", "severity": "error", "message": "no C", "file": PATH, "line": 1,
                        "column": 1, "help": null, "notes": [] });
                    return Ok(json!({ "result": { "files": [PATH], "findings": [finding] } }));
                }
                let defined = lines.filter_map(|(line, number)| {
                    let name = line.strip_prefix("int ")?.split('(').next()?;
                    Some(json!({ "name": name, "file": PATH, "line": number, "column": 5, "parameters": 1 }))
                });
                json!({ "functions": defined.collect::<Vec<_>>(), "findings": [] })
            }
            Question::Prove(name) => {
                let text = function(&buffer.text, name);
                let number = text.first().map(|(number, _)| *number);
                let is_bad = text.iter().any(|(_, line)| line.contains("bad"));
                let finding = json!({ "rule": "signed-overflow", "severity": "error", "message": "it overflows",
                    "file": PATH, "line": number, "column": 5, "help": "do not", "notes": [] });
                let property = json!({ "text": "x + 1", "verdict": if is_bad { "refuted" } else { "proved" },
                    "file": PATH, "line": number, "how": null,
                    "witness": { "inputs": [{ "name": "x", "value": "2147483647" }], "replayed": true } });
                json!({ "properties": [property], "findings": if is_bad { vec![finding] } else { Vec::new() } })
            }
            Question::Infer(name) => {
                let number = function(&buffer.text, name).first().map(|(number, _)| *number);
                let relation = json!({ "kind": "equality", "text": "y == 2*x", "c": "y == 2*x", "verdict": "proved",
                    "how": "induction" });
                let location = json!({ "name": "return", "file": PATH, "line": number, "samples": 7,
                    "invariants": [relation] });
                let marked: String = buffer
                    .text
                    .lines()
                    .zip(1u32..)
                    .map(|(line, n)| if Some(n) == number { format!("//@ y\n{line}\n") } else { format!("{line}\n") })
                    .collect();
                json!({ "locations": [location], "assumptions": ["no signed overflow"], "emitted": { PATH: marked },
                    "findings": [] })
            }
            Question::Reach(_) => json!({ "coverage": { "branches": 2, "reached": 2 }, "tests": [{}, {}],
                "emitted": { "csv": "x,expected\n" }, "findings": [] }),
            Question::Symmetry(_) => json!({ "discovered": [{ "permute": ["a", "b"] }], "findings": [] }),
            Question::Assertions(_) => {
                json!({ "emitted": { PATH: format!("#include <assert.h>\n{}", buffer.text) }, "findings": [] })
            }
            Question::Repair(_) => json!({ "patches": [], "findings": [] }),
        };
        Ok(json!({ "result": result }))
    }
}

/// The lines of a function, up to an empty one.
fn function(text: &str, name: &str) -> Vec<(u32, String)> {
    let numbered = text.lines().zip(1..).map(|(line, number)| (number, line.to_string()));
    let start = format!("int {name}(");
    numbered.skip_while(|(_, line)| !line.starts_with(&start)).take_while(|(_, line)| !line.is_empty()).collect()
}

/// The editor's side of a conversation.
struct Editor {
    output: PipeWriter,
    input: BufReader<PipeReader>,
    server: Option<JoinHandle<Ended>>,
    analyst: Arc<Played>,
    /// Messages that were read while another was looked for.
    passed: Vec<Value>,
}

impl Editor {
    fn start(analyst: Played) -> Editor {
        let (server_input, output) = std::io::pipe().unwrap();
        let (input, server_output) = std::io::pipe().unwrap();
        let analyst = Arc::new(analyst);
        let played = analyst.clone();
        let server = std::thread::spawn(move || {
            let (wire, writer) = Wire::start(BufReader::new(server_input), server_output);
            let ended = lsp::serve(wire, played);
            writer.join().unwrap();
            ended
        });
        let (input, passed) = (BufReader::new(input), Vec::new());
        Editor { output, input, server: Some(server), analyst, passed }
    }

    /// A conversation that has begun, with an editor that can show everything.
    fn open(analyst: Played, text: &str) -> Editor {
        let mut editor = Editor::start(analyst);
        let capabilities = json!({ "window": { "workDoneProgress": true },
            "workspace": { "inlayHint": { "refreshSupport": true } } });
        let begun = editor.request(
            1,
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities }),
        );
        assert_eq!(begun["result"]["serverInfo"]["name"], "plumb");
        editor.notify("initialized", json!({}));
        editor.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": URI, "languageId": "c", "version": 1, "text": text } }),
        );
        editor
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).unwrap();
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    fn request(&mut self, id: i32, method: &str, params: Value) -> Value {
        self.send(json!({ "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.input.read_line(&mut line).unwrap() > 0, "the server should not go away");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.input.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// The first message of a kind; the others are passed over.
    fn wait(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.read();
            if is_meant(&message) {
                return message;
            }
            self.passed.push(message);
        }
    }

    /// The end of the work on the text.
    fn wait_until_done(&mut self) {
        self.wait(|message| message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end");
    }

    fn diagnostics(&mut self, is_meant: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let found = |message: &Value| message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
        let message =
            self.wait(|message| message["method"] == "textDocument/publishDiagnostics" && is_meant(&found(message)));
        found(&message)
    }

    fn at(&mut self, id: i32, method: &str, line: u32) -> Value {
        let place = json!({ "line": line, "character": 0 });
        let params = json!({ "textDocument": { "uri": URI }, "position": place,
            "range": { "start": place, "end": place }, "context": { "diagnostics": [] } });
        self.request(id, method, params)["result"].clone()
    }

    fn edit(&mut self, version: i32, line: u32, text: &str) {
        let place = json!({ "line": line, "character": 0 });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": version },
                "contentChanges": [{ "range": { "start": place, "end": place }, "text": text }] }),
        );
    }

    fn asked(&self) -> Vec<Question> {
        self.analyst.asked.lock().unwrap().iter().map(|(question, _)| question.clone()).collect()
    }

    fn close(mut self) {
        assert_eq!(self.request(99, "shutdown", Value::Null)["result"], Value::Null);
        self.notify("exit", Value::Null);
        assert_eq!(self.server.take().unwrap().join().unwrap(), Ended::AsAgreed);
    }
}

const TEXT: &str = "int f(int x) {\n    return x + 1; /* bad */\n}\n\nint g(int x) {\n    return x;\n}\n";

#[test]
fn what_is_found_is_shown_everywhere() {
    let mut editor = Editor::open(Played::default(), TEXT);
    editor.wait_until_done();
    let found = editor.diagnostics(|found| !found.is_empty());
    assert_eq!((&found[0]["code"], &found[0]["range"]["start"]["line"]), (&json!("signed-overflow"), &json!(0)));
    assert_eq!(found[0]["message"], "it overflows\nhelp: do not");
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints = editor.request(2, "textDocument/inlayHint", json!({ "textDocument": { "uri": URI }, "range": whole }));
    let hints = hints["result"].as_array().unwrap();
    assert_eq!(hints.len(), 2);
    assert_eq!(hints[0]["label"], "⊢ y == 2*x");
    assert!(hints[0]["tooltip"]["value"].as_str().unwrap().contains("proved by induction"));
    let lenses = editor.request(3, "textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
    let titles: Vec<&str> =
        lenses["result"].as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(
        titles,
        [
            "1 operation goes wrong · 2 inputs reach every branch · 1 relation proved · symmetric in a, b",
            "nothing goes wrong · 2 inputs reach every branch · 1 relation proved · symmetric in a, b"
        ]
    );
    let hover = editor.at(4, "textDocument/hover", 0);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("assuming no signed overflow"), "{hover}");
    assert_eq!(editor.at(5, "textDocument/hover", 3), Value::Null);
    editor.close();
}

#[test]
fn what_is_found_can_be_written_into_the_file() {
    let mut editor = Editor::open(Played::default(), TEXT);
    editor.wait_until_done();
    let actions = editor.at(2, "textDocument/codeAction", 0);
    let titled = |title: &str| {
        let found = actions.as_array().unwrap().iter().find(|action| action["title"].as_str().unwrap().contains(title));
        found.unwrap_or_else(|| panic!("{title} should be among {actions}")).clone()
    };
    let test = &titled("failing input f(2147483647)")["edit"]["changes"][URI][0];
    assert!(
        test["newText"].as_str().unwrap().ends_with("void test_f_line_1(void) {\n    f(2147483647);\n}\n"),
        "{test}"
    );
    assert_eq!(test["range"]["start"]["line"], 7);
    let acsl = &titled("all that holds in f as ACSL")["edit"]["changes"][URI];
    assert_eq!((&acsl[0]["newText"], &acsl[0]["range"]["start"]["line"]), (&json!("//@ y\n"), &json!(0)));
    let tests = &titled("tests that take the branches of f")["edit"]["documentChanges"];
    assert_eq!(tests[0]["uri"], "file:///folder/f.f.csv");
    let assertions = titled("all that holds in f as assertions");
    assert_eq!(assertions["edit"], Value::Null);
    let resolved = editor.request(3, "codeAction/resolve", assertions);
    assert_eq!(resolved["result"]["edit"]["changes"][URI][0]["newText"], "#include <assert.h>\n");
    let command = json!({ "command": "plumb.explain", "arguments": ["signed-overflow"] });
    let explained = editor.request(4, "workspace/executeCommand", command);
    assert!(explained["result"].as_str().unwrap().starts_with("signed-overflow: "), "{explained}");
    editor.close();
}

#[test]
fn an_edit_asks_again_only_what_it_changes() {
    let mut editor = Editor::open(Played::default(), TEXT);
    editor.wait_until_done();
    let before = editor.asked().len();
    // A line above both functions, and a change of the second.
    editor.edit(2, 5, "    x = 2 * x;\n");
    editor.edit(3, 0, "\n");
    editor.wait_until_done();
    let after = editor.asked().split_off(before);
    assert!(after.contains(&Question::Prove("g".to_string())), "{after:?}");
    assert!(!after.contains(&Question::Prove("f".to_string())), "{after:?}");
    // What was found before has moved.
    editor.diagnostics(|found| found.first().is_some_and(|first| first["range"]["start"]["line"] == 1));
    editor.close();
}

#[test]
fn a_text_that_cannot_be_read_says_so_and_recovers() {
    let mut editor = Editor::open(Played::default(), "syntax error\n");
    let found = editor.diagnostics(|found| !found.is_empty());
    assert_eq!(found[0]["code"], "syntax");
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "text": TEXT }] }),
    );
    let found = editor.diagnostics(|found| found.iter().any(|found| found["code"] == "signed-overflow"));
    assert_eq!(found.len(), 1);
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    editor.diagnostics(<[Value]>::is_empty);
    editor.close();
}

#[test]
fn requests_and_work_can_be_cancelled() {
    let mut editor = Editor::open(Played { stuck: Some("c-assert"), ..Played::default() }, TEXT);
    editor.wait_until_done();
    let action = json!({ "title": "later", "data": { "uri": URI, "assertions": "f" } });
    editor.send(json!({ "id": 7, "method": "codeAction/resolve", "params": action }));
    // Others are answered meanwhile.
    assert_ne!(editor.at(8, "textDocument/hover", 0), Value::Null);
    editor.notify("$/cancelRequest", json!({ "id": 7 }));
    let cancelled = editor.wait(|message| message["id"] == 7);
    assert_eq!(cancelled["error"]["code"], -32800);
    editor.close();

    let mut editor = Editor::open(Played { stuck: Some("prove"), ..Played::default() }, TEXT);
    let begun = editor.wait(|message| message["params"]["value"]["kind"] == "report");
    editor.notify("window/workDoneProgress/cancel", json!({ "token": begun["params"]["token"] }));
    let end = editor.wait(|message| message["params"]["value"]["kind"] == "end");
    assert_eq!(end["params"]["value"]["message"], "cancelled");
    let cancelled = editor.analyst.cancelled.clone();
    editor.close();
    while !cancelled.load(Ordering::Relaxed) {
        std::thread::yield_now();
    }
}

#[test]
fn an_edit_cancels_what_it_makes_worthless() {
    let mut editor = Editor::open(Played { stuck: Some("prove"), ..Played::default() }, TEXT);
    editor.wait(|message| message["params"]["value"]["kind"] == "report");
    editor.edit(2, 1, "    x = 2;\n");
    let cancelled = editor.analyst.cancelled.clone();
    while !cancelled.load(Ordering::Relaxed) {
        std::thread::yield_now();
    }
    editor.close();
}

#[test]
fn what_is_no_message_is_answered_with_an_error() {
    let mut editor = Editor::start(Played::default());
    let error = |message: Value| (message["id"].clone(), message["error"]["code"].as_i64().unwrap());
    editor.send(json!({ "id": 1, "method": "textDocument/hover", "params": {} }));
    assert_eq!(error(editor.read()), (json!(1), -32002));
    for junk in ["{", "[1, 2]", "\"text\"", "{\"jsonrpc\":\"2.0\"}", "\u{0}\u{1}"] {
        editor.send_bytes(format!("content-length:{}\r\nX-Other: 1\r\n\r\n{junk}", junk.len()).as_bytes());
        assert_eq!(error(editor.read()), (Value::Null, -32700), "{junk}");
    }
    assert_eq!(error(editor.request(2, "initialize", json!(5))), (json!(2), -32602));
    editor.request(3, "initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    assert_eq!(error(editor.request(4, "textDocument/hover", json!({ "position": "here" }))), (json!(4), -32602));
    assert_eq!(error(editor.request(5, "textDocument/unheardOf", json!({}))), (json!(5), -32601));
    // Notifications have no answers, and files that are not open have nothing to show.
    editor.notify("textDocument/didChange", json!({ "nonsense": true }));
    editor.notify("$/unheardOf", json!({}));
    assert_eq!(editor.at(6, "textDocument/hover", 0), Value::Null);
    editor.close();

    let mut editor = Editor::start(Played::default());
    editor.send_bytes(b"Content-Length: many\r\n\r\n");
    assert_eq!(error(editor.read()), (Value::Null, -32700));
    assert_eq!(editor.server.take().unwrap().join().unwrap(), Ended::WithoutShutdown);
}
