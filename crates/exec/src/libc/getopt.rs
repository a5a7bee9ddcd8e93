//! getopt.h: `getopt` and `getopt_long` as GNU has them.
//!
//! Words that are not options are moved behind the options, unless the list of options starts with `+`; with `-` they
//! are the arguments of an option 1.

use super::{Answer, Entry, Library, int, library, string_argument};
use crate::memory::{Address, Memory};
use crate::vm::{Call, Stop};

pub(super) const MODELS: &[Entry] = &[
    ("int getopt(int, char *const *, const char *)", |call| run(call, None)),
    ("int getopt_long(int, char *const *, const char *, const void *, int *)", |call| {
        let long = Long { options: call.pointer(3)?, index: call.pointer(4)? };
        run(call, Some(long))
    }),
];

/// Where the variables of getopt.h are, and what is remembered between calls.
#[derive(Default)]
pub struct State {
    optarg: Option<Address>,
    optind: Option<Address>,
    opterr: Option<Address>,
    optopt: Option<Address>,
    started: bool,
    /// The rest of the word being read: options that share one hyphen.
    rest: Address,
    /// The words `first..last` were passed over and are to be moved behind the options.
    first: i32,
    last: i32,
}

impl State {
    pub(super) fn define(&mut self, memory: &mut Memory<'_>, name: &str, address: Address, size: u64) {
        let place = match name {
            "optarg" => &mut self.optarg,
            "optind" => &mut self.optind,
            "opterr" => &mut self.opterr,
            _ => &mut self.optopt,
        };
        *place = Some(address);
        if size == 4 {
            match name {
                "optind" | "opterr" => memory.initialise(address, 0, &1i32.to_le_bytes()),
                _ => memory.initialise(address, 0, &i32::from(b'?').to_le_bytes()),
            }
        }
    }
}

/// What `getopt_long` is given besides.
#[derive(Clone, Copy)]
struct Long {
    options: Address,
    index: Address,
}

/// One entry of the table of long options: `struct option`, 32 bytes.
struct LongOption {
    name: Vec<u8>,
    has_arg: i32,
    flag: Address,
    value: i32,
}

const OPTION_BYTES: u64 = 32;

fn long_options(memory: &Memory<'_>, table: Address) -> Result<Vec<LongOption>, Stop> {
    let mut options = Vec::new();
    loop {
        let entry = table.plus(options.len() as u64 * OPTION_BYTES);
        let name = memory.load_pointer(entry)?;
        if name.is_null() {
            return Ok(options);
        }
        options.push(LongOption {
            name: memory.c_string(name)?.to_vec(),
            has_arg: memory.load_i32(entry.plus(8))?,
            flag: memory.load_pointer(entry.plus(16))?,
            value: memory.load_i32(entry.plus(24))?,
        });
    }
}

/// The scan while a call lasts.
struct Scan {
    argc: i32,
    argv: Address,
    optind: i32,
    /// Starts with `:`, so that a missing argument is told by its own answer and nothing is printed.
    quiet: bool,
}

impl Scan {
    fn word(&self, call: &mut Call<'_, '_>, index: i32) -> Result<Address, Stop> {
        Ok(call.memory().load_pointer(self.argv.plus(8 * index as u64))?)
    }

    /// Ends the call: stores `optind` and gives the answer.
    fn answer(&self, call: &mut Call<'_, '_>, value: i32) -> Answer {
        let (memory, library) = call.memory_and_library::<Library>();
        if let Some(place) = library.getopt.optind {
            memory.store_i32(place, self.optind)?;
        }
        int(value)
    }

    /// Moves the words that were passed over behind the options read since.
    fn exchange(&self, call: &mut Call<'_, '_>) -> Result<(), Stop> {
        let (first, last) = (library(call).getopt.first, library(call).getopt.last);
        let mut words = Vec::new();
        for index in (last..self.optind).chain(first..last) {
            words.push(self.word(call, index)?);
        }
        for (i, word) in words.into_iter().enumerate() {
            call.memory().store_pointer(self.argv.plus(8 * (first as u64 + i as u64)), word)?;
        }
        let state = &mut library(call).getopt;
        state.first += self.optind - last;
        state.last = self.optind;
        Ok(())
    }

