//! The flags of `plumb represent`.

use super::{Compile, Parts};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Represent {
    /// The C file of the normalisation program: from a representation (by-value and const parameters) to the
    /// canonical value (the other pointers and arrays)
    #[arg(value_name = "NORM.c", required = true)]
    pub files: Vec<PathBuf>,

    /// The normalisation function [default: the only one that is not static,
    /// apart from those of --load and --store]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Print the inverse as C and stop
    #[arg(long)]
    pub show_inverse: bool,

    /// The sample: a JSON object of parameter names and values, or a TIFF file, or what --load reads
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,

    /// How many variants to make
    #[arg(long, value_name = "N", default_value_t = 20, requires = "data")]
    pub count: usize,

    /// Write the variants to this folder
    #[arg(long, value_name = "DIR", requires = "data")]
    pub variants: Option<PathBuf>,

    /// A C function that reads the sample: FUNCTION(long size, const unsigned char bytes[size], a pointer for each
    /// parameter of the representation)
    #[arg(long, value_name = "FUNCTION", requires = "store")]
    pub load: Option<String>,

    /// A C function that writes a variant: long FUNCTION(the representation, long size, unsigned char bytes[size]),
    /// which returns how many bytes it wrote
    #[arg(long, value_name = "FUNCTION", requires = "load")]
    pub store: Option<String>,

    /// A program to try the variants on; {} is the variant, {out} a file it writes. May be given several times
    #[arg(long, value_name = "NAME=COMMAND", requires = "data")]
    pub client: Vec<String>,

    /// A command that what a client gives goes through before it is compared, standard input to standard output
    #[arg(long, value_name = "COMMAND", requires = "client")]
    pub normalise_output: Option<String>,

    /// Seconds that a client may take for one variant
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = super::seconds)]
    pub client_time: f64,

    #[command(flatten)]
    pub compile: Compile,

    #[command(flatten)]
    pub parts: Parts,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}
