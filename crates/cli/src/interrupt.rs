//! Ctrl-C: the first one asks the work to stop so that partial results can be printed, the second ends the process.
//! The time that the user gives is watched here too.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The flag that long work looks at.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    // Without a handler Ctrl-C still ends the process; only the partial results are lost.
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(crate::exit::Exit::Interrupted as i32);
        }
        // Not everything can be asked to stop at once; whoever waits should know what to do.
        if std::io::stderr().is_terminal() {
            eprintln!("\nstopping; Ctrl-C again ends at once, without results");
        }
    });
    flag
}

/// Says stop when the user does, or when the time is over; what is known by then is reported.
pub fn watch(stop: &Arc<AtomicBool>, interrupted: &Arc<AtomicBool>, time: Duration) {
    let (stop, interrupted) = (stop.clone(), interrupted.clone());
    let deadline = Instant::now() + time;
    std::thread::spawn(move || {
        while !interrupted.load(Ordering::Relaxed) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        stop.store(true, Ordering::Relaxed);
    });
}
