//! The flags of `plumb dump`.

use super::{IntModel, Sources};
use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
pub struct Dump {
    #[command(flatten)]
    pub sources: Sources,

    /// Which form
    #[arg(long, value_enum, default_value_t = Stage::Ir)]
    pub stage: Stage,

    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// What integers are (for --stage smt)
    #[arg(long, value_enum, default_value_t = IntModel::Math)]
    pub ints: IntModel,

    /// Graphs in GraphViz form (for --stage cfg)
    #[arg(long)]
    pub dot: bool,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Stage {
    /// The syntax tree
    Ast,
    /// The typed program model
    Ir,
    /// The control-flow graphs
    Cfg,
    /// The transition system that proofs work on
    Smt,
}
