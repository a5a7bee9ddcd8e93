//! Threads that work off a list, and are left behind if they do not come to an end.
//!
//! The items are taken in order and the results kept by their numbers, so that nothing depends on who did what. A verb
//! stops by itself when its time is over; one that is in the middle of something that nobody can stop is not waited for.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Address space, not memory: programs nest deeper than an ordinary stack allows.
const STACK: usize = 512 << 20;
const POLL: Duration = Duration::from_millis(20);

/// What became of an item.
pub(crate) enum Outcome<R> {
    Done(R),
    /// The work panicked.
    Bug(String),
    /// The deadline came first.
    Late,
}

/// Does the work on every item with so many threads; after the deadline nothing is begun and nobody is waited for.
pub(crate) fn work_off<T, R, F>(
    items: Vec<T>,
    threads: usize,
    deadline: Instant,
    cancel: &Arc<AtomicBool>,
    tick: &mut dyn FnMut(usize),
    work: F,
) -> Vec<Outcome<R>>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    let count = items.len();
    let shared = Arc::new((items, work, AtomicUsize::new(0)));
    let (sender, results) = mpsc::channel();
    let mut running = 0;
    for _ in 0..threads.clamp(1, count.max(1)) {
        let (shared, sender, cancel) = (shared.clone(), sender.clone(), cancel.clone());
        let body = move || loop {
            let (items, work, next) = &*shared;
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { break };
            if cancel.load(Ordering::Relaxed) || Instant::now() >= deadline {
                break;
            }
            let result = catch_unwind(AssertUnwindSafe(|| work(item)));
            // Nobody listens to an answer that comes too late.
            let _ = sender.send((number, result.map_err(|panic| said(&*panic))));
        };
        running += usize::from(std::thread::Builder::new().stack_size(STACK).spawn(body).is_ok());
    }
    drop(sender);
    let mut done: BTreeMap<usize, Outcome<R>> = BTreeMap::new();
    let mut over_since = None;
    while running > 0 && done.len() < count {
        match results.recv_timeout(POLL) {
            Ok((number, Ok(result))) => _ = done.insert(number, Outcome::Done(result)),
            Ok((number, Err(why))) => _ = done.insert(number, Outcome::Bug(why)),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        tick(done.len());
        if cancel.load(Ordering::Relaxed) || Instant::now() >= deadline {
            let since = *over_since.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                break;
            }
        }
    }
    (0..count).map(|number| done.remove(&number).unwrap_or(Outcome::Late)).collect()
}

/// How long after the end of the time answers are waited for.
pub(crate) const GRACE: Duration = Duration::from_millis(400);

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_string())
}

/// When to raise a flag, and the flag.
type Waiting = (Instant, Arc<AtomicBool>);

/// Raises flags when their time has come, for work that looks at a flag and not at a clock.
pub(crate) struct Alarm {
    waiting: Arc<Mutex<Vec<Waiting>>>,
    over: Arc<AtomicBool>,
}

impl Alarm {
    /// All flags are raised when `cancel` is.
    pub(crate) fn new(cancel: Arc<AtomicBool>) -> Alarm {
        let alarm = Alarm { waiting: Arc::default(), over: Arc::default() };
        let (waiting, over) = (alarm.waiting.clone(), alarm.over.clone());
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                let (now, cancelled) = (Instant::now(), cancel.load(Ordering::Relaxed));
                waiting.lock().unwrap_or_else(PoisonError::into_inner).retain(|(deadline, flag)| {
                    let rings = cancelled || now >= *deadline;
                    if rings {
                        flag.store(true, Ordering::Relaxed);
                    }
                    // A flag that nobody holds any more needs no alarm.
                    !rings && Arc::strong_count(flag) > 1
                });
                std::thread::sleep(POLL);
            }
        });
        alarm
    }

    /// What threads set their alarms with.
    pub(crate) fn handle(&self) -> AlarmHandle {
        AlarmHandle { waiting: self.waiting.clone() }
    }
}

/// Sets alarms; all its clones are one.
#[derive(Clone)]
pub(crate) struct AlarmHandle {
    waiting: Arc<Mutex<Vec<Waiting>>>,
}

impl AlarmHandle {
    /// A flag that is raised at the deadline.
    pub(crate) fn at(&self, deadline: Instant) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(false));
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push((deadline, flag.clone()));
        flag
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_by_their_items_whatever_the_threads_do() {
        let far = Instant::now() + Duration::from_secs(60);
        for threads in [1, 4] {
            let items: Vec<u64> = (0..50).collect();
            let results = work_off(items, threads, far, &Arc::default(), &mut |_| {}, |item: &u64| {
                if *item == 7 { panic!("seven") } else { item * 2 }
            });
            for (number, result) in results.iter().enumerate() {
                match result {
                    Outcome::Done(value) => assert_eq!(*value, number as u64 * 2),
                    Outcome::Bug(why) => assert_eq!((number, why.as_str()), (7, "seven")),
                    Outcome::Late => panic!("item {number} should be done"),
                }
            }
        }
    }

    #[test]
    fn nothing_is_begun_when_the_time_is_over() {
        let now = Instant::now();
        let results = work_off(vec![1, 2], 2, now, &Arc::default(), &mut |_| {}, |item: &i32| *item);
        assert!(results.iter().all(|result| matches!(result, Outcome::Late)));
    }
}
