//! A range of the program text.

/// A half-open range of byte offsets into the program text (see the crate documentation).
///
/// Eight bytes, so every IR node can carry one. [`Span::NONE`] marks nodes that no source text stands behind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub const NONE: Span = Span { lo: u32::MAX, hi: u32::MAX };

    pub fn new(lo: u32, hi: u32) -> Span {
        debug_assert!(lo <= hi, "a span should not end before it starts");
        Span { lo, hi }
    }

    pub fn is_none(self) -> bool {
        self == Span::NONE
    }

    /// The smallest span that covers both; `NONE` is neutral.
    pub fn to(self, other: Span) -> Span {
        match (self.is_none(), other.is_none()) {
            (true, _) => other,
            (_, true) => self,
            _ => Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) },
        }
    }

    pub fn contains(self, other: Span) -> bool {
        !self.is_none() && !other.is_none() && self.lo <= other.lo && other.hi <= self.hi
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_none() { f.write_str("-") } else { write!(f, "{}..{}", self.lo, self.hi) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_takes_none_as_neutral() {
        let a = Span::new(3, 5);
        let b = Span::new(9, 12);
        assert_eq!(a.to(b), Span::new(3, 12));
        assert_eq!(b.to(a), Span::new(3, 12));
        assert_eq!(a.to(Span::NONE), a);
        assert_eq!(Span::NONE.to(b), b);
        assert!(a.to(b).contains(a) && !a.contains(b) && !Span::NONE.contains(a));
    }
}
