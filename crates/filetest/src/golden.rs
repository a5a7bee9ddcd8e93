//! Golden files: the whole expected output in a file of its own.

use crate::Outcome;
use std::fs;
use std::path::Path;

/// Whether expectations are to be rewritten: `PLUMB_BLESS` is set to something other than `0`.
pub fn bless_requested() -> bool {
    std::env::var_os("PLUMB_BLESS").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Compares with the content of a file, or writes it there when blessing.
pub fn check_golden(path: &Path, actual: &str) -> Outcome {
    compare_or_bless(path, actual, bless_requested())
}

fn compare_or_bless(path: &Path, actual: &str, bless: bool) -> Outcome {
    if bless {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        return fs::write(path, actual).map_err(|error| format!("{}: {error}", path.display()));
    }
    let expected = fs::read_to_string(path)
        .map_err(|error| format!("{}: {error}; run with PLUMB_BLESS=1 to write it", path.display()))?;
    if expected == actual {
        return Ok(());
    }
    let shown = difference(&expected, actual);
    Err(format!("differs from {} (PLUMB_BLESS=1 accepts):\n{shown}", path.display()))
}

/// The lines around the first difference: `-` expected, `+` actual.
pub fn difference(expected: &str, actual: &str) -> String {
    const SHOWN: usize = 8;
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    if same == old.len() && same == new.len() {
        return "  only the line ends differ\n".to_string();
    }
    let mut out = format!("  at line {}:\n", same + 1);
    for line in &old[same.saturating_sub(2)..same] {
        out.push_str(&format!("    {line}\n"));
    }
    for (mark, lines) in [('-', &old[same..]), ('+', &new[same..])] {
        for line in lines.iter().take(SHOWN) {
            out.push_str(&format!("  {mark} {line}\n"));
        }
        if lines.len() > SHOWN {
            out.push_str(&format!("  {mark} … {} more lines\n", lines.len() - SHOWN));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blessing_writes_and_comparing_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/out.txt");
        let missing = compare_or_bless(&path, "a\n", false).unwrap_err();
        assert!(missing.contains("PLUMB_BLESS=1"), "{missing}");
        compare_or_bless(&path, "a\nb\n", true).unwrap();
        compare_or_bless(&path, "a\nb\n", false).unwrap();
        let differs = compare_or_bless(&path, "a\nc\n", false).unwrap_err();
        assert!(differs.contains("at line 2:\n    a\n  - b\n  + c\n"), "{differs}");
    }
}
