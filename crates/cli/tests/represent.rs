//! `plumb represent` with clients: small ones of our own, compiled here, that have one dependence each.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn compiled(folder: &Path, name: &str) -> String {
    let source = root().join("examples/represent").join(format!("{name}.c"));
    let binary = folder.join(name);
    let status = Command::new("cc").arg("-o").arg(&binary).arg(source).status().expect("cc should start");
    assert!(status.success(), "{name}.c should compile");
    binary.to_str().expect("a path").to_string()
}

fn asked(words: &[&str]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .current_dir(root().join("examples/represent"))
        .args(["represent", "--format", "json"])
        .args(words)
        .output()
        .expect("plumb should start");
    let text = String::from_utf8_lossy(&output.stdout);
    let document: Value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{words:?}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().expect("a status"), document["result"].clone())
}

/// A grey picture without symmetry, 5 by 3, in one strip, as a TIFF file.
fn picture() -> Vec<u8> {
    let mut file = b"II*\0\x18\0\0\0".to_vec();
    file.extend((0..15u8).map(|i| i * i));
    file.push(0);
    let fields: [(u16, u16, u32); 11] = [
        (256, 4, 5),
        (257, 4, 3),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, 8),
        (274, 3, 1),
        (277, 3, 1),
        (278, 4, 3),
        (279, 4, 15),
        (284, 3, 1),
    ];
    file.extend((fields.len() as u16).to_le_bytes());
    for (tag, kind, value) in fields {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(1u32.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file
}

#[test]
fn a_client_that_forgets_the_pitch_is_found_in_ten_variants() {
    let folder = tempfile::tempdir().expect("a folder");
    let column = compiled(folder.path(), "column");
    let (wrong, right) = (format!("wrong={column} {{}} 0"), format!("right={column} {{}} 1"));
    let words =
        ["ddsurfacedesc.c", "--data", "ddsurfacedesc.json", "--count", "10", "--client", &wrong, "--client", &right];
    let (status, result) = asked(&words);
    assert_eq!(status, 1, "{result}");
    assert_eq!(result["clients"][0]["fields"]["pitch"], "fail", "{result}");
    assert_eq!(result["clients"][0]["failures"][0]["blame"], serde_json::json!(["pitch"]), "{result}");
    assert_eq!(result["clients"][1]["fields"]["pitch"], "pass", "{result}");
    assert_eq!(result["clients"][1]["failures"], serde_json::json!([]), "{result}");
    assert_eq!(result["rejected"], 0, "{result}");
}

#[test]
fn readers_of_tiff_are_told_apart_by_what_they_ignore() {
    let folder = tempfile::tempdir().expect("a folder");
    let show = compiled(folder.path(), "show");
    let sample = folder.path().join("picture.tif");
    std::fs::write(&sample, picture()).expect("a sample");
    let clients: Vec<String> =
        ["", "ignore", "half", "eager"].map(|mode| format!("show{mode}={show} {{}} {mode}")).to_vec();
    let mut words = vec!["tiff.c", "--count", "32", "--data", sample.to_str().expect("a path")];
    for client in &clients {
        words.extend(["--client", client.as_str()]);
    }
    let (status, result) = asked(&words);
    assert_eq!(status, 1, "{result}");
    let clients = &result["clients"];
    assert_eq!(clients[0]["failures"], serde_json::json!([]), "{result}");
    assert_eq!(clients[1]["ignores"], serde_json::json!(["orientation"]), "{result}");
    assert_eq!(clients[2]["inconsistent"], serde_json::json!(["orientation"]), "{result}");
    assert_eq!(clients[3]["fields"]["orientation"], "pass", "{result}");
    assert_eq!(clients[3]["fields"]["offset"], "fail", "{result}");
    assert_eq!(result["rejected"], 0, "{result}");
}
