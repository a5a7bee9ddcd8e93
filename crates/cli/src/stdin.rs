//! Standard input as a C file: `-` where a file is expected. Results call it [`NAME`].

use crate::args::Command;
use crate::private_file::PrivateFile;
use crate::report::Failure;
use std::io::Read;
use std::path::Path;

/// What results call the file.
const NAME: &str = "stdin.c";
/// More than this is no program that somebody wrote.
const MOST: u64 = 256 << 20;

/// Reads standard input where the command names it as a file, and lets the command read the private file instead. What it
/// includes is looked for where the command is typed, as by `cc -x c -`.
pub fn take(command: &mut Command) -> Result<Option<PrivateFile>, Failure> {
    let Some((files, compile)) = command.program() else { return Ok(None) };
    let mut named = files.iter_mut().filter(|file| file.as_path() == Path::new("-"));
    let Some(first) = named.next() else { return Ok(None) };
    if named.next().is_some() {
        return Err(Failure::new("`-` is standard input, which can be read once").with_help("name the other files"));
    }
    let mut text = Vec::new();
    let failed = |error: std::io::Error| Failure::new(format!("standard input cannot be read: {error}"));
    std::io::stdin().lock().take(MOST + 1).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 > MOST {
        return Err(Failure::new("standard input is larger than 256 MB").with_help("is it a C program?"));
    }
    let private = PrivateFile::new(Path::new(NAME), &text, Path::new("."))?;
    *first = private.path().to_path_buf();
    compile.cflags.insert(0, private.flags());
    Ok(Some(private))
}
