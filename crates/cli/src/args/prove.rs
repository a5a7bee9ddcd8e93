//! The flags of `plumb prove`.

use super::{Compile, FloatModel, IntModel, Parts, World};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Prove {
    /// The C files of one program
    #[arg(value_name = "FILE", required_unless_present = "check")]
    pub files: Vec<PathBuf>,

    /// The function to start with; by default `mainQ` if there is one, else `main`
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    #[command(flatten)]
    pub asked: Asked,

    /// Candidates for invariants: what `plumb infer --format json` or an earlier proof wrote
    #[arg(long, value_name = "FILE")]
    pub using: Option<PathBuf>,

    /// The most steps of induction
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub max_k: u8,

    /// What integers are
    #[arg(long, value_enum, default_value_t = IntModel::Math)]
    pub ints: IntModel,

    /// What floating values are
    #[arg(long, value_enum, default_value_t = FloatModel::Exact)]
    pub floats: FloatModel,

    #[command(flatten)]
    pub world: World,

    /// Prove too that every operation is defined: no signed overflow, no division by zero, shifts, accesses, pointers
    /// and calls as C asks, nothing read before it is written
    #[arg(long)]
    pub overflow: bool,

    /// What is asked, as verification competitions name it: unreach-call, no-overflow, valid-memsafety, or a property
    /// file FILE.prp; by default all claims of the text
    #[arg(long, value_name = "PROPERTY", conflicts_with_all = ["overflow", "certificate", "check"])]
    pub property: Option<String>,

    /// Find out how many steps of induction each claim would take alone, without lemmas
    #[arg(long)]
    pub plain_k: bool,

    /// Values that an input may have in the runs that candidates come from: 'x=0..300' or 'x=1,2,5'
    #[arg(long, value_name = "NAME=VALUES")]
    pub input: Vec<String>,

    /// Candidates come from runs of these inputs: one a line, values separated by spaces
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,

    /// Write what the proofs rest on to FILE
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Check a certificate with fresh solvers, and do nothing else; it names the C files if none are given
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "invariant", "using", "certificate", "emit", "plain_k"])]
    pub check: Option<PathBuf>,

    /// Write a witness instead of listing what was proved
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<ProofEmit>,

    #[command(flatten)]
    pub compile: Compile,

    #[command(flatten)]
    pub parts: Parts,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ProofEmit {
    /// An SV-COMP witness, format 2.0: of correctness if all is proved, of violation if something is refuted
    Witness,
}

/// Invariants that the user asks about. Each belongs to the place named last before it, which is why the order of the
/// two flags is kept; without a place it is asked of all loops that have its variables.
#[derive(Debug, Default)]
pub struct Asked(pub Vec<(Option<String>, String)>);

impl Asked {
    fn flag(name: &'static str, value: &'static str, help: &'static str) -> clap::Arg {
        clap::Arg::new(name).long(name).value_name(value).help(help).action(clap::ArgAction::Append)
    }
}

impl Args for Asked {
    fn augment_args(command: clap::Command) -> clap::Command {
        let at = "The place of the invariants that follow: before the statement on a line, after a label, or a location \
                  as `plumb infer` names it (vtrace1, 'loop at line 12')";
        let invariant = "An invariant to prove: 'x == q*y + r'; without --at, at every loop that has its variables";
        let invariant = Asked::flag("invariant", "EXPR", invariant).allow_hyphen_values(true);
        command.arg(Asked::flag("at", "FILE:LINE|LABEL|LOCATION", at).requires("invariant")).arg(invariant)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Asked::augment_args(command)
    }
}

impl clap::FromArgMatches for Asked {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Asked, clap::Error> {
        let given = |name: &str| -> Vec<(usize, String)> {
            let values = matches.get_many::<String>(name).into_iter().flatten().cloned();
            matches.indices_of(name).into_iter().flatten().zip(values).collect()
        };
        let places = given("at");
        let invariants = given("invariant").into_iter();
        let place = |index: usize| places.iter().rev().find(|(at, _)| *at < index).map(|(_, place)| place.clone());
        Ok(Asked(invariants.map(|(index, text)| (place(index), text)).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Asked::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::args::{Cli, Command};
    use clap::Parser;

    #[test]
    fn an_invariant_belongs_to_the_place_before_it() {
        let words = ["plumb", "prove", "a.c", "--invariant", "p", "--at", "L", "--invariant", "q", "--invariant", "r"];
        let Command::Prove(prove) = Cli::try_parse_from(words).expect("the words should be read").command else {
            panic!("`prove` should be read as itself");
        };
        let place = Some("L".to_string());
        assert_eq!(prove.asked.0, [(None, "p".into()), (place.clone(), "q".into()), (place, "r".into())]);
    }
}
