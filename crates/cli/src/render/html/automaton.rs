//! Automata as drawings: states in columns by their distance from the first, moves as arrows.

use super::escape::Html;
use super::svg::{Anchor, LETTER, Path, Svg, clipped};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// Nested-word automata are drawn as well: their moves may be calls and returns.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub states: usize,
    /// What the states are called; without names they have numbers.
    pub names: Vec<String>,
    pub initial: Vec<usize>,
    pub accepting: BTreeSet<usize>,
    pub moves: Vec<Move>,
}

#[derive(Clone, Debug)]
pub struct Move {
    pub from: usize,
    pub to: usize,
    pub kind: Kind,
    /// What it reads; nothing stands for any symbol.
    pub symbol: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Internal,
    /// Reads nothing.
    Silent,
    Call,
    /// With the state before the matching call.
    Return(usize),
}

/// How a message goes through an automaton with calls.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Whether calls and returns are part of the message, `<f` and `f>`; otherwise they read nothing.
    pub hears_calls: bool,
    /// Whether a return goes back to its call; otherwise to any.
    pub matches_calls: bool,
}

/// A walk through an automaton.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    pub steps: BTreeSet<(usize, usize)>,
    /// The state in which it ends.
    pub end: usize,
    /// Symbols that were read.
    pub taken: usize,
}

/// Places in a message, with what is called, that a search for a walk looks at.
const MOST_PLACES: usize = 20_000;
/// Letters of a name that a state has room for, and that have room below it.
const INSIDE: usize = 3;
const BELOW: usize = 12;

const RADIUS: f64 = 15.0;
const ROW: f64 = 78.0;

impl Automaton {
    /// A walk by these symbols, as far as there is one: of all that the automaton has, one that reads most and then ends
    /// where it may end.
    pub fn walk(&self, message: &[&str], reading: Reading) -> Walk {
        #[derive(Clone, Copy)]
        struct Here {
            state: usize,
            taken: usize,
            stack: usize,
            before: Option<usize>,
        }
        let mut leaving: Vec<Vec<&Move>> = vec![Vec::new(); self.states];
        self.moves.iter().for_each(|step| leaving[step.from].push(step));
        // A stack is the number of its top: a state, and the stack below. Number 0 is empty.
        let mut stacks: Vec<(usize, usize)> = vec![(usize::MAX, 0)];
        let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
        let start = |&state: &usize| Here { state, taken: 0, stack: 0, before: None };
        let mut places: Vec<Here> = self.initial.iter().map(start).collect();
        let mut known: HashSet<(usize, usize, usize)> =
            places.iter().map(|at| (at.state, at.taken, at.stack)).collect();
        let worth = |at: &Here| (at.taken, self.accepting.contains(&at.state));
        let mut best = 0;
        let mut next = 0;
        while let Some(&here) = places.get(next).filter(|_| next < MOST_PLACES) {
            if worth(&here) > worth(&places[best]) {
                best = next;
            }
            for step in &leaving[here.state] {
                let Some(read) = step.reads(message.get(here.taken).copied(), reading.hears_calls) else { continue };
                let stack = match step.kind {
                    Kind::Call if reading.matches_calls => {
                        *numbers.entry((here.state, here.stack)).or_insert_with(|| {
                            stacks.push((here.state, here.stack));
                            stacks.len() - 1
                        })
                    }
                    Kind::Return(call) if reading.matches_calls => match here.stack {
                        // Without a call to return to, it is as if the beginning had called.
                        0 if self.initial.contains(&call) => 0,
                        top if top > 0 && stacks[top].0 == call => stacks[top].1,
                        _ => continue,
                    },
                    _ => here.stack,
                };
                let there = Here { state: step.to, taken: here.taken + read, stack, before: Some(next) };
                if known.insert((there.state, there.taken, there.stack)) {
                    places.push(there);
                }
            }
            next += 1;
        }
        let Some(&(mut here)) = places.get(best) else { return Walk::default() };
        let mut walk = Walk { end: here.state, taken: here.taken, ..Walk::default() };
        while let Some(before) = here.before.map(|before| places[before]) {
            walk.steps.insert((before.state, here.state));
            here = before;
        }
        walk
    }

