//! Units of one size read as units of another: a writer of `u32` and a reader of four `u8` understand each other.
//!
//! *Question*: what may a reader do with what was written as one unit? It may read the same unit; or only pieces of
//! it; or it may read several whole units as one. It may not read something that begins inside one unit and ends inside
//! another: who writes `int char` and reads `char int` has five bytes on both sides, and is wrong.
//!
//! *How*. Every unit is a chain of pieces of one size, the *grain*: the greatest common divisor of all widths that
//! occur. A piece knows whether it is the first or the last of its unit. A reader of `n` pieces takes a chain without a
//! boundary inside, or one that starts and ends at boundaries. After the reader has become a finite automaton over
//! pieces it is projected back to whole units ([`Pieces::project`]), so that everything else is about units.
//!
//! *Example*: `u32` is `(first, inner, inner, last)`, `u8` is one piece that is both. A reader of `u16 u16` takes `u32`
//! as `first inner` and `inner last`; a reader of `u8 u32` takes `first`, and then `inner inner last` and the first
//! piece of what follows is no chain it reads.
//!
//! Numbers of bits that are no multiple of eight are a world of their own, and stay whole there if both sides know them
//! and nobody has to take apart something wider: cut into single bits, a format of bits tells nothing apart. Only where
//! one side knows nothing but bytes are bits and bytes the same. Floating numbers are read as themselves or byte by byte, never as integers.
//!
//! *Text*. A number that `printf` writes is one unit of one or more characters. Where somebody reads by characters it is
//! a first one and any number more ([`Pieces::spell`]); `scanf` takes it as a whole, or reads characters that somebody wrote one by one; `%s` takes any word, `%f`
//! also an integer. Two numbers written with nothing between them are one number to `scanf`: what it reads as a token
//! does not begin where the token before ended ([`Pieces::unglued`]).
//!
//! *Guarantee*: exact for chains of known units, except that a character that is not known may be any.

use super::kinds::{Form, KindId, Kinds, Text};
use super::symbols::{Symbols, Worth};
use automata::finite::Arc;
use automata::{Alphabet, Edge, Label, Limits, Machine, Module, Nfa, StateId, Stopped, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// How fine messages are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Every type is only itself.
    Types,
    /// Integers are made of bytes.
    Bytes,
    /// Bytes are made of bits as well.
    Bits,
}

/// What a piece is a piece of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stuff {
    Integer,
    /// An integer that is no row of bytes, where that is told apart.
    Bits,
    Float(u32),
    Text(Text),
    Blank,
    Newline,
    Atom(KindId),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Piece {
    stuff: Stuff,
    first: bool,
    last: bool,
    value: Option<i128>,
}

/// A piece of an automaton that reads one element, from state 0 to state 1.
#[derive(Clone, Debug)]
struct Fragment {
    states: usize,
    arcs: Vec<(usize, Option<Symbol>, usize)>,
    /// Whether it reads text as a token.
    token: bool,
}

/// How units of both sides are made of pieces.
pub(super) struct Pieces {
    level: Level,
    /// The width of a piece in bits.
    grain: u32,
    /// The same for integers that are no rows of bytes, if these are told apart.
    bits: Option<u32>,
    /// Widths that are not taken apart.
    whole: BTreeSet<u32>,
    /// Whether readers take text character by character.
    characters: bool,
    big_endian: bool,
    pieces: Vec<(Symbol, Piece)>,
    names: Alphabet,
    /// Each unit as it is written.
    units: BTreeMap<Symbol, Vec<Symbol>>,
    /// What may follow the first character of a text, any number of times.
    pub more: BTreeMap<Symbol, Symbol>,
}

/// What comes of silent edges that belong to no call.
const NO_TAG: u32 = u32::MAX;

