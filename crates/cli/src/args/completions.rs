//! The flags of `plumb completions` and `plumb man`.

use clap::Args;
use clap_complete::Shell;

#[derive(Args, Debug)]
pub struct Completions {
    /// Whose completions
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Args, Debug)]
pub struct Man {
    /// The command whose page is printed [default: plumb itself]; -o DIR writes the pages of all commands there
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}
