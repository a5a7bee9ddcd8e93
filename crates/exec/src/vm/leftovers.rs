//! What a program leaves behind when it ends: heap objects that were not freed, files that were not closed.

use super::machine::Machine;
use crate::memory::Address;
use diagnostics::{Finding, Note, Rule, Span};
use std::collections::BTreeMap;

/// Which of the objects that were not freed are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaks {
    /// Those to which no pointer leads any more.
    Lost,
    All,
}

/// The calls in which the heap objects of a run were made, by address.
pub(super) type Allocations = BTreeMap<Address, Vec<Note>>;

/// How many calls are kept for an object.
const KEPT_CALLS: usize = 6;

/// Objects that were made in one place, by one way to it.
#[derive(Default)]
struct Group {
    objects: u64,
    bytes: u64,
    /// The calls on the way to it.
    calls: Vec<Note>,
}

impl Machine<'_> {
    /// Notes in which calls a heap object is made, where somebody will ask.
    pub(crate) fn note_allocation(&mut self, address: Address) {
        if self.leaks.is_none() {
            return;
        }
        let calls = self.frames.windows(2).rev().take(KEPT_CALLS).map(|pair| {
            let (caller, callee) = (&pair[0], &pair[1]);
            let span = caller.code.spans[caller.pc.saturating_sub(1) as usize];
            Note { span, message: format!("in a call of `{}` made here", self.function_name(callee.code.function)) }
        });
        let calls = calls.collect();
        self.allocations.insert(address, calls);
    }

    /// What is left when the program has ended by itself.
    pub(super) fn leftovers(&mut self) -> Vec<Finding> {
        let Some(leaks) = self.leaks else { return Vec::new() };
        let height = self.frames.last().map_or(0, |frame| frame.base as usize + frame.code.registers as usize);
        let mut groups: BTreeMap<(bool, Span, Vec<Span>), Group> = BTreeMap::new();
        for kept in self.memory.kept_heap(&self.registers[..height]) {
            if kept.reachable && leaks == Leaks::Lost {
                continue;
            }
            let calls = self.allocations.remove(&kept.address).unwrap_or_default();
            let places = calls.iter().map(|note| note.span).collect();
            let group = groups.entry((kept.reachable, kept.made, places)).or_default();
            group.calls = calls;
            group.objects += 1;
            group.bytes += kept.size;
        }
        let mut findings: Vec<Finding> = groups
            .into_iter()
            .map(|((reachable, made, _), group)| {
                let objects =
                    if group.objects == 1 { "a heap object".into() } else { format!("{} heap objects", group.objects) };
                let were = if group.objects == 1 { "was" } else { "were" };
                let state = if reachable { "pointers still lead to" } else { "no pointer leads any more to" };
                let what = if group.objects == 1 { "it" } else { "them" };
                let message = format!("{objects} of {} bytes {were} never freed, and {state} {what}", group.bytes);
                let mut finding = Finding::new(Rule::Leak, made, message);
                finding.notes = group.calls;
                finding
            })
            .collect();
        for (what, span) in self.library.left_open() {
            findings.push(Finding::new(Rule::LeftOpen, span, format!("{what} is opened here and never closed")));
        }
        findings
    }
}
