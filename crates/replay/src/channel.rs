//! The shared memory through which a native run gets its inputs and gives back its rows, counters and ending.
//!
//! An anonymous file of 64-bit cells in the machine's byte order, mapped by the runtime inside the program
//! (`runtime.c`) and read here after the run. Nothing has to be flushed, so what was recorded before a crash or a kill
//! is there.
//!
//! ```text
//! cell  0  magic, with the version          5  number of parameters        10  number of counters
//!       1  capacity: cells in all           6  number of nondet answers    11  ending: kind
//!       2  first cell of the records        7  answers taken               12  ending: process
//!       3  next free cell                   8  first cell of the inputs    13, 14  ending: value
//!       4  rows that found no room          9  first cell of the counters  15  length of text, 16.. the text
//! ```
//! Inputs take three cells: kind of value, low and high half. A record is a header `(cells << 32 | point) + 1` and
//! that many cells; the header is written last, so a zero header ends the records.
//!
//! *Guarantee.* The child may scribble over all of it. Reading never trusts a number: every offset is checked against
//! the size known here, a record that does not fit its point ends the reading with [`Damage`], and a row cut off by
//! the end of the process is dropped.

use exec::Scalar;
use exec::trace::{PointId, Recorder, Trace};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::FileExt;

const MAGIC: u64 = 0x31_4843_4d55_4c50;
const CAPACITY: usize = 1;
const RECORDS: usize = 2;
const POSITION: usize = 3;
const DROPPED: usize = 4;
const PARAMS: usize = 5;
const NONDETS: usize = 6;
const NONDET_NEXT: usize = 7;
const INPUTS: usize = 8;
const COUNTERS: usize = 9;
const COUNTER_COUNT: usize = 10;
const END_KIND: usize = 11;
const END_PID: usize = 12;
const END_A: usize = 13;
const END_B: usize = 14;
const END_TEXT_LENGTH: usize = 15;
const END_TEXT: usize = 16;
const END_TEXT_CELLS: usize = 64;
const HEADER_CELLS: usize = END_TEXT + END_TEXT_CELLS;

/// Cells of inputs per value.
const INPUT_CELLS: usize = 3;

/// How the program ended by its own account.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Reported {
    Assumed,
    /// `assert`: `file:line: claim`.
    Assert(String),
    Verifier,
    Reached,
    Returned(Option<Scalar>),
}

/// What came back.
#[derive(Debug)]
pub(super) struct Reading {
    pub trace: Trace,
    pub counters: Vec<u64>,
    pub nondets_taken: u64,
    /// The ending and the process that reported it.
    pub reported: Option<(Reported, u32)>,
    pub lost_rows: u64,
    pub damage: Option<String>,
}

pub(super) struct Channel {
    file: File,
    cells: usize,
    records: usize,
    counters: usize,
    counter_count: usize,
}

impl Channel {
    /// Makes a channel with the inputs in it, `counter_count` counters at zero and room for `room` cells of records.
    pub fn new(params: &[Scalar], nondet: &[Scalar], counter_count: usize, room: usize) -> io::Result<Channel> {
        // SAFETY: the name is a C string; the descriptor that comes back belongs to nobody else.
        let file = unsafe {
            let fd = libc::memfd_create(c"plumb-channel".as_ptr(), libc::MFD_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            File::from_raw_fd(fd)
        };
        let inputs = HEADER_CELLS;
        let counters = inputs + INPUT_CELLS * (params.len() + nondet.len());
        let records = counters + counter_count;
        let cells = records + room;
        let mut head = vec![0u64; HEADER_CELLS];
        head[0] = MAGIC;
        head[CAPACITY] = cells as u64;
        head[RECORDS] = records as u64;
        head[POSITION] = records as u64;
        head[PARAMS] = params.len() as u64;
        head[NONDETS] = nondet.len() as u64;
        head[INPUTS] = inputs as u64;
        head[COUNTERS] = counters as u64;
        head[COUNTER_COUNT] = counter_count as u64;
        for value in params.iter().chain(nondet) {
            match *value {
                Scalar::Int(int) => head.extend([1, int as u64, (int as u128 >> 64) as u64]),
                Scalar::Float(float) => head.extend([2, float.to_bits(), 0]),
            }
        }
        file.set_len(cells as u64 * 8)?;
        let bytes: Vec<u8> = head.iter().flat_map(|cell| cell.to_ne_bytes()).collect();
        file.write_all_at(&bytes, 0)?;
        Ok(Channel { file, cells, records, counters, counter_count })
    }

    pub fn fd(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// The size of the mapping the child will make.
    pub fn bytes(&self) -> u64 {
        self.cells as u64 * 8
    }

    fn cells_at(&self, from: usize, count: usize) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0u8; count * 8];
        self.file.read_exact_at(&mut bytes, from as u64 * 8)?;
        Ok(bytes
            .chunks_exact(8)
            .map(|c| u64::from_ne_bytes(c.try_into().expect("chunks should have 8 bytes")))
            .collect())
    }

    /// Reads what the run left. `points` declares the trace points the program was compiled with, in order.
    pub fn read(&self, points: &Trace) -> io::Result<Reading> {
        let size = self.file.metadata()?.len();
        if size < self.bytes() {
            // Only a child that calls ftruncate on its own channel gets here.
            return Ok(self.damaged(points, "the program cut the channel short"));
        }
        let head = self.cells_at(0, HEADER_CELLS)?;
        if head[0] != MAGIC {
            return Ok(self.damaged(points, "the program overwrote the channel's header"));
        }
        let end = (head[POSITION] as usize).clamp(self.records, self.cells);
        let records = self.cells_at(self.records, end - self.records)?;
        let (trace, damage) = read_records(&records, points);
        Ok(Reading {
            trace,
            counters: self.cells_at(self.counters, self.counter_count)?,
            nondets_taken: head[NONDET_NEXT],
            reported: read_ending(&head),
            lost_rows: head[DROPPED],
            damage,
        })
    }

