//! The walls around a child, and whether each stood.

use std::fmt;

/// One thing that keeps a child in. Each stands by itself, so that a hole in one is not a way out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wall {
    /// A user without rights: `nobody` where we are root, no capabilities in any case.
    Identity,
    /// A mount namespace: only what the policy names exists, read-only but for the child's own folder.
    View,
    /// A process namespace: other processes cannot be seen or signalled, and all of the child's end with it.
    Processes,
    /// Namespaces of its own for System V objects, message queues and the host's name.
    Ipc,
    /// A network namespace with nothing in it.
    Network,
    /// A list of the system calls that the policy needs; all others are refused.
    SystemCalls,
    /// Landlock: files outside the view stay closed, and signals inside, even where there are no namespaces.
    Landlock,
}

impl Wall {
    pub const ALL: [Wall; 7] =
        [Wall::Identity, Wall::View, Wall::Processes, Wall::Ipc, Wall::Network, Wall::SystemCalls, Wall::Landlock];

    /// A word to name it by.
    pub fn name(self) -> &'static str {
        match self {
            Wall::Identity => "identity",
            Wall::View => "view",
            Wall::Processes => "processes",
            Wall::Ipc => "ipc",
            Wall::Network => "network",
            Wall::SystemCalls => "system-calls",
            Wall::Landlock => "landlock",
        }
    }

    /// What it does, as the end of "a child is started …".
    pub fn what(self) -> &'static str {
        match self {
            Wall::Identity => "as a user without rights, with no capabilities",
            Wall::View => "in a file system that holds only what it needs, read-only but for its own folder",
            Wall::Processes => "among its own processes only, all of which end with it",
            Wall::Ipc => "with System V objects and a host name of its own",
            Wall::Network => "in a network of its own, with nothing in it",
            Wall::SystemCalls => "with the system calls it needs and no others",
            Wall::Landlock => "under Landlock: no files but the named ones, no signals to others",
        }
    }
}

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a wall stood during a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Protection {
    Enforced,
    /// The reason is the kernel's, worded for the user.
    Unavailable(String),
}

/// All walls of one child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walls {
    /// In the order of [`Wall::ALL`].
    protections: [Protection; 7],
}

impl Walls {
    pub(crate) fn new(protection: impl FnMut(Wall) -> Protection) -> Walls {
        Walls { protections: Wall::ALL.map(protection) }
    }

    pub fn get(&self, wall: Wall) -> &Protection {
        &self.protections[wall as usize]
    }

    pub fn stands(&self, wall: Wall) -> bool {
        *self.get(wall) == Protection::Enforced
    }

    pub fn iter(&self) -> impl Iterator<Item = (Wall, &Protection)> {
        Wall::ALL.into_iter().zip(&self.protections)
    }

    /// The walls that did not stand, with the reason.
    pub fn missing(&self) -> impl Iterator<Item = (Wall, &str)> {
        self.iter().filter_map(|(wall, protection)| match protection {
            Protection::Enforced => None,
            Protection::Unavailable(why) => Some((wall, why.as_str())),
        })
    }

    /// One sentence for each wall that was missing.
    pub fn notes(&self) -> Vec<String> {
        self.missing().map(|(wall, why)| format!("The program did not run {}: {why}.", wall.what())).collect()
    }
}

/// A set of walls to leave out, for tests of the others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct WallSet(u8);

impl WallSet {
    pub const NONE: WallSet = WallSet(0);

    pub fn with(self, wall: Wall) -> WallSet {
        WallSet(self.0 | 1 << wall as u8)
    }

    pub fn contains(self, wall: Wall) -> bool {
        self.0 & 1 << wall as u8 != 0
    }
}
