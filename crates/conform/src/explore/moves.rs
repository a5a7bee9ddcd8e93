//! The calls that read and write, as edges of the machine.

use super::{Calling, Explored, Explorer, Overflow, Point};
use crate::cells::{CellId, Root, without_conversions};
use crate::evaluate::Valuation;
use crate::kinds::{Form, Item, KindId, MAX_ITEMS, Pattern, Repeat, What};
use crate::memory;
use crate::model::Spot;
use crate::sites::Does;
use crate::symbols::Worth;
use crate::table::{Block, Moves, Role};
use crate::value::{Constant, Value};
use automata::{Label, Machine, ModuleId, NEVER, StateId};
use ir::{Base, Callee, Expr, ExprKind, Lvalue, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// The most constants of one call that are told apart.
const MOST_CONSTANTS: usize = 32;

/// The most ways that a call which is not looked into leaves the variables in; beyond, they are not known.
const MOST_WAYS: usize = 24;

/// One kind of a pattern, with what is known about its value.
#[derive(Clone, Copy)]
struct Piece {
    kind: KindId,
    worth: Worth,
    /// A literal of a format: a character that is not known may be the one that is asked for.
    literal: bool,
    repeat: Repeat,
}

/// A call that reads or writes.
struct Transfer<'c> {
    call: Calling<'c>,
    /// The name of the function that is called.
    callee: &'c str,
    moves: &'c Moves,
    pieces: &'c [Piece],
}

