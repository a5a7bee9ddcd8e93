//! Getting rendered bytes to where they belong, whole or not at all.

use crate::args::Shared;
use crate::render::{Rendered, visible::visible};
use crate::report::Failure;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Writes the result to the file, or to standard output, and the rest to standard error.
pub fn deliver(rendered: &Rendered, file: Option<&Path>) -> Result<(), Failure> {
    match file {
        Some(path) => write_whole(path, &rendered.out)?,
        None => write_whole(Path::new("-"), &rendered.out)?,
    }
    to_stream(std::io::stderr().lock(), &rendered.err)
}

/// Writes what cannot wait for the end to standard output: whole lines, of which a terminal is shown only what it may obey.
pub fn line(text: &str, shared: &Shared) -> Result<(), Failure> {
    let shows = !shared.raw && std::io::stdout().is_terminal();
    let shown = if shows { visible(text.as_bytes(), false) } else { text.as_bytes().to_vec() };
    to_stream(std::io::stdout().lock(), &shown)
}

/// A reader that has gone away (`plumb … | head`) is not a failure of ours.
fn to_stream(mut stream: impl Write, bytes: &[u8]) -> Result<(), Failure> {
    match stream.write_all(bytes).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("could not write the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// Makes a folder that results go to, if it is not there.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("the folder {} cannot be made: {error}", folder.display())))
}

/// Writes a file through a temporary one beside it and a rename, so that an interrupted run leaves nothing half-written.
/// What is there and is no ordinary file (a pipe, `/dev/stdout`) is written to, never replaced; `-` is standard output.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return to_stream(std::io::stdout().lock(), bytes);
    }
    let failed = |error: std::io::Error| {
        Failure::new(format!("could not write {}: {error}", path.display()))
            .with_help("the folder must exist and be writable")
    };
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return std::fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut file| file.write_all(bytes))
            .map_err(failed);
    }
    // A link stays a link: what it points to is replaced.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let attempt = || -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        // A temporary file is private; a result is an ordinary file.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        // On the disk before it has its name: after a crash, or on another machine, the name never stands for a part of it.
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().map_err(failed)
}
