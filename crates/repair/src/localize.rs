//! Which statements the failing tests have in common, and the passing ones have not.
//!
//! *Source*: Nguyen 2017 (CETI), §5.3.1; Tarantula is Jones and Harrold 2005, Ochiai is Abreu et al. 2006, DStar is
//! Wong et al. 2014, Op2 is Naish et al. 2011.
//!
//! With f of F failing and p of P passing runs that execute the statement:
//!
//! ```text
//! Tarantula  (f/F) / (f/F + p/P)      Ochiai  f / sqrt(F * (f + p))
//! DStar      f^2 / (p + F - f)        Op2     f - p / (P + 1)
//! ```
//!
//! DStar and Op2 have no upper bound of their own and are divided by the largest score, so that `--min-score` means
//! the same for all.
//!
//! *Departure*: Table 5.1 of the source does not follow from its own formula and its six tests (which give 0.80 and
//! 0.67 for lines 5 and 11); 0.75 and 0.60 are the scores of the five tests without the last one. A test shows both.

use exec::coverage::Coverage;
use ir::{FunctionId, Program, Stmt, StmtId, StmtKind};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Metric {
    #[default]
    Tarantula,
    Ochiai,
    DStar,
    Op2,
}

impl Metric {
    pub fn name(self) -> &'static str {
        match self {
            Metric::Tarantula => "tarantula",
            Metric::Ochiai => "ochiai",
            Metric::DStar => "dstar",
            Metric::Op2 => "op2",
        }
    }

    fn score(self, failed: f64, passed: f64, failing: f64, passing: f64) -> f64 {
        let ratio = |a: f64, b: f64| if b == 0.0 { 0.0 } else { a / b };
        match self {
            Metric::Tarantula => ratio(ratio(failed, failing), ratio(failed, failing) + ratio(passed, passing)),
            Metric::Ochiai => ratio(failed, (failing * (failed + passed)).sqrt()),
            Metric::DStar => {
                let apart = passed + failing - failed;
                // Executed by all failing and no passing run: nothing is more suspicious.
                if apart == 0.0 { failed * failed * (passing + 1.0) } else { failed * failed / apart }
            }
            Metric::Op2 => failed - passed / (passing + 1.0),
        }
    }
}

/// A line of the ranked table.
#[derive(Clone, PartialEq, Debug)]
pub struct Suspicious {
    pub file: String,
    pub line: u32,
    pub score: f64,
    /// The line as it is written.
    pub text: String,
}

/// The scores of statements.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    scores: BTreeMap<(FunctionId, StmtId), f64>,
    /// Ranked, best first.
    pub table: Vec<Suspicious>,
}

impl Scores {
    /// Every statement of the program, as suspicious as any other.
    pub fn of_everything(program: &Program) -> Scores {
        let mut scores = BTreeMap::new();
        for (id, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                scores.insert((id, stmt.id), 1.0);
            });
        }
        Scores { scores, table: Vec::new() }
    }

    /// The score of a statement that is suspicious enough.
    pub fn of(&self, function: FunctionId, stmt: StmtId) -> Option<f64> {
        self.scores.get(&(function, stmt)).copied()
    }
}

/// Whether a statement is something a reader would blame.
fn counts(stmt: &Stmt) -> bool {
    !matches!(stmt.kind, StmtKind::Live(_) | StmtKind::Label(_) | StmtKind::Block(_)) && !stmt.span.is_none()
}

/// Ranks the statements of the program. `runs` are the coverage of each test and whether it passed; the table is cut
/// to the best `top` lines with at least `min_score`.
pub fn localize(program: &Program, runs: &[(Coverage, bool)], metric: Metric, top: usize, min_score: f64) -> Scores {
    let failing = runs.iter().filter(|(_, passed)| !passed).count() as f64;
    let passing = runs.len() as f64 - failing;
    let mut scored: Vec<((FunctionId, StmtId), Suspicious)> = Vec::new();
    for (id, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if !counts(stmt) {
                return;
            }
            let Some(region) = program.sources.used(stmt.span) else { return };
            let file = program.sources.file(region.start.file);
            if file.system {
                return;
            }
            let executed = |wanted: bool| {
                runs.iter().filter(|(covered, passed)| *passed == wanted && covered.executed(id, stmt.id)).count()
            };
            let score = metric.score(executed(false) as f64, executed(true) as f64, failing, passing);
            let text = file.line(region.start.line).unwrap_or_default().trim().to_string();
            let row = Suspicious { file: file.path.clone(), line: region.start.line, score, text };
            scored.push(((id, stmt.id), row));
        });
    }
    if matches!(metric, Metric::DStar | Metric::Op2) {
        let most = scored.iter().map(|(_, row)| row.score).fold(0.0, f64::max);
        for (_, row) in &mut scored {
            row.score = if most > 0.0 { (row.score / most).max(0.0) } else { 0.0 };
        }
    }
    // One row for a line: the most suspicious of its statements.
    let mut lines: BTreeMap<(&str, u32), Suspicious> = BTreeMap::new();
    for (_, row) in &scored {
        let known = lines.entry((&row.file, row.line)).or_insert_with(|| row.clone());
        known.score = known.score.max(row.score);
    }
    let mut table: Vec<Suspicious> = lines.into_values().collect();
    table.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line))));
    table.retain(|row| row.score >= min_score && row.score > 0.0);
    table.truncate(top);
    let kept: std::collections::BTreeSet<(&str, u32)> = table.iter().map(|row| (row.file.as_str(), row.line)).collect();
    let scores = scored
        .iter()
        .filter(|(_, row)| row.score > 0.0 && kept.contains(&(row.file.as_str(), row.line)))
        .map(|(at, row)| (*at, row.score))
        .collect();
    Scores { scores, table }
}
