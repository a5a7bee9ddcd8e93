//! Regular expressions that people can read, for small automata.
//!
//! States are eliminated one by one, those with the cheapest detours first; expressions are simplified as they are
//! made. That is done for the automaton as it is, for the smallest deterministic one and for the mirror image of the
//! smallest of the mirror image; the shortest text wins. The text is in the language of [`crate::grammar`].

use crate::alphabet::Alphabet;
use crate::finite::{Arc, Nfa};
use crate::grammar::is_bare;
use crate::recursive::{Calls, Label, Machine, ModuleId, regular};
use std::collections::BTreeMap;

/// Signs of the text, beyond which an expression is not readable.
const LONGEST: usize = 400;
/// States, beyond which no readable expression is to be expected.
const LARGEST: usize = 80;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Regex<L> {
    /// No word at all.
    Nothing,
    /// The empty word.
    Empty,
    Letter(L),
    Sequence(Vec<Regex<L>>),
    Choice(Vec<Regex<L>>),
    Star(Box<Regex<L>>),
    Plus(Box<Regex<L>>),
    Optional(Box<Regex<L>>),
}

/// An expression for the language of an automaton; nothing when it would not be readable.
pub fn regex(nfa: &Nfa, alphabet: &Alphabet) -> Option<String> {
    let trimmed = nfa.trim();
    if trimmed.states == 0 {
        return Some("∅".to_string());
    }
    let small = trimmed.minimise(4 * LARGEST);
    let mirrored = mirror(&trimmed).minimise(4 * LARGEST).map(|nfa| mirror(&nfa));
    let candidates = [Some(trimmed), small, mirrored].into_iter().flatten().filter(|nfa| nfa.states <= LARGEST);
    let texts = candidates.filter_map(|nfa| {
        let arcs = nfa.arcs.iter().map(|arc| (arc.from.index(), arc.symbol, arc.to.index())).collect::<Vec<_>>();
        let initial: Vec<usize> = nfa.initial.iter().map(|state| state.index()).collect();
        let accepting: Vec<usize> = nfa.accepting.iter().map(|state| state.index()).collect();
        let expression = eliminate(nfa.states, &initial, &accepting, &arcs)?;
        Some(expression.show(&|&symbol| quoted(alphabet.name(symbol))))
    });
    texts.filter(|text| text.len() <= LONGEST).min_by_key(String::len)
}

/// A machine's language: an expression when it is regular, else rules that call each other, in the language of
/// [`crate::grammar`]; nothing when that would not be readable, or when exits or ends have no such form.
pub fn describe(machine: &Machine, alphabet: &Alphabet) -> Option<String> {
    let machine = machine.prune().machine;
    // As written, loops and options often read better than in the smallest automaton; both are tried.
    let texts: Vec<String> = [&machine, &machine.reduce()]
        .into_iter()
        .map(|machine| regular(machine, 4 * LARGEST))
        .filter(|whole| whole.is_exact())
        .filter_map(|whole| regex(&whole.nfa, alphabet))
        .collect();
    if let Some(shortest) = texts.into_iter().min_by_key(String::len) {
        return Some(shortest);
    }
    // Only what is recursive needs a name.
    let machine = machine.inline(4 * LARGEST).prune().machine.reduce();
    let calls = Calls::of(&machine);
    let others: Vec<ModuleId> = machine.ids().filter(|&id| id != machine.main).collect();
    if machine.modules.len() > 12 || others.iter().any(|&id| !calls.is_recursive(id)) {
        return None;
    }
    let rules = [machine.main].into_iter().chain(others).map(|id| {
        let module = machine.module(id);
        if module.exits.len() != 1 || !module.ends.is_empty() {
            return None;
        }
        let arcs = module.edges.iter().map(|edge| {
            let letter = if edge.label == Label::Silent { None } else { Some(edge.label) };
            (edge.from.index(), letter, edge.to.index())
        });
        let arcs: Vec<_> = arcs.collect();
        let body = eliminate(module.states, &[module.entry.index()], &[module.exits[0].index()], &arcs)?;
        let name = |id: ModuleId| {
            let name = &machine.module(id).name;
            if is_bare(name) && alphabet.get(name).is_none() { name.clone() } else { format!("rule_{}", id.index()) }
        };
        let shown = body.show(&|&label| match label {
            Label::Emit(symbol) => quoted(alphabet.name(symbol)),
            Label::Call { module, .. } => name(module),
            Label::Silent => unreachable!("silent edges should have become empty words"),
        });
        Some(format!("{} = {shown} ;", name(id)))
    });
    let rules: Option<Vec<String>> = rules.collect();
    rules.map(|rules| rules.join("\n")).filter(|text| text.len() <= 2 * LONGEST)
}

