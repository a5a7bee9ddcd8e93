//! `plumb report`: documents of earlier runs as pages, with an index.
//!
//! A document names files, and a page shows their texts. Whoever passes a document on should not get other files of the
//! reader into the page that the reader passes back: only ordinary files with the endings of sources are read.

use crate::args::{Documents, Shared};
use crate::output::{make_folder, write_whole};
use crate::place::Place;
use crate::render::html::{self, Document, Entry, Setting, Texts};
use crate::report::{Failure, Report};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Endings of files that are shown.
const SOURCES: [&str; 6] = ["c", "h", "i", "inc", "pir", "rules"];
/// Bytes of a file that is shown.
const MOST: u64 = 16 << 20;

pub fn report(args: &Documents, shared: &Shared) -> Result<Report, Failure> {
    let Some(folder) = shared.out.as_deref() else {
        return Err(Failure::new("nothing says where the pages go").with_help("-o DIR names a folder for them"));
    };
    let documents: Vec<Value> = args.files.iter().map(|path| read(path)).collect::<Result<_, Failure>>()?;
    let mut entries = Vec::new();
    for (number, (path, value)) in args.files.iter().zip(&documents).enumerate() {
        let document = Document::read(value).map_err(|why| foreign(path, &why))?;
        entries.push(Entry {
            address: format!("{:02}-{}.html", number + 1, document.command),
            command: document.command,
            document: path.display().to_string(),
            page: html::page(&document, texts(value), Setting::InSite),
        });
    }
    make_folder(folder)?;
    for entry in &entries {
        write_whole(&folder.join(&entry.address), entry.page.html.as_bytes())?;
    }
    // Last, so that an index never names a page that is not there.
    let index = folder.join("index.html");
    write_whole(&index, html::index(&entries).as_bytes())?;
    Ok(said(&index, &entries))
}

fn said(index: &Path, entries: &[Entry]) -> Report {
    let mut report = Report::new("report");
    let missing: BTreeSet<&String> = entries.iter().flat_map(|entry| &entry.page.missing).collect();
    for entry in entries {
        report.text += &format!("{}  {}  {}\n", entry.address, entry.command, entry.page.title);
    }
    for file in &missing {
        report.text += &format!("note: the text of {file} is not at hand; its page has the lines that were named\n");
    }
    let changed: BTreeSet<&String> = entries.iter().flat_map(|entry| &entry.page.changed).collect();
    for file in &changed {
        report.text += &format!("note: {file} has changed since it was read; its page has the lines that were named\n");
    }
    let pages: Vec<Value> = entries
        .iter()
        .map(|entry| json!({ "document": entry.document, "page": entry.address, "command": entry.command }))
        .collect();
    report.summary = format!("the first page is {}", index.display());
    report.result.insert("index".into(), json!(index.display().to_string()));
    report.result.insert("pages".into(), Value::Array(pages));
    report.result.insert("missing".into(), json!(missing));
    report.result.insert("changed".into(), json!(changed));
    report
}

fn read(path: &Path) -> Result<Value, Failure> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| Failure::new(format!("{name} cannot be read: {error}")))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Failure::new(format!("{name} is no JSON: {error}"))
            .with_help("plumb <verb> … --format json -o FILE writes documents")
    })
}

fn foreign(path: &Path, why: &str) -> Failure {
    Failure::new(format!("{} is no document of plumb: {why}", path.display()))
        .with_help("plumb <verb> … --format json -o FILE writes documents")
}

/// The texts of all files that a document names, as far as they may be shown.
fn texts(document: &Value) -> Texts {
    let mut names = BTreeSet::new();
    collect(document, &mut names);
    let mut texts = Texts::default();
    for name in names {
        if let Some(text) = text(Path::new(&name)) {
            texts.insert(name, text);
        }
    }
    texts
}

fn collect(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            // `file:line`, with a function behind it perhaps, names a file too.
            let place = Place::parse(text).map(|place| place.file);
            names.extend([Some(text.clone()), place].into_iter().flatten().filter(|name| is_source(Path::new(name))));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, names)),
        Value::Object(members) => members.values().for_each(|value| collect(value, names)),
        _ => {}
    }
}

fn is_source(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| SOURCES.contains(&ending))
}

fn text(path: &Path) -> Option<String> {
    std::fs::metadata(path).ok().filter(|about| about.is_file() && about.len() <= MOST)?;
    cfront::preprocess::read_text(path.to_str()?)
}