    /// Prints a complaint, unless the program asked for silence.
    fn complain(&self, call: &mut Call<'_, '_>, message: &[u8]) -> Result<(), Stop> {
        let (memory, library) = call.memory_and_library::<Library>();
        let loud = match library.getopt.opterr {
            Some(place) => memory.load_i32(place)? != 0,
            None => true,
        };
        if loud && !self.quiet {
            let program = memory.load_pointer(self.argv)?;
            let mut text = memory.c_string(program)?.to_vec();
            text.extend_from_slice(b": ");
            text.extend_from_slice(message);
            text.push(b'\n');
            library.streams.write_stderr(&text)?;
        }
        Ok(())
    }
}

fn set_optarg(call: &mut Call<'_, '_>, value: Address) -> Result<(), Stop> {
    let (memory, library) = call.memory_and_library::<Library>();
    if let Some(place) = library.getopt.optarg {
        memory.store_pointer(place, value)?;
    }
    Ok(())
}

fn set_optopt(call: &mut Call<'_, '_>, value: i32) -> Result<(), Stop> {
    let (memory, library) = call.memory_and_library::<Library>();
    if let Some(place) = library.getopt.optopt {
        memory.store_i32(place, value)?;
    }
    Ok(())
}

fn run(call: &mut Call<'_, '_>, long: Option<Long>) -> Answer {
    let (argc, argv, options) = (call.i32(0)?, call.pointer(1)?, string_argument(call, 2)?);
    let (memory, library) = call.memory_and_library::<Library>();
    let Some(place) = library.getopt.optind else {
        return Err(Stop::unsupported("`getopt` in a program that does not declare `optind`"));
    };
    let mut optind = memory.load_i32(place)?;
    let state = &mut library.getopt;
    let starting = optind == 0 || !state.started;
    if starting {
        optind = optind.max(1);
        state.started = true;
        state.rest = Address::NULL;
        (state.first, state.last) = (optind, optind);
    }
    let (order, options) = match options.first() {
        Some(&order @ (b'+' | b'-')) => (order, &options[1..]),
        _ => (b'p', options.as_slice()),
    };
    let mut scan = Scan { argc, argv, optind, quiet: options.first() == Some(&b':') };
    set_optarg(call, Address::NULL)?;
    if starting {
        // The variable starts as a question mark, and the first call already sets it to zero.
        set_optopt(call, 0)?;
    }
    let rest = self::library(call).getopt.rest;
    let in_word = !rest.is_null() && call.memory().load_u8(rest)? != 0;
    if !in_word {
        if let Some(answer) = next_word(call, &mut scan, order)? {
            return scan.answer(call, answer);
        }
        let word = scan.word(call, scan.optind)?;
        if let Some(long) = long
            && call.memory().load_u8(word.plus(1))? == b'-'
        {
            scan.optind += 1;
            let answer = long_option(call, &mut scan, word.plus(2), long)?;
            return scan.answer(call, answer);
        }
        self::library(call).getopt.rest = word.plus(1);
    }
    let answer = short_option(call, &mut scan, options)?;
    scan.answer(call, answer)
}

/// Goes to the next word that is an option; an answer if there is none.
fn next_word(call: &mut Call<'_, '_>, scan: &mut Scan, order: u8) -> Result<Option<i32>, Stop> {
    let state = &mut library(call).getopt;
    // The program may have moved `optind` back.
    state.last = state.last.min(scan.optind);
    state.first = state.first.min(scan.optind);
    if order == b'p' {
        let (first, last) = (state.first, state.last);
        if first != last && last != scan.optind {
            scan.exchange(call)?;
        } else if last != scan.optind {
            library(call).getopt.first = scan.optind;
        }
        while scan.optind < scan.argc {
            let word = scan.word(call, scan.optind)?;
            if is_option(call.memory(), word)? {
                break;
            }
            scan.optind += 1;
        }
        library(call).getopt.last = scan.optind;
    }
    if scan.optind < scan.argc {
        let word = scan.word(call, scan.optind)?;
        if call.memory().c_string(word)? == b"--" {
            scan.optind += 1;
            let (first, last) = (library(call).getopt.first, library(call).getopt.last);
            if first != last && last != scan.optind {
                scan.exchange(call)?;
            } else if first == last {
                library(call).getopt.first = scan.optind;
            }
            library(call).getopt.last = scan.argc;
            scan.optind = scan.argc;
        }
    }
    if scan.optind >= scan.argc {
        let state = &library(call).getopt;
        if state.first != state.last {
            scan.optind = state.first;
        }
        return Ok(Some(-1));
    }
    let word = scan.word(call, scan.optind)?;
    if !is_option(call.memory(), word)? {
        if order == b'+' {
            return Ok(Some(-1));
        }
        scan.optind += 1;
        set_optarg(call, word)?;
        return Ok(Some(1));
    }
    Ok(None)
}

