//! Lets `cargo test` and `cargo run` find libz3 wherever the binary lies.
//!
//! The rpaths of `.cargo/config.toml` are relative to the binary, which does not help doc tests
//! (they are built in a temporary directory) nor a target directory outside the repository. Cargo
//! adds to the library path of what it runs every search path that lies inside the target
//! directory, so the library is linked from there.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let (Ok(from), Ok(out)) = (env::var("Z3_LIBRARY_PATH_OVERRIDE"), env::var("OUT_DIR")) else {
        return;
    };
    println!("cargo:rerun-if-changed={from}");
    let Ok(entries) = fs::read_dir(&from) else {
        println!("cargo:warning=libz3 is not in {from}; `make deps` at the repository's root installs it");
        return;
    };
    for entry in entries.flatten() {
        let link = PathBuf::from(&out).join(entry.file_name());
        let _ = fs::remove_file(&link);
        if let Err(error) = place(&entry.path(), &link) {
            println!("cargo:warning=cannot link libz3 into {out}: {error}");
        }
    }
    println!("cargo:rustc-link-search=native={out}");
}

#[cfg(unix)]
fn place(from: &std::path::Path, to: &std::path::Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn place(from: &std::path::Path, to: &std::path::Path) -> std::io::Result<()> {
    fs::copy(from, to).map(drop)
}
