//! `plumb represent` on the programs of testdata, and with clients: small ones of our own, compiled here, that have one
//! dependence each, and real ones.

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

/// A picture without symmetry, 5 by 3, grey or with 3 samples a pixel, in one strip, as a TIFF file.
fn picture(samples: u32) -> Vec<u8> {
    let size = 15 * samples;
    let directory = 8 + size + size % 2;
    let mut file = b"II*\0".to_vec();
    file.extend(directory.to_le_bytes());
    file.extend((0..size).map(|i| (i * i) as u8));
    file.extend(vec![0; (size % 2) as usize]);
    let behind = directory + 2 + 12 * 11 + 4;
    let (bits, photometric) = if samples == 1 { (8, 1) } else { (behind, 2) };
    let fields: [(u16, u16, u32, u32); 11] = [
        (256, 4, 1, 5),
        (257, 4, 1, 3),
        (258, 3, samples, bits),
        (259, 3, 1, 1),
        (262, 3, 1, photometric),
        (273, 4, 1, 8),
        (274, 3, 1, 1),
        (277, 3, 1, samples),
        (278, 4, 1, 3),
        (279, 4, 1, size),
        (284, 3, 1, 1),
    ];
    file.extend((fields.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in fields {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(count.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file.extend([8, 0, 8, 0, 8, 0]);
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
    std::fs::write(&sample, picture(1)).expect("a sample");
    let clients: Vec<String> =
        ["", "ignore", "half", "eager"].map(|mode| format!("show{mode}={show} {{}} {mode}")).to_vec();
    // Whether strips are among 32 variants is a matter of the seed.
    let mut words = vec!["tiff.c", "--seed", "3", "--count", "32", "--data", sample.to_str().expect("a path")];
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

/// Every program has a sample and says what can be chosen. None makes anything that does not have the canonical value.
#[test]
fn programs_are_inverted_without_failures() {
    let folder = tempfile::tempdir().expect("a folder");
    filetest::run(root().join("testdata/represent"), "c", |file| {
        let directive = |name: &str| {
            let found = file.directives.iter().find(|d| d.name == name);
            found.map(|d| d.value.clone()).ok_or_else(|| format!("it has no directive `{name}`"))
        };
        let sample = folder.path().join("sample.json");
        std::fs::write(&sample, directive("sample")?).map_err(|e| e.to_string())?;
        let path = file.path.to_str().expect("a path");
        let words = [path, "--count", "24", "--data", sample.to_str().expect("a path"), "--", "-I."];
        let (status, result) = asked(&words);
        let fields: Vec<&str> = result["fields"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let count = result["variants"].as_array().map_or(0, Vec::len);
        let found =
            format!("status {status}, {count} variants, {} rejected; {}", result["rejected"], fields.join(", "));
        let wanted = format!("status 0, {} variants, 0 rejected; {}", directive("variants")?, directive("fields")?);
        if found == wanted { Ok(()) } else { Err(format!("found  {found}\nwanted {wanted}")) }
    });
}

/// Prints the picture that Pillow sees.
const PILLOW: &str = "import sys; from PIL import Image; i = Image.open(sys.argv[1]); \
                      sys.stdout.buffer.write(repr(i.size).encode() + i.convert('RGB').tobytes())";
/// Prints the sound that Python's own reader hears.
const WAVE: &str = "import sys, wave; w = wave.open(sys.argv[1]); \
                    sys.stdout.buffer.write(repr(w.getparams()).encode() + w.readframes(w.getnframes()))";

/// A client that is a line of Python.
fn python(name: &str, program: &str) -> String {
    let modules = root().join(".deps/clients");
    assert!(modules.join("PIL").exists(), "Pillow is not in .deps/clients; tools/fetch-clients installs it");
    let modules = modules.canonicalize().expect("a path");
    format!(
        "{name}=env PYTHONPATH={} python3 -c {} {{}}",
        shlex::try_quote(modules.to_str().expect("a path")).expect("a word"),
        shlex::try_quote(program).expect("a word")
    )
}

/// Real readers of three formats, and the rows that the table has for them. Pillow 11.3 maps a grey picture in one strip to
/// memory with its width and height exchanged if the orientation exchanges them; colours cannot be mapped.
#[test]
fn real_clients_have_the_rows_that_they_should() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a sample");
        path.to_str().expect("a path").to_string()
    };
    let (grey, colour) = (file("grey.tif", &picture(1)), file("colour.tif", &picture(3)));
    let own = ["--load", "load", "--store", "store"];
    let pillow = python("Pillow", PILLOW);
    let client = |program: &str, sample: &str, more: &[&str], client: &str| {
        let mut words = vec![program, "--count", "8", "--data", sample, "--client", client];
        words.extend(more);
        let (_, result) = asked(&words);
        assert_eq!(result["rejected"], 0, "{result}");
        result["clients"][0].clone()
    };
    let row = client("tiff.c", &grey, &[], &pillow);
    assert_eq!(row["inconsistent"], serde_json::json!(["orientation"]), "{row}");
    let wrong = row["wrong"]["orientation"].as_array().expect("values");
    assert!(!wrong.is_empty() && wrong.iter().all(|value| value.as_i64() > Some(4)), "{row}");
    let passes = [
        client("tiff.c", &colour, &[], &pillow),
        client("bmp.c", &file("picture.bmp", &bitmap()), &own, &pillow),
        client("wav.c", &file("sound.wav", &sound()), &own, &python("wave", WAVE)),
    ];
    for row in passes {
        assert_eq!(row["unusable"], Value::Null, "{row}");
        assert_eq!(row["failures"], serde_json::json!([]), "{row}");
    }
}

/// A bitmap of 5 by 3 pixels in colour.
fn bitmap() -> Vec<u8> {
    let rows: Vec<u8> = (0..48).map(|at| if at % 16 < 15 { at * 5 } else { 0 }).collect();
    let mut file = b"BM".to_vec();
    file.extend([54 + 48, 0, 54, 40, 5, 3].into_iter().flat_map(u32::to_le_bytes));
    file.extend([1u16, 24].into_iter().flat_map(u16::to_le_bytes));
    file.extend([0, 48, 0, 0, 0, 0].into_iter().flat_map(u32::to_le_bytes));
    file.extend(rows);
    file
}

/// Eight frames of two channels.
fn sound() -> Vec<u8> {
    let mut file = b"RIFF".to_vec();
    file.extend(68u32.to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16u32.to_le_bytes());
    file.extend([1u16, 2].into_iter().flat_map(u16::to_le_bytes));
    file.extend([8000u32, 32000].into_iter().flat_map(u32::to_le_bytes));
    file.extend([4u16, 16].into_iter().flat_map(u16::to_le_bytes));
    file.extend(b"data");
    file.extend(32u32.to_le_bytes());
    file.extend(0..32u8);
    file
}
