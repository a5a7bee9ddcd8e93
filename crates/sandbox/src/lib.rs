//! Starts every child process, behind walls.
//!
//! Compilers read hostile text, programs under analysis are hostile, and programs that the user names are asked about
//! hostile data. Each is started here, under a named [`Policy`], and nothing else of Plumbline starts processes.
//!
//! | wall | mechanism | without it |
//! |---|---|---|
//! | [`Wall::Identity`] | `setresuid` to nobody where we are root; all capabilities dropped, `no_new_privs` | the child is the user |
//! | [`Wall::View`] | mount namespace with read-only bind mounts, a `tmpfs` of limited size for the own folder | Landlock refuses the same files; modes and times cannot be changed at all |
//! | [`Wall::Processes`] | process namespace | the group is killed; Landlock refuses signals |
//! | [`Wall::Ipc`], [`Wall::Network`] | namespaces | the list of system calls has none of these |
//! | [`Wall::SystemCalls`] | seccomp allow-list | the namespaces have nothing to reach |
//! | [`Wall::Landlock`] | Landlock ruleset with the same paths | the view holds nothing else |
//!
//! Besides, always: an environment of named variables, no descriptors but the named ones, limits on processor time,
//! address space, file sizes, descriptors and tasks, a count of processes and their memory (by a control group of the
//! kernel's where one can be made, and by us), and an end with ours.
//!
//! Phases: a [`Start`] is settled for the [`Host`] and prepared (`child`), goes through `clone` and the steps of `launch`,
//! and is a [`Child`]; [`run`](fn@run) looks after one until it ends. `filter`, `ruleset` and `group` make what the
//! kernel enforces, `view` says which files there are. [`Scratch`] is a folder to work in.
//!
//! *Guarantee.* A wall that the host has is built completely or the child is not started; a wall that the host lacks is
//! said in [`Child::walls`]. When a child is finished, or we end in whatever way, none of its processes is left.
//!
//! *May miss*: side channels (timing, caches, load), bugs of the kernel, and where no control group can be made the memory
//! that several processes get together between two counts.

mod census;
mod child;
mod compiler_flags;
pub mod environment;
mod filter;
mod group;
mod host;
mod launch;
mod policy;
mod ruleset;
mod run;
mod scratch;
mod unwalled;
mod view;
mod walls;

pub use child::{CHANNEL, Child, Start, find};
pub use compiler_flags::{Danger, dangerous, not_a_flag};
pub use host::Host;
pub use policy::{Limits, Policy};
pub use run::{Finished, Job, Stop, run, run_with, set_nonblocking};
pub use scratch::{Scratch, hand_over, take_back};
pub use unwalled::{Said, build, tool};
pub use view::{Own, View, VisibleFiles};
pub use walls::{Protection, Wall, WallSet, Walls};
