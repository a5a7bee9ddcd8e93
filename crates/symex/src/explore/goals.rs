//! What a search looks for, and which of it was found.

use super::inputs::Witness;
use ir::{Branch, FunctionId, Outcome, Program, StmtId};
use std::collections::{BTreeMap, HashMap};

/// A goal of one search, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GoalId(pub u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A trace point of this name is passed.
    Point(String),
    /// Trace points of these names are passed in this order, whatever else comes between.
    Sequence(Vec<String>),
    /// A branching statement goes this way.
    Branch(FunctionId, Branch),
    /// A claim of the program is broken: an assertion fails, `reach_error` is called.
    Claim(FunctionId, StmtId),
    /// A claim is broken, the program aborts, or it does something undefined.
    Error,
    /// Every call of the scenario has given what was expected.
    Finish,
}

/// A goal that a path came to.
pub struct Met {
    pub goal: GoalId,
    pub witness: Witness,
    /// The branches of the path, oldest first.
    pub path: Vec<(FunctionId, Branch)>,
    /// What went wrong, for [`Goal::Error`] and [`Goal::Claim`].
    pub fault: Option<(Box<exec::memory::Fault>, diagnostics::Span)>,
}

pub struct Goals {
    list: Vec<Goal>,
    settled: Vec<bool>,
    points: HashMap<String, Vec<GoalId>>,
    branches: HashMap<(FunctionId, Branch), GoalId>,
    claims: HashMap<(FunctionId, StmtId), GoalId>,
    errors: Vec<GoalId>,
    finishes: Vec<GoalId>,
    /// Goals that are sequences, with their place in the progress of a state.
    sequences: BTreeMap<GoalId, usize>,
    /// Found and not yet told.
    pub met: Vec<Met>,
    /// Counts up when a goal is settled.
    pub changes: u64,
}

impl Goals {
    pub fn new(list: &[Goal]) -> Goals {
        let mut goals = Goals {
            list: list.to_vec(),
            settled: vec![false; list.len()],
            points: HashMap::new(),
            branches: HashMap::new(),
            claims: HashMap::new(),
            errors: Vec::new(),
            finishes: Vec::new(),
            sequences: BTreeMap::new(),
            met: Vec::new(),
            changes: 0,
        };
        for (number, goal) in (0..).zip(list) {
            let id = GoalId(number);
            match goal {
                Goal::Point(name) => goals.points.entry(name.clone()).or_default().push(id),
                Goal::Sequence(names) => {
                    let place = goals.sequences.len();
                    goals.sequences.insert(id, place);
                    for name in names {
                        let known = goals.points.entry(name.clone()).or_default();
                        if !known.contains(&id) {
                            known.push(id);
                        }
                    }
                }
                Goal::Branch(function, branch) => {
                    goals.branches.insert((*function, *branch), id);
                }
                Goal::Claim(function, stmt) => {
                    goals.claims.insert((*function, *stmt), id);
                }
                Goal::Error => goals.errors.push(id),
                Goal::Finish => goals.finishes.push(id),
            }
        }
        goals
    }

    pub fn sequence_count(&self) -> usize {
        self.sequences.len()
    }

    pub fn settle(&mut self, goal: GoalId) {
        if !std::mem::replace(&mut self.settled[goal.0 as usize], true) {
            self.changes += 1;
        }
    }

    pub fn is_settled(&self, goal: GoalId) -> bool {
        self.settled[goal.0 as usize]
    }

    pub fn all_settled(&self) -> bool {
        self.settled.iter().all(|settled| *settled)
    }

    pub fn goal(&self, id: GoalId) -> &Goal {
        &self.list[id.0 as usize]
    }

    /// Goals that are still looked for.
    pub fn open(&self) -> impl Iterator<Item = (GoalId, &Goal)> {
        (0..).map(GoalId).zip(&self.list).filter(|(id, _)| !self.is_settled(*id))
    }

    pub fn wants_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    pub fn open_error(&self) -> Option<GoalId> {
        self.errors.iter().copied().find(|id| !self.is_settled(*id))
    }

    pub fn open_finish(&self) -> Option<GoalId> {
        self.finishes.iter().copied().find(|id| !self.is_settled(*id))
    }

    pub fn open_branch(&self, function: FunctionId, branch: Branch) -> Option<GoalId> {
        self.branches.get(&(function, branch)).copied().filter(|id| !self.is_settled(*id))
    }

    pub fn open_claim(&self, function: FunctionId, stmt: StmtId) -> Option<GoalId> {
        self.claims.get(&(function, stmt)).copied().filter(|id| !self.is_settled(*id))
    }

    /// Goals that passing a trace point brings nearer.
    pub fn at_point(&self, name: &str) -> Vec<GoalId> {
        let known = self.points.get(name).into_iter().flatten();
        known.copied().filter(|id| !self.is_settled(*id)).collect()
    }

    pub fn wants_point(&self, name: &str) -> bool {
        self.points.get(name).into_iter().flatten().any(|id| !self.is_settled(*id))
    }

    /// Passing a point of a sequence: its place among a state's progress, and the names in order.
    pub fn sequence(&self, id: GoalId) -> Option<(usize, &[String])> {
        match self.goal(id) {
            Goal::Sequence(names) => Some((self.sequences[&id], names)),
            _ => None,
        }
    }

    /// Whether any statement may be a goal, so that nothing can be left out.
    pub fn is_everywhere(&self) -> bool {
        self.open_error().is_some() || self.open_finish().is_some()
    }
}

/// Every branch of the functions that control may come to, as goals.
pub fn branch_goals(program: &Program, functions: &[FunctionId]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for &id in functions {
        if let Some(cfg) = ir::Cfg::new(program, id) {
            let mut branches: Vec<Branch> = cfg.branches().collect();
            branches.sort_by_key(|branch| (branch.stmt, order(branch.outcome)));
            goals.extend(branches.into_iter().map(|branch| Goal::Branch(id, branch)));
        }
    }
    goals
}

/// Orders the outcomes of a statement: true, false, the arms, no arm.
pub fn order(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::True => 0,
        Outcome::False => 1,
        Outcome::Arm(index) => 2 + index,
        Outcome::Default => u32::MAX,
    }
}
