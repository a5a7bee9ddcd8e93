//! A private directory that is gone when its owner is.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::TempDir;

/// A new directory only we can read, removed with everything in it on drop, whatever modes a child gave its files.
#[derive(Debug)]
pub struct Scratch {
    /// `None` only while dropping.
    dir: Option<TempDir>,
}

impl Scratch {
    pub fn new(purpose: &str) -> io::Result<Scratch> {
        let dir = tempfile::Builder::new()
            .prefix(&format!("plumb-{purpose}-"))
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir()?;
        Ok(Scratch { dir: Some(dir) })
    }

    pub fn path(&self) -> &Path {
        self.dir.as_ref().expect("a scratch directory should exist until it is dropped").path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let Some(dir) = self.dir.take() else { return };
        let path = dir.keep();
        if fs::remove_dir_all(&path).is_err() {
            // A directory without write permission keeps its entries from anybody but root.
            open_up(&path);
            let _ = fs::remove_dir_all(&path);
        }
    }
}

fn open_up(dir: &Path) {
    let _ = fs::set_permissions(dir, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_directories_are_removed_too() {
        let scratch = Scratch::new("test").unwrap();
        let path = scratch.path().to_path_buf();
        let locked = path.join("a/b");
        fs::create_dir_all(&locked).unwrap();
        fs::write(locked.join("file"), "x").unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(path.join("a"), fs::Permissions::from_mode(0o500)).unwrap();
        drop(scratch);
        assert!(!path.exists());
    }
}
