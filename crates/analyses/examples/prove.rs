//! Proves the claims of C files and says how long it took: `cargo run --release --example prove -- FILE…`.

use std::path::PathBuf;
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1).map(PathBuf::from) {
        let options = cfront::preprocess::Options::default();
        let loaded = cfront::load(std::slice::from_ref(&path), &options);
        let Ok(loaded) = loaded else {
            println!("{}: cannot be read", path.display());
            continue;
        };
        let program = loaded.program;
        let entry = program.find_function("mainQ").or_else(|| program.find_function("main")).expect("an entry");
        let start = Instant::now();
        let sources = Some(analyses::prove::Sources { files: vec![path.clone()], options });
        let config = analyses::prove::Config { sources, ..Default::default() };
        match analyses::prove::prove(&program, entry, &config) {
            Ok(report) => {
                let proved = report.properties.iter().filter(|p| p.verdict.name() == "proved").count();
                println!(
                    "{}: {proved} of {} in {:.2} s, {} invariants, {:?}",
                    path.file_stem().unwrap().to_string_lossy(),
                    report.properties.len(),
                    start.elapsed().as_secs_f64(),
                    report.invariants.len(),
                    report.tally
                );
                for p in &report.properties {
                    if p.verdict.name() != "proved" {
                        println!("    {}: {:?}", p.text, p.verdict);
                    }
                }
                if std::env::var("SHOW").is_ok() {
                    for (at, claim) in &report.invariants {
                        println!("    {at}: {claim}");
                    }
                    println!("    {:?} {:?}", report.obstacles, report.notes);
                }
            }
            Err(error) => println!("{}: {error}", path.display()),
        }
    }
}