impl Pieces {
    /// Looks at all units that the two machines move.
    pub fn new(
        level: Level,
        producer: &BTreeSet<Symbol>,
        consumer: &BTreeSet<Symbol>,
        symbols: &mut Symbols,
        kinds: &Kinds,
        big_endian: bool,
    ) -> Pieces {
        let forms = |side: &BTreeSet<Symbol>| -> BTreeSet<Form> {
            let elements = side.iter().flat_map(|symbol| kinds.elements(symbols.meaning(*symbol).0));
            elements.filter_map(|kind| kinds.form(kind)).collect()
        };
        let (wrote, read) = (forms(producer), forms(consumer));
        let widths = |forms: &BTreeSet<Form>| -> BTreeSet<u32> {
            let width = |form: &Form| match form {
                Form::Integer(bits) | Form::Float(bits) => Some(*bits),
                _ => None,
            };
            forms.iter().filter_map(width).collect()
        };
        let (one, other) = (widths(&wrote), widths(&read));
        let all: BTreeSet<u32> = one.union(&other).copied().collect();
        let within = |widths: &BTreeSet<u32>| -> BTreeSet<u32> {
            widths.iter().copied().filter(|bits| !bits.is_multiple_of(8)).collect()
        };
        let (some, others) = (within(&one), within(&other));
        let apart = level == Level::Bytes && !some.is_empty() && !others.is_empty();
        // What only one side knows has to be taken apart, and what it may be taken apart into.
        let widest = some.symmetric_difference(&others).max().copied().unwrap_or(0);
        let (cut, whole): (BTreeSet<u32>, BTreeSet<u32>) =
            some.union(&others).filter(|_| apart).partition(|bits| **bits <= widest);
        let bytes = all.iter().copied().filter(|bits| !apart || bits.is_multiple_of(8));
        let grain = if level == Level::Bits { 1 } else { bytes.fold(0, gcd).max(1) };
        let bits = apart.then(|| cut.into_iter().fold(0, gcd).max(1));
        let mut pieces = Pieces {
            level,
            grain,
            bits,
            whole,
            characters: level == Level::Bytes && grain == 8 && read.contains(&Form::Integer(8)),
            big_endian,
            pieces: Vec::new(),
            names: Alphabet::new(),
            units: BTreeMap::new(),
            more: BTreeMap::new(),
        };
        for symbol in producer.union(consumer) {
            let (kind, worth) = symbols.meaning(*symbol);
            if worth == Worth::Other || matches!(kinds.form(kind), Some(Form::White | Form::LastLine)) {
                continue;
            }
            let chain = pieces.chain(kind, worth, kinds);
            pieces.units.insert(*symbol, chain);
            if let Some(Form::Text(_)) = kinds.form(kind).filter(|_| pieces.characters) {
                let kind = kinds.builtin(&format!("{}+", kinds.name(kind)));
                let more = symbols.of(kind, Worth::Any, kinds);
                let chain = pieces.chain(kind, Worth::Any, kinds);
                pieces.units.insert(more, chain);
                pieces.more.insert(*symbol, more);
            }
        }
        pieces
    }

    fn piece(&mut self, piece: Piece) -> Symbol {
        if let Some((known, _)) = self.pieces.iter().find(|(_, other)| *other == piece) {
            return *known;
        }
        let symbol = self.names.intern(&self.pieces.len().to_string());
        self.pieces.push((symbol, piece));
        symbol
    }

    /// The units that messages are made of.
    pub fn units(&self) -> BTreeSet<Symbol> {
        self.units.keys().copied().collect()
    }

    /// What a unit is when it is written.
    fn chain(&mut self, kind: KindId, worth: Worth, kinds: &Kinds) -> Vec<Symbol> {
        let mut chain = Vec::new();
        let elements = kinds.elements(kind);
        let worth = if elements.len() == 1 { worth } else { Worth::Any };
        for element in elements {
            let form = kinds.form(element).expect("an element should be made of nothing else");
            let single = |stuff, value| Piece { stuff, first: true, last: true, value };
            let whole = |value| single(Stuff::Atom(element), value);
            let value = if let Worth::Is(value) = worth { Some(value) } else { None };
            match form {
                Form::Integer(bits) | Form::Float(bits) if self.is_cut(bits) => {
                    let (stuff, grain) = self.world(bits);
                    let stuff = if form == Form::Integer(bits) { stuff } else { Stuff::Float(bits) };
                    let count = (bits / grain) as usize;
                    for index in 0..count {
                        let value = value.map(|value| self.part_of(value, bits, index as u32));
                        let piece = Piece { stuff, first: index == 0, last: index + 1 == count, value };
                        let piece = self.piece(piece);
                        chain.push(piece);
                    }
                }
                Form::Text(text) => chain.push(self.piece(Piece { last: false, ..single(Stuff::Text(text), None) })),
                Form::MoreText(text) => {
                    let inner = Piece { stuff: Stuff::Text(text), first: false, last: false, value: None };
                    chain.push(self.piece(inner));
                }
                Form::Blank => chain.push(self.piece(single(Stuff::Blank, Some(b' '.into())))),
                Form::Newline => chain.push(self.piece(single(Stuff::Newline, Some(b'\n'.into())))),
                Form::Integer(_) => chain.push(self.piece(whole(value))),
                _ => chain.push(self.piece(whole(None))),
            }
        }
        chain
    }

