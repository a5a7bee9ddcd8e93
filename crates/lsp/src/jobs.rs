//! Questions in the background. Workers take them in order; what somebody waits for has a worker of its own, so that it never
//! stands behind a long search.

use crate::outline::{Key, Outline};
use crate::{Analyst, Buffer, Question};
use crossbeam_channel::Sender;
use lsp_types::Uri;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// One question about one text.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) uri: Uri,
    pub(crate) question: Question,
    pub(crate) key: Key,
    /// The outline of the text that is asked about; answers name its lines.
    pub(crate) outline: Arc<Outline>,
    pub(crate) buffer: Buffer,
    pub(crate) seconds: f64,
    pub(crate) cancel: Arc<AtomicBool>,
}

/// What became of a job.
pub(crate) enum Event {
    Begun(Job),
    Done(Job, Result<Value, String>),
}

pub(crate) struct Jobs {
    urgent: Arc<Shared>,
    others: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<VecDeque<Job>>,
    more: Condvar,
    closed: AtomicBool,
}

impl Jobs {
    pub(crate) fn start(workers: usize, analyst: Arc<dyn Analyst>, events: &Sender<Event>) -> Jobs {
        let (urgent, others) = (Arc::new(Shared::default()), Arc::new(Shared::default()));
        let queues = std::iter::once(&urgent).chain(std::iter::repeat_n(&others, workers.max(1)));
        for queue in queues {
            let (queue, analyst, events) = (queue.clone(), analyst.clone(), events.clone());
            std::thread::spawn(move || work(&queue, &*analyst, &events));
        }
        Jobs { urgent, others }
    }

    /// Asks, after all that is waiting.
    pub(crate) fn ask(&self, job: Job, urgent: bool) {
        let shared = if urgent { &self.urgent } else { &self.others };
        shared.queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(job);
        shared.more.notify_one();
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        for shared in [&self.urgent, &self.others] {
            shared.closed.store(true, Ordering::Relaxed);
            shared.queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
            shared.more.notify_all();
        }
    }
}

fn work(shared: &Shared, analyst: &dyn Analyst, events: &Sender<Event>) {
    loop {
        let job = {
            let mut queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                if shared.closed.load(Ordering::Relaxed) {
                    return;
                }
                match queue.pop_front() {
                    Some(job) => break job,
                    None => queue = shared.more.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        // One that was cancelled while it waited is only reported.
        let answer = match job.cancel.load(Ordering::Relaxed) {
            true => Err("cancelled".to_string()),
            false => {
                let _ = events.send(Event::Begun(job.clone()));
                analyst.ask(&job.buffer, &job.question, job.seconds, &job.cancel)
            }
        };
        if events.send(Event::Done(job, answer)).is_err() {
            return;
        }
    }
}
