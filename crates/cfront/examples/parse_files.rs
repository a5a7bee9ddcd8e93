//! Preprocesses and parses the given files and reports what fails and how fast it went:
//! `cargo run --release -p cfront --example parse_files -- FILE… [-- FLAGS]`.

use std::path::Path;
use std::time::{Duration, Instant};

use cfront::parse::parse;
use cfront::preprocess::{Failure, Options, Unit, preprocess};
use diagnostics::SourceMap;

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut options = Options::default();
    if let Some(split) = files.iter().position(|f| f == "--") {
        options.flags = files.split_off(split)[1..].to_vec();
    }
    let (mut parsed, mut refused, mut bytes) = (0, 0, 0);
    let (mut preprocessing, mut plain, mut parsing) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for file in &files {
        let mut map = SourceMap::new();
        let start = Instant::now();
        let unit: Unit = match preprocess(Path::new(file), &options, &mut map, 0) {
            Ok(unit) => unit,
            Err(Failure::Program { findings, .. }) => {
                let first = &findings[0];
                println!("{file}: not preprocessed: {}: {}", map.describe(first.span), first.message);
                continue;
            }
            Err(Failure::Environment(trouble)) => {
                println!("{file}: not preprocessed: {trouble}");
                continue;
            }
        };
        preprocessing += start.elapsed();
        let start = Instant::now();
        let output = std::process::Command::new(&options.cc).arg("-E").args(&options.flags).arg(file).output();
        plain += start.elapsed();
        bytes += output.map_or(0, |o| o.stdout.len());
        let start = Instant::now();
        match parse(&unit) {
            Ok(tree) => {
                parsed += 1;
                for finding in &tree.unsupported {
                    println!("{file}: unsupported: {}: {}", map.describe(finding.span), finding.message);
                }
            }
            Err(finding) => {
                refused += 1;
                println!("{file}: not parsed: {}: {}", map.describe(finding.span), finding.message);
            }
        }
        parsing += start.elapsed();
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    println!("{parsed} parsed, {refused} refused, {:.1} MB of plain preprocessed text", bytes as f64 / 1e6);
    println!(
        "preprocess {:.2} s (plain cc -E alone {:.2} s), parse {:.2} s = {:.1} MB/s",
        preprocessing.as_secs_f64(),
        plain.as_secs_f64(),
        parsing.as_secs_f64(),
        rate(parsing)
    );
}
