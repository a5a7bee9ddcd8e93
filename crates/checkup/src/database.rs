//! `compile_commands.json`: what a build compiles, with which flags, and what `plumb capture` saw of its links.
//!
//! *Source*: "JSON Compilation Database Format Specification", LLVM project. Beside it `link_commands.json`, written by
//! `plumb capture`, says which objects went into which program or archive.
//!
//! *Guarantee*: a broken database is refused with the place where it is broken; an entry that cannot be used is left out
//! with a note.

use super::project::{Language, Link, Project, ProjectError, Unit};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The name of the file in a folder of a build.
pub const NAME: &str = "compile_commands.json";
pub const LINKS: &str = "link_commands.json";

/// One compilation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Compilation {
    pub directory: PathBuf,
    pub file: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
}

/// One call of the linker or archiver, with the files it joined.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Joining {
    pub directory: PathBuf,
    pub output: PathBuf,
    pub inputs: Vec<PathBuf>,
}

/// Finds the database: the file itself, or in a folder.
pub fn find(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    let folders = ["", "build", "builddir", "_build", "out", "cmake-build-debug", "Debug", "Release"];
    folders.iter().map(|folder| path.join(folder).join(NAME)).find(|path| path.is_file())
}

/// Reads a database; paths are shown relative to where the user stands.
pub fn read(path: &Path) -> Result<Project, ProjectError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| ProjectError::new(format!("{} cannot be read: {error}", path.display()), HOW_TO_MAKE_ONE))?;
    let compilations: Vec<serde_json::Value> = serde_json::from_str(&text).map_err(|error| {
        ProjectError::new(format!("{} is no compile database: {error}", path.display()), HOW_TO_MAKE_ONE)
    })?;
    let beside = path.parent().unwrap_or(Path::new("")).join(LINKS);
    let joinings = std::fs::read_to_string(beside).ok().and_then(|text| serde_json::from_str(&text).ok());
    let here = std::env::current_dir().unwrap_or_default();
    let mut reading = Reading { here, ..Reading::default() };
    for (number, value) in compilations.into_iter().enumerate() {
        match serde_json::from_value::<Compilation>(value) {
            Ok(compilation) => reading.compilation(compilation),
            Err(error) => {
                let note = format!("Entry {} of {} was left out: {error}.", number + 1, path.display());
                reading.project.notes.push(note);
            }
        }
    }
    let project = reading.finish(joinings.unwrap_or_default());
    if project.units.is_empty() {
        let message = format!("{} names no C file", path.display());
        return Err(ProjectError::new(message, HOW_TO_MAKE_ONE));
    }
    Ok(project)
}

const HOW_TO_MAKE_ONE: &str = "`plumb capture -- make` records a build; CMake writes a database with \
                               -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always does";

#[derive(Default)]
struct Reading {
    here: PathBuf,
    project: Project,
    /// Units by their full path.
    units: BTreeMap<PathBuf, usize>,
    /// Units by the full path of what they were compiled to.
    objects: BTreeMap<PathBuf, usize>,
    /// Files in other languages, by language.
    others: BTreeMap<&'static str, usize>,
    again: usize,
}

impl Reading {
    fn compilation(&mut self, compilation: Compilation) {
        let Compilation { directory, file, arguments, command, output } = compilation;
        let full = normal(&self.here.join(&directory).join(&file));
        if let Language::Other(language) = Language::of(&full) {
            *self.others.entry(language).or_default() += 1;
            return;
        }
        let words = arguments.or_else(|| command.as_deref().and_then(shlex::split));
        let Some(words) = words else {
            let note = format!("{} was left out: its command cannot be taken apart.", file.display());
            self.project.notes.push(note);
            return;
        };
        let folder = self.here.join(&directory);
        let output = output.or_else(|| output_of(&words)).unwrap_or_else(|| file.with_extension("o"));
        let object = normal(&folder.join(output));
        if let Some(&known) = self.units.get(&full) {
            // The same file compiled once more, for a shared library for example: the first is taken.
            self.again += 1;
            self.objects.entry(object).or_insert(known);
            return;
        }
        let flags = flags(&words, &file, &folder, &self.here);
        let number = self.project.units.len();
        self.project.units.push(Unit { path: shown(&full, &self.here), flags, is_library: false });
        self.units.insert(full, number);
        self.objects.insert(object, number);
    }

