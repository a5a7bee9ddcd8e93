//! Which input drives execution along this path?
//!
//! [`paths`] answers for paths through programs over abstract data types whose operations are given by rules;
//! [`places`] for labels, lines, assertions and branches of any C program, by symbolic execution.
//!
//! ```
//! use reach::places::{Config, Wanted, reach, word};
//!
//! let text = "int f(int x) { if (x * 2 == 7) { odd: return 1; } return 0; }";
//! let program = cfront::load_text(&[("f.c", text)]).expect("this is C").program;
//! let entry = program.find_function("f").expect("the function should be there");
//! let wanted = [("odd".to_string(), Wanted::parse("odd"))];
//! let targets = symex::targets::resolve(&program, &wanted).expect("the label should be found");
//! let report = reach(&program, entry, &targets, &Config::default());
//! assert_eq!(word(&report.targets[0].verdict), "unreachable");
//! ```

pub mod paths;
pub mod places;

pub use places::driver::{one_line, replaying_program};
pub use places::faults::{Evidence, FaultsReport, FoundFault, faults, faults_of_runs};
pub use places::reduction::{
    Case, Hole, KnownCase, Solved, Synthesis, reachability_of, solve as synthesise, synthesis_of,
};
pub use places::replayer::{ObjectKind, Wrong, compile_ahead};
pub use places::suite::{Expected, SuiteReport, Test, cover};
pub use places::{Arrival, Config, Counts, Turn, Verdict, word};