    fn is_cut(&self, bits: u32) -> bool {
        self.level != Level::Types && !self.whole.contains(&bits)
    }

    /// What integers of that width are made of.
    fn world(&self, bits: u32) -> (Stuff, u32) {
        match self.bits {
            Some(grain) if !bits.is_multiple_of(8) => (Stuff::Bits, grain),
            _ => (Stuff::Integer, self.grain),
        }
    }

    /// The value of one piece of a number. Bytes go by the order of bytes; bits always start with the most significant
    /// one, as formats of bits do.
    fn part_of(&self, value: i128, bits: u32, index: u32) -> i128 {
        let grain = self.world(bits).1;
        let start = index * grain;
        let shift = if self.big_endian || !bits.is_multiple_of(8) {
            bits - start - grain
        } else if grain.is_multiple_of(8) {
            start
        } else {
            let (byte, within) = (start / 8 * 8, start % 8);
            byte + 8 - within - grain
        };
        (value >> shift.min(127)) & if grain >= 127 { -1 } else { (1i128 << grain) - 1 }
    }

    fn select(&self, wanted: impl Fn(&Piece) -> bool) -> Vec<Symbol> {
        self.pieces.iter().filter(|(_, piece)| wanted(piece)).map(|(symbol, _)| *symbol).collect()
    }

    /// How a unit is read: one fragment for each element.
    fn reader(&self, kind: KindId, worth: Worth, kinds: &Kinds) -> Vec<Fragment> {
        let elements = kinds.elements(kind);
        let worth = if elements.len() == 1 { worth } else { Worth::Any };
        elements.into_iter().map(|element| self.fragment(element, worth, kinds)).collect()
    }