impl<'p> Explorer<'_, 'p, '_, '_> {
    pub(super) fn site(
        &mut self,
        module: usize,
        state: StateId,
        next: Point,
        call: Calling<'p>,
        site: usize,
    ) -> Result<(), Overflow> {
        let model = self.model;
        let found = &model.sites.all[site];
        self.sites.insert(site);
        let pieces = match &found.does {
            Does::Moves(moves) => self.pieces(module, &next.at, moves, call.args).map(|pieces| (moves, pieces)),
            Does::Untold(why) => Err(why.clone()),
            Does::Nothing | Does::Fails => Err("a call that is no input or output".to_string()),
        };
        if let Ok((moves, pieces)) = &pieces
            && moves.block.is_some()
            && pieces.iter().any(|piece| piece.repeat != Repeat::Once)
        {
            let note = format!("how much `{}` {} is not known", found.callee, model.role.verb());
            self.notes.insert((Spot(call.stmt.span), note));
        }
        let (moves, pieces) = match pieces {
            Ok(found) => found,
            Err(why) => {
                let verb = model.role.verb();
                let why = format!("what `{}` {verb} is not known: {why}", found.callee);
                self.obstacles.insert((Spot(call.stmt.span), why));
                return self.passed_by(module, state, next, call, &[Value::Unknown], false);
            }
        };
        let transfer = Transfer { call, callee: &found.callee, moves, pieces: &pieces };
        for at in self.overwritten(module, &next, call.stmt) {
            let next = Point { at, ..next.clone() };
            match model.role {
                Role::Producer => self.write(module, state, next, &transfer)?,
                Role::Consumer => self.read(module, state, next, &transfer)?,
            }
        }
        Ok(())
    }

    /// The pattern of a call with its widths and sizes filled in.
    fn pieces(&mut self, module: usize, at: &Valuation, moves: &Moves, args: &[Expr]) -> Result<Vec<Piece>, String> {
        let block = moves.block.as_ref().and_then(|block| self.block(module, at, block, args));
        let evaluator = self.evaluator(self.modules[module].function);
        let pattern = block.as_ref().unwrap_or(&moves.pattern);
        let mut pieces = Vec::with_capacity(pattern.len());
        let some = |position: &u32| {
            args.get(*position as usize - 1).is_some_and(|arg| evaluator.value(at, arg).truth() == Some(true))
        };
        let filled = block.is_none() && moves.block.as_ref().is_some_and(|block| block.size.iter().all(some));
        for item in pattern {
            let (kind, worth) = match item.what {
                What::Kind(kind) => (kind, Worth::Any),
                What::Literal(kind, value) => (kind, Worth::Is(value)),
                What::Width(position) => {
                    let arg = args.get(position as usize - 1);
                    let width = arg.and_then(|arg| evaluator.value(at, arg).as_int());
                    match width.and_then(|width| u32::try_from(width).ok()).filter(|width| (1..=128).contains(width)) {
                        Some(width) => (self.setting.kinds.unsigned(width), Worth::Any),
                        None => {
                            let Some(otherwise) = &moves.otherwise else {
                                return Err(format!("its argument {position} is not constant"));
                            };
                            let plain = |item: &Item| match item.what {
                                What::Kind(kind) | What::Literal(kind, _) => {
                                    Some(Piece { kind, worth: Worth::Any, literal: false, repeat: item.repeat })
                                }
                                What::Width(_) => None,
                            };
                            let pieces = otherwise.iter().map(plain);
                            return pieces.collect::<Option<_>>().ok_or_else(|| "its width is not known".to_string());
                        }
                    }
                }
            };
            let literal = matches!(item.what, What::Literal(..));
            let repeat = if filled && item.repeat == Repeat::Any { Repeat::AtLeastOnce } else { item.repeat };
            pieces.push(Piece { kind, worth, literal, repeat });
        }
        Ok(pieces)
    }

    /// What a block of memory is, where its size is known on this path.
    fn block(&mut self, module: usize, at: &Valuation, block: &Block, args: &[Expr]) -> Option<Pattern> {
        let evaluator = self.evaluator(self.modules[module].function);
        let program = self.model.program;
        let argument = |position: u32| args.get(position as usize - 1);
        let total = block.size.iter().try_fold(1u64, |product, position| {
            let factor = evaluator.value(at, argument(*position)?).as_int()?;
            product.checked_mul(u64::try_from(factor).ok()?)
        })?;
        let pointee = match evaluator.value(at, argument(block.pointer)?) {
            Value::Is(Constant::Address(cell)) => memory::sized(program, self.model.cells.get(cell).ty),
            Value::Is(Constant::Object(ty)) => memory::sized(program, ty),
            _ => None,
        };
        if pointee.is_some_and(|(_, width)| total.is_multiple_of(width)) {
            return Some(memory::of_type(program, pointee, total, self.setting.kinds));
        }
        let count = total / block.bytes;
        let fits = total.is_multiple_of(block.bytes) && count.checked_mul(block.element.len() as u64)? <= MAX_ITEMS;
        fits.then(|| block.element.repeat(count as usize))
    }

    /// What a call returns that moved all it was asked for.
    fn returned(&self, module: usize, at: &Valuation, moves: &Moves, args: &[Expr]) -> Value {
        if let Some(block) = &moves.block {
            let count = block.size.last().and_then(|position| args.get(*position as usize - 1));
            let count = count.and_then(|arg| self.evaluator(self.modules[module].function).value(at, arg).as_int());
            return count.map_or(Value::Range(Some(0), None), Value::int);
        }
        match moves.returned {
            Some((low, Some(high))) if low == high => Value::int(low),
            Some((low, high)) => Value::Range(Some(low), high),
            None => Value::Unknown,
        }
    }

    fn write(&mut self, module: usize, state: StateId, next: Point, transfer: &Transfer) -> Result<(), Overflow> {
        let Transfer { call: Calling { stmt, callee, args, result }, moves, pieces, .. } = *transfer;
        let function = self.modules[module].function;
        let written = moves.value.filter(|_| self.setting.values.is_some() && pieces.len() == 1);
        let arg = written.and_then(|position| args.get((position as usize).wrapping_sub(1)));
        let evaluator = self.evaluator(function);
        let ways = match arg {
            Some(arg) if moves.pointer.is_some() => {
                let value = match evaluator.value(&next.at, arg) {
                    Value::Is(Constant::Address(cell)) => next.at.get(cell).cloned().unwrap_or(Value::Unknown),
                    _ => Value::Unknown,
                };
                vec![(next.at.clone(), value)]
            }
            Some(arg) => evaluator.values(&next.at, arg),
            None => vec![(next.at.clone(), Value::Unknown)],
        };
        for (mut at, value) in ways {
            // Writing is taken to succeed.
            let returned = self.returned(module, &at, moves, args);
            // A function of the program may store to what it is given the address of; one of the library reads it.
            if self.has_body(callee) {
                self.forget_locals(module, &mut at, args);
            }
            if let Some(target) = result {
                self.assign(function, &mut at, target, returned);
            }
            let mut pieces = pieces.to_vec();
            if let (Some(value), [piece]) = (value.as_int(), &mut pieces[..]) {
                // A number that does not fit is cut to what is written of it.
                let bits = self.setting.kinds.bits(piece.kind).filter(|bits| *bits < 127);
                let value = bits.map_or(value, |bits| value & ((1 << bits) - 1));
                // Who writes many numbers writes data.
                let seen = self.constants.entry((function, stmt.id)).or_default();
                if seen.len() < MOST_CONSTANTS || seen.contains(&value) {
                    seen.insert(value);
                    piece.worth = Worth::Is(value);
                }
            }
            let end = self.emit(module, state, &pieces, transfer);
            self.pass(module, end, Point { at, ..next.clone() })?;
        }
        Ok(())
    }

    fn read(&mut self, module: usize, state: StateId, mut next: Point, transfer: &Transfer) -> Result<(), Overflow> {
        let Transfer { call: Calling { args, result, .. }, moves, pieces, .. } = *transfer;
        let function = self.modules[module].function;
        let end = self.model.cells.end();
        let mut ended = next.at.clone();
        let over = ended.get(end) == Some(&Value::int(1));
        let put_back = self.model.cells.put_back();
        if next.at.get(put_back) == Some(&Value::int(1)) {
            next.at.set(put_back, Value::Unknown);
            // A character is found again; of anything else it is a part, and what was read before stands for it.
            if let [Piece { kind, repeat: Repeat::Once, .. }] = pieces
                && self.setting.kinds.bits(*kind) == Some(8)
            {
                let returned = self.returned(module, &next.at, moves, args);
                if let Some(target) = result {
                    self.assign(function, &mut next.at, target, returned);
                }
                return self.pass(module, state, next);
            }
        }
        if let Some(returned) = moves.end {
            ended.set(end, Value::int(1));
            // What is read in part is stored in part.
            self.forget_arguments(module, &mut ended, args);
            if let Some(target) = result {
                self.assign(function, &mut ended, target, Value::int(returned));
            }
            self.pass(module, state, Point { at: ended, ..next.clone() })?;
        }
        if over {
            return Ok(());
        }
        let returned = self.returned(module, &next.at, moves, args);
        if self.setting.values.is_some()
            && let Some(cells) = self.elements(module, moves, pieces, args)
        {
            return self.read_array(module, state, next, transfer, &cells, returned);
        }
        // The constants of the producer are read one by one, and anything else as a value that is not known.
        let known: BTreeSet<i128> = match (pieces, self.setting.values) {
            ([Piece { kind, worth: Worth::Any, repeat: Repeat::Once, .. }], Some(values)) if moves.asked => {
                values.of(*kind, self.setting.kinds)
            }
            _ => BTreeSet::new(),
        };
        let into = moves.value.unwrap_or(0);
        let forks = !known.is_empty();
        let ways = known.into_iter().map(Some).chain([None]);
        for value in ways {
            let mut at = next.at.clone();
            let stored = value.map_or(Value::Unknown, Value::int);
            if into == 0 {
                let stored = if value.is_some() { stored } else { returned.clone() };
                if let Some(target) = result {
                    let stored = self.fitted(stored, target);
                    self.assign(function, &mut at, target, stored);
                }
            } else {
                let pointer = args.get(into as usize - 1);
                let changed = pointer.map(|arg| self.model.cells.handed(self.model.program, function, arg));
                changed.into_iter().flatten().for_each(|cell| at.set(cell, Value::Unknown));
                let pointer = pointer.map(|arg| self.evaluator(function).value(&at, arg));
                if let Some(Value::Is(Constant::Address(cell))) = pointer {
                    at.set(cell, stored);
                }
                if let Some(target) = result {
                    self.assign(function, &mut at, target, returned.clone());
                }
            }
            if into == 0 && moves.value.is_none() {
                self.forget_arguments(module, &mut at, args);
            }
            let mut pieces = pieces.to_vec();
            if let [piece] = &mut pieces[..]
                && forks
            {
                piece.worth = value.map_or(Worth::Other, Worth::Is);
            }
            // A line may be the last one and lack its end.
            let line = self.setting.kinds.builtin("line");
            if let ([piece], Some(_)) = (&pieces[..], moves.end)
                && piece.kind == line
            {
                let mut at = at.clone();
                at.set(end, Value::int(1));
                let last = Piece { kind: self.setting.kinds.builtin("last-line"), ..*piece };
                let last = self.emit(module, state, &[last], transfer);
                self.pass(module, last, Point { at, ..next.clone() })?;
            }
            let last = self.emit(module, state, &pieces, transfer);
            self.pass(module, last, Point { at, ..next.clone() })?;
        }
        Ok(())
    }

    /// The elements of the array that bytes are read into, if it is asked what some of them are.
    fn elements(&self, module: usize, moves: &Moves, pieces: &[Piece], args: &[Expr]) -> Option<Vec<CellId>> {
        let function = self.modules[module].function;
        let pointer = args.get(moves.pointer? as usize - 1)?;
        let ExprKind::AddressOf(Lvalue { base: Base::Local(id), .. }) = &without_conversions(pointer).kind else {
            return None;
        };
        let cells = self.model.cells.elements(Root::Local(function, *id));
        let bytes = pieces.iter().all(|piece| self.setting.kinds.bits(piece.kind) == Some(8));
        let asked = cells.iter().take(pieces.len()).any(|cell| self.slice.follows(*cell));
        (bytes && asked && pieces.len() <= cells.len()).then_some(cells)
    }

    /// Reads bytes one by one. Each is one of the constants it is compared with, another constant, or not known.
    fn read_array(
        &mut self,
        module: usize,
        state: StateId,
        next: Point,
        transfer: &Transfer,
        cells: &[CellId],
        returned: Value,
    ) -> Result<(), Overflow> {
        let Transfer { call: Calling { result, .. }, pieces, .. } = *transfer;
        let function = self.modules[module].function;
        let known = match (pieces.first(), self.setting.values) {
            (Some(piece), Some(values)) => values.of(piece.kind, self.setting.kinds),
            _ => BTreeSet::new(),
        };
        let mut now: Vec<(StateId, Valuation)> = vec![(state, next.at.clone())];
        for (piece, cell) in pieces.iter().zip(cells) {
            let mut after: BTreeMap<Valuation, StateId> = BTreeMap::new();
            let asked = self.slice.asked.get(cell).filter(|_| self.slice.follows(*cell));
            let kind = self.model.program.types.int_kind(self.model.cells.get(*cell).ty);
            let wrap = |value: i128| kind.map_or(value, |kind| kind.wrap(value));
            let (told, others): (Vec<i128>, Vec<i128>) =
                known.iter().copied().partition(|value| asked.is_some_and(|asked| asked.contains(&wrap(*value))));
            let mut ways: Vec<(Value, Vec<Worth>)> =
                told.iter().map(|value| (Value::int(wrap(*value)), vec![Worth::Is(*value)])).collect();
            match asked.filter(|_| !known.is_empty()) {
                Some(asked) => {
                    ways.push((
                        Value::Not(asked.iter().copied().collect()),
                        others.into_iter().map(Worth::Is).collect(),
                    ));
                    ways.push((Value::Unknown, vec![Worth::Other]));
                }
                None => ways.push((Value::Unknown, vec![Worth::Any])),
            }
            for (from, at) in now {
                for (value, worths) in &ways {
                    let mut at = at.clone();
                    at.set(*cell, value.clone());
                    for worth in worths {
                        let to = self.once(module, from, &Piece { worth: *worth, ..*piece }, transfer);
                        let meet = *after.entry(at.clone()).or_insert(to);
                        if meet != to {
                            self.silent(module, to, meet);
                        }
                    }
                }
            }
            now = after.into_iter().map(|(at, state)| (state, at)).collect();
        }
        for (from, mut at) in now {
            if let Some(target) = result {
                self.assign(function, &mut at, target, returned.clone());
            }
            self.pass(module, from, Point { at, ..next.clone() })?;
        }
        Ok(())
    }

    /// What may be known after a call whose function has a body that is not looked into: flags and states that it sets
    /// to constants are as they were or have one of those, and all else that it changes is not known.
    pub(super) fn overwritten(&self, module: usize, next: &Point, stmt: &Stmt) -> Vec<Valuation> {
        let function = self.modules[module].function;
        let mut ways = vec![next.at.clone()];
        let Some(written) = self.model.overwritten.get(&(function, stmt.id)) else { return ways };
        for (cell, values) in written {
            if next.at.get(*cell).is_none() || self.model.fixed.contains_key(cell) {
                continue;
            }
            let asked = self.live.is_live(function, next.block, next.index, *cell);
            if !asked || values.contains(&Value::Unknown) || ways.len() * (values.len() + 1) > MOST_WAYS {
                ways.iter_mut().for_each(|at| at.set(*cell, Value::Unknown));
                continue;
            }
            let with = |at: &Valuation, value: &Value| {
                let mut at = at.clone();
                at.set(*cell, value.clone());
                at
            };
            let changed: Vec<Valuation> =
                ways.iter().flat_map(|at| values.iter().map(move |value| with(at, value))).collect();
            ways.extend(changed);
        }
        ways.sort();
        ways.dedup();
        ways
    }

    fn has_body(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Function(id) => self.model.program.functions[*id].body.is_some(),
            Callee::Pointer(_) => true,
            Callee::Intrinsic(_) => false,
        }
    }

    /// The locals whose addresses are handed over; what a body does to globals and fields is known ([`Self::overwritten`]).
    fn forget_locals(&self, module: usize, at: &mut Valuation, args: &[Expr]) {
        let function = self.modules[module].function;
        let evaluator = self.evaluator(function);
        for arg in args {
            let led = match evaluator.value(at, arg) {
                Value::Is(Constant::Address(cell)) => Some(cell),
                _ => None,
            };
            let handed = self.model.cells.handed(self.model.program, function, arg);
            for cell in handed.into_iter().chain(led) {
                if matches!(self.model.cells.get(cell).root, Root::Local(..)) {
                    at.set(cell, Value::Unknown);
                }
            }
        }
    }

    /// What was read goes to what the arguments point to, and is not known.
    fn forget_arguments(&self, module: usize, at: &mut Valuation, args: &[Expr]) {
        let evaluator = self.evaluator(self.modules[module].function);
        for arg in args {
            if let Value::Is(Constant::Address(cell)) = evaluator.value(at, arg) {
                at.set(cell, Value::Unknown);
            }
            for cell in self.model.cells.handed(self.model.program, self.modules[module].function, arg) {
                at.set(cell, Value::Unknown);
            }
        }
    }

    /// A value as the type it is stored to holds it.
    fn fitted(&self, value: Value, target: &Lvalue) -> Value {
        match (value.as_int(), self.model.program.types.int_kind(target.ty)) {
            (Some(number), Some(kind)) => Value::int(kind.wrap(number)),
            _ => value,
        }
    }

    /// Edges for a row of pieces; the state they lead to.
    fn emit(&mut self, module: usize, from: StateId, pieces: &[Piece], transfer: &Transfer) -> StateId {
        let mut from = from;
        for piece in pieces {
            from = match piece.repeat {
                Repeat::Once => self.once(module, from, piece, transfer),
                Repeat::Maybe => {
                    let to = self.once(module, from, piece, transfer);
                    self.silent(module, from, to);
                    to
                }
                Repeat::Any | Repeat::AtLeastOnce => {
                    let start = match piece.repeat {
                        Repeat::Any => {
                            let start = self.modules[module].machine.add_state();
                            self.silent(module, from, start);
                            start
                        }
                        _ => self.once(module, from, piece, transfer),
                    };
                    let back = self.once(module, start, piece, transfer);
                    self.silent(module, back, start);
                    start
                }
            };
        }
        from
    }

    fn once(&mut self, module: usize, from: StateId, piece: &Piece, transfer: &Transfer) -> StateId {
        let Piece { kind, worth, .. } = *piece;
        let function = self.modules[module].function;
        let tag = self.tag(function, transfer.call.stmt, transfer.callee, Some(kind));
        let to = self.modules[module].machine.add_state();
        self.edges += 1;
        let setting = &mut *self.setting;
        let mut symbols = vec![setting.symbols.of(kind, worth, setting.kinds)];
        match (self.model.role, worth) {
            (Role::Producer, Worth::Is(value)) => drop(self.written.entry(kind).or_default().insert(value)),
            (Role::Producer, _) => {
                let character = match setting.kinds.form(kind) {
                    Some(Form::Newline) => Some(b'\n'),
                    Some(Form::Blank) => Some(b' '),
                    _ => None,
                };
                if let Some(character) = character {
                    self.written.entry(setting.kinds.unsigned(8)).or_default().insert(character.into());
                }
            }
            (Role::Consumer, Worth::Is(_)) if piece.literal => {
                symbols.push(setting.symbols.of(kind, Worth::Other, setting.kinds));
            }
            _ => {}
        }
        for symbol in symbols {
            self.modules[module].machine.add_edge(from, to, Label::Emit(symbol), tag);
        }
        to
    }

    /// The machine of all modules.
    pub(super) fn finish(self) -> Explored {
        let mut functions = BTreeSet::new();
        let mut endless = Vec::new();
        for (number, building) in self.modules.iter().enumerate() {
            functions.insert(building.function);
            // A program may end inside a call that never returns.
            if building.exits.is_empty() {
                endless.extend(building.waiting.iter().map(|w| (w.module, w.from, number, w.tag)));
            }
        }
        let mut modules: Vec<automata::Module> = self.modules.into_iter().map(|building| building.machine).collect();
        for (module, from, callee, tag) in endless {
            let nowhere = modules[module].add_state();
            let label = Label::Call { module: ModuleId::new(callee), exit: NEVER };
            modules[module].add_edge(from, nowhere, label, tag);
        }
        for module in &mut modules {
            module.edges.sort_unstable();
            module.edges.dedup();
            module.ends.sort_unstable();
            module.ends.dedup();
        }
        Explored {
            machine: Machine { modules, main: ModuleId::new(0) },
            tags: self.tags,
            written: self.written,
            functions,
            notes: self.notes,
            obstacles: self.obstacles,
            fields: self.fields,
            sites: self.sites,
        }
    }
}
