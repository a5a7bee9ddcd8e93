//! From the arguments to a project.

use crate::args::CheckUp;
use crate::report::Failure;
use checkup::settings::Settings;
use checkup::{Project, ProjectError, database, folder};
use std::io::Read as _;
use std::path::{Path, PathBuf};

pub(super) struct Input {
    pub(super) project: Project,
    /// Whether answers are kept without being asked to: a few files are no project.
    pub(super) is_kept: bool,
    /// A path of ours, and the name it has for the user.
    pub(super) renamed: Option<(String, String)>,
    /// Holds the text of standard input.
    _scratch: Option<tempfile::TempDir>,
}

pub(super) fn failure(error: ProjectError) -> Failure {
    Failure::new(error.message).with_help(error.help)
}

pub(super) fn read(args: &CheckUp, settings: &Settings, flags: &[String]) -> Result<Input, Failure> {
    let flags: Vec<String> = settings.flags.iter().chain(flags).cloned().collect();
    let whole = |project: Project| Input { project, is_kept: true, renamed: None, _scratch: None };
    let database = args.database.as_ref().or(settings.database.as_ref().filter(|_| args.files.is_empty()));
    if let Some(path) = database {
        let found = database::find(path).ok_or_else(|| {
            Failure::new(format!("there is no {} in {}", database::NAME, path.display()))
                .with_help("`plumb capture -- make` records a build; CMake and Meson write one")
        })?;
        let mut project = database::read(&found).map_err(failure)?;
        keep_named(&mut project, &args.files)?;
        for unit in &mut project.units {
            unit.flags.extend(flags.iter().cloned());
        }
        return Ok(whole(project));
    }
    match &args.files[..] {
        [] if !settings.files.is_empty() => Project::of_files(&settings.files, &flags).map(whole).map_err(failure),
        [] => folder::read(Path::new("."), &flags).map(whole).map_err(failure),
        [only] if only == Path::new("-") => standard_input(&flags),
        [only] if only.is_dir() => folder::read(only, &flags).map(whole).map_err(failure),
        [only] if only.file_name().is_some_and(|name| name == database::NAME) => {
            database::read(only).map(whole).map_err(failure)
        }
        files => {
            if let Some(missing) = files.iter().find(|file| !file.exists()) {
                return Err(Failure::new(format!("{} does not exist", missing.display()))
                    .with_help("give C files, a folder, or -p with the folder of a build"));
            }
            let project = Project::of_files(files, &flags).map_err(failure)?;
            Ok(Input { is_kept: false, ..whole(project) })
        }
    }
}

/// Leaves the units that the user names beside a database.
fn keep_named(project: &mut Project, files: &[PathBuf]) -> Result<(), Failure> {
    if files.is_empty() {
        return Ok(());
    }
    let full = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    for file in files {
        if !project.units.iter().any(|unit| full(&unit.path) == full(file)) {
            return Err(Failure::new(format!("the compile database has no entry for {}", file.display()))
                .with_help("leave out -p and give its flags after `--`"));
        }
    }
    let wanted: Vec<PathBuf> = files.iter().map(|file| full(file)).collect();
    project.units.retain(|unit| wanted.contains(&full(&unit.path)));
    project.links.clear();
    Ok(())
}

fn standard_input(flags: &[String]) -> Result<Input, Failure> {
    let mut text = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut text)
        .map_err(|error| Failure::new(format!("standard input cannot be read: {error}")))?;
    let failed = |error: std::io::Error| Failure::new(format!("the text cannot be kept in a file: {error}"));
    let scratch = tempfile::tempdir().map_err(failed)?;
    let path = scratch.path().join("stdin.c");
    std::fs::write(&path, text).map_err(failed)?;
    let project = Project::of_files(std::slice::from_ref(&path), flags).map_err(failure)?;
    let renamed = Some((path.display().to_string(), "stdin.c".to_string()));
    Ok(Input { project, is_kept: false, renamed, _scratch: Some(scratch) })
}