    fn fragment(&self, element: KindId, worth: Worth, kinds: &Kinds) -> Fragment {
        let form = kinds.form(element).expect("an element should be made of nothing else");
        let fits = |piece: &Piece, bits: u32, index: u32| match worth {
            Worth::Any => true,
            Worth::Is(value) => piece.value == Some(self.part_of(value, bits, index)),
            Worth::Other => piece.value.is_none(),
        };
        let mut built = Fragment { states: 2, arcs: Vec::new(), token: false };
        // A character that somebody wrote by itself.
        let byte = |piece: &Piece| self.grain == 8 && piece.stuff == Stuff::Integer && piece.first && piece.last;
        let known = |piece: &Piece| piece.value.and_then(|value| u8::try_from(value).ok());
        match form {
            Form::Integer(bits) if !self.is_cut(bits) => {
                let same = |piece: &Piece| match worth {
                    Worth::Any => true,
                    Worth::Is(value) => piece.value == Some(value),
                    Worth::Other => piece.value.is_none(),
                };
                built.step(&self.select(|piece| piece.stuff == Stuff::Atom(element) && same(piece)));
            }
            Form::Integer(bits) if bits == self.world(bits).1 => {
                let own = self.world(bits).0;
                let taken = |piece: &Piece| match piece.stuff {
                    Stuff::Integer | Stuff::Bits => piece.stuff == own,
                    Stuff::Float(_) | Stuff::Text(_) | Stuff::Blank | Stuff::Newline => bits == 8,
                    Stuff::Atom(_) => false,
                };
                built.step(&self.select(|piece| taken(piece) && fits(piece, bits, 0)));
            }
            Form::Integer(bits) => self.integer(bits, worth, &mut built),
            Form::Float(bits) if !self.is_cut(bits) => {
                built.step(&self.select(|piece| piece.stuff == Stuff::Atom(element)));
            }
            Form::Float(bits) => {
                let count = bits / self.grain;
                let own = |index: u32| {
                    self.select(|piece| {
                        piece.stuff == Stuff::Float(bits)
                            && piece.first == (index == 0)
                            && piece.last == (index + 1 == count)
                    })
                };
                built.row((0..count).map(own));
                if self.grain == 8 {
                    built.row((0..count).map(|_| self.select(byte)));
                }
            }
            Form::Text(text) => {
                built.token = true;
                let fitting = |piece: &Piece| matches!(piece.stuff, Stuff::Text(other) if takes(text, other));
                let middle = built.add_state();
                built.arcs.extend(self.select(|p| fitting(p) && p.first).into_iter().map(|p| (0, Some(p), middle)));
                built.loop_at(middle, &self.select(|p| fitting(p) && !p.first));
                built.arcs.push((middle, None, 1));
                let spelled = self.select(|p| byte(p) && known(p).is_none_or(|value| spells(text, value)));
                let spelling = built.add_state();
                built.arcs.extend(spelled.iter().map(|p| (0, Some(*p), spelling)));
                built.loop_at(spelling, &spelled);
                built.arcs.push((spelling, None, 1));
            }
            Form::White => {
                let white = |piece: &Piece| {
                    matches!(piece.stuff, Stuff::Blank | Stuff::Newline)
                        || byte(piece) && known(piece).is_none_or(|value| value.is_ascii_whitespace())
                };
                built.loop_at(0, &self.select(white));
                built.arcs.push((0, None, 1));
            }
            Form::Blank | Form::Newline => {
                let (stuff, code) = if form == Form::Blank { (Stuff::Blank, b' ') } else { (Stuff::Newline, b'\n') };
                let own = |p: &Piece| p.stuff == stuff || byte(p) && known(p).is_none_or(|value| value == code);
                built.step(&self.select(own));
            }
            Form::Line | Form::LastLine => {
                let text = |piece: &Piece| match piece.stuff {
                    Stuff::Text(_) | Stuff::Blank => true,
                    _ => byte(piece) && known(piece) != Some(b'\n'),
                };
                let end =
                    |p: &Piece| p.stuff == Stuff::Newline || byte(p) && known(p).is_none_or(|value| value == b'\n');
                if form == Form::Line {
                    built.loop_at(0, &self.select(text));
                    built.step(&self.select(end));
                } else {
                    built.step(&self.select(text));
                    built.loop_at(1, &self.select(text));
                }
                let line = kinds.builtin("line");
                built.step(&self.select(|piece| piece.stuff == Stuff::Atom(line)));
            }
            Form::Atom | Form::MoreText(_) => {
                built.step(&self.select(|piece| piece.stuff == Stuff::Atom(element)));
            }
        }
        built
    }

    /// A reader of an integer of several pieces: a chain inside one unit, or one of whole units.
    fn integer(&self, bits: u32, worth: Worth, built: &mut Fragment) {
        let (stuff, grain) = self.world(bits);
        let count = bits / grain;
        for inside in [true, false] {
            // With `Other`, what is no constant of this width: a piece is not known, or there are several units.
            let mut now = [Some(0), None];
            for index in 0..count {
                let (start, end) = (index == 0, index + 1 == count);
                let fits = |piece: &Piece| {
                    let bounded = match inside {
                        true => (start || !piece.first) && (end || !piece.last),
                        false => (!start || piece.first) && (!end || piece.last),
                    };
                    let worth = match worth {
                        Worth::Is(value) => piece.value == Some(self.part_of(value, bits, index)),
                        _ => true,
                    };
                    piece.stuff == stuff && bounded && worth
                };
                let (mut plain, mut odd) = (None, None);
                for piece in self.select(fits) {
                    let found = &self.pieces.iter().find(|(symbol, _)| *symbol == piece).expect("a piece").1;
                    let is_odd = worth != Worth::Other || found.value.is_none() || !end && found.last;
                    for (layer, from) in now.into_iter().enumerate() {
                        let Some(from) = from else { continue };
                        let to = if layer == 1 || is_odd { &mut odd } else { &mut plain };
                        let to = match (end, *to) {
                            // What is a constant after all is not read here.
                            (true, _) if !(layer == 1 || is_odd) => continue,
                            (true, _) => 1,
                            (_, Some(state)) => state,
                            (_, None) => *to.insert(built.add_state()),
                        };
                        built.arcs.push((from, Some(piece), to));
                    }
                }
                now = [plain, odd];
            }
        }
    }

    /// A producer whose texts have as many characters as they like, where somebody reads them one by one.
    pub fn spell(&self, machine: &Machine) -> Machine {
        machine.followed(&self.more)
    }

