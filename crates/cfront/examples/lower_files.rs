//! Lowers C files and prints the program, or with `--time` what each stage costs: a workbench for the front end.
//!
//! `cargo run -p cfront --example lower_files -- [--time] [--quiet] FILE… [-- FLAGS]`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut options = cfront::preprocess::Options::default();
    let mut paths = Vec::new();
    let (mut time, mut quiet) = (false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--" => options.flags = args.by_ref().collect(),
            "--time" => time = true,
            "--quiet" => quiet = true,
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let mut sources = diagnostics::SourceMap::new();
    let mut units = Vec::new();
    let mut base = 0;
    for path in &paths {
        match cfront::preprocess::preprocess(path, &options, &mut sources, base) {
            Ok(unit) => {
                base = unit.end();
                units.push(unit);
            }
            Err(failure) => {
                eprintln!("{failure:?}");
                return ExitCode::FAILURE;
            }
        }
    }
    let bytes: usize = units.iter().map(|unit| unit.plain_bytes).sum();
    if time {
        // Once more, so that the stages can be told apart.
        let start = Instant::now();
        for unit in &units {
            drop(cfront::parse::parse(unit));
        }
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("parsing: {bytes} bytes in {seconds:.3} s, {:.1} MB/s", bytes as f64 / seconds / 1e6);
    }
    let start = Instant::now();
    let (findings, sources, program) = match cfront::finish(units, sources, Vec::new()) {
        Ok(loaded) => (loaded.findings, loaded.program.sources.clone(), Some(loaded.program)),
        Err(cfront::Failure::Program { findings, sources }) => (findings, sources, None),
        Err(cfront::Failure::Environment(trouble)) => {
            eprintln!("{trouble:?}");
            return ExitCode::FAILURE;
        }
    };
    if time {
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("all: {bytes} bytes in {seconds:.3} s, {:.1} MB/s", bytes as f64 / seconds / 1e6);
    }
    for finding in &findings {
        let place = sources.describe(finding.span);
        eprintln!("{place}: {}: {} [{}]", finding.severity.name(), finding.message, finding.rule.id());
    }
    let Some(program) = program else { return ExitCode::FAILURE };
    if !quiet {
        print!("{}", ir::print_program(&program));
    }
    let problems = ir::verify(&program);
    for problem in &problems {
        eprintln!("ill-formed: {}", problem.describe(&program));
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
