//! What names of files stand for in a run: files of its own, files for a while, devices, and the rest of the machine, which
//! is out of reach.

use super::errno::ENOENT;
use super::streams::Tried;
use crate::vm::Stop;
use std::os::unix::ffi::OsStrExt;

/// The folder for temporary files, of which a run has one of its own.
pub(super) const TEMPORARY: &[u8] = b"/tmp/";

/// What a device that programs read holds: nothing, or numbers that nobody could foresee and that are the same in every run.
pub(super) fn device(path: &[u8]) -> Option<Vec<u8>> {
    const BYTES: usize = 1 << 16;
    match path {
        b"/dev/null" => Some(Vec::new()),
        b"/dev/urandom" | b"/dev/random" => {
            let next = |state: &u64| {
                Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
            };
            Some(std::iter::successors(Some(1u64), next).skip(1).map(|state| (state >> 56) as u8).take(BYTES).collect())
        }
        _ => None,
    }
}

/// Whether a name leads out of the run's folder and that for temporary files.
pub(super) fn is_outside(path: &[u8]) -> bool {
    let leaves = path.split(|&b| b == b'/').any(|part| part == b"..");
    leaves || path.starts_with(b"/") && !path.starts_with(TEMPORARY)
}

/// The name of a file in the run's folder, or in that for temporary files. There are no other folders, and the rest of the
/// machine is out of reach.
pub(super) fn file_name(path: &[u8]) -> Result<Tried<Vec<u8>>, Stop> {
    if let Some(name) = path.strip_prefix(TEMPORARY)
        && !name.is_empty()
        && !name.contains(&b'/')
        && !matches!(name, b"." | b"..")
    {
        return Ok(Ok(path.to_vec()));
    }
    let parts: Vec<&[u8]> = path.split(|&b| b == b'/').filter(|part| !part.is_empty() && *part != b".").collect();
    if path.starts_with(b"/") || parts.contains(&b"..".as_slice()) {
        let shown = String::from_utf8_lossy(path);
        return Err(Stop::unsupported(format!("the file `{shown}`, outside the run's own folder")));
    }
    Ok(match parts.as_slice() {
        [name] if !path.ends_with(b"/") => Ok(name.to_vec()),
        _ => {
            refuse_host_file(path)?;
            Err(ENOENT)
        }
    })
}

/// A file that the program finds when it is run by hand, and that the VM does not have: saying that there is none would be
/// wrong.
pub(super) fn refuse_host_file(path: &[u8]) -> Result<(), Stop> {
    match std::path::Path::new(std::ffi::OsStr::from_bytes(path)).symlink_metadata() {
        Ok(_) => {
            let shown = String::from_utf8_lossy(path);
            Err(Stop::unsupported(format!(
                "the file `{shown}` of the real file system, which --dir would give to the run"
            )))
        }
        Err(_) => Ok(()),
    }
}
