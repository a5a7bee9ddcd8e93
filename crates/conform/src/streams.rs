//! Where a program does to its standard stream what the messages depend on, and what they are then is not followed.
//!
//! A row of calls that write is a message only if what they write arrives, in that order. Three things break this: an end
//! that drops what the library still holds (`_exit`), a stream that is closed before the last call, and calls that go past
//! the library (`write(1, …)`) beside calls that do not. The same holds of what is read, but for the first.
//!
//! *Guarantee*: where no call is one of these, what the calls on the standard stream of a side move is what goes through it, in
//! their order, devices aside.

use super::cells::without_conversions;
use super::sites::{Does, Site, Sites};
use super::standard::Standard;
use super::table::{Role, is_good_status, plain};
use ir::{BlockId, CallGraph, Callee, Cfg, Expr, ExprKind, FunctionId, Program, Stmt, StmtId, StmtKind};
use std::collections::BTreeSet;

/// Calls of the system, which hold nothing back.
const DIRECT: [&str; 9] = ["write", "pwrite", "send", "sendto", "dprintf", "vdprintf", "read", "pread", "recv"];

pub(super) struct Streams<'p> {
    program: &'p Program,
    role: Role,
    entry: FunctionId,
    success: &'p [i128],
    /// Functions with a call that moves something.
    moving: BTreeSet<FunctionId>,
    calls: BTreeSet<(FunctionId, StmtId)>,
    has_buffered: bool,
    standard: Standard<'p>,
}

impl<'p> Streams<'p> {
    pub fn new(
        program: &'p Program,
        graph: &CallGraph,
        role: Role,
        entry: FunctionId,
        success: &'p [i128],
        sites: &Sites,
    ) -> Streams<'p> {
        let moves = |site: &&Site| matches!(site.does, Does::Moves(_) | Does::Untold(_));
        let moving = sites.all.iter().filter(moves).map(|site| site.function).collect();
        let calls = sites.all.iter().filter(moves).map(|site| (site.function, site.stmt)).collect();
        let is_buffered = |site: &Site| {
            let is_library = program.find_function(&site.callee).is_none_or(|id| program.functions[id].body.is_none());
            is_library && exec::libc::lookup(&site.callee).is_some() && !DIRECT.contains(&plain(&site.callee))
        };
        let has_buffered = sites.all.iter().filter(moves).any(is_buffered);
        let (stream, descriptor) = if role == Role::Producer { ("stdout", 1) } else { ("stdin", 0) };
        let standard = Standard::new(program, graph, stream, descriptor);
        Streams { program, role, entry, success, moving, calls, has_buffered, standard }
    }

    /// Why what a call does to the stream leaves the messages open; nothing if it does not.
    pub fn disturbed(&self, graph: &CallGraph, id: FunctionId, cfg: &Cfg, at: (BlockId, usize)) -> Option<String> {
        let stmt = &cfg.blocks[at.0].stmts[at.1];
        let StmtKind::Call { callee: Callee::Function(called), args, .. } = &stmt.kind else { return None };
        let called = &self.program.functions[*called];
        if called.body.is_some() {
            return None;
        }
        let name = plain(&called.name);
        let verb = self.role.verb();
        let is_stream = args.first().is_some_and(|arg| self.standard.may_be(id, arg));
        match name {
            "_exit" | "_Exit" | "quick_exit"
                if self.role == Role::Producer && self.has_buffered && self.may_succeed(args.first()) =>
            {
                Some(format!("`{name}` drops what is written and not flushed, which is not followed"))
            }
            "close" | "fclose" if is_stream && self.moves_behind(graph, id, cfg, at) => {
                Some(format!("what it {verb} after `{name}` has closed the stream is not followed"))
            }
            _ if DIRECT.contains(&name) && is_stream && self.has_buffered => Some(format!(
                "`{name}` goes past what the library holds of the stream, and in which order it {verb} is not followed"
            )),
            _ => None,
        }
    }

    fn may_succeed(&self, status: Option<&Expr>) -> bool {
        match status.map(|status| &without_conversions(status).kind) {
            Some(ExprKind::Int(status)) => is_good_status(self.success, *status),
            _ => true,
        }
    }

    /// Whether something may be moved after a statement. Of what callers do nothing is known here.
    fn moves_behind(&self, graph: &CallGraph, id: FunctionId, cfg: &Cfg, (block, index): (BlockId, usize)) -> bool {
        if id != self.entry {
            return true;
        }
        if cfg.blocks[block].stmts[index + 1..].iter().any(|stmt| self.moves(graph, id, stmt)) {
            return true;
        }
        let mut seen = BTreeSet::new();
        let mut open = cfg.succs(block);
        while let Some(block) = open.pop() {
            if seen.insert(block) {
                if cfg.blocks[block].stmts.iter().any(|stmt| self.moves(graph, id, stmt)) {
                    return true;
                }
                open.extend(cfg.succs(block));
            }
        }
        false
    }

    fn moves(&self, graph: &CallGraph, id: FunctionId, stmt: &Stmt) -> bool {
        let StmtKind::Call { callee, .. } = &stmt.kind else { return false };
        let reaches = |target: FunctionId| graph.reachable(target).iter().any(|id| self.moving.contains(id));
        match callee {
            Callee::Function(target) if self.program.functions[*target].body.is_none() => {
                self.calls.contains(&(id, stmt.id))
            }
            Callee::Function(target) => reaches(*target),
            Callee::Pointer(_) => true,
            Callee::Intrinsic(_) => false,
        }
    }
}