    fn damaged(&self, points: &Trace, why: &str) -> Reading {
        Reading {
            trace: Recorder::new(points.clone()).finish(),
            counters: vec![0; self.counter_count],
            nondets_taken: 0,
            reported: None,
            lost_rows: 0,
            damage: Some(why.to_string()),
        }
    }
}

fn read_records(mut cells: &[u64], points: &Trace) -> (Trace, Option<String>) {
    let strides: Vec<usize> = points.points().map(|(_, p)| p.stride()).collect();
    let mut recorder = Recorder::new(points.clone()).with_limit(usize::MAX);
    let mut damage = None;
    while let [header @ (1..), rest @ ..] = cells {
        let (point, count) = ((header - 1) as u32, (header - 1) >> 32);
        let Some(&stride) = strides.get(point as usize).filter(|&&s| s as u64 == count) else {
            damage =
                Some(format!("the program wrote a record of {count} cells for a point {point} that has none such"));
            break;
        };
        let Some((row, rest)) = rest.split_at_checked(stride) else { break };
        recorder.cells(PointId(point), row);
        cells = rest;
    }
    (recorder.finish(), damage)
}

fn read_ending(head: &[u64]) -> Option<(Reported, u32)> {
    let length = (head[END_TEXT_LENGTH] as usize).min(END_TEXT_CELLS * 8);
    let bytes: Vec<u8> = head[END_TEXT..].iter().flat_map(|c| c.to_ne_bytes()).take(length).collect();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let reported = match head[END_KIND] {
        1 => Reported::Assumed,
        2 => Reported::Assert(text),
        3 => Reported::Verifier,
        4 => Reported::Reached,
        5 => Reported::Returned(match text.as_str() {
            "i" => Some(Scalar::Int((head[END_A] as u128 | (head[END_B] as u128) << 64) as i128)),
            "f" => Some(Scalar::Float(f64::from_bits(head[END_A]))),
            _ => None,
        }),
        _ => return None,
    };
    Some((reported, head[END_PID] as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::Variable;
    use proptest::prelude::*;

    fn points() -> Trace {
        let mut points = Trace::new();
        points.declare("p", &[Variable::int("x"), Variable::int("y")]);
        points.declare("q", &[]);
        points
    }

    fn header(point: u64, cells: u64) -> u64 {
        (cells << 32 | point) + 1
    }

    #[test]
    fn the_runtime_counts_its_cells_as_we_do() {
        let c = include_str!("runtime.c");
        let names = [
            "MAGIC",
            "CAPACITY",
            "RECORDS",
            "POSITION",
            "DROPPED",
            "PARAMS",
            "NONDETS",
            "NONDET_NEXT",
            "INPUTS",
            "COUNTERS",
            "COUNTER_COUNT",
            "END_KIND",
            "END_PID",
            "END_A",
            "END_B",
            "END_TEXT_LENGTH",
            "END_TEXT",
        ];
        let list: Vec<&str> =
            c.split("enum {").nth(1).unwrap().split('}').next().unwrap().split(',').map(str::trim).collect();
        let expected: Vec<String> = names.iter().map(|n| format!("PLUMB_{n}")).collect();
        assert_eq!(list[..names.len()], expected);
        assert_eq!(list[names.len()], format!("PLUMB_END_TEXT_CELLS = {END_TEXT_CELLS}"));
        assert_eq!((names.len() - 1, COUNTER_COUNT, END_KIND), (END_TEXT, 10, 11));
        assert!(c.contains(&format!("PLUMB_MAGIC_VALUE {MAGIC:#x}ull")));
    }

    #[test]
    fn a_row_cut_off_is_dropped_and_a_wrong_one_is_damage() {
        let cells = [header(0, 2), 7, 8, header(1, 0), header(0, 2), 9];
        let (trace, damage) = read_records(&cells, &points());
        assert_eq!(damage, None);
        let rows: Vec<Vec<Scalar>> = trace.point(PointId(0)).rows().map(|r| r.values().collect()).collect();
        assert_eq!(rows, [[Scalar::Int(7), Scalar::Int(8)]]);
        assert_eq!(trace.point(PointId(1)).len(), 1);

        let (trace, damage) = read_records(&[header(0, 2), 7, 8, 0, header(0, 2), 1, 2], &points());
        assert_eq!((trace.row_count(), damage), (1, None));

        for bad in [header(0, 3), header(5, 0), u64::MAX] {
            let (trace, damage) = read_records(&[header(1, 0), bad, 1, 2, 3], &points());
            assert_eq!(trace.row_count(), 1);
            assert!(damage.is_some());
        }
    }

    proptest! {
        /// Whatever the child leaves behind is read without a panic.
        #[test]
        fn junk_in_the_channel_is_survived(junk in proptest::collection::vec(any::<u64>(), 0..120), at in 0usize..100) {
            let channel = Channel::new(&[Scalar::Int(1)], &[], 3, 40).unwrap();
            let bytes: Vec<u8> = junk.iter().flat_map(|c| c.to_ne_bytes()).collect();
            channel.file.write_all_at(&bytes, at as u64 * 8).unwrap();
            let reading = channel.read(&points()).unwrap();
            prop_assert_eq!(reading.counters.len(), 3);
        }
    }
}