    /// How many moves each state is from the first ones.
    fn distances(&self) -> Vec<usize> {
        let mut distance = vec![usize::MAX; self.states];
        let mut waiting: VecDeque<usize> = self.initial.iter().copied().collect();
        self.initial.iter().for_each(|state| distance[*state] = 0);
        while let Some(state) = waiting.pop_front() {
            for step in self.moves.iter().filter(|step| step.from == state) {
                if distance[step.to] == usize::MAX {
                    distance[step.to] = distance[state] + 1;
                    waiting.push_back(step.to);
                }
            }
        }
        let furthest = distance.iter().copied().filter(|d| *d != usize::MAX).max().unwrap_or(0);
        distance.into_iter().map(|d| if d == usize::MAX { furthest + 1 } else { d }).collect()
    }

    /// The drawing; `walk` is marked, and its last state as the one where it is stuck if `is_stuck`.
    pub fn draw(&self, about: &str, walk: &Walk, is_stuck: bool) -> Html {
        let distance = self.distances();
        let mut labels: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for step in &self.moves {
            labels.entry((step.from, step.to)).or_default().push(self.label(step));
        }
        let joined = |labels: &[String]| match labels.len() {
            0..4 => clipped(&labels.join(", "), 22),
            many => clipped(&format!("{}, {} and {} more", labels[0], labels[1], many - 2), 26),
        };
        let longest = labels.values().map(|labels| joined(labels).chars().count()).max().unwrap_or(0);
        let is_named_below = |state: usize| self.names.get(state).is_some_and(|name| name.chars().count() > INSIDE);
        let names = if (0..self.states).any(is_named_below) { 16.0 } else { 0.0 };
        let column = (longest as f64 * LETTER + 2.0 * RADIUS + 26.0).max(84.0);
        let columns = distance.iter().max().map_or(0, |most| most + 1);
        let rows: Vec<Vec<usize>> =
            (0..columns).map(|d| (0..self.states).filter(|state| distance[*state] == d).collect()).collect();
        let tallest = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
        // Moves that jump over columns or go back need room above and below.
        let reach = |(from, to): (usize, usize)| distance[from].abs_diff(distance[to]);
        let bow = |pair: (usize, usize)| 20.0 + 26.0 * reach(pair).min(6) as f64;
        let above =
            labels.keys().filter(|(from, to)| distance[*to] > distance[*from] + 1).map(|pair| 0.75 * bow(*pair) + 10.0);
        let above = above.fold(if labels.keys().any(|(from, to)| from == to) { 44.0 } else { 16.0 }, f64::max);
        let below = labels
            .keys()
            .filter(|(from, to)| distance[*to] < distance[*from])
            .map(|pair| 0.75 * bow(*pair) + 4.0)
            .fold(4.0, f64::max);
        let height = above + tallest as f64 * ROW - ROW + 2.0 * RADIUS + below + 14.0 + names;
        let width = 46.0 + columns.saturating_sub(1) as f64 * column + 2.0 * RADIUS + 22.0;
        let at: Vec<(f64, f64)> = (0..self.states)
            .map(|state| {
                let here = &rows[distance[state]];
                let number = here.iter().position(|other| *other == state).unwrap_or(0);
                let free = (tallest - here.len()) as f64 * ROW / 2.0;
                (46.0 + RADIUS + distance[state] as f64 * column, above + RADIUS + free + number as f64 * ROW)
            })
            .collect();
        let mut svg = Svg::new(width, height);
        for first in self.initial.iter().map(|state| at[*state]) {
            let tip = (first.0 - RADIUS - 2.0, first.1);
            let mut path = Path::from((first.0 - RADIUS - 26.0, first.1));
            path.to(tip);
            svg.arrow("edge", &path, (first.0 - RADIUS - 26.0, first.1), tip);
        }
        // What the walk goes along lies on top.
        let (taken, others): (Vec<_>, Vec<_>) = labels.iter().partition(|(pair, _)| walk.steps.contains(pair));
        for (pair, labels) in others.into_iter().chain(taken) {
            let class = if walk.steps.contains(pair) { "edge taken" } else { "edge" };
            arrow(
                &mut svg,
                class,
                at[pair.0],
                at[pair.1],
                (distance[pair.0], distance[pair.1]),
                bow(*pair),
                &joined(labels),
            );
        }
        for (state, at) in at.iter().enumerate() {
            let on_way = walk.steps.iter().any(|(from, to)| *from == state || *to == state);
            let (circle, ring) = match is_stuck && walk.end == state {
                true => ("state stuck", "ring stuck"),
                false if on_way => ("state taken", "ring taken"),
                false => ("state", "ring"),
            };
            let name = self.name(state);
            svg.titled(&name, |svg| {
                svg.circle(circle, *at, RADIUS);
                if self.accepting.contains(&state) {
                    svg.circle(ring, *at, RADIUS - 4.0);
                }
                let inside = if is_named_below(state) { state.to_string() } else { name.clone() };
                svg.text("tick", (at.0, at.1 + 4.0), Anchor::Middle, &inside);
                if is_named_below(state) {
                    svg.text("label", (at.0, at.1 + RADIUS + 14.0), Anchor::Middle, &clipped(&name, BELOW));
                }
            });
        }
        svg.scrolling(about)
    }