fn quoted(name: &str) -> String {
    if is_bare(name) { name.to_string() } else { format!("\"{name}\"") }
}

fn mirror(nfa: &Nfa) -> Nfa {
    let arcs = nfa.arcs.iter().map(|arc| Arc { from: arc.to, to: arc.from, ..*arc }).collect();
    Nfa { states: nfa.states, initial: nfa.accepting.clone(), accepting: nfa.initial.clone(), arcs }
}

/// State elimination; nothing when expressions grow beyond reading.
fn eliminate<L: Clone + Ord>(
    states: usize,
    initial: &[usize],
    accepting: &[usize],
    arcs: &[(usize, Option<L>, usize)],
) -> Option<Regex<L>> {
    let (start, end) = (states, states + 1);
    let mut between: BTreeMap<(usize, usize), Regex<L>> = BTreeMap::new();
    let add = |between: &mut BTreeMap<(usize, usize), Regex<L>>, from, to, way: Regex<L>| {
        let known = between.remove(&(from, to)).unwrap_or(Regex::Nothing);
        between.insert((from, to), known.or(way));
    };
    for (from, letter, to) in arcs {
        add(&mut between, *from, *to, letter.clone().map_or(Regex::Empty, Regex::Letter));
    }
    initial.iter().for_each(|&state| add(&mut between, start, state, Regex::Empty));
    accepting.iter().for_each(|&state| add(&mut between, state, end, Regex::Empty));
    let mut left: Vec<usize> = (0..states).collect();
    while !left.is_empty() {
        let cost = |state: usize| {
            let size = |filter: &dyn Fn(&(usize, usize)) -> bool| {
                let ways = between.iter().filter(|(key, _)| filter(key)).map(|(_, way)| way.size());
                ways.fold((0, 0), |(count, total), size| (count + 1, total + size))
            };
            let (ins, in_size) = size(&|&(from, to)| to == state && from != state);
            let (outs, out_size) = size(&|&(from, to)| from == state && to != state);
            let (_, loop_size) = size(&|&(from, to)| from == state && to == state);
            // What elimination adds, less what it removes.
            (in_size * outs + out_size * ins + loop_size * ins * outs) as i64 - (in_size + out_size + loop_size) as i64
        };
        let position = (0..left.len()).min_by_key(|&position| cost(left[position]))?;
        let state = left.remove(position);
        let around = between.remove(&(state, state)).map_or(Regex::Empty, Regex::star);
        let ins: Vec<_> = between.keys().filter(|key| key.1 == state).copied().collect();
        let outs: Vec<_> = between.keys().filter(|key| key.0 == state).copied().collect();
        let ways_in: Vec<_> = ins.iter().map(|key| (key.0, between.remove(key).unwrap_or(Regex::Nothing))).collect();
        let ways_out: Vec<_> = outs.iter().map(|key| (key.1, between.remove(key).unwrap_or(Regex::Nothing))).collect();
        for (from, before) in &ways_in {
            for (to, after) in &ways_out {
                let way = before.clone().then(around.clone()).then(after.clone());
                if way.size() > LONGEST {
                    return None;
                }
                add(&mut between, *from, *to, way);
            }
        }
    }
    Some(between.remove(&(start, end)).unwrap_or(Regex::Nothing))
}

impl<L: Clone + Ord> Regex<L> {
    /// Letters and signs.
    fn size(&self) -> usize {
        match self {
            Regex::Nothing | Regex::Empty | Regex::Letter(_) => 1,
            Regex::Sequence(parts) | Regex::Choice(parts) => parts.iter().map(Regex::size).sum::<usize>() + 1,
            Regex::Star(inside) | Regex::Plus(inside) | Regex::Optional(inside) => inside.size() + 1,
        }
    }

    fn parts(self) -> Vec<Regex<L>> {
        match self {
            Regex::Empty => Vec::new(),
            Regex::Sequence(parts) => parts,
            other => vec![other],
        }
    }

    fn sequence(parts: Vec<Regex<L>>) -> Regex<L> {
        let mut joined: Vec<Regex<L>> = Vec::new();
        for part in parts.into_iter().flat_map(Regex::parts) {
            if part == Regex::Nothing {
                return Regex::Nothing;
            }
            let merged = joined.last().and_then(|last| last.merged(&part));
            if let Some(merged) = merged {
                joined.pop();
                joined.push(merged);
            } else {
                joined.push(part);
                // `a b (a b)*`: the star swallows the copy before it.
                if let Some(shorter) = swallowed(&joined) {
                    joined = shorter;
                }
            }
        }
        match joined.len() {
            0 => Regex::Empty,
            1 => joined.remove(0),
            _ => Regex::Sequence(joined),
        }
    }

