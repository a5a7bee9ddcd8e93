//! Folders of the host that a run was given (`plumb run --dir`), and nothing else of the host.
//!
//! A name is followed to the place it really leads to, symbolic links included, and that place must lie in one of the
//! folders. Relative names start from the folder that `plumb` runs in, as they do natively.

use crate::outcome::Folder;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The folders, where they really are.
#[derive(Default)]
pub struct Host {
    folders: Vec<Folder>,
}

/// A place in one of the folders.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Located {
    pub path: PathBuf,
    pub read_only: bool,
}

impl Host {
    pub fn new(folders: &[Folder]) -> Host {
        let real = |folder: &Folder| {
            let path = folder.path.canonicalize().ok()?;
            Some(Folder { path, read_only: folder.read_only })
        };
        Host { folders: folders.iter().filter_map(real).collect() }
    }

    /// Where a name leads to, if that is in one of the folders. The last part of the name need not exist.
    pub fn locate(&self, name: &[u8]) -> Option<Located> {
        if self.folders.is_empty() || name.is_empty() || name.contains(&0) {
            return None;
        }
        let name = Path::new(OsStr::from_bytes(name));
        let path = match name.canonicalize() {
            Ok(path) => path,
            // A link that leads nowhere could be made to lead outside.
            Err(_) if name.symlink_metadata().is_ok() => return None,
            Err(_) => {
                let last = name.file_name()?;
                let parent = name.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
                parent.canonicalize().ok()?.join(last)
            }
        };
        // The innermost folder says whether it may be written.
        let within = self.folders.iter().filter(|folder| path.starts_with(&folder.path));
        let folder = within.max_by_key(|folder| folder.path.as_os_str().len())?;
        Some(Located { path, read_only: folder.read_only })
    }
}

/// The error number of a failed operation.
pub fn error_number(error: &std::io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EIO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_outside_are_not_located() {
        let outside = tempfile::tempdir().expect("a folder should be made");
        let inside = tempfile::tempdir().expect("a folder should be made");
        std::fs::write(outside.path().join("secret"), b"x").expect("a file should be written");
        let link = inside.path().join("link");
        std::os::unix::fs::symlink(outside.path().join("secret"), &link).expect("a link should be made");
        let dangling = inside.path().join("dangling");
        std::os::unix::fs::symlink(outside.path().join("new"), &dangling).expect("a link should be made");
        let host = Host::new(&[Folder { path: inside.path().to_path_buf(), read_only: true }]);
        let locate = |path: &Path| host.locate(path.as_os_str().as_bytes());
        assert!(locate(&inside.path().join("new")).is_some_and(|found| found.read_only));
        assert_eq!(locate(&link), None);
        assert_eq!(locate(&dangling), None);
        assert_eq!(locate(&inside.path().join("../secret")), None);
        assert_eq!(locate(&outside.path().join("secret")), None);
        assert_eq!(Host::default().locate(b"/"), None);
    }
}
