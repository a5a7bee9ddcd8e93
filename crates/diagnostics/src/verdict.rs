//! What we claim about a property, and how strongly. The enum is closed: every verb that judges answers with one of these,
//! and says what the property is and what a witness against it looks like.

use std::fmt;

/// What is known of a property. `Observed` is never shown as if it were `Proved`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<W = Witness> {
    /// Holds on every run; `how` names the method and what it assumed.
    Proved { how: String },
    /// Holds on every run if floating values are real numbers, which no machine computes with.
    ProvedOverReals { how: String },
    /// Fails on the witness.
    Refuted { witness: W },
    /// Held on every one of so many visits.
    Observed { visits: u64 },
    /// Holds because nothing reaches the place.
    Vacuous,
    /// Not decided, and why.
    Unknown { why: Why },
}

/// Inputs that show something, by name and value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub inputs: Vec<(String, String)>,
    /// Whether the natively compiled original program was run with them and did show it.
    pub replayed: bool,
}

/// Why a question is open: a reason that a program can act on, and a clause for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    pub reason: Reason,
    pub said: String,
}

/// What kept an engine from an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// It was told to stop, or its time was over.
    Stopped,
    /// Something has no model; another form of the program would help.
    Unmodelled,
    /// Everything was tried, and nothing was found for it or against it; more time or a further lemma may help.
    Exhausted,
    /// A bound cut off what was looked at.
    Bounded,
    /// Runs end before they could come there, so that it may hold for want of them.
    CutOff,
    /// An input that should decide it was found, and no run confirmed it.
    Unconfirmed,
    /// The program, or what it runs in, answered in a way that allows no conclusion.
    Inconclusive,
}

impl Why {
    pub fn new(reason: Reason, said: impl Into<String>) -> Why {
        Why { reason, said: said.into() }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.said)
    }
}

impl<W> Verdict<W> {
    /// Whether it rests on a proof, be it one over the reals.
    pub fn is_proof(&self) -> bool {
        matches!(self, Verdict::Proved { .. } | Verdict::ProvedOverReals { .. })
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown { .. })
    }

    pub fn unknown(reason: Reason, said: impl Into<String>) -> Verdict<W> {
        Verdict::Unknown { why: Why::new(reason, said) }
    }

    pub fn witness(&self) -> Option<&W> {
        match self {
            Verdict::Refuted { witness } => Some(witness),
            _ => None,
        }
    }

    /// The word for it where the property is a claim; verbs that ask otherwise have words of their own.
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
