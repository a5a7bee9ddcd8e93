//! The flags of `plumb merge`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Merge {
    /// What `--shard K/N --format json -o FILE` wrote, or folders of such files
    #[arg(value_name = "FILE.json|DIR", required = true)]
    pub files: Vec<PathBuf>,

    /// Run the shards that are lost here first; their documents go beside the others
    #[arg(long)]
    pub missing: bool,
}
