//! `setjmp` and `longjmp`: places that calls below come back to.
//!
//! A buffer holds the number of a [`Landing`] and a mark; what is needed to go there stays with the machine. So a buffer
//! may be copied like any other object, and one whose call has returned is recognised: landings are kept in the order of
//! the calls they belong to, and go when their call does.
//!
//! A jump leaves frames. Where models stand between, such as `qsort` above a comparison that jumps, the interpreter
//! has called itself; then the jump is a [`Stop::Jump`] that goes up to the interpreter whose frames the landing is among.
//! Variables in registers keep the values they have when the jump is made. C calls those that were changed since
//! `setjmp` and are not volatile indeterminate; compilers without optimisation do as is done here.

use super::bytecode::Reg;
use super::machine::Machine;
use super::stop::Stop;
use crate::memory::Address;
use diagnostics::{Rule, Span};

/// A place that `setjmp` noted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    number: u64,
    buffer: Address,
    /// The number of frames when the call was made; it was made by the last of them.
    depth: usize,
    /// The instruction to go on with.
    pc: u32,
    /// Where the value goes, in the window of that frame.
    result: Reg,
    /// How many arguments of models were waiting.
    arguments: usize,
}

/// A jump on its way to the frames that it lands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jump {
    number: u64,
    depth: usize,
    value: i32,
}

const BUFFER_MARK: u64 = 0x6a6d_705f_6275_6600;

impl Machine<'_> {
    /// `setjmp` in the frame that runs, whose place has been saved: the value 0 goes to `result`.
    pub(super) fn set_jump(&mut self, buffer: Address, result: Reg) -> Result<(), Stop> {
        let (depth, arguments) = (self.frames.len(), self.arguments.len());
        let pc = self.frames.last().map_or(0, |frame| frame.pc);
        // In a loop the same place is noted again and again.
        let same = |landing: &&Landing| landing.depth == depth && landing.pc == pc && landing.buffer == buffer;
        let number = match self.landings.iter().find(same) {
            Some(known) => known.number,
            None => {
                self.landings_made += 1;
                let number = self.landings_made;
                self.landings.push(Landing { number, buffer, depth, pc, result, arguments });
                number
            }
        };
        self.memory.store_u64(buffer, number)?;
        self.memory.store_u64(buffer.plus(8), BUFFER_MARK)?;
        Ok(())
    }

    /// `longjmp`: where it leads.
    pub(super) fn long_jump(&mut self, buffer: Address, value: i32) -> Result<Jump, Stop> {
        let number = self.memory.load_u64(buffer)?;
        if self.memory.load_u64(buffer.plus(8))? != BUFFER_MARK {
            return Err(Stop::fault(Rule::InvalidPointer, "`longjmp` with a buffer that `setjmp` did not fill"));
        }
        match self.landings.iter().find(|landing| landing.number == number) {
            Some(landing) => Ok(Jump { number, depth: landing.depth, value: if value == 0 { 1 } else { value } }),
            None => {
                let message = "`longjmp` to a call of `setjmp` in a function that has returned";
                Err(Stop::fault(Rule::UseAfterScope, message))
            }
        }
    }

    /// Lands a jump if it leads to one of the frames above `floor`; every other stop goes further up.
    #[cold]
    pub(super) fn land(&mut self, stop: Stop, floor: usize) -> Result<(), Stop> {
        let jump = match stop {
            Stop::Jump(jump) if jump.depth > floor => jump,
            other => return Err(other),
        };
        let found = self.landings.iter().find(|landing| landing.number == jump.number).copied();
        let landing = found.expect("a landing should live as long as its frame");
        while self.frames.len() > landing.depth {
            self.pop_frame(Span::NONE);
        }
        self.arguments.truncate(landing.arguments);
        let frame = self.frames.last_mut().expect("a jump should land in a frame");
        frame.pc = landing.pc;
        let at = frame.base as usize + usize::from(landing.result);
        self.registers[at] = i64::from(jump.value) as u64;
        Ok(())
    }

    /// Forgets the landings of calls that have ended.
    #[cold]
    pub(super) fn drop_landings(&mut self) {
        let depth = self.frames.len();
        while self.landings.last().is_some_and(|landing| landing.depth > depth) {
            self.landings.pop();
        }
    }
}
