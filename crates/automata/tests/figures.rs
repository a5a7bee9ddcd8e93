//! The examples of the source (Driscoll, Burton, Reps 2011) as automata.

use automata::nested::{Nested, read};
use automata::{
    Alphabet, Inclusion, Label, Limits, Machine, Module, ModuleId, NestedInclusion, collapsed, grammar, includes,
    nested_includes, regular,
};

fn spec(text: &str, alphabet: &mut Alphabet) -> Machine {
    grammar::parse(text, alphabet).unwrap_or_else(|problem| panic!("{problem}")).machine
}

/// The shortest counterexample as text, nothing when there is none.
fn check(producer: &Machine, consumer: &Machine, alphabet: &Alphabet) -> Option<String> {
    let consumer = regular(consumer, 10_000);
    assert!(consumer.is_exact(), "the examples should need no approximation");
    match includes(producer, &consumer.nfa) {
        Inclusion::Included => None,
        Inclusion::Excluded(found) => Some(alphabet.show(&found.word)),
        Inclusion::Unknown(stopped) => panic!("{stopped}"),
    }
}

/// Figure 1: `main { loop() }  loop { send(); if (*) loop() }  send { bool | bool double bool }`.
fn figure1(alphabet: &mut Alphabet) -> Machine {
    spec("main = loop ; loop = send loop? ; send = bool | bool double bool ;", alphabet)
}

/// Figure 2 with a given loop body.
fn consumer(body: &str, alphabet: &mut Alphabet) -> Machine {
    spec(&format!("main = ({body})* ; update = double bool ;"), alphabet)
}

#[test]
fn running_example() {
    let mut alphabet = Alphabet::new();
    let producer = figure1(&mut alphabet);
    let correct = consumer("bool update?", &mut alphabet);
    assert_eq!(check(&producer, &correct, &alphabet), None);
    // Figure 3: the full packet is always expected. One `bool` is already too short for it.
    let buggy = consumer("bool update", &mut alphabet);
    assert_eq!(check(&producer, &buggy, &alphabet).as_deref(), Some("bool"));
    let both = [alphabet.get("bool").unwrap(); 2];
    assert!(producer.accepts(&both) && !regular(&buggy, 100).nfa.accepts(&both));
}

/// §2.6: the reader does not know of the last field; only the separator shows that packets get out of step.
#[test]
fn a_missing_field_needs_the_separator() {
    let mut alphabet = Alphabet::new();
    let mut producer = figure1(&mut alphabet);
    let mut missing = spec("main = (bool double?)* ;", &mut alphabet);
    let mut correct = spec("main = (bool (double bool)?)* ;", &mut alphabet);
    assert_eq!(check(&producer, &missing, &alphabet), None);
    let sep = alphabet.intern("sep");
    for machine in [&mut producer, &mut missing, &mut correct] {
        let heads = machine.loops();
        assert_eq!(heads.len(), 1, "{heads:?}");
        machine.separate(&heads, sep, 0);
    }
    assert_eq!(check(&producer, &correct, &alphabet), None);
    assert_eq!(check(&producer, &missing, &alphabet).as_deref(), Some("sep bool double bool"));
}

