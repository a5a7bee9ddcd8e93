//! Runs of the interpreter, one after the other, and what lies between them: findings that are passed over, turns of
//! threads, waits.

use super::machine::Machine;
use super::stop::Stop;

impl Machine<'_> {
    /// Runs until the number of frames is `floor` again. The result of the call that ends last is at the start of
    /// its window. After a stop the frames are as they were, for the finding.
    pub(super) fn execute(&mut self, floor: usize) -> Result<(), Stop> {
        loop {
            let done = if self.has_threads() { self.interpret::<true>(floor) } else { self.interpret::<false>(floor) };
            match done {
                Err(Stop::Fault(fault)) if !self.policy.stops_at_once() => {
                    self.go_on(fault, floor)?;
                    if self.frames.len() > floor {
                        continue;
                    }
                }
                Err(Stop::Switch) => {
                    if self.has_threads() && self.nesting == 1 {
                        self.switch()?;
                    }
                    continue;
                }
                // The call is made again when the wait is over.
                Err(Stop::Wait(wait)) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = frame.pc.saturating_sub(1);
                    }
                    self.block(wait)?;
                    continue;
                }
                Err(Stop::EndThread(result)) if self.nesting == 1 => {
                    if !self.end_thread(result)? {
                        return Err(Stop::EndThread(result));
                    }
                    continue;
                }
                Err(stop) => return Err(stop),
                Ok(()) => {}
            }
            // The first function of a thread other than the main one has returned.
            if self.nesting == 1 && floor == 0 && self.threads.current != 0 {
                let result = self.registers[0];
                if !self.end_thread(result)? {
                    return Err(Stop::EndThread(result));
                }
                continue;
            }
            return Ok(());
        }
    }
}
