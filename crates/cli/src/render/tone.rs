//! How verdicts are to be taken: the one list of their words.

/// What a verdict says to a reader: the colour of a page, the kind of a SARIF result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tone {
    /// Shown for every run, or done as asked.
    Good,
    /// Seen, and no more than that.
    Seen,
    /// Nothing is known.
    Open,
    /// True for no good reason, or cannot happen.
    Hollow,
    /// Wrong.
    Bad,
    Plain,
}

impl Tone {
    pub fn of(verdict: &str) -> Tone {
        match verdict {
            "proved" | "holds" | "reached" | "compatible" | "repaired" | "pass" | "nothing-to-repair" => Tone::Good,
            "proved over the reals" | "observed" | "note" | "localized" => Tone::Seen,
            "unknown" | "warning" | "inconclusive" | "unnoticed" | "not compared" | "interrupted" => Tone::Open,
            "vacuous" | "unreachable" => Tone::Hollow,
            "refuted" | "violated" | "incompatible" | "error" | "crashed" | "crash" | "hangs" | "undefined"
            | "bad-answer" | "fail" | "no-repair" | "failing" => Tone::Bad,
            _ => Tone::Plain,
        }
    }
}
