//! How the time of an inclusion grows, fast way and slow twin; one JSON object per line, for `bench/run`.
//!
//! Arguments: the largest size for both (default 5), the largest for the fast way alone (default 2000), and the limit
//! of the slow twin in states, transitions or pairs (default 3000000). `slow_ms` is null where the twin passed its limit
//! and for the sizes above the first argument, for which it is not tried.

use automata::growth::{Family, Measurement, measure};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|text| text.parse().expect("sizes are numbers")).collect();
    let (both, alone) = (numbers.first().copied().unwrap_or(5), numbers.get(1).copied().unwrap_or(2000));
    let limit = numbers.get(2).copied().unwrap_or(3_000_000);
    for family in Family::ALL {
        for size in 1..=both {
            show(measure(family, size, limit));
        }
        let mut size = 10;
        while size <= alone {
            show(measure(family, size, 0));
            size = if size.to_string().starts_with('2') { size / 2 * 5 } else { size * 2 };
        }
    }
}

fn show(measured: Result<Measurement, automata::Stopped>) {
    match measured {
        Ok(Measurement { family, size, states, fast, slow }) => println!(
            "{{\"family\": \"{}\", \"size\": {size}, \"producer_states\": {}, \"consumer_states\": {}, \"fast_ms\": {:.3}, \"slow_ms\": {}}}",
            family.name(),
            states.0,
            states.1,
            fast.as_secs_f64() * 1e3,
            slow.map_or("null".to_string(), |slow| format!("{:.3}", slow.as_secs_f64() * 1e3)),
        ),
        Err(stopped) => println!("{{\"error\": \"{stopped}\"}}"),
    }
}