    pub fn name(&self, state: usize) -> String {
        self.names.get(state).cloned().unwrap_or_else(|| state.to_string())
    }

    /// `<f` is a call, `f> s` a return to a call that was made in s.
    fn label(&self, step: &Move) -> String {
        let symbol = step.symbol.as_deref().unwrap_or("@");
        match step.kind {
            Kind::Internal => symbol.to_string(),
            Kind::Silent => "ε".to_string(),
            Kind::Call => format!("<{symbol}"),
            Kind::Return(call) => format!("{symbol}> {}", self.name(call)),
        }
    }
}

impl Move {
    /// How many symbols it takes where `next` follows, if it can be made.
    fn reads(&self, next: Option<&str>, hears_calls: bool) -> Option<usize> {
        // With calls in the message, letters of calls and returns are told by their brackets.
        let letter = match (self.kind, hears_calls) {
            (Kind::Silent, _) | (Kind::Call | Kind::Return(_), false) => return Some(0),
            (Kind::Internal, false) => next?,
            (Kind::Internal, true) => next.filter(|next| !next.starts_with('<') && !next.ends_with('>'))?,
            (Kind::Call, true) => next?.strip_prefix('<')?,
            (Kind::Return(_), true) => next?.strip_suffix('>')?,
        };
        self.symbol.as_deref().is_none_or(|symbol| symbol == letter).then_some(1)
    }
}

