//! What sanitizers say, as far as it is the same in every run.

/// A line of a report without the addresses and the number of the process, which the system chooses anew for each run.
pub fn same_in_every_run(told: &str) -> String {
    let told = told.strip_prefix("==").and_then(|rest| rest.split_once("==")).map_or(told, |(_process, told)| told);
    let told = told.split(" on address").next().unwrap_or(told).split(" (pc ").next().unwrap_or(told);
    let is_chosen =
        |word: &str| word.strip_prefix("0x").is_some_and(|digits| digits.bytes().any(|digit| digit != b'0'));
    let words = told.split(' ').map(|word| if is_chosen(word) { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::same_in_every_run;

    #[test]
    fn only_what_the_system_chooses_is_left_out() {
        for (told, kept) in [
            ("heap-buffer-overflow on address 0x602000000031 at pc 0x55a2 bp 0x7fff sp 0x7ffe", "heap-buffer-overflow"),
            ("SEGV on unknown address 0x000000000000 (pc 0x55a2 bp 0x7ffe)", "SEGV on unknown address 0x000000000000"),
            ("load of misaligned address 0x7ffd01 for type 'int'", "load of misaligned address … for type 'int'"),
            ("==123==ERROR: LeakSanitizer: detected memory leaks", "ERROR: LeakSanitizer: detected memory leaks"),
            ("1e+10 is outside the range of type 'int'", "1e+10 is outside the range of type 'int'"),
            ("index 7 out of bounds for type 'int [4]'", "index 7 out of bounds for type 'int [4]'"),
        ] {
            assert_eq!(same_in_every_run(told), kept);
        }
    }
}
