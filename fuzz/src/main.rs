//! The one fuzz target: libFuzzer gives bytes to the reader that the variable `PLUMB_READER` names.
//!
//! `fuzz/run` builds it with coverage, gathers seeds and starts it for each reader.

#![no_main]

use cli::readers::{self, Reader};
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::LazyLock;

static READER: LazyLock<Reader> = LazyLock::new(|| {
    let wanted = std::env::var("PLUMB_READER").unwrap_or_default();
    let all = readers::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let names: Vec<&str> = all.iter().map(|reader| reader.name).collect();
    let known = format!("PLUMB_READER should be one of {}", names.join(", "));
    all.into_iter().find(|reader| reader.name == wanted).expect(&known)
});

fuzz_target!(|bytes: &[u8]| (READER.read)(bytes));
