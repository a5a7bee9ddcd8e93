//! Junk is refused, whoever reads it: seeds of the repository, spoilt in the ways that find holes in parsers, go to every reader. The
//! same readers are fuzzed with coverage, for hours, by `make fuzz`.
//!
//! `PLUMB_JUNK=N` makes N texts for each reader, and `PLUMB_READER=NAME` leaves the others out; `--nocapture` shows how long the slowest
//! took, and the most memory that the process had.

use cli::readers::{self, Reader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Larger seeds make every text slow.
const LARGEST: u64 = 4 << 10;
/// As many seeds of one reader are enough.
const SEEDS: usize = 40;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files with one of these endings.
fn seeds(endings: &[&str]) -> Vec<Vec<u8>> {
    let mut folders =
        vec![repository().join("testdata/readers"), repository().join("examples"), repository().join("testdata")];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let about = entry.metadata().unwrap();
            let path = entry.path();
            if about.is_dir() {
                folders.push(path);
            } else if about.len() <= LARGEST
                && path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending))
            {
                paths.push(path);
            }
        }
    }
    // Spread over all folders.
    paths.sort();
    paths.dedup();
    let step = paths.len().div_ceil(SEEDS).max(1);
    paths.iter().step_by(step).map(|path| std::fs::read(path).unwrap()).collect()
}

/// What texts of most formats trip over.
const PIECES: [&[u8]; 24] = [
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\xf0\x9d\x84\x9e",
    b"\r",
    b"\n\n",
    b"\"",
    b"'",
    b"\\",
    b"(",
    b")",
    b"{",
    b"]",
    b"-",
    b"--",
    b"1e999",
    b"9223372036854775808",
    b"-9223372036854775808",
    b"340282366920938463463374607431768211456",
    b"0x",
    b"NaN",
    b"*/",
    b"/*",
    b"#",
];

/// Spoils a text in one to four places.
fn spoilt(seeds: &[Vec<u8>], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut text = seeds[random.usize(..seeds.len())].clone();
    for _ in 0..random.usize(1..=4) {
        let at = random.usize(..=text.len());
        let end = (at + random.usize(..32)).min(text.len());
        match random.u8(..8) {
            0 => drop(text.drain(at..end)),
            1 => drop(text.splice(at..at, PIECES[random.usize(..PIECES.len())].iter().copied())),
            2 => drop(text.splice(at..end, PIECES[random.usize(..PIECES.len())].iter().copied())),
            3 if at < text.len() => text[at] ^= 1 << random.u8(..8),
            4 => text.truncate(at),
            // A piece of the same text, or of another, many times.
            5 => {
                let piece = text[at..end].repeat(random.usize(1..40));
                drop(text.splice(at..at, piece));
            }
            6 => {
                let other = &seeds[random.usize(..seeds.len())];
                let from = random.usize(..=other.len());
                let piece = other[from..(from + random.usize(..64)).min(other.len())].to_vec();
                drop(text.splice(at..end, piece));
            }
            _ => {
                // Two pieces change places.
                let other = random.usize(..=text.len());
                let length = (end - at).min(text.len() - other);
                for i in 0..length {
                    text.swap(at + i, other + i);
                }
            }
        }
        text.truncate(1 << 16);
    }
    text
}

fn check(reader: &Reader, count: u64) -> Vec<String> {
    let seeds = seeds(reader.seeds);
    assert!(!seeds.is_empty(), "{} should have seeds", reader.name);
    let mut slowest = Duration::ZERO;
    let mut read = |text: &[u8]| {
        let start = Instant::now();
        let is_ok = catch_unwind(AssertUnwindSafe(|| (reader.read)(text))).is_ok();
        slowest = slowest.max(start.elapsed());
        is_ok
    };
    let start = Instant::now();
    let mut wrong = Vec::new();
    for seed in &seeds {
        if !read(seed) {
            wrong.push(format!("{} falls over a seed: {:?}", reader.name, String::from_utf8_lossy(seed)));
        }
    }
    for number in 0..count {
        let text = spoilt(&seeds, &mut fastrand::Rng::with_seed(number));
        if !read(&text) {
            wrong.push(format!("{} falls over text {number}: {:?}", reader.name, String::from_utf8_lossy(&text)));
        }
    }
    eprintln!(
        "{:14} {count:>8} texts, {} fell over, slowest {} ms, {}, {} s",
        reader.name,
        wrong.len(),
        slowest.as_millis(),
        most_memory(),
        start.elapsed().as_secs()
    );
    wrong
}

fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("memory unknown");
    line.trim().to_string()
}

#[test]
fn no_reader_falls_over_junk() {
    let count = std::env::var("PLUMB_JUNK").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    // The stack of the command; C nests deep.
    let asked = std::env::var("PLUMB_READER").ok();
    let all = std::thread::Builder::new().stack_size(1 << 28).spawn(move || {
        let readers = readers::all(&repository());
        let wanted = readers.iter().filter(|reader| asked.as_ref().is_none_or(|name| name == reader.name));
        wanted.flat_map(|reader| check(reader, count)).collect::<Vec<_>>()
    });
    let wrong = all.unwrap().join().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