    /// A consumer over pieces in place of units. Tags are doubled; odd ones read text as a token.
    pub fn expand(
        &self,
        machine: &Machine,
        symbols: &Symbols,
        kinds: &Kinds,
        limits: &Limits<'_>,
    ) -> Result<Machine, Stopped> {
        let mut held = 0;
        let mut readers: BTreeMap<Symbol, Vec<Fragment>> = BTreeMap::new();
        let mut machine = machine.clone();
        for module in &mut machine.modules {
            let edges = std::mem::take(&mut module.edges);
            for edge in edges {
                let Label::Emit(symbol) = edge.label else {
                    module.edges.push(Edge { tag: doubled(edge.tag, false), ..edge });
                    continue;
                };
                let fragments = readers.entry(symbol).or_insert_with(|| {
                    let (kind, worth) = symbols.meaning(symbol);
                    self.reader(kind, worth, kinds)
                });
                held += fragments.iter().map(|fragment| fragment.arcs.len() + 2).sum::<usize>();
                limits.hold(held)?;
                let mut from = edge.from;
                for (number, fragment) in fragments.iter().enumerate() {
                    let to = if number + 1 == fragments.len() { edge.to } else { module.add_state() };
                    fragment.insert(module, from, to, edge.tag);
                    from = to;
                }
            }
        }
        Ok(machine)
    }

    /// An automaton over pieces as one over units, with the same states; tags are halved again.
    pub fn project(&self, nfa: &Nfa, limits: &Limits<'_>) -> Result<Nfa, Stopped> {
        let mut loud: Vec<Vec<Arc>> = vec![Vec::new(); nfa.states];
        let mut silent: Vec<Vec<StateId>> = vec![Vec::new(); nfa.states];
        let mut arcs = Vec::new();
        for arc in &nfa.arcs {
            match arc.symbol {
                Some(_) => loud[arc.from.index()].push(*arc),
                None => {
                    silent[arc.from.index()].push(arc.to);
                    arcs.push(Arc { tag: halved(arc.tag), ..*arc });
                }
            }
        }
        let closed = |start: StateId| {
            let mut seen = BTreeSet::from([start]);
            let mut open = vec![start];
            while let Some(state) = open.pop() {
                open.extend(silent[state.index()].iter().copied().filter(|to| seen.insert(*to)));
            }
            seen
        };
        let after = |states: &BTreeSet<StateId>, piece: Symbol| -> BTreeSet<StateId> {
            let out = states.iter().flat_map(|state| &loud[state.index()]);
            out.filter(|arc| arc.symbol == Some(piece)).flat_map(|arc| closed(arc.to)).collect()
        };
        for state in (0..nfa.states).map(StateId::new) {
            limits.hold(arcs.len())?;
            for (unit, chain) in &self.units {
                let [first, rest @ ..] = &chain[..] else { continue };
                for arc in loud[state.index()].iter().filter(|arc| arc.symbol == Some(*first)) {
                    let unit_arc = |to| Arc { from: state, to, symbol: Some(*unit), tag: halved(arc.tag) };
                    if rest.is_empty() {
                        arcs.push(unit_arc(arc.to));
                        continue;
                    }
                    let mut now = closed(arc.to);
                    for piece in rest {
                        now = after(&now, *piece);
                    }
                    arcs.extend(now.into_iter().map(unit_arc));
                }
            }
        }
        arcs.sort_unstable();
        arcs.dedup();
        Ok(Nfa { states: nfa.states, initial: nfa.initial.clone(), accepting: nfa.accepting.clone(), arcs })
    }

    /// A consumer's machine over units, for comparisons with calls: units are read inside one function.
    pub fn project_modules(&self, machine: &Machine, limits: &Limits<'_>) -> Result<Machine, Stopped> {
        let mut machine = machine.clone();
        for module in &mut machine.modules {
            let edges = std::mem::take(&mut module.edges);
            let (calls, rest): (Vec<Edge>, Vec<Edge>) =
                edges.into_iter().partition(|edge| matches!(edge.label, Label::Call { .. }));
            let arc = |edge: Edge| Arc {
                from: edge.from,
                to: edge.to,
                symbol: if let Label::Emit(symbol) = edge.label { Some(symbol) } else { None },
                tag: edge.tag,
            };
            let inside = Nfa { states: module.states, arcs: rest.into_iter().map(arc).collect(), ..Nfa::default() };
            let calls = calls.into_iter().map(|edge| Edge { tag: halved(edge.tag), ..edge });
            let read = self.project(&inside, limits)?.arcs.into_iter();
            module.edges = calls.collect();
            module.edges.extend(read.map(|arc| Edge {
                from: arc.from,
                to: arc.to,
                label: arc.symbol.map_or(Label::Silent, Label::Emit),
                tag: arc.tag,
            }));
        }
        Ok(machine)
    }

