//! A signature with rules, ready for evaluation: the rules of each operation and their definitional tree.

use crate::code::Code;
use crate::problem::At;
use crate::signature::{Signature, SortId, SymbolId, SymbolKind};
use crate::tree::{Tree, build};

/// An argument of a left-hand side. Variables number from 0 within the rule, each at most once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    Slot(u32),
    Int(i128),
    Constructor(SymbolId, Vec<Pattern>),
}

/// `operation(patterns) -> result`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    pub operation: SymbolId,
    pub patterns: Vec<Pattern>,
    pub result: Code,
    /// The number of variables.
    pub slots: usize,
    /// Where it stands in the text; unset for generated rules.
    pub at: At,
}

/// What is known about the rules of one operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operation {
    pub rules: Vec<usize>,
    pub tree: Option<Tree>,
    /// Whether overlapping rules always agree, so that any of them may be taken.
    pub agrees: bool,
}

#[derive(Clone, Debug, Default)]
pub struct System {
    pub signature: Signature,
    pub(crate) rules: Vec<Rule>,
    pub(crate) operations: Vec<Operation>,
}

impl System {
    pub fn new(signature: Signature) -> System {
        System { signature, rules: Vec::new(), operations: Vec::new() }
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rules of one operation, in the order of the text.
    pub fn rules_of(&self, operation: SymbolId) -> impl Iterator<Item = &Rule> {
        let own = self.operations.get(operation.0 as usize).map_or(&[][..], |o| &o.rules);
        own.iter().map(|rule| &self.rules[*rule])
    }

    /// Adds an operation that has no name in the text. Its rules follow by [`System::add_rule`].
    pub fn add_operation(&mut self, name: &str, args: Vec<SortId>, result: SortId) -> SymbolId {
        self.signature.add_symbol(name, SymbolKind::Operation, args, result, At::default())
    }

    /// Adds a rule; [`System::finish`] is to be called before the next evaluation.
    pub fn add_rule(&mut self, rule: Rule) {
        let index = rule.operation.0 as usize;
        if self.operations.len() <= index {
            self.operations.resize_with(index + 1, Operation::default);
        }
        self.operations[index].rules.push(self.rules.len());
        self.operations[index].tree = None;
        self.rules.push(rule);
    }

    /// Builds the definitional trees of what has changed.
    pub fn finish(&mut self) {
        for index in 0..self.operations.len() {
            if self.operations[index].tree.is_none() && !self.operations[index].rules.is_empty() {
                let operation = &self.operations[index];
                let tree = build(&self.rules, &operation.rules);
                let agrees = !tree.has_choice() || crate::check::rules_agree(self, SymbolId(index as u32));
                let operation = &mut self.operations[index];
                operation.tree = Some(tree);
                operation.agrees = agrees;
            }
        }
    }

    pub(crate) fn operation(&self, symbol: SymbolId) -> Option<&Operation> {
        self.operations.get(symbol.0 as usize)
    }

    /// Whether the rules of the operation can be told apart argument by argument, none overlapping.
    pub fn is_inductively_sequential(&self, symbol: SymbolId) -> bool {
        self.operation(symbol).and_then(|o| o.tree.as_ref()).is_none_or(|tree| !tree.has_choice())
    }
}
