//! Lets a binary that `cargo install` puts elsewhere find libz3 in the checkout. Packages set a path of their own
//! (`packaging/stage`).

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let solver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/z3/lib");
    if let Ok(solver) = solver.canonicalize()
        && std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux" || os == "macos")
    {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{}", solver.display());
    }
}
