//! Pragmas that change the language: `#pragma pack`, which says how much members of records may be aligned from place to
//! place, and those that have no model.

use super::Pragma;

/// The bound in force from each place on, in the order of the text; `None` where there is none.
///
/// Understood are `pack()`, `pack(n)`, `pack(push)`, `pack(push, n)`, `pack(push, name, n)`, `pack(pop)` and
/// `pack(pop, name)`; what is not a power of two up to 16 changes nothing, as in GCC.
pub fn pack_limits(pragmas: &[Pragma]) -> Vec<(u32, Option<u64>)> {
    let mut limits = Vec::new();
    let mut current = None;
    let mut saved: Vec<(String, Option<u64>)> = Vec::new();
    for pragma in pragmas {
        let Some(inside) = arguments(&pragma.text) else { continue };
        let words: Vec<&str> = inside.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let number = |word: &&str| word.parse::<u64>().ok().filter(|n| n.is_power_of_two() && *n <= 16);
        let name = || words.get(1).filter(|word| number(word).is_none()).map_or(String::new(), |word| word.to_string());
        match words.first() {
            None => current = None,
            Some(&"push") => {
                saved.push((name(), current));
                current = words.last().and_then(number).or(current);
            }
            Some(&"pop") => {
                let wanted = name();
                let index = if wanted.is_empty() {
                    saved.len().checked_sub(1)
                } else {
                    saved.iter().rposition(|s| s.0 == wanted)
                };
                if let Some(index) = index {
                    current = saved[index].1;
                    saved.truncate(index);
                }
            }
            Some(word) => current = number(word).or(current),
        }
        limits.push((pragma.at, current));
    }
    limits
}

/// Whether a pragma other than `pack` changes what the program means.
pub fn changes_language(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["scalar_storage_order", order, ..] => *order == "big-endian",
        ["ms_struct", state, ..] => matches!(*state, "on" | "1"),
        ["weak" | "redefine_extname", ..] => true,
        ["GCC", what, ..] if what.starts_with("optimize") => {
            let changing = ["fast", "math", "wrapv", "trapv", "contract", "short", "pack", "unsigned", "constant"];
            changing.iter().any(|word| text.contains(word))
        }
        ["GCC", what, ..] if what.starts_with("target") => text.contains("fma") || text.contains("arch="),
        _ => false,
    }
}

/// What stands between the parentheses of `pack (…)`.
fn arguments(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("pack")?.trim_start();
    Some(rest.strip_prefix('(')?.split(')').next().unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_pushed_and_popped() {
        let texts = [
            "pack(push, 1)",
            "pack(2)",
            "once",
            "pack(push)",
            "pack(4)",
            "pack(pop)",
            "pack(pop)",
            "pack(3)",
            "pack()",
        ];
        let pragmas: Vec<Pragma> =
            texts.iter().enumerate().map(|(at, text)| Pragma { at: at as u32, text: text.to_string() }).collect();
        let limits: Vec<Option<u64>> = pack_limits(&pragmas).into_iter().map(|(_, limit)| limit).collect();
        assert_eq!(limits, [Some(1), Some(2), Some(2), Some(4), Some(2), None, None, None]);
    }
}
