//! The flags of `plumb symmetry`.

use super::{Compile, Parts};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Symmetry {
    /// The C files of one program
    #[arg(value_name = "FILE", required_unless_present = "exec")]
    pub files: Vec<PathBuf>,

    /// The function to check; by default the only one the files define
    #[arg(long, visible_alias = "function", value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// The parameters whose values are permuted, or one array whose elements are
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required_unless_present = "discover")]
    pub permute: Vec<String>,

    /// How long arrays are: '4', or a parameter and its values, 'n=0..5'; 'B=8' for the array B alone
    #[arg(long, value_name = "LENGTH")]
    pub length: Vec<String>,

    /// How outputs follow: same, permuted (outputs with as many positions as inputs are permuted alike), or
    /// 'A=permuted' for the output A alone [default: same]
    #[arg(long, value_name = "HOW", value_delimiter = ',', conflicts_with_all = ["tau", "sigma"])]
    pub output: Vec<String>,

    /// What the exchange of the first two inputs, (1 2), does to the output positions, in cycle notation
    #[arg(long, value_name = "PERMUTATION")]
    pub tau: Option<String>,

    /// What the rotation of all inputs, (1 2 .. k), does to the output positions
    #[arg(long, value_name = "PERMUTATION")]
    pub sigma: Option<String>,

    /// The outputs to look at: 'return', names of arrays or records that are filled [default: what is returned or filled]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub observe: Vec<String>,

    /// The values of a parameter, or of an array's elements: 'i=-50..50', 'i,j=1,2,5', 'x=0..1:0.25', "c='a'..'z'"
    #[arg(long, value_name = "NAMES=VALUES", allow_hyphen_values = true)]
    pub domain: Vec<String>,

    /// Only tuples of which some arrangement satisfies this C expression
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub assume: Vec<String>,

    /// Try so many random tuples instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["boundary", "pairwise"])]
    pub random: Option<u64>,

    /// Try the values at the ends of the domains and around zero
    #[arg(long, conflicts_with = "pairwise")]
    pub boundary: bool,

    /// Try few tuples that contain every pair of values
    #[arg(long)]
    pub pairwise: bool,

    /// When outputs are equal: exact, multiset, tolerance=EPSILON
    #[arg(long, value_name = "MODE", default_value = "exact")]
    pub compare: String,

    /// One call for each tuple, or the source's three
    #[arg(long, value_enum, default_value_t = Procedure::Orbits)]
    pub method: Procedure,

    /// Compile with the address and undefined-behaviour sanitizers
    #[arg(long)]
    pub sanitize: bool,

    /// End arrays of characters with a zero
    #[arg(long)]
    pub terminated: bool,

    /// A call that takes longer does not return
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = super::seconds)]
    pub call_time: f64,

    /// Ask this program instead of C files: a JSON array of arguments a line, answered by a JSON value a line
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["files", "entry", "sanitize", "mutants", "terminated"])]
    pub exec: Option<String>,

    /// The order of the arguments for --exec [default: that of --domain]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "exec")]
    pub args: Vec<String>,

    /// Find the symmetries of the function, and check them
    #[arg(long, conflicts_with_all = ["permute", "output", "tau", "sigma", "mutants", "observe"])]
    pub discover: bool,

    /// Say how many small faults in the function the relation would show
    #[arg(long)]
    pub mutants: bool,

    #[command(flatten)]
    pub compile: Compile,

    #[command(flatten)]
    pub parts: Parts,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Procedure {
    /// Every arrangement is compared with one representative of its orbit
    Orbits,
    /// Each tuple is compared with what the two generators of the group make of it
    Generators,
}