/// One move: straight to the next column, in a bow above when it jumps, in a bow below when it goes back.
fn arrow(
    svg: &mut Svg,
    class: &'static str,
    from: (f64, f64),
    to: (f64, f64),
    columns: (usize, usize),
    bow: f64,
    label: &str,
) {
    let strong: &'static str = if class == "edge" { "label" } else { "label taken" };
    if from == to {
        let (start, end) = ((from.0 - 9.0, from.1 - RADIUS + 3.0), (from.0 + 9.0, from.1 - RADIUS + 3.0));
        let mut path = Path::from(start);
        path.curve((from.0 - 26.0, from.1 - 46.0), (from.0 + 26.0, from.1 - 46.0), end);
        svg.arrow(class, &path, (end.0 + 7.0, end.1 - 16.0), end);
        svg.text(strong, (from.0, from.1 - 42.0), Anchor::Middle, label);
        return;
    }
    let steps = columns.1 as isize - columns.0 as isize;
    // Neighbours are joined straight; others go around what is between them.
    let bend = match steps {
        0 | 1 => 0.0,
        jump if jump > 0 => -bow,
        _ => bow,
    };
    if bend == 0.0 {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let (dx, dy) = (dx / length * (RADIUS + 2.0), dy / length * (RADIUS + 2.0));
        let (start, end) = ((from.0 + dx, from.1 + dy), (to.0 - dx, to.1 - dy));
        let mut path = Path::from(start);
        path.to(end);
        svg.arrow(class, &path, start, end);
        let shift = if steps == 0 { (10.0, 4.0) } else { (0.0, -7.0) };
        let anchor = if steps == 0 { Anchor::Start } else { Anchor::Middle };
        svg.text(strong, ((start.0 + end.0) / 2.0 + shift.0, (start.1 + end.1) / 2.0 + shift.1), anchor, label);
        return;
    }
    let sign = bend.signum();
    let (start, end) = ((from.0, from.1 + sign * (RADIUS + 1.0)), (to.0, to.1 + sign * (RADIUS + 2.0)));
    let level = if sign < 0.0 { from.1.min(to.1) } else { from.1.max(to.1) } + sign * RADIUS + bend;
    let mut path = Path::from(start);
    path.curve((start.0 + (end.0 - start.0) * 0.15, level), (end.0 - (end.0 - start.0) * 0.15, level), end);
    svg.arrow(class, &path, (end.0 - (end.0 - start.0) * 0.1, level), end);
    // A cubic passes its middle three quarters of the way to its control points.
    let middle = (start.1 + end.1) / 8.0 + level * 0.75;
    svg.text(strong, ((start.0 + end.0) / 2.0, middle - 5.0), Anchor::Middle, label);
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEARD: Reading = Reading { hears_calls: true, matches_calls: true };
    const SILENT: Reading = Reading { hears_calls: false, matches_calls: true };
    const LOOSE: Reading = Reading { hears_calls: false, matches_calls: false };

    /// `s -<f-> b`, `b -x-> c`, `c -f> s-> t`, `c -f> t-> u`, `t -<f-> b`; it begins in s and ends in u.
    fn automaton() -> Automaton {
        let names: Vec<String> = ["s", "b", "c", "t", "u"].map(str::to_string).to_vec();
        let step = |from, kind, symbol: &str, to| Move { from, to, kind, symbol: Some(symbol.to_string()) };
        let moves = vec![
            step(0, Kind::Call, "f", 1),
            step(1, Kind::Internal, "x", 2),
            step(2, Kind::Return(0), "f", 3),
            step(2, Kind::Return(3), "f", 4),
            step(3, Kind::Call, "f", 1),
        ];
        Automaton { states: 5, names, initial: vec![0], accepting: BTreeSet::from([4]), moves }
    }

    #[test]
    fn walks_go_back_to_their_calls() {
        for (message, reading, taken, end) in [
            (&["x", "x"][..], SILENT, 2, "u"),
            (&["x", "x", "x"], SILENT, 2, "u"),
            (&["y"], SILENT, 0, "s"),
            // Whoever returns to any call has read one round and may end.
            (&["x"], LOOSE, 1, "u"),
            (&["x"], SILENT, 1, "c"),
            (&["<f", "x", "f>", "<f", "x", "f>"], HEARD, 6, "u"),
            (&["<f", "x", "f>", "x"], HEARD, 3, "t"),
            (&["x"], HEARD, 0, "s"),
        ] {
            let walk = automaton().walk(message, reading);
            assert_eq!((walk.taken, automaton().name(walk.end).as_str()), (taken, end), "{message:?} {reading:?}");
        }
    }

    #[test]
    fn endless_calls_do_not_keep_a_walk() {
        let mut endless = automaton();
        endless.moves.push(Move { from: 0, to: 0, kind: Kind::Call, symbol: None });
        assert_eq!(endless.walk(&["y"], SILENT).taken, 0);
        endless.initial.clear();
        assert_eq!(endless.walk(&["x"], SILENT).taken, 0);
        assert!(!endless.draw("", &Walk::default(), false).is_empty());
    }
}
