//! What long work shares with whoever waits for it: when to stop, and how far it is.

use crate::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop whatever happens, and where to tell how far it is. Clones share the flag and the count.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    pub at: Option<Instant>,
    pub cancel: Arc<AtomicBool>,
    pub progress: Progress,
}

impl Deadline {
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.at.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The time that is left; a year without a deadline.
    pub fn left(&self) -> Duration {
        self.at.map_or(Duration::from_secs(365 * 86_400), |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The same with a deadline of its own.
    pub fn by(&self, deadline: Instant) -> Deadline {
        Deadline { at: Some(deadline), ..self.clone() }
    }

    /// The same with a part of the time that is left; without a deadline there is none.
    pub fn part(&self, part: f64) -> Deadline {
        match self.at {
            Some(_) => self.by(Instant::now() + self.left().mul_f64(part)),
            None => self.clone(),
        }
    }

    /// The same, ending no later than another.
    pub fn sooner(&self, other: &Deadline) -> Deadline {
        Deadline { at: [self.at, other.at].into_iter().flatten().min(), ..self.clone() }
    }
}