    fn finish(mut self, joinings: Vec<Joining>) -> Project {
        for (language, count) in &self.others {
            let files = if *count == 1 { "1 file is".to_string() } else { format!("{count} files are") };
            self.project.notes.push(format!("{files} {language} and left out: only C can be checked."));
        }
        if self.again > 0 {
            let times = if self.again == 1 { "once more".to_string() } else { format!("{} times more", self.again) };
            self.project.notes.push(format!("The build compiles files {times} with other flags; the first counts."));
        }
        let missing: Vec<String> = self
            .project
            .units
            .iter()
            .filter(|unit| !unit.path.is_file())
            .map(|unit| unit.path.display().to_string())
            .collect();
        if !missing.is_empty() {
            let names = missing.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
            let more = if missing.len() > 3 { format!(" and {} more", missing.len() - 3) } else { String::new() };
            self.project.notes.push(format!("{names}{more}: not there. Build once, so that generated files exist."));
        }
        let mut contents: BTreeMap<PathBuf, BTreeSet<usize>> =
            self.objects.iter().map(|(object, unit)| (object.clone(), BTreeSet::from([*unit]))).collect();
        for joining in joinings {
            let folder = self.here.join(&joining.directory);
            let inputs = joining.inputs.iter().map(|input| normal(&folder.join(input)));
            let units: BTreeSet<usize> = inputs.filter_map(|input| contents.get(&input).cloned()).flatten().collect();
            let output = normal(&folder.join(&joining.output));
            let is_library = output.to_string_lossy().contains(".so") || output.extension().is_some_and(|e| e == "a");
            if is_library {
                units.iter().for_each(|unit| self.project.units[*unit].is_library = true);
            }
            // An archive that a program takes is part of that program, and counts for nothing beside it.
            if !units.is_empty() {
                let name = shown(&output, &self.here).display().to_string();
                self.project.links.push(Link { name, units: units.iter().copied().collect() });
            }
            contents.insert(output, units);
        }
        self.project
    }
}

/// A path without `.` and `..`, as far as its text tells.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if parts.file_name().is_some() => _ = parts.pop(),
            other => parts.push(other),
        }
    }
    parts
}

/// A path as the user would write it.
fn shown(full: &Path, here: &Path) -> PathBuf {
    full.strip_prefix(here).map_or_else(|_| full.to_path_buf(), Path::to_path_buf)
}

fn output_of(words: &[String]) -> Option<PathBuf> {
    let at = words.iter().position(|word| word == "-o")?;
    words.get(at + 1).map(PathBuf::from)
}

/// Flags whose argument is a path: the next word, or glued on.
const PATHS: [&str; 8] = ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot=", "-I"];

/// The flags of a compilation without the compiler, the file and what says where results go. Paths that are relative to
/// the folder of the build become relative to ours.
fn flags(words: &[String], file: &Path, folder: &Path, here: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let moved = |path: &str| {
        let full = normal(&folder.join(path));
        let text = shown(&full, here).to_string_lossy().into_owned();
        if text.is_empty() { ".".to_string() } else { text }
    };
    // A compiler may be wrapped: `ccache gcc …`.
    let mut words = words.iter().enumerate().skip_while(|(index, word)| *index == 0 || !word.starts_with('-'));
    while let Some((_, word)) = words.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" | "-x" | "-arch" | "--param" => _ = words.next(),
            "-c" | "-S" | "-E" | "--" | "-pipe" => {}
            // Warnings say nothing about the program, and are no reason to refuse what is added to it.
            flag if flag.starts_with("-pedantic") || flag.starts_with("-W") && !flag.contains(',') => {}
            flag if flag.starts_with("-o") || flag.starts_with("-M") || flag.starts_with("-Wp,-M") => {}
            flag if PATHS.contains(&flag) => {
                if let Some((_, path)) = words.next() {
                    flags.extend([flag.to_string(), moved(path)]);
                }
            }
            // Glued on: `-Iinclude`.
            flag if flag.starts_with('-') => match PATHS.iter().find(|prefix| flag.starts_with(**prefix)) {
                Some(prefix) => flags.push(format!("{prefix}{}", moved(&flag[prefix.len()..]))),
                None => flags.push(flag.to_string()),
            },
            other if Path::new(other) == file || normal(&folder.join(other)) == normal(&folder.join(file)) => {}
            // Objects and other files belong to the link.
            _ => {}
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        shlex::split(text).unwrap()
    }

    #[test]
    fn flags_are_moved_to_where_the_user_stands() {
        let command =
            words("ccache gcc -DX='a b' -I../include -I . -isystem /usr/x -O2 -Wall -MMD -MF d -c ../a.c -o a.o");
        let flags = flags(&command, Path::new("../a.c"), Path::new("/p/build"), Path::new("/p"));
        assert_eq!(flags, ["-DX=a b", "-Iinclude", "-I", "build", "-isystem", "/usr/x", "-O2"]);
        let command = words("cc -include config.h a.c");
        assert_eq!(
            super::flags(&command, Path::new("a.c"), Path::new("/p"), Path::new("/q")),
            ["-include", "/p/config.h"]
        );
    }

    #[test]
    fn objects_are_followed_through_archives() {
        let mut reading = Reading { here: PathBuf::from("/p"), ..Reading::default() };
        for name in ["a", "b", "main"] {
            reading.compilation(Compilation {
                directory: "/p".into(),
                file: format!("{name}.c").into(),
                command: Some(format!("cc -c {name}.c -o {name}.o")),
                ..Compilation::default()
            });
        }
        let joining = |output: &str, inputs: &[&str]| Joining {
            directory: "/p".into(),
            output: output.into(),
            inputs: inputs.iter().map(PathBuf::from).collect(),
        };
        let project = reading.finish(vec![joining("lib.a", &["a.o", "b.o"]), joining("prog", &["main.o", "lib.a"])]);
        assert_eq!(project.programs(), [[0, 1, 2]]);
        assert_eq!(project.links.last(), Some(&Link { name: "prog".to_string(), units: vec![0, 1, 2] }));
    }
}
