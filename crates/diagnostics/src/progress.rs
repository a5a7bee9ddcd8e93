//! How far long work is: told by the work, read by whoever shows it to a person who waits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A handle; all its clones are one count. [`Progress::add`] is cheap enough for inner loops.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    stage: Mutex<Stage>,
    done: AtomicU64,
}

/// What is being counted, and how much of it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stage {
    /// The stages before this one; two with the same number are the same.
    pub number: u64,
    /// In the plural; empty as long as nothing is counted.
    pub things: &'static str,
    pub done: u64,
    /// How many there are, if that is known.
    pub total: Option<u64>,
}

impl Progress {
    /// From here on things of this kind are counted; so many, if that is known.
    pub fn count(&self, things: &'static str, total: impl Into<Option<u64>>) {
        let mut stage = self.stage();
        *stage = Stage { number: stage.number + 1, things, done: 0, total: total.into() };
        self.0.done.store(0, Ordering::Relaxed);
    }

    /// So many more are done.
    pub fn add(&self, more: u64) {
        self.0.done.fetch_add(more, Ordering::Relaxed);
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        self.0.done.store(done, Ordering::Relaxed);
    }

    /// How far it is.
    pub fn seen(&self) -> Stage {
        let stage = *self.stage();
        Stage { done: self.0.done.load(Ordering::Relaxed), ..stage }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_stage_begins_at_nothing() {
        let progress = Progress::default();
        assert_eq!(progress.seen(), Stage::default());
        progress.count("runs", 10);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| progress.clone().add(2));
            }
        });
        assert_eq!(progress.seen(), Stage { number: 1, things: "runs", done: 8, total: Some(10) });
        progress.count("paths", None);
        progress.set(3);
        assert_eq!(progress.seen(), Stage { number: 2, things: "paths", done: 3, total: None });
    }
}
