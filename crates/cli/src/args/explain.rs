//! The flags of `plumb explain`.

use clap::Args;

#[derive(Args, Debug)]
pub struct Explain {
    /// The rule's name, as findings show it in brackets
    #[arg(value_name = "RULE")]
    pub rule: Option<String>,
}
