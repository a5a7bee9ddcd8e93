//! Ctrl-C: the first one asks the work to stop so that partial results can be printed, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag that long work looks at.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    // Without a handler Ctrl-C still ends the process; only the partial results are lost.
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(crate::exit::Exit::Interrupted as i32);
        }
    });
    flag
}
