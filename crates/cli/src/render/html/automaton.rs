//! Automata as drawings: states in columns by their distance from the first, moves as arrows.

use super::escape::Html;
use super::svg::{Anchor, LETTER, Path, Svg, clipped};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub struct Automaton {
    pub states: usize,
    pub accepting: BTreeSet<usize>,
    pub moves: Vec<(usize, String, usize)>,
}

/// A walk through an automaton.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    pub steps: BTreeSet<(usize, usize)>,
    /// The state in which it ends.
    pub end: usize,
}

const RADIUS: f64 = 15.0;
const ROW: f64 = 78.0;

impl Automaton {
    /// The walk by these symbols, as far as there is one.
    pub fn walk<'a>(&self, symbols: impl Iterator<Item = &'a str>) -> Walk {
        let mut walk = Walk::default();
        for symbol in symbols {
            let step = self.moves.iter().find(|(from, label, _)| *from == walk.end && label == symbol);
            let Some((from, _, to)) = step else { break };
            walk.steps.insert((*from, *to));
            walk.end = *to;
        }
        walk
    }

    /// How many moves each state is from the first.
    fn distances(&self) -> Vec<usize> {
        let mut distance = vec![usize::MAX; self.states];
        let mut waiting = std::collections::VecDeque::from([0]);
        if let Some(first) = distance.first_mut() {
            *first = 0;
        }
        while let Some(state) = waiting.pop_front() {
            for (_, _, to) in self.moves.iter().filter(|(from, _, _)| *from == state) {
                if distance[*to] == usize::MAX {
                    distance[*to] = distance[state] + 1;
                    waiting.push_back(*to);
                }
            }
        }
        let furthest = distance.iter().copied().filter(|d| *d != usize::MAX).max().unwrap_or(0);
        distance.into_iter().map(|d| if d == usize::MAX { furthest + 1 } else { d }).collect()
    }

    /// The drawing; `walk` is marked, and its last state as the one where it is stuck if `is_stuck`.
    pub fn draw(&self, about: &str, walk: &Walk, is_stuck: bool) -> Html {
        let distance = self.distances();
        let mut labels: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for (from, label, to) in &self.moves {
            labels.entry((*from, *to)).or_default().push(label);
        }
        let joined = |labels: &[&str]| match labels.len() {
            0..4 => clipped(&labels.join(", "), 22),
            many => clipped(&format!("{}, {} and {} more", labels[0], labels[1], many - 2), 26),
        };
        let longest = labels.values().map(|labels| joined(labels).chars().count()).max().unwrap_or(0);
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
        let height = above + tallest as f64 * ROW - ROW + 2.0 * RADIUS + below + 14.0;
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
        if let Some(first) = at.first() {
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
            svg.circle(circle, *at, RADIUS);
            if self.accepting.contains(&state) {
                svg.circle(ring, *at, RADIUS - 4.0);
            }
            svg.text("tick", (at.0, at.1 + 4.0), Anchor::Middle, &state.to_string());
        }
        svg.scrolling(about)
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
