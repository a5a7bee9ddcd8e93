//! Recording a build: compilers and archivers are wrapped, and what they were called with becomes a compile database.
//!
//! A folder of small scripts stands first in the build's `PATH`. Each writes its arguments to a file of its own, so that
//! compilations side by side do not mix, and then becomes the tool it is named for. *May miss*: tools that the build calls by
//! an absolute path and not through `CC`.

use super::database::{Compilation, Joining};
use super::project::Language;
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The tools that are wrapped, where they are installed.
const COMPILERS: [&str; 12] = [
    "cc",
    "gcc",
    "clang",
    "c89",
    "c99",
    "tcc",
    "x86_64-linux-gnu-gcc",
    "aarch64-linux-gnu-gcc",
    "gcc-12",
    "gcc-13",
    "gcc-14",
    "clang-14",
];
const ARCHIVERS: [&str; 3] = ["ar", "gcc-ar", "llvm-ar"];

/// A folder with the wrappers, and one for what they write.
pub struct Recording {
    scratch: tempfile::TempDir,
    environment: Vec<(OsString, OsString)>,
}

/// What a build was seen to do.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Build {
    pub compilations: Vec<Compilation>,
    pub joinings: Vec<Joining>,
    /// Calls of compilers that compiled no file that is still there.
    pub others: usize,
}

impl Recording {
    pub fn start() -> io::Result<Recording> {
        let scratch = tempfile::tempdir()?;
        let (tools, log) = (scratch.path().join("tools"), scratch.path().join("log"));
        std::fs::create_dir(&tools)?;
        std::fs::create_dir(&log)?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let find =
            |name: &str| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
        for name in COMPILERS.iter().chain(&ARCHIVERS) {
            let Some(real) = find(name) else { continue };
            let script = format!(
                "#!/bin/sh\nfile=$(mktemp {log}/XXXXXXXX) && printf '%s\\0' \"$PWD\" {name} \"$@\" > \"$file\"\nexec {real} \"$@\"\n",
                log = quoted(&log),
                real = quoted(&real),
            );
            let wrapper = tools.join(name);
            std::fs::write(&wrapper, script)?;
            std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755))?;
        }
        let paths = std::iter::once(tools.clone()).chain(std::env::split_paths(&path));
        let joined = std::env::join_paths(paths).map_err(io::Error::other)?;
        let mut environment = vec![("PATH".into(), joined)];
        // A compiler that is named by its full path is wrapped where its name is known.
        if let Some(named) = std::env::var_os("CC").map(PathBuf::from).filter(|named| named.is_absolute())
            && let Some(wrapper) = named.file_name().map(|name| tools.join(name)).filter(|wrapper| wrapper.is_file())
        {
            environment.push(("CC".into(), wrapper.into_os_string()));
        }
        Ok(Recording { scratch, environment })
    }

    /// What the build's environment needs.
    pub fn environment(&self) -> &[(OsString, OsString)] {
        &self.environment
    }

    /// What was recorded, in the order it happened.
    pub fn finish(self) -> io::Result<Build> {
        let mut records = Vec::new();
        for entry in std::fs::read_dir(self.scratch.path().join("log"))? {
            let entry = entry?;
            records.push((entry.metadata()?.modified()?, entry.path()));
        }
        records.sort();
        let mut build = Build::default();
        for (_, path) in records {
            let bytes = std::fs::read(path)?;
            let mut words = bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
            let (Some(folder), Some(tool)) = (words.next(), words.next()) else { continue };
            let mut arguments: Vec<String> = words.collect();
            // The last argument ends with a zero too.
            arguments.pop();
            build.call(Path::new(&folder), &tool, arguments);
        }
        Ok(build)
    }
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}

impl Build {
    fn call(&mut self, folder: &Path, tool: &str, arguments: Vec<String>) {
        match ARCHIVERS.contains(&tool) {
            true => self.archive(folder, &arguments),
            false => self.compile(folder, tool, arguments),
        }
    }

    /// `ar rcs lib.a a.o b.o`.
    fn archive(&mut self, folder: &Path, arguments: &[String]) {
        let mut words = arguments.iter().filter(|word| !word.starts_with("--"));
        let writes = words.next().is_some_and(|operation| operation.contains(['r', 'q']));
        let files: Vec<PathBuf> = words.map(PathBuf::from).collect();
        if let (true, Some((output, inputs))) = (writes, files.split_first()) {
            let (output, inputs) = (output.clone(), inputs.to_vec());
            self.joinings.push(Joining { directory: folder.to_path_buf(), output, inputs });
        }
    }

    fn compile(&mut self, folder: &Path, tool: &str, arguments: Vec<String>) {
        let given = |flag: &str| arguments.iter().any(|word| word == flag);
        if ["-E", "-S", "-M", "-MM", "-fsyntax-only", "--version", "-v", "-dumpversion"].into_iter().any(given) {
            self.others += 1;
            return;
        }
        let links = !given("-c");
        let (mut files, mut inputs, mut output, mut folders) = (Vec::new(), Vec::new(), None, Vec::new());
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-o" => output = words.next().map(PathBuf::from),
                "-I" | "-D" | "-U" | "-include" | "-isystem" | "-iquote" | "-MF" | "-MT" | "-MQ" | "-x" | "-T"
                | "-u" | "-Xlinker" | "-z" | "-rpath" | "-soname" => _ = words.next(),
                "-L" => folders.extend(words.next().map(PathBuf::from)),
                flag if flag.starts_with("-L") => folders.push(PathBuf::from(&flag[2..])),
                flag if flag.starts_with("-l") => inputs.extend(library(folder, &folders, &flag[2..])),
                flag if flag.starts_with('-') => {}
                file => match Language::of(Path::new(file)) {
                    Language::C | Language::Other(_) => files.push(PathBuf::from(file)),
                    _ => inputs.push(PathBuf::from(file)),
                },
            }
        }
        // What `configure` tries out is gone by now.
        let is_there = |file: &PathBuf| {
            folder.join(file).is_file()
                && !file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("conftest"))
        };
        let sources: Vec<PathBuf> = files.into_iter().filter(is_there).collect();
        if sources.is_empty() && inputs.is_empty() {
            self.others += 1;
            return;
        }
        let full: Vec<String> = std::iter::once(tool.to_string()).chain(arguments.iter().cloned()).collect();
        for file in &sources {
            let object = match (&output, links) {
                (Some(output), false) => output.clone(),
                // The compiler puts objects where it stands, and keeps those of a link to itself.
                _ => PathBuf::from(file.file_name().unwrap_or_default()).with_extension("o"),
            };
            inputs.push(object.clone());
            self.compilations.push(Compilation {
                directory: folder.to_path_buf(),
                file: file.clone(),
                arguments: Some(full.clone()),
                command: None,
                output: Some(object),
            });
        }
        if links {
            let output = output.unwrap_or_else(|| PathBuf::from("a.out"));
            self.joinings.push(Joining { directory: folder.to_path_buf(), output, inputs });
        }
    }
}

/// The file that `-lNAME` means, if it stands in one of the folders. A shared library is linked under one name and made
/// under another, which a symbolic link beside it tells.
fn library(folder: &Path, folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    let candidates = folders.iter().flat_map(|at| [at.join(format!("lib{name}.so")), at.join(format!("lib{name}.a"))]);
    let found = candidates.into_iter().find(|file| folder.join(file).is_file())?;
    let made = std::fs::canonicalize(folder.join(&found)).ok().filter(|_| folder.join(&found).is_symlink());
    Some(made.unwrap_or(found))
}
