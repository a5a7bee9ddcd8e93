//! Returns: what leaves a module, and how its callers go on.

use super::{Exit, Explorer, Overflow, Waiting};
use crate::cells::Root;
use crate::evaluate::Valuation;
use crate::model::Spot;
use crate::table::is_good_status;
use crate::value::Value;
use automata::{Label, ModuleId, StateId};

impl<'p> Explorer<'_, 'p, '_, '_> {
    /// Returns from a module.
    pub(super) fn exit(
        &mut self,
        module: usize,
        state: StateId,
        result: Value,
        mut at: Valuation,
    ) -> Result<(), Overflow> {
        let function = self.modules[module].function;
        let signature = self.model.program.types.signature(self.model.program.functions[function].ty);
        // Who starts in the middle and returns no number ends well by returning.
        let counts = signature.is_none_or(|signature| self.model.program.types.int_kind(signature.result).is_some());
        if function == self.model.entry && self.modules[module].waiting.is_empty() && counts {
            let is_status = self.model.name(function) == "main";
            if !self.succeeds(&result, is_status) {
                return Ok(());
            }
            if result.as_int().is_none() {
                let span = self.model.program.functions[function].span;
                let note = format!(
                    "what `{}` returns is not always known, and then counts as success",
                    self.model.name(function)
                );
                self.notes.insert((Spot(span), note));
            }
        }
        let touched = &self.slice.touched[&function];
        at.retain(|cell| match self.model.cells.get(cell).root {
            Root::Local(owner, _) => owner != function,
            _ => touched.contains(&cell) && self.live.outlives(function, cell),
        });
        let result = if self.slice.results.contains(&function) { result } else { Value::Unknown };
        let exit = Exit { result, at };
        let building = &mut self.modules[module];
        let number = match building.exits.iter().position(|known| *known == exit) {
            Some(number) => number,
            None => {
                let to = building.machine.add_state();
                building.machine.add_exit(to);
                building.exits.push(exit);
                let number = building.exits.len() - 1;
                for waiting in building.waiting.clone() {
                    self.resume(module, number, &waiting)?;
                }
                number
            }
        };
        let to = self.modules[module].machine.exits[number];
        self.silent(module, state, to);
        Ok(())
    }

    /// Whether what the entry returns, or the program ends with, may be a success.
    pub(super) fn succeeds(&self, result: &Value, is_status: bool) -> bool {
        match result.as_int().filter(|_| is_status) {
            Some(status) => is_good_status(self.model.success, status),
            None => self.model.success.iter().any(|good| result.admits(*good)),
        }
    }

    /// Goes on after a call that returned by an exit.
    pub(super) fn resume(&mut self, callee: usize, exit: usize, waiting: &Waiting<'p>) -> Result<(), Overflow> {
        let Exit { result, at: after } = self.modules[callee].exits[exit].clone();
        let called = self.modules[callee].function;
        let end = self.model.cells.end();
        let ended = |at: &Valuation| at.get(end) == Some(&Value::int(1));
        if waiting.unwatched && ended(&after) && !ended(&waiting.point.at) {
            return Ok(());
        }
        let mut point = waiting.point.clone();
        let touched = &self.slice.touched[&called];
        point.at.retain(|cell| !touched.contains(&cell) && !waiting.lent.contains(&cell));
        for (cell, value) in after.iter() {
            point.at.set(*cell, value.clone());
        }
        let function = self.modules[waiting.module].function;
        if let Some(target) = waiting.result {
            self.assign(function, &mut point.at, target, result);
        }
        let to = self.arrive(waiting.module, point)?;
        self.edges += 1;
        if self.edges > self.setting.budget.edges {
            let exits: Vec<&Valuation> =
                self.modules.iter().flat_map(|m| m.exits.iter().map(|exit| &exit.at)).collect();
            return Err(self.most_varied(&exits));
        }
        let label = Label::Call { module: ModuleId::new(callee), exit: exit as u32 };
        self.modules[waiting.module].machine.add_edge(waiting.from, to, label, waiting.tag);
        Ok(())
    }
}