    /// Two neighbours as one, where repetition allows it.
    fn merged(&self, next: &Regex<L>) -> Option<Regex<L>> {
        match (self, next) {
            (Regex::Star(a), Regex::Star(b)) if a == b => Some(self.clone()),
            (Regex::Star(a), Regex::Plus(b)) | (Regex::Plus(a), Regex::Star(b)) if a == b => {
                Some(Regex::Plus(a.clone()))
            }
            (Regex::Star(a), Regex::Optional(b)) | (Regex::Optional(b), Regex::Star(a)) if a == b => {
                Some(Regex::Star(a.clone()))
            }
            (Regex::Star(a), b) | (b, Regex::Star(a)) if **a == *b => Some(Regex::Plus(a.clone())),
            (Regex::Star(body), Regex::Star(x)) => {
                // `(x+ y)* x*` is `(x y?)*`, and `(x* y)* x*` is `(x | y)*`.
                let Regex::Sequence(parts) = &**body else { return None };
                let y = Regex::sequence(parts[1..].to_vec());
                match &parts[0] {
                    Regex::Plus(first) if first == x => Some((**x).clone().then(y.optional()).star()),
                    Regex::Star(first) if first == x => Some((**x).clone().or(y).star()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn then(self, next: Regex<L>) -> Regex<L> {
        Regex::sequence(vec![self, next])
    }

    fn or(self, other: Regex<L>) -> Regex<L> {
        let mut optional = false;
        let mut choices: Vec<Regex<L>> = Vec::new();
        let mut open = vec![other, self];
        while let Some(choice) = open.pop() {
            match choice {
                Regex::Nothing => {}
                Regex::Empty => optional = true,
                Regex::Optional(inside) => {
                    optional = true;
                    open.push(*inside);
                }
                Regex::Choice(inside) => open.extend(inside.into_iter().rev()),
                choice => {
                    if !choices.contains(&choice) {
                        choices.push(choice);
                    }
                }
            }
        }
        while let Some((i, j, factored)) = factor(&choices) {
            choices.remove(j);
            choices[i] = factored;
        }
        let chosen = match choices.len() {
            0 if optional => return Regex::Empty,
            0 => return Regex::Nothing,
            1 => choices.remove(0),
            _ => Regex::Choice(choices),
        };
        if optional { chosen.optional() } else { chosen }
    }

    fn optional(self) -> Regex<L> {
        match self {
            Regex::Nothing | Regex::Empty => Regex::Empty,
            Regex::Plus(inside) => Regex::Star(inside),
            other if other.takes_empty() => other,
            other => Regex::Optional(Box::new(other)),
        }
    }

    fn takes_empty(&self) -> bool {
        match self {
            Regex::Empty | Regex::Star(_) | Regex::Optional(_) => true,
            Regex::Nothing | Regex::Letter(_) => false,
            Regex::Sequence(parts) => parts.iter().all(Regex::takes_empty),
            Regex::Choice(parts) => parts.iter().any(Regex::takes_empty),
            Regex::Plus(inside) => inside.takes_empty(),
        }
    }

    fn star(self) -> Regex<L> {
        match self {
            Regex::Nothing | Regex::Empty => Regex::Empty,
            Regex::Star(inside) | Regex::Plus(inside) | Regex::Optional(inside) => inside.star(),
            Regex::Choice(choices) => {
                // Inside a star, a repetition is as good as its one.
                let plain = choices.into_iter().map(|choice| match choice {
                    Regex::Star(inside) | Regex::Plus(inside) | Regex::Optional(inside) => *inside,
                    other => other,
                });
                let body = plain.fold(Regex::Nothing, Regex::or);
                match body {
                    Regex::Star(_) | Regex::Plus(_) | Regex::Optional(_) => body.star(),
                    body => Regex::Star(Box::new(body)),
                }
            }
            other => Regex::Star(Box::new(other)),
        }
    }

    /// The text; `name` gives that of a letter.
    pub fn show(&self, name: &dyn Fn(&L) -> String) -> String {
        self.shown(name, 0)
    }

    /// Binding: 0 a choice needs no parentheses, 1 a sequence needs none, 2 both do.
    fn shown(&self, name: &dyn Fn(&L) -> String, binding: usize) -> String {
        let (text, own) = match self {
            Regex::Nothing => ("∅".to_string(), 2),
            Regex::Empty => ("()".to_string(), 2),
            Regex::Letter(letter) => (name(letter), 2),
            Regex::Star(inside) => (inside.shown(name, 2) + "*", 2),
            Regex::Plus(inside) => (inside.shown(name, 2) + "+", 2),
            Regex::Optional(inside) => (inside.shown(name, 2) + "?", 2),
            Regex::Choice(choices) => {
                let texts: Vec<String> = choices.iter().map(|choice| choice.shown(name, 1)).collect();
                (texts.join(" | "), 0)
            }
            Regex::Sequence(parts) => {
                let groups = parts.chunk_by(|a, b| a == b).flat_map(|same| {
                    let text = same[0].shown(name, 2);
                    if same.len() < 3 { vec![text; same.len()] } else { vec![format!("{text}{{{}}}", same.len())] }
                });
                (groups.collect::<Vec<_>>().join(" "), 1)
            }
        };
        if own < binding { format!("({text})") } else { text }
    }
}

/// `… x y (x y)*` as `… (x y)+`, and the same the other way round, at the end of a sequence.
fn swallowed<L: Clone + Ord>(parts: &[Regex<L>]) -> Option<Vec<Regex<L>>> {
    let (last, before) = parts.split_last()?;
    if let Regex::Star(inside) = last
        && let Regex::Sequence(body) = &**inside
        && before.ends_with(body)
    {
        let mut shorter = before[..before.len() - body.len()].to_vec();
        shorter.push(Regex::Plus(inside.clone()));
        return Some(shorter);
    }
    let star = parts.iter().rposition(|part| matches!(part, Regex::Star(_)))?;
    if let Regex::Star(inside) = &parts[star]
        && let Regex::Sequence(body) = &**inside
        && parts[star + 1..] == **body
    {
        let mut shorter = parts[..star].to_vec();
        shorter.push(Regex::Plus(inside.clone()));
        return Some(shorter);
    }
    None
}

/// Two choices with a common beginning or end as one; which two, and what they become.
fn factor<L: Clone + Ord>(choices: &[Regex<L>]) -> Option<(usize, usize, Regex<L>)> {
    for j in 1..choices.len() {
        for i in 0..j {
            let (a, b) = (&choices[i], &choices[j]);
            match (a, b) {
                (Regex::Star(inside), other)
                | (other, Regex::Star(inside))
                | (Regex::Plus(inside), other)
                | (other, Regex::Plus(inside))
                    if **inside == *other =>
                {
                    let kept = if matches!(a, Regex::Star(_) | Regex::Plus(_)) { a } else { b };
                    return Some((i, j, kept.clone()));
                }
                _ => {}
            }
            let (a, b) = (a.clone().parts(), b.clone().parts());
            let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
            if common > 0 {
                let rest = Regex::sequence(a[common..].to_vec()).or(Regex::sequence(b[common..].to_vec()));
                return Some((i, j, Regex::sequence(a[..common].to_vec()).then(rest)));
            }
            let common = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
            if common > 0 {
                let (a_rest, b_rest) = (a[..a.len() - common].to_vec(), b[..b.len() - common].to_vec());
                let rest = Regex::sequence(a_rest).or(Regex::sequence(b_rest));
                return Some((i, j, rest.then(Regex::sequence(a[a.len() - common..].to_vec()))));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar;
    use crate::recursive::StateId;

    fn shown(text: &str) -> String {
        let mut alphabet = Alphabet::new();
        let machine = grammar::parse(text, &mut alphabet).unwrap().machine;
        describe(&machine, &alphabet).unwrap()
    }

    #[test]
    fn small_languages_are_readable() {
        assert_eq!(shown("f = (bool (double bool)?)* ;"), "(bool (double bool)?)*");
        assert_eq!(shown("f = (bool double bool)* ;"), "(bool double bool)*");
        assert_eq!(shown("f = u8 u8 u8 u8 u16 payload* crc ;"), "u8{4} u16 payload* crc");
        assert_eq!(shown("f = int char | char int char ;"), "char? int char");
        assert_eq!(shown("f = a b | a c ;"), "a (b | c)");
        assert_eq!(shown("f = () ;"), "()");
        assert_eq!(shown("f = \"odd name\"+ ;"), "\"odd name\"+");
    }

    #[test]
    fn recursion_is_shown_as_rules() {
        assert_eq!(
            shown("file = magic tree ; tree = leaf | node tree tree ;"),
            "file = magic tree ;\ntree = leaf | node tree tree ;"
        );
    }

    #[test]
    fn states_name_nothing() {
        assert_eq!(
            regex(&Nfa { states: 1, initial: vec![StateId::new(0)], ..Nfa::default() }, &Alphabet::new()).unwrap(),
            "∅"
        );
    }
}