fn example(name: &str, alphabet: &mut Alphabet) -> Nested {
    let path = format!("{}/../../examples/conform/{name}.nwa", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    read(&text, alphabet).unwrap_or_else(|error| panic!("{path}:{error}"))
}

fn included(producer: &Machine, consumer: &automata::Nfa) -> bool {
    matches!(includes(producer, consumer), Inclusion::Included)
}

#[test]
fn the_finite_model_raises_a_false_alarm_on_figure_6() {
    let mut alphabet = Alphabet::new();
    let producer = example("figure6-producer", &mut alphabet);
    let consumer = example("figure6-consumer", &mut alphabet);
    assert!(!included(&Machine::from(&producer.collapse()), &consumer.collapse()));
    assert!(included(&producer.to_machine(), &consumer.collapse()));
    // The same from the machines, as they come from programs.
    let machine = producer.to_machine().prune().machine;
    assert!(!included(&Machine::from(&collapsed(&machine)), &consumer.collapse()));
}

/// `if (*) f(); else { readchar; f(); readchar; }` never reads `int char`, but an enriched reader does.
#[test]
fn enrichment_loses_a_bug_that_copies_find() {
    let mut alphabet = Alphabet::new();
    let producer = example("int-char", &mut alphabet).to_machine();
    let consumer = example("figure6-producer", &mut alphabet);
    assert!(included(&producer, &consumer.collapse()));
    let consumer = consumer.to_machine().prune().machine;
    assert_eq!(check(&producer, &consumer, &alphabet).as_deref(), Some("int char"));
}

#[test]
fn trees_are_compatible_with_their_own_notation_only() {
    let mut alphabet = Alphabet::new();
    let trees = ["infix-tree", "prefix-tree", "unclosed-tree"].map(|name| example(name, &mut alphabet));
    for (i, producer) in trees.iter().enumerate() {
        for (j, consumer) in trees.iter().enumerate() {
            let exact = matches!(nested_includes(producer, consumer, &Limits::default()), NestedInclusion::Included);
            assert_eq!(exact, i == j, "--no-enrich, {i} {j}");
            let enriched = included(&producer.to_machine(), &consumer.collapse());
            // Of the pairs that differ, matching calls and returns is needed for the unclosed trees alone.
            assert_eq!(enriched, i == j || (i, j) == (2, 0), "--enrich, {i} {j}");
        }
    }
    let NestedInclusion::Excluded(found) = nested_includes(&trees[2], &trees[0], &Limits::default()) else {
        panic!("the unclosed tree should be found");
    };
    let word: Vec<String> = found.word.iter().map(|letter| letter.show(&alphabet)).collect();
    let shortest = "<call open <call number return> operator <call number return> return>";
    assert_eq!(word.join(" "), shortest);
    assert_eq!(found.position, word.len() - 1);
    let expected: Vec<String> = found.expected.iter().map(|letter| letter.show(&alphabet)).collect();
    assert_eq!(expected, ["close"]);
}

/// A producer that writes a long and a consumer that reads four bytes: gzip's time stamp.
#[test]
fn granularity() {
    let mut alphabet = Alphabet::new();
    let mut producer = spec("header = u8 u8 u32 u8 ;", &mut alphabet);
    let consumer = spec("header = u8{7} ;", &mut alphabet);
    assert_eq!(check(&producer, &consumer, &alphabet).as_deref(), Some("u8 u8 u32 u8"));
    let (long, byte) = (alphabet.intern("u32"), alphabet.intern("u8"));
    producer.split(long, &[byte; 4]);
    assert_eq!(check(&producer, &consumer, &alphabet), None);
}

/// `exit(0)` inside nested calls is a word of its own.
#[test]
fn a_program_may_end_with_calls_pending() {
    let mut alphabet = Alphabet::new();
    let (a, b) = (alphabet.intern("a"), alphabet.intern("b"));
    let mut main = Module::new("main");
    let (entry, called, end) = (main.entry, main.add_state(), main.add_state());
    main.add_edge(entry, called, Label::Call { module: ModuleId::new(1), exit: 0 }, 7);
    main.add_edge(called, end, Label::Emit(b), 8);
    main.add_exit(end);
    let mut helper = Module::new("helper");
    let done = helper.add_state();
    helper.add_edge(helper.entry, done, Label::Emit(a), 9);
    helper.add_exit(done);
    helper.ends.push(done);
    let mut machine = Machine::new(main);
    machine.add_module(helper);
    let only_whole = spec("f = a b ;", &mut alphabet);
    assert_eq!(check(&machine, &only_whole, &alphabet).as_deref(), Some("a"));
    let either = spec("f = a b? ;", &mut alphabet);
    assert_eq!(check(&machine, &either, &alphabet), None);
    let path = automata::trace(&machine, &[a]).unwrap();
    assert_eq!(path.iter().map(|step| step.tag).collect::<Vec<_>>(), [7, 9]);
}

/// An antichain across calls with different entry sets would be unsound: the second call of `f` must not be dropped
/// because the first began with fewer states.
#[test]
fn summaries_are_kept_apart_by_their_entry() {
    let mut alphabet = Alphabet::new();
    let producer = spec("main = x f | y f z ; f = a ;", &mut alphabet);
    let consumer = spec("main = x a | y a (w | v) ;", &mut alphabet);
    assert_eq!(check(&producer, &consumer, &alphabet).as_deref(), Some("y a z"));
}

/// Words can be exponentially longer than the machine; the answer must not be.
#[test]
fn a_word_of_a_million_million_symbols() {
    let mut alphabet = Alphabet::new();
    let mut text = String::from("f0 = f1 f1 ;");
    (1..40).for_each(|n| text += &format!("f{n} = f{} f{} ;", n + 1, n + 1));
    text += "f40 = a ;";
    let producer = spec(&text, &mut alphabet);
    let odd = spec("odd = a (a a)* ;", &mut alphabet);
    match includes(&producer, &regular(&odd, 100).nfa) {
        Inclusion::Excluded(found) => assert!(found.truncated && found.word.len() > 1000),
        other => panic!("an even number should not be odd: {other:?}"),
    }
    let even = spec("even = (a a)* ;", &mut alphabet);
    assert_eq!(check(&producer, &even, &alphabet), None);
}
