//! Replacing pieces of the text while its origins stay true.

use diagnostics::Origin;

use super::Pragma;

/// Replaces `start..end` by `text`.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    pub start: u32,
    pub end: u32,
    pub text: String,
}

pub(super) struct Rewritten {
    pub text: Vec<u8>,
    pub origins: Vec<Origin>,
    pub pragmas: Vec<Pragma>,
    offsets: Vec<(u32, i64)>,
}

impl Rewritten {
    /// Where an offset of the old text is in the new one.
    pub fn moved(&self, offset: u32) -> u32 {
        let index = self.offsets.partition_point(|(from, _)| *from <= offset);
        let shift = index.checked_sub(1).map_or(0, |i| self.offsets[i].1);
        (i64::from(offset) + shift) as u32
    }
}

/// Applies replacements that do not overlap, in ascending order. Inserted text has the origin of the text it
/// stands for, or of the text before which it is inserted.
pub(super) fn rewrite(text: Vec<u8>, origins: Vec<Origin>, pragmas: Vec<Pragma>, edits: Vec<Replacement>) -> Rewritten {
    if edits.is_empty() {
        return Rewritten { text, origins, pragmas, offsets: Vec::new() };
    }
    let grown: usize = edits.iter().map(|e| e.text.len()).sum();
    let mut out = Vec::with_capacity(text.len() + grown);
    let mut runs: Vec<Origin> = Vec::with_capacity(origins.len() + 2 * edits.len());
    let mut offsets = Vec::with_capacity(edits.len());
    let mut shift = 0i64;
    let mut copied = 0usize;
    let mut next_run = 0usize;
    let mut current: Option<Origin> = None;
    // A run's origin at some offset within it.
    let at_offset = |run: Option<Origin>, offset: u32, to: u32| {
        run.map(|run| {
            let mut written = run.written;
            written.column += offset.saturating_sub(run.at);
            Origin { at: to, written, used: run.used }
        })
    };
    let push = |runs: &mut Vec<Origin>, run: Origin| match runs.last_mut() {
        Some(last) if last.at == run.at => *last = run,
        _ => runs.push(run),
    };
    for edit in &edits {
        out.extend_from_slice(&text[copied..edit.start as usize]);
        copied = edit.end as usize;
        while next_run < origins.len() && origins[next_run].at <= edit.start {
            current = Some(origins[next_run]);
            // Inside an earlier replacement a run has no place of its own; its successor is made below.
            let at = i64::from(origins[next_run].at) + shift;
            push(&mut runs, Origin { at: at as u32, ..origins[next_run] });
            next_run += 1;
        }
        let here = current.or(origins.first().copied());
        if let Some(run) = at_offset(here, edit.start, out.len() as u32) {
            push(&mut runs, run);
        }
        out.extend_from_slice(edit.text.as_bytes());
        while next_run < origins.len() && origins[next_run].at < edit.end {
            current = Some(origins[next_run]);
            next_run += 1;
        }
        shift += edit.text.len() as i64 - i64::from(edit.end - edit.start);
        offsets.push((edit.end, shift));
        if let Some(run) = at_offset(current.or(here), edit.end, out.len() as u32) {
            push(&mut runs, run);
        }
    }
    out.extend_from_slice(&text[copied..]);
    for run in &origins[next_run..] {
        push(&mut runs, Origin { at: (i64::from(run.at) + shift) as u32, ..*run });
    }
    let mut rewritten = Rewritten { text: out, origins: runs, pragmas: Vec::new(), offsets };
    rewritten.pragmas = pragmas.into_iter().map(|p| Pragma { at: rewritten.moved(p.at), ..p }).collect();
    rewritten
}

#[cfg(test)]
mod tests {
    use super::*;
    use diagnostics::{FileId, Place};

    #[test]
    fn origins_follow_the_text() {
        let place = |line, column| Place { file: FileId(0), line, column };
        let origins = vec![
            Origin { at: 0, written: place(1, 1), used: None },
            Origin { at: 6, written: place(2, 1), used: None },
            Origin { at: 9, written: place(2, 9), used: None },
        ];
        let edits = vec![
            Replacement { start: 2, end: 2, text: "++".into() },
            Replacement { start: 6, end: 8, text: "Y".into() },
        ];
        let done = rewrite(b"abcdefghijk".to_vec(), origins, Vec::new(), edits);
        assert_eq!(String::from_utf8_lossy(&done.text), "ab++cdefYijk");
        let at = |offset: u32| {
            let run = done.origins.iter().rev().find(|o| o.at <= offset).unwrap();
            (run.written.line, run.written.column + offset - run.at)
        };
        assert_eq!(at(1), (1, 2));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(4), (1, 3));
        assert_eq!(at(7), (1, 6));
        assert_eq!(at(8), (2, 1));
        assert_eq!(at(9), (2, 3));
        assert_eq!(at(10), (2, 9));
        assert_eq!([0, 2, 5, 8, 10].map(|o| done.moved(o)), [0, 4, 7, 9, 11]);
        assert!(done.origins.windows(2).all(|w| w[0].at < w[1].at));
    }
}
