//! dirent.h and what makes folders, on the folders of the host that a run was given.
//!
//! Entries come in the order of their names, so that two runs see the same; natively any order is possible.

use super::host::error_number;
use super::{Answer, Entry, bad_argument, errno, int, library, null, string_argument};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};
use diagnostics::Span;
use std::os::unix::ffi::OsStrExt;

pub(super) const MODELS: &[Entry] = &[
    ("void *opendir(const char *)", opendir),
    ("void *readdir(void *)", readdir),
    ("void *readdir64(void *)", readdir),
    ("int closedir(void *)", closedir),
    ("int mkdir(const char *, unsigned)", mkdir),
    ("int rmdir(const char *)", rmdir),
];

/// A folder that is being read.
pub(super) struct Reading {
    /// Names with the kinds that `d_type` has.
    entries: Vec<(Vec<u8>, u8)>,
    next: usize,
    /// The record that `readdir` gives back.
    record: Address,
    pub(super) opened: Span,
}

/// The size of `struct dirent`, and where the name begins in it.
const RECORD_BYTES: u64 = 280;
const NAME_AT: u64 = 19;

fn opendir(call: &mut Call<'_, '_>) -> Answer {
    let path = string_argument(call, 0)?;
    library(call).streams.settle();
    let Some(found) = library(call).streams.locate(&path) else {
        let shown = String::from_utf8_lossy(&path).into_owned();
        return Err(Stop::unsupported(format!("the folder `{shown}`, which --dir would give to the run")));
    };
    let read = std::fs::read_dir(&found.path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let read = match read {
        Ok(read) => read,
        Err(error) => {
            errno::set(call, error_number(&error))?;
            return null();
        }
    };
    let kind = |entry: &std::fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => libc::DT_DIR,
        Ok(kind) if kind.is_symlink() => libc::DT_LNK,
        Ok(kind) if kind.is_file() => libc::DT_REG,
        _ => libc::DT_UNKNOWN,
    };
    let mut entries: Vec<(Vec<u8>, u8)> = vec![(b".".to_vec(), libc::DT_DIR), (b"..".to_vec(), libc::DT_DIR)];
    entries.extend(read.iter().map(|entry| (entry.file_name().as_bytes().to_vec(), kind(entry))));
    entries.sort();
    let span = call.span;
    let folder = call.memory().allocate_library(8, "an open folder")?;
    let record = call.memory().allocate_library(RECORD_BYTES, "an entry of a folder")?;
    library(call).folders.insert(folder, Reading { entries, next: 0, record, opened: span });
    Ok(Value::pointer(folder))
}

fn readdir(call: &mut Call<'_, '_>) -> Answer {
    let folder = call.pointer(0)?;
    let Some(reading) = library(call).folders.get_mut(&folder) else {
        return bad_argument("the pointer is not one that `opendir` returned, or it was closed");
    };
    let (record, number) = (reading.record, reading.next as u64 + 1);
    let Some((name, kind)) = reading.entries.get(reading.next).cloned() else { return null() };
    reading.next += 1;
    let mut bytes = vec![0u8; RECORD_BYTES as usize];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    bytes[16..18].copy_from_slice(&(RECORD_BYTES as u16).to_le_bytes());
    bytes[18] = kind;
    bytes[NAME_AT as usize..][..name.len()].copy_from_slice(&name);
    call.memory().write(record, &bytes)?;
    Ok(Value::pointer(record))
}

fn closedir(call: &mut Call<'_, '_>) -> Answer {
    let folder = call.pointer(0)?;
    match library(call).folders.remove(&folder) {
        Some(_) => int(0),
        None => bad_argument("the pointer is not one that `opendir` returned, or it was closed"),
    }
}

/// Does something to a folder of the host that may be written.
fn change(call: &mut Call<'_, '_>, work: impl Fn(&std::path::Path) -> std::io::Result<()>) -> Answer {
    let path = string_argument(call, 0)?;
    let Some(found) = library(call).streams.locate(&path) else {
        let shown = String::from_utf8_lossy(&path).into_owned();
        return Err(Stop::unsupported(format!("the folder `{shown}`, which --dir would give to the run")));
    };
    let code = match found.read_only {
        true => libc::EROFS,
        false => match work(&found.path) {
            Ok(()) => return int(0),
            Err(error) => error_number(&error),
        },
    };
    errno::set(call, code)?;
    int(-1)
}

fn mkdir(call: &mut Call<'_, '_>) -> Answer {
    change(call, |path| std::fs::create_dir(path))
}

fn rmdir(call: &mut Call<'_, '_>) -> Answer {
    change(call, |path| std::fs::remove_dir(path))
}
