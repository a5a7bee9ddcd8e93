//! Pragmas that change by which rules functions are compiled: what they are from place to place.

use super::Pragma;
use crate::lower::changes_meaning;

/// From each place on, what functions are compiled with that has no model.
pub fn compiled_with(pragmas: &[Pragma]) -> Vec<(u32, Option<String>)> {
    let mut places = Vec::new();
    let mut current: Option<String> = None;
    let mut saved = Vec::new();
    for pragma in pragmas {
        let words: Vec<&str> = pragma.text.split(|c: char| c.is_whitespace() || c == '(').collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let strange = Some(format!("`#pragma {}`", pragma.text.trim()));
        match words[..] {
            ["GCC", "push_options", ..] => saved.push(current.clone()),
            ["GCC", "pop_options", ..] => current = saved.pop().flatten(),
            ["GCC", "reset_options", ..] => current = None,
            ["GCC", "optimize" | "target", ref options @ ..] => {
                if changes_meaning(&options.join(",")) {
                    current = strange;
                }
            }
            ["STDC", "FENV_ACCESS" | "FENV_ROUND" | "CX_LIMITED_RANGE" | "FENV_DEC_ROUND", setting, ..]
                if setting != "OFF" && setting != "DEFAULT" =>
            {
                current = strange;
            }
            ["STDC", "FENV_ACCESS", ..] => current = None,
            ["omp" | "acc", ..] => {}
            _ => continue,
        }
        places.push((pragma.at, current.clone()));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pragma(at: u32, text: &str) -> Pragma {
        Pragma { at, text: text.to_string() }
    }

    #[test]
    fn options_hold_from_place_to_place() {
        let pragmas = [
            pragma(1, " GCC optimize (\"O3\")"),
            pragma(2, " GCC push_options"),
            pragma(3, " GCC optimize (\"Ofast\")"),
            pragma(4, " GCC pop_options"),
            pragma(5, " STDC FENV_ACCESS ON"),
        ];
        let set: Vec<bool> = compiled_with(&pragmas).iter().map(|(_, what)| what.is_some()).collect();
        assert_eq!(set, [false, false, true, false, true]);
    }
}
