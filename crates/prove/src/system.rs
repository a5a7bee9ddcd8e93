//! The program as a transition system: states at cut points, and one formula for each way from one to the next.
//!
//! *Notation*: the state is a vector of variables (cells of the program: scalars, arrays, fields). A term over the
//! state speaks of the values at the cut point where a transition starts. Every loop of the graph passes through a cut
//! point, so each way between two cut points is finite and becomes one [`Transition`].
//!
//! *Guarantee*: every run of the program (without undefined behaviour) is a run of the system. What the model does not
//! cover makes the system larger, never smaller: an unknown value is a fresh one, a write through an unknown pointer
//! makes everything it may reach fresh. A proof about the system is thus a proof about the program; a counterexample of
//! the system is only a suspicion until it has been replayed.

use diagnostics::Span;
use exec::ValueType;
use ir::FunctionId;
use smt::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
pub use symex::{Path, Quotient, Returned};

/// An index into [`System::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VariableId(pub u32);

/// An index into [`System::cuts`]. The entry of the program is number 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CutId(pub u32);

/// An index into [`System::properties`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PropertyId(pub u32);

#[derive(Clone, Debug)]
pub struct System {
    pub pool: TermPool,
    pub variables: Vec<StateVariable>,
    pub cuts: Vec<Cut>,
    pub transitions: Vec<Transition>,
    pub obligations: Vec<Obligation>,
    pub properties: Vec<Property>,
    /// What the text assumes, by each way that leads there.
    pub given: Vec<Assumption>,
    /// The ways on which an operation cannot but be defined, of those that have other ways.
    pub passed: Vec<(PropertyId, Assumption)>,
    pub layout: Layout,
    /// For each recursive function the cuts where its activations end: what holds at all of them holds of the results
    /// of every call of it that has come back ([`Path::returned`]).
    pub results: BTreeMap<FunctionId, Vec<CutId>>,
    pub inputs: Vec<InputVariable>,
    /// The globals that hold anything when the entry is called, by name, of those that the runs use.
    pub open: Vec<String>,
    /// What the model stands on, for the user: "no signed overflow", "memory accesses stay within their objects".
    pub assumptions: BTreeSet<diagnostics::Assumption>,
    /// What the model replaces by arbitrary values, for the user, with its place.
    pub obstacles: Vec<(String, Span)>,
}

/// A cell of the program.
#[derive(Clone, Debug)]
pub struct StateVariable {
    /// As C writes it, made unique for inlined calls.
    pub name: String,
    /// The symbol that stands for its value at a cut point.
    pub symbol: TermId,
}

/// Where invariants are wanted: the entry, the heads of loops and the marked locations. A location inside a function
/// that is called in several places has a cut for each, all of one name: what is claimed of it is claimed of all.
#[derive(Clone, Debug)]
pub struct Cut {
    pub name: String,
    pub span: Option<Span>,
    /// What the names of a location stand for, as terms over the state. For a trace point these are its values; for a
    /// loop head the scalar variables in scope.
    pub names: BTreeMap<String, Named>,
    /// Facts over the state that hold by the types alone: an `unsigned char` is between 0 and 255.
    pub facts: Vec<TermId>,
}

#[derive(Clone, Debug)]
pub struct Named {
    pub term: TermId,
    pub ty: ValueType,
}

/// A way from one cut point to the next.
#[derive(Clone, Debug)]
pub struct Transition {
    pub from: CutId,
    pub to: CutId,
    /// The condition under which this way is taken.
    pub path: Path,
    /// The new values of the variables that change, as terms over the state at `from` and fresh symbols.
    pub updates: BTreeMap<VariableId, TermId>,
}

/// A way from a cut point to a claim.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub property: PropertyId,
    pub from: CutId,
    pub path: Path,
    /// To be shown wherever the path leads.
    pub claim: TermId,
    pub at: Position,
}

/// A place in the graph that the system was made of: a node and an item of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Position {
    pub node: u32,
    pub item: u32,
}

