//! The flags of `plumb submit` and `plumb status`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "The verb stands after `--`, as it would be typed, without --shard and -o:\n  \
                        plumb submit --to slurm --shards 16 --folder /shared/run1 --start -- check-up -p build --time 600")]
pub struct Submit {
    /// What runs the shards
    #[arg(long, value_enum)]
    pub to: Scheduler,

    /// How many parts
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub shards: u32,

    /// The folder that all machines share; scripts and documents go there
    #[arg(long, value_name = "DIR")]
    pub folder: PathBuf,

    /// Start it; without, only what would start it is written
    #[arg(long)]
    pub start: bool,

    /// Shards that run at the same time, at most [local: the cores of this machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_once: Option<u32>,

    /// Megabytes for each shard
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub memory: u32,

    /// Minutes for each shard [default: twice the verb's --time, and ten more; with --each none]
    #[arg(long, value_name = "MINUTES")]
    pub minutes: Option<u32>,

    /// Kubernetes: the image that has plumb and the compiler
    #[arg(long, value_name = "IMAGE", default_value = "plumbline:latest")]
    pub image: String,

    /// Kubernetes: the claim of the volume that is mounted at the shared folder's place
    #[arg(long, value_name = "NAME", default_value = "plumbline")]
    pub claim: String,

    /// The verb, as it would be typed
    #[arg(last = true, required = true, value_name = "VERB")]
    pub words: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Scheduler {
    /// Processes on this machine
    Local,
    /// A Slurm array job, and a job behind it that merges
    Slurm,
    /// A Kubernetes Indexed Job, and a job that waits for it and merges
    Kubernetes,
}

#[derive(Args, Debug)]
pub struct Status {
    /// The folder given to `plumb submit`
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Come back when every shard is there, or --time is over
    #[arg(long)]
    pub wait: bool,

    /// Take the jobs back that are not done
    #[arg(long, conflicts_with = "wait")]
    pub cancel: bool,
}