fn is_option(memory: &Memory<'_>, word: Address) -> Result<bool, Stop> {
    Ok(memory.load_u8(word)? == b'-' && memory.load_u8(word.plus(1))? != 0)
}

fn short_option(call: &mut Call<'_, '_>, scan: &mut Scan, options: &[u8]) -> Result<i32, Stop> {
    let at = library(call).getopt.rest;
    let letter = call.memory().load_u8(at)?;
    let rest = at.plus(1);
    let ends = call.memory().load_u8(rest)? == 0;
    library(call).getopt.rest = rest;
    if ends {
        scan.optind += 1;
    }
    let found = options.iter().position(|&option| option == letter);
    let Some(found) = found.filter(|_| letter != b':' && letter != b';') else {
        scan.complain(call, &[b"invalid option -- '".as_slice(), &[letter], b"'"].concat())?;
        set_optopt(call, letter.into())?;
        return Ok(b'?'.into());
    };
    let colons = options[found + 1..].iter().take(2).take_while(|&&c| c == b':').count();
    if colons > 0 {
        library(call).getopt.rest = Address::NULL;
        if !ends {
            set_optarg(call, rest)?;
            scan.optind += 1;
        } else if colons == 1 {
            if scan.optind >= scan.argc {
                scan.complain(call, &[b"option requires an argument -- '".as_slice(), &[letter], b"'"].concat())?;
                set_optopt(call, letter.into())?;
                return Ok(if scan.quiet { b':' } else { b'?' }.into());
            }
            let argument = scan.word(call, scan.optind)?;
            set_optarg(call, argument)?;
            scan.optind += 1;
        }
    }
    Ok(letter.into())
}

fn long_option(call: &mut Call<'_, '_>, scan: &mut Scan, text: Address, long: Long) -> Result<i32, Stop> {
    library(call).getopt.rest = Address::NULL;
    let options = long_options(call.memory(), long.options)?;
    let word = call.memory().c_string(text)?.to_vec();
    let end = word.iter().position(|&b| b == b'=').unwrap_or(word.len());
    let name = &word[..end];
    let quoted = |before: &[u8], name: &[u8], after: &[u8]| [before, b" '--", name, b"'", after].concat();
    let exact = options.iter().position(|option| option.name == name);
    let candidates: Vec<usize> = (0..options.len()).filter(|&i| options[i].name.starts_with(name)).collect();
    let same = |a: &LongOption, b: &LongOption| (a.has_arg, a.flag, a.value) == (b.has_arg, b.flag, b.value);
    let chosen = match (exact, candidates.as_slice()) {
        (Some(index), _) | (None, &[index]) => index,
        (None, []) => {
            scan.complain(call, &quoted(b"unrecognized option", &word, b""))?;
            set_optopt(call, 0)?;
            return Ok(b'?'.into());
        }
        (None, many) if many.iter().all(|&i| same(&options[i], &options[many[0]])) => many[0],
        (None, many) => {
            let list: Vec<u8> =
                many.iter().flat_map(|&i| [b" '--".as_slice(), &options[i].name, b"'"].concat()).collect();
            let message = [quoted(b"option", &word, b" is ambiguous; possibilities:"), list].concat();
            scan.complain(call, &message)?;
            set_optopt(call, 0)?;
            return Ok(b'?'.into());
        }
    };
    let option = &options[chosen];
    if end < word.len() {
        if option.has_arg == 0 {
            scan.complain(call, &quoted(b"option", &option.name, b" doesn't allow an argument"))?;
            set_optopt(call, option.value)?;
            return Ok(b'?'.into());
        }
        set_optarg(call, text.plus(end as u64 + 1))?;
    } else if option.has_arg == 1 {
        if scan.optind >= scan.argc {
            scan.complain(call, &quoted(b"option", &option.name, b" requires an argument"))?;
            set_optopt(call, option.value)?;
            return Ok(if scan.quiet { b':' } else { b'?' }.into());
        }
        let argument = scan.word(call, scan.optind)?;
        set_optarg(call, argument)?;
        scan.optind += 1;
    }
    if !long.index.is_null() {
        call.memory().store_i32(long.index, chosen as i32)?;
    }
    if option.flag.is_null() {
        return Ok(option.value);
    }
    call.memory().store_i32(option.flag, option.value)?;
    Ok(0)
}
