//! What long work shares with whoever waits for it: when to stop, and how far it is.

use crate::Headway;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop whatever happens, and where to tell how far it is. Clones share the flag and the count.
#[derive(Clone, Debug, Default)]
pub struct Until {
    pub deadline: Option<Instant>,
    pub cancel: Arc<AtomicBool>,
    pub headway: Headway,
}

impl Until {
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The time that is left; a year without a deadline.
    pub fn left(&self) -> Duration {
        self.deadline
            .map_or(Duration::from_secs(365 * 86_400), |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The same with a deadline of its own.
    pub fn by(&self, deadline: Instant) -> Until {
        Until { deadline: Some(deadline), ..self.clone() }
    }
}
