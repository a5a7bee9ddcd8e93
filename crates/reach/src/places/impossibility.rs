//! A proof that control cannot come to a place, where following all paths does not end.
//!
//! The place is made a claim of the program, that it is not reached, and [`prove`] argues it by induction with
//! integers as the machine has them.

use super::{Config, Kind, Target};
use diagnostics::{Assumption, Deadline, Verdict};
use infer;
use ir::{AssertKind, Block, Expr, FunctionId, IntKind, Program, Stmt, StmtId, StmtKind};
use prove::{Encoding, Ints, PropertyKind};
use std::time::{Duration, Instant};

/// A proof that takes longer is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether a proof says that the target cannot be reached.
pub fn is_impossible(program: &Program, entry: FunctionId, target: &Target, config: &Config) -> bool {
    let (Kind::Place, Some((function, stmt))) = (&target.kind, target.at) else { return false };
    if !program.functions[entry]
        .params
        .iter()
        .all(|p| program.types.is_arithmetic(program.functions[entry].locals[*p].ty))
    {
        return false;
    }
    let claimed = claimed(program, function, stmt);
    let cancel = config.search.stop.clone().unwrap_or_default();
    let deadline = Deadline { at: Some(Instant::now() + PATIENCE), cancel, ..Deadline::default() };
    let looking = infer::Config {
        seed: config.search.seed,
        deadline: deadline.by(Instant::now() + PATIENCE / 2),
        forms: infer::FormConfig { cancel: Some(deadline.cancel.clone()), ..infer::FormConfig::default() },
        ..infer::Config::default()
    };
    let proving = prove::Config {
        infer: looking,
        encoding: Encoding { ints: Ints::Machine, globals: config.globals, ..Encoding::default() },
        deadline,
        ..prove::Config::default()
    };
    let Ok(report) = prove::prove(&claimed, entry, &proving) else { return false };
    let about = report
        .properties
        .iter()
        .filter(|property| property.kind == PropertyKind::Unreachable && property.span == target.span);
    let verdicts: Vec<&prove::PropertyReport> = about.collect();
    !verdicts.is_empty()
        && verdicts.iter().all(|property| matches!(property.verdict, Verdict::Proved { .. }) && stands_alone(property))
}

/// Whether a proof assumes nothing but what the user asked to be assumed.
fn stands_alone(property: &prove::PropertyReport) -> bool {
    property.assumptions.iter().all(|assumption| *assumption == Assumption::InitialGlobals)
}

/// The program with the claim that a statement is not reached, and no other claims.
fn claimed(program: &Program, function: FunctionId, stmt: StmtId) -> Program {
    let mut claimed = program.clone();
    let falsehood = |span| Expr::int(0, program.types.int(IntKind::Int), span);
    for (id, body) in claimed.functions.iter_mut().filter_map(|(id, f)| f.body.as_mut().map(|body| (id, body))) {
        body.walk_mut(&mut |stmt| {
            // A broken claim ends a run, as an assumption does.
            if let StmtKind::Assert { cond, .. } = &stmt.kind {
                stmt.kind = StmtKind::Assume(cond.clone());
            }
        });
        if id == function {
            insert(body, stmt, &falsehood);
        }
    }
    for function in claimed.functions.values_mut() {
        function.number_statements();
    }
    claimed
}

fn insert(block: &mut Block, at: StmtId, falsehood: &impl Fn(diagnostics::Span) -> Expr) -> bool {
    if let Some(position) = block.stmts.iter().position(|stmt| stmt.id == at) {
        let stmt = &block.stmts[position];
        let span = stmt.span;
        let claim = StmtKind::Assert {
            cond: falsehood(span),
            kind: AssertKind::ReachError,
            text: "the target is not reached".to_string(),
        };
        let behind = usize::from(matches!(stmt.kind, StmtKind::Label(_)));
        block.stmts.insert(position + behind, Stmt::new(claim, span));
        return true;
    }
    let inner = block.stmts.iter_mut().flat_map(Stmt::blocks_mut);
    inner.into_iter().any(|block| insert(block, at, falsehood))
}