/// The graph that the system was made of, as far as it matters which places lie behind which.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The nodes that may follow each node; the entry is number 0.
    pub followers: Vec<Vec<u32>>,
    /// Where the claims of the text stand, whether or not a way leads there.
    pub claims: BTreeMap<PropertyId, Vec<Position>>,
    /// The node of each cut; none for cuts inside what is not followed.
    pub cuts: Vec<Option<u32>>,
}

/// A way from a cut point to an assumption of the program, which holds from there on.
#[derive(Clone, Debug)]
pub struct Assumption {
    pub at: Position,
    pub from: CutId,
    pub path: Path,
    pub holds: TermId,
}

/// A claim of the program or the user.
#[derive(Clone, Debug)]
pub struct Property {
    /// `assert`, `unreachable`, `overflow`, …
    pub kind: PropertyKind,
    pub text: String,
    pub span: Span,
    /// Whether any way leads to it.
    pub met: bool,
    /// Why the model does not decide it somewhere, for the user.
    pub unmodelled: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PropertyKind {
    Assert,
    /// `reach_error()` is not reached.
    Unreachable,
    Overflow,
    DivisionByZero,
    /// The amount of a shift is less than the width, and no bit is lost.
    Shift,
    /// A floating value fits the integer that it becomes.
    Conversion,
    /// An access is within a live object.
    Bounds,
    /// Pointers move and are compared within one object.
    Pointer,
    /// What is read was written before.
    Initialised,
    /// A call agrees with what it calls.
    Call,
    /// Every operation of code that is not followed.
    Defined,
    /// An invariant that the user asks about.
    Invariant,
}

/// A parameter of the entry function, as it is on entry.
#[derive(Clone, Debug)]
pub struct InputVariable {
    pub name: String,
    pub symbol: TermId,
    pub ty: ValueType,
    /// The range of its type, for counterexamples; proofs over unbounded integers do without.
    pub range: Option<TermId>,
}

impl System {
    pub fn cut(&self, id: CutId) -> &Cut {
        &self.cuts[id.0 as usize]
    }

    /// The cuts of a location, the entry aside; several if its function is called from several places.
    pub fn cuts_named(&self, name: &str) -> Vec<CutId> {
        (0..).zip(&self.cuts).skip(1).filter(|(_, cut)| cut.name == name).map(|(n, _)| CutId(n)).collect()
    }

    /// Every way that leads to a claim.
    pub fn ways_to(&self, property: PropertyId) -> Vec<&Obligation> {
        self.obligations.iter().filter(|obligation| obligation.property == property).collect()
    }

    pub fn property(&self, id: PropertyId) -> &Property {
        &self.properties[id.0 as usize]
    }

    pub fn symbol(&self, variable: VariableId) -> TermId {
        self.variables[variable.0 as usize].symbol
    }

    /// What the symbols of the state stand for after a transition, those that change.
    pub fn values_after(&self, transition: &Transition) -> HashMap<TermId, TermId> {
        transition.updates.iter().map(|(variable, value)| (self.symbol(*variable), *value)).collect()
    }

    /// What is known on a way by its path and by the types.
    pub fn facts_on(&self, from: CutId, path: &Path) -> Vec<TermId> {
        self.cut(from).facts.iter().chain(&path.conditions).chain(&path.definitions).copied().collect()
    }

    /// The fewest transitions from each cut to one of these; cuts from which none is reached are missing.
    pub fn distances_to(&self, to: &[CutId]) -> BTreeMap<CutId, usize> {
        let mut before: Vec<Vec<CutId>> = vec![Vec::new(); self.cuts.len()];
        self.transitions.iter().for_each(|way| before[way.to.0 as usize].push(way.from));
        let mut distances: BTreeMap<CutId, usize> = to.iter().map(|cut| (*cut, 0)).collect();
        let mut open: VecDeque<CutId> = to.iter().copied().collect();
        while let Some(cut) = open.pop_front() {
            let steps = distances[&cut] + 1;
            for &from in &before[cut.0 as usize] {
                distances.entry(from).or_insert_with(|| {
                    open.push_back(from);
                    steps
                });
            }
        }
        distances
    }
}
