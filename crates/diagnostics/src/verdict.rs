//! What we claim about a property, and how strongly. The enum is closed: every verb answers with one of these.

/// `Observed` is never shown as if it were `Proved`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Holds on every run; `how` names the method and what it assumed.
    Proved { how: String },
    /// Holds on every run if floating values are real numbers, which no machine computes with.
    ProvedOverReals { how: String },
    /// Fails on the witness.
    Refuted { witness: Witness },
    /// Held on every one of so many visits.
    Observed { visits: u64 },
    /// Holds because nothing reaches the place.
    Vacuous,
    /// Not decided, and why.
    Unknown { why: String },
}

/// Inputs that show something, by name and value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub inputs: Vec<(String, String)>,
    /// Whether the natively compiled original program was run with them and did show it.
    pub replayed: bool,
}

impl Verdict {
    /// Whether it rests on a proof, be it one over the reals.
    pub fn is_proof(&self) -> bool {
        matches!(self, Verdict::Proved { .. } | Verdict::ProvedOverReals { .. })
    }

    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::ProvedOverReals { .. } => "proved over the reals",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Observed { .. } => "observed",
            Verdict::Vacuous => "vacuous",
            Verdict::Unknown { .. } => "unknown",
        }
    }
}