    /// An automaton over pieces in which no token begins where another ends.
    pub fn unglued(&self, nfa: Nfa) -> Nfa {
        let is_token = |arc: &Arc| arc.tag != NO_TAG && arc.tag % 2 == 1 && arc.symbol.is_some();
        if !nfa.arcs.iter().any(is_token) {
            return nfa;
        }
        let firsts: BTreeSet<Symbol> =
            self.select(|piece| piece.first && matches!(piece.stuff, Stuff::Text(_))).into_iter().collect();
        // The second half of the states stands behind a token.
        let behind = |state: StateId| StateId::new(state.index() + nfa.states);
        let mut arcs = Vec::with_capacity(2 * nfa.arcs.len());
        for arc in &nfa.arcs {
            let token = is_token(arc);
            let to = if token { behind(arc.to) } else { arc.to };
            let glued = token && arc.symbol.is_some_and(|symbol| firsts.contains(&symbol));
            arcs.push(Arc { to, ..*arc });
            match arc.symbol {
                None => arcs.push(Arc { from: behind(arc.from), to: behind(arc.to), ..*arc }),
                Some(_) if !glued => arcs.push(Arc { from: behind(arc.from), to, ..*arc }),
                Some(_) => {}
            }
        }
        let accepting = nfa.accepting.iter().flat_map(|state| [*state, behind(*state)]).collect();
        Nfa { states: 2 * nfa.states, initial: nfa.initial.clone(), accepting, arcs }
    }
}

impl Fragment {
    fn add_state(&mut self) -> usize {
        self.states += 1;
        self.states - 1
    }

    /// One of these pieces.
    fn step(&mut self, pieces: &[Symbol]) {
        self.arcs.extend(pieces.iter().map(|piece| (0, Some(*piece), 1)));
    }

    fn loop_at(&mut self, state: usize, pieces: &[Symbol]) {
        self.arcs.extend(pieces.iter().map(|piece| (state, Some(*piece), state)));
    }

    /// One of each of these sets, in a row.
    fn row(&mut self, sets: impl ExactSizeIterator<Item = Vec<Symbol>>) {
        let count = sets.len();
        let mut from = 0;
        for (index, set) in sets.enumerate() {
            let to = if index + 1 == count { 1 } else { self.add_state() };
            self.arcs.extend(set.into_iter().map(|piece| (from, Some(piece), to)));
            from = to;
        }
    }

    fn insert(&self, module: &mut Module, from: StateId, to: StateId, tag: u32) {
        // A state of its own on either side keeps loops from being entered by neighbours.
        let (start, end) = (module.add_state(), module.add_state());
        let inner: Vec<StateId> = (2..self.states).map(|_| module.add_state()).collect();
        let state = |number: usize| match number {
            0 => start,
            1 => end,
            _ => inner[number - 2],
        };
        module.add_edge(from, start, Label::Silent, NO_TAG);
        module.add_edge(end, to, Label::Silent, NO_TAG);
        for (from, piece, to) in &self.arcs {
            let tag = doubled(tag, self.token);
            module.add_edge(state(*from), state(*to), piece.map_or(Label::Silent, Label::Emit), tag);
        }
    }
}

fn doubled(tag: u32, token: bool) -> u32 {
    if tag == NO_TAG && !token { NO_TAG } else { (tag & (u32::MAX >> 1)) << 1 | u32::from(token) }
}

fn halved(tag: u32) -> u32 {
    if tag == NO_TAG { NO_TAG } else { tag >> 1 }
}

/// Whether who reads one kind of text takes the other.
fn takes(reader: Text, writer: Text) -> bool {
    match reader {
        Text::Word => true,
        Text::Int => writer == Text::Int,
        Text::Hex => matches!(writer, Text::Hex | Text::Int),
        Text::Float => matches!(writer, Text::Float | Text::Int),
    }
}

