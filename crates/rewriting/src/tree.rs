//! Definitional trees: which argument to look at first, and which rule applies.
//!
//! *Source*: S. Antoy, "Definitional Trees", 1992. *Departure*: where no argument tells all rules apart, a
//! [`Tree::Choice`] keeps the groups side by side, as for weakly needed narrowing (Antoy, Echahed, Hanus, "Parallel
//! Evaluation Strategies for Functional Logic Languages", 1997).
//!
//! *Notation*: an evaluation has registers. The first hold the arguments; a branch that takes the case of a
//! constructor appends that constructor's arguments.
//!
//! *Example*: `add(zero, Y)`, `add(s(X), Y)` is a branch on register 0 with two leaves. `or(true, _)`, `or(_, true)` is
//! a choice of two branches.

use crate::signature::SymbolId;
use crate::system::{Pattern, Rule};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// The rule applies; for each of its variables the register that has the value.
    Leaf { rule: usize, registers: Vec<usize> },
    /// Look at the register: one case for each constructor or integer that rules have there, in their order.
    Branch { register: usize, cases: Vec<(Case, Tree)> },
    /// Each of these may apply.
    Choice(Vec<Tree>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    Constructor(SymbolId),
    Int(i128),
}

impl Tree {
    /// Whether rules overlap, or cannot be told apart one argument at a time.
    pub fn has_choice(&self) -> bool {
        match self {
            Tree::Leaf { .. } => false,
            Tree::Branch { cases, .. } => cases.iter().any(|(_, tree)| tree.has_choice()),
            Tree::Choice(_) => true,
        }
    }
}

/// A rule on its way down: what it wants of each register.
#[derive(Clone)]
struct Row<'a> {
    rule: usize,
    wants: Vec<Option<&'a Pattern>>,
    /// Registers of the rule's variables found so far.
    slots: Vec<(u32, usize)>,
}

/// The tree of rules of one operation.
pub fn build(rules: &[Rule], of: &[usize]) -> Tree {
    let rows: Vec<Row<'_>> = of
        .iter()
        .map(|&rule| {
            let mut row = Row { rule, wants: Vec::new(), slots: Vec::new() };
            rules[rule].patterns.iter().for_each(|pattern| row.want(pattern));
            row
        })
        .collect();
    tree(rows)
}

impl<'a> Row<'a> {
    /// One more register.
    fn want(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::Slot(slot) => {
                self.slots.push((*slot, self.wants.len()));
                self.wants.push(None);
            }
            _ => self.wants.push(Some(pattern)),
        }
    }

    fn case(&self, register: usize) -> Option<Case> {
        self.wants[register].map(|pattern| match pattern {
            Pattern::Constructor(symbol, _) => Case::Constructor(*symbol),
            Pattern::Int(value) => Case::Int(*value),
            Pattern::Slot(_) => unreachable!("variables want nothing"),
        })
    }
}

fn tree(rows: Vec<Row<'_>>) -> Tree {
    let registers = rows[0].wants.len();
    let wanting = |register: usize| rows.iter().filter(|row| row.wants[register].is_some()).count();
    if let Some(register) = (0..registers).find(|r| wanting(*r) == rows.len()) {
        let mut cases: Vec<(Case, Vec<Row<'_>>)> = Vec::new();
        for mut row in rows {
            let case = row.case(register).expect("every row should want something of this register");
            let pattern = row.wants[register].take();
            if let Some(Pattern::Constructor(_, inner)) = pattern {
                inner.iter().for_each(|pattern| row.want(pattern));
            }
            match cases.iter_mut().find(|(known, _)| *known == case) {
                Some((_, group)) => group.push(row),
                None => cases.push((case, vec![row])),
            }
        }
        return Tree::Branch { register, cases: cases.into_iter().map(|(case, rows)| (case, tree(rows))).collect() };
    }
    let (done, rest): (Vec<Row<'_>>, Vec<Row<'_>>) =
        rows.into_iter().partition(|row| row.wants.iter().all(Option::is_none));
    let mut choices: Vec<Tree> = done.into_iter().map(leaf).collect();
    if !rest.is_empty() {
        // The register that most rules look at tells most of them apart.
        let count = |r: usize| rest.iter().filter(|row| row.wants[r].is_some()).count();
        let best = (0..registers).max_by_key(|r| (count(*r), std::cmp::Reverse(*r))).unwrap_or(0);
        let (with, without): (Vec<Row<'_>>, Vec<Row<'_>>) = rest.into_iter().partition(|row| row.wants[best].is_some());
        choices.push(tree(with));
        if !without.is_empty() {
            match tree(without) {
                Tree::Choice(more) => choices.extend(more),
                one => choices.push(one),
            }
        }
    }
    if choices.len() == 1 { choices.remove(0) } else { Tree::Choice(choices) }
}

fn leaf(row: Row<'_>) -> Tree {
    let mut slots = row.slots;
    slots.sort_unstable();
    Tree::Leaf { rule: row.rule, registers: slots.into_iter().map(|(_, register)| register).collect() }
}
