//! A folder as a project: its compile database if it has one, else all C files below it.
//!
//! Without a database the flags are a guess: every folder with headers is searched for includes. Files that need more than
//! that do not compile, and the report says which.

use super::database;
use super::project::{Language, Project, ProjectError, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files beyond which nobody waits for the end of a walk.
const MOST_FILES: usize = 20_000;

/// Reads a folder. `flags` go to every file that has none of its own.
pub fn read(folder: &Path, flags: &[String]) -> Result<Project, ProjectError> {
    if let Some(path) = database::find(folder) {
        return database::read(&path);
    }
    let mut files = Vec::new();
    walk(folder, &mut files);
    files.sort();
    let mut others: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut sources, mut headers) = (Vec::new(), Vec::new());
    for path in files {
        match Language::of(&path) {
            Language::C => sources.push(path),
            Language::Header => headers.push(path),
            Language::Other(language) if language != "assembler" => *others.entry(language).or_default() += 1,
            _ => {}
        }
    }
    let mut project = Project::default();
    for (language, count) in others {
        let files = if count == 1 { "1 file is".to_string() } else { format!("{count} files are") };
        project.notes.push(format!("{files} {language} and left out: only C can be checked."));
    }
    let mut includes: BTreeSet<PathBuf> = headers.iter().filter_map(|path| path.parent().map(PathBuf::from)).collect();
    includes.insert(folder.to_path_buf());
    let mut all_flags: Vec<String> = flags.to_vec();
    all_flags.extend(includes.iter().map(|path| match path.as_os_str().is_empty() {
        true => "-I.".to_string(),
        false => format!("-I{}", path.display()),
    }));
    // A library of headers alone is checked by its headers.
    let units = if sources.is_empty() { headers } else { sources };
    if units.is_empty() {
        let message = format!("there is no C file in {}", folder.display());
        return Err(ProjectError::new(message, "name the files, or give -p with the folder of a build"));
    }
    let is_guess = units.len() > 1 && flags.is_empty();
    project.units = units.into_iter().map(|path| Unit { path, flags: all_flags.clone(), is_library: false }).collect();
    if is_guess {
        let note =
            "There is no compile_commands.json, so flags and links are a guess; `plumb capture -- make` records them.";
        project.notes.push(note.to_string());
    }
    Ok(project)
}

/// All files below, without hidden folders and what builds leave behind.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let shown = if folder == Path::new(".") { Path::new("") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut names: Vec<_> = entries.flatten().collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    for entry in names {
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.starts_with('.') || text == "CMakeFiles" || files.len() >= MOST_FILES {
            continue;
        }
        // A link could lead back up.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&shown.join(&name), files),
            Ok(kind) if kind.is_file() => files.push(shown.join(&name)),
            _ => {}
        }
    }
}
