//! Claims of programs that state none: labels and calls that older programs and tools mean as claims.
//!
//! A program without an assertion may still have a place that it must not come to: the label `ERROR` of older verification
//! tasks, or a call of `abort` behind a test of its own. Only where nothing else is claimed are they read so, since
//! an ordinary program may go to `ERROR:` to clean up and call `abort` where it means to. A call of `abort` in a
//! function that assumes (`assume_abort_if_not`) is how that function assumes.

use super::graph::bodies_run;
use ir::{AssertKind, Block, CallGraph, Callee, Expr, FunctionId, IntKind, Program, Stmt, StmtKind};

/// What is taken for a claim, for the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Implied {
    /// That the label `ERROR` is not reached.
    ErrorLabels,
    /// That `abort` is not called.
    Aborts,
}

impl Implied {
    /// A sentence that says what was taken for a claim.
    pub fn note(self) -> &'static str {
        match self {
            Implied::ErrorLabels => {
                "the program asserts nothing; that its label ERROR is not reached is taken as its claim"
            }
            Implied::Aborts => "the program asserts nothing; that it does not call abort is taken as its claim",
        }
    }
}

/// The label that older verification tasks must not reach, which is also what is said of the claim.
pub(super) const ERROR_LABEL: &str = "ERROR";

/// The names by which a program's claims are known, for a message that says what was looked for.
pub const LOOKED_FOR: &str = "assert, __assert_fail, __VERIFIER_assert, __CPROVER_assert, __ESBMC_assert, reach_error, \
                              __VERIFIER_error, a label ERROR, abort";

/// Whether a run from the entry may come to a claim.
pub fn has_claims(program: &Program, entry: FunctionId) -> bool {
    let mut found = false;
    for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
        if let Some(body) = &program.functions[id].body {
            body.walk(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Assert { .. }));
        }
    }
    found
}

/// The functions of the program that claim something and that no run from the entry comes to.
pub fn claims_elsewhere(program: &Program, entry: FunctionId) -> Vec<FunctionId> {
    let run = bodies_run(program, &CallGraph::new(program), &[entry]);
    let claims = |body: &Block| {
        let mut found = false;
        body.walk(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Assert { .. }));
        found
    };
    let elsewhere = program.defined_functions().filter(|(id, _, body)| !run.contains(id) && claims(body));
    elsewhere.map(|(id, _, _)| id).collect()
}

/// The program with the claims that it implies, if it states none and implies some.
pub fn implied_claims(program: &Program, entry: FunctionId) -> Option<(Program, Implied)> {
    if has_claims(program, entry) {
        return None;
    }
    [Implied::ErrorLabels, Implied::Aborts].into_iter().find_map(|implied| {
        let claimed = with_claims(program, entry, implied);
        has_claims(&claimed, entry).then_some((claimed, implied))
    })
}

fn with_claims(program: &Program, entry: FunctionId, implied: Implied) -> Program {
    let mut claimed = program.clone();
    let falsehood = |span| Expr::int(0, program.types.int(IntKind::Int), span);
    for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let function = &program.functions[id];
        let is_claim = |stmt: &Stmt| match (&stmt.kind, implied) {
            (StmtKind::Label(label), Implied::ErrorLabels) => function.labels[*label].name == ERROR_LABEL,
            (StmtKind::Call { callee: Callee::Function(callee), .. }, Implied::Aborts) => {
                let callee = &program.functions[*callee];
                callee.name == "abort" && callee.body.is_none() && !function.name.contains("assume")
            }
            _ => false,
        };
        let text = match implied {
            Implied::ErrorLabels => ERROR_LABEL,
            Implied::Aborts => "abort()",
        };
        let claim = |span| {
            let kind = AssertKind::ReachError;
            Stmt::new(StmtKind::Assert { cond: falsehood(span), kind, text: text.to_string() }, span)
        };
        if let Some(body) = &mut claimed.functions[id].body {
            insert(body, &is_claim, &claim);
        }
        claimed.functions[id].number_statements();
    }
    claimed
}

/// Puts a claim behind each label and before each call that is one.
fn insert(block: &mut Block, is_claim: &dyn Fn(&Stmt) -> bool, claim: &dyn Fn(diagnostics::Span) -> Stmt) {
    let mut stmts = Vec::with_capacity(block.stmts.len());
    for mut stmt in std::mem::take(&mut block.stmts) {
        for inner in stmt.blocks_mut() {
            insert(inner, is_claim, claim);
        }
        match (is_claim(&stmt), matches!(stmt.kind, StmtKind::Label(_))) {
            (false, _) => stmts.push(stmt),
            (true, true) => {
                let span = stmt.span;
                stmts.extend([stmt, claim(span)]);
            }
            (true, false) => stmts.extend([claim(stmt.span), stmt]),
        }
    }
    block.stmts = stmts;
}
