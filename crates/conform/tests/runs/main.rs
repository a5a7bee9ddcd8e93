//! What a program writes is in the language that `conform` infers for it, and so is what it accepts.
//!
//! Random producers and consumers over all that memory can be in C run in the VM on random inputs. What a producer
//! wrote in a run that ended well must be a word of its language; so must what a consumer had read when it accepted,
//! once with the constants that the producer is known to write and once with values that are not known. A single word
//! that is missing is a message that no verdict would know of.
//!
//! `PLUMB_CONFORM_RUNS` is the number of programs of each kind (`make soundness`), `PLUMB_CONFORM_FROM` the first seed.

mod generate;

use conform::{Action, Automaton, Config, ConformReport, Input, Io, Moves, conform};
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending};
use generate::{Kind, MOVES, QUIET, generate};
use ir::Program;
use std::collections::BTreeSet;

/// Inputs that each program is run on.
const INPUTS: usize = 24;

/// The constants that the producer of consumers writes.
const CONSTANTS: [u8; 4] = [0, 1, 2, 3];

const BUDGET: Budget = Budget { steps: 200_000, memory: 1 << 24, depth: 200, output: 4096, time_ms: 2_000 };

fn load(text: &str) -> Program {
    cfront::load_text(&[("random.c", text)]).unwrap_or_else(|e| panic!("{e:?}\n{text}")).program
}

/// What the runs of a program that end well write, for random bytes on its standard input; and those bytes.
fn runs(program: &Program, random: &mut fastrand::Rng) -> Vec<(Vec<u8>, Vec<u8>)> {
    let entry = program.find_function("main").expect("a program has a main");
    let image = Image::new(program, exec::libc::LIBRARY);
    let mut machine = Machine::new(&image);
    let mut found = Vec::new();
    for _ in 0..INPUTS {
        let length = random.usize(0..24);
        let stdin: Vec<u8> = (0..length).map(|_| random.u8(0..8)).collect();
        let input = exec::Input { stdin: stdin.clone(), ..exec::Input::default() };
        let run = machine.run(entry, &input, &BUDGET, Options::default());
        let well = match &run.outcome.ending {
            Ending::Returned(Some(exec::Scalar::Int(status))) => *status == 0,
            Ending::Exited(status) => *status == 0,
            _ => false,
        };
        if well {
            found.push((stdin, run.outcome.stdout));
        }
    }
    found
}

/// Whether a row of letters is a word of the automaton, where each letter may be any of several symbols.
fn accepts(automaton: &Automaton, word: &[Vec<String>]) -> bool {
    let mut now = BTreeSet::from([0]);
    for letter in word {
        let moves = automaton.moves.iter().filter(|(from, symbol, _)| now.contains(from) && letter.contains(symbol));
        now = moves.map(|(_, _, to)| *to).collect();
    }
    automaton.accepting.iter().any(|state| now.contains(state))
}

fn compare(producer: &Program, consumer: &Program, values: bool) -> Option<ConformReport> {
    let mut io = Io::default();
    let pattern = io.kinds.pattern("u8").expect("bytes should be a kind");
    let moves = Action::Moves(Moves { pattern, ..Moves::default() });
    io.writes.insert(MOVES.into(), moves.clone());
    io.reads.insert(MOVES.into(), moves);
    io.returns.insert(QUIET.into(), Vec::new());
    let config = Config { io, values, mutants: 0, ..Config::default() };
    conform(Input::Program(producer), Input::Program(consumer), &config).ok()
}

/// Runs one producer; how many words were looked up.
fn check_producer(seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let text = generate(Kind::Producer, &mut random);
    let program = load(&text);
    let anybody = load("int getchar(void); int main(void) { while (getchar() != -1) ; return 0; }");
    let mut looked_up = 0;
    for values in [false, true] {
        let Some(report) = compare(&program, &anybody, values) else { continue };
        assert!(report.why().is_none_or(|why| !why.contains("has no body")), "seed {seed}: {:?}", report.why());
        let words = runs(&program, &mut random);
        let Some(automaton) = &report.producer.automaton else { continue };
        for (stdin, written) in words {
            let letters: Vec<Vec<String>> =
                written.iter().map(|byte| vec!["u8".to_string(), format!("u8={byte}")]).collect();
            if report.verdict.is_unknown() {
                continue;
            }
            looked_up += 1;
            assert!(
                accepts(automaton, &letters),
                "seed {seed}, values {values}: with {stdin:?} it writes {written:?}, which is not in {:?}\n{:?}\n{text}",
                report.producer.language,
                report.approximations,
            );
        }
    }
    looked_up
}

/// Runs one consumer; how many words were looked up.
fn check_consumer(seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let text = generate(Kind::Consumer, &mut random);
    let program = load(&text);
    let written: String = CONSTANTS.iter().map(|value| format!("putchar({value}); ")).collect();
    let somebody = load(&format!("int putchar(int); int main(void) {{ {written} return 0; }}"));
    let mut looked_up = 0;
    for values in [false, true] {
        let Some(report) = compare(&somebody, &program, values) else { continue };
        let words = runs(&program, &mut random);
        let Some(automaton) = &report.consumer.automaton else { continue };
        for (stdin, dots) in words {
            // It writes a character for each one that it read.
            let read = &stdin[..dots.len()];
            let known = |byte: &u8| match values && CONSTANTS.contains(byte) {
                true => vec!["u8".to_string(), format!("u8={byte}")],
                false => vec!["u8".to_string(), "u8≠".to_string()],
            };
            let unknown = |_: &u8| vec!["u8".to_string(), "u8≠".to_string()];
            if report.verdict.is_unknown() {
                continue;
            }
            looked_up += 1;
            for word in [read.iter().map(known).collect::<Vec<_>>(), read.iter().map(unknown).collect()] {
                assert!(
                    accepts(automaton, &word),
                    "seed {seed}, values {values}: it accepts {read:?}, which is not in {:?}\n{:?}\n{text}",
                    report.consumer.language,
                    report.approximations,
                );
            }
        }
    }
    looked_up
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn what_is_written_is_in_the_language() {
    let (from, count) = (number("PLUMB_CONFORM_FROM", 1), number("PLUMB_CONFORM_RUNS", 60));
    let looked_up: usize = (from..from + count).map(check_producer).sum();
    println!("{count} producers, {looked_up} messages looked up");
    assert!(looked_up as u64 > 2 * count, "only {looked_up} messages were looked up");
}

#[test]
fn what_is_accepted_is_in_the_language() {
    let (from, count) = (number("PLUMB_CONFORM_FROM", 1), number("PLUMB_CONFORM_RUNS", 60));
    let looked_up: usize = (from..from + count).map(check_consumer).sum();
    println!("{count} consumers, {looked_up} messages looked up");
    assert!(looked_up as u64 > 2 * count, "only {looked_up} messages were looked up");
}