/// Whether a character can be part of such text.
fn spells(text: Text, character: u8) -> bool {
    match text {
        Text::Int => character.is_ascii_digit() || b"+-".contains(&character),
        Text::Hex => character.is_ascii_hexdigit() || b"+-xX".contains(&character),
        Text::Float => character.is_ascii_alphanumeric() || b"+-.".contains(&character),
        Text::Word => !character.is_ascii_whitespace(),
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    algebra::gcd(a.into(), b.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use automata::{Inclusion, includes, regular};

    /// Whether a reader of a row of kinds takes what a writer of another row writes.
    fn reads(level: Level, written: &str, read: &str) -> bool {
        let mut kinds = Kinds::default();
        let mut symbols = Symbols::default();
        let mut row = |text: &str| {
            let mut module = Module::new("main");
            let mut from = module.entry;
            for word in text.split_whitespace() {
                let (name, worth) = match word.split_once('=') {
                    Some((name, value)) => (name, Worth::Is(value.parse().expect("a value of the test is a number"))),
                    None => (word, Worth::Any),
                };
                let kind = kinds.find(name).expect("a kind of the test should exist");
                let to = module.add_state();
                module.add_edge(from, to, Label::Emit(symbols.of(kind, worth, &kinds)), 0);
                from = to;
            }
            module.add_exit(from);
            Machine::new(module)
        };
        let (producer, consumer) = (row(written), row(read));
        let pieces = Pieces::new(level, &producer.symbols(), &consumer.symbols(), &mut symbols, &kinds, false);
        let limits = Limits::NONE;
        let expanded = pieces.expand(&consumer, &symbols, &kinds, &limits).unwrap();
        let consumer = regular(&expanded, 10_000).nfa;
        let consumer = pieces.project(&pieces.unglued(consumer), &limits).unwrap();
        matches!(includes(&pieces.spell(&producer), &consumer), Inclusion::Included)
    }

    #[test]
    fn integers_are_read_in_pieces_and_in_bulk() {
        for (written, read, compatible) in [
            ("u32", "u8 u8 u8 u8", true),
            ("u8 u8 u8 u8", "u32", true),
            ("u32", "u8 u8 u8", false),
            ("u32 u8", "u8 u32", false),
            ("u8 u32", "u32 u8", false),
            ("u32 u32", "u32 u8 u8 u16", true),
            ("u16 u16 u32", "u32 u16 u16", true),
            ("u32 u16", "u16 u32", false),
            ("u8 u32", "u24 u16", false),
            ("int char", "u32 byte", true),
            ("f64", "u8 u8 u8 u8 u8 u8 u8 u8", true),
            ("f64", "u64", false),
            ("f32 u8", "u32 u8", false),
            ("u8 u8 u8 u8", "f32", true),
            ("u5 u3", "u5 u3", true),
            ("u5 u3", "u8", true),
            ("u5 u3", "u3 u5", false),
            ("u2 u15 u8", "u1 u1 u15 u8", true),
            ("u15 u2", "u1 u1 u15", false),
            ("u16=513 u8", "u8=1 u8=2 u8", true),
            ("u16=513 u8", "u8=2 u8=1 u8", false),
            ("bool", "u8", false),
        ] {
            assert_eq!(reads(Level::Bytes, written, read), compatible, "{written} as {read}");
        }
        assert!(!reads(Level::Types, "u32", "u8 u8 u8 u8"));
        assert!(reads(Level::Bits, "u8 u16", "u3 u5 u16"));
    }

    #[test]
    fn text_is_read_as_tokens_and_by_characters() {
        for (written, read, compatible) in [
            ("ascii-int blank ascii-int newline", "white ascii-int white ascii-int white", true),
            ("ascii-int ascii-int", "white ascii-int white ascii-int", false),
            ("ascii-int", "ascii-word", true),
            ("ascii-word", "ascii-int", false),
            ("ascii-int", "ascii-float", true),
            ("u8 u8", "ascii-int", true),
            ("u8=49 u8=44", "ascii-int", false),
            ("u8=49 u8=44", "ascii-int u8", true),
            ("ascii-int", "u8", false),
            ("ascii-word blank ascii-int newline", "line", true),
            ("ascii-word newline ascii-word newline", "line", false),
            ("ascii-word newline ascii-word", "line last-line", true),
        ] {
            assert_eq!(reads(Level::Bytes, written, read), compatible, "{written} as {read}");
        }
    }
}
