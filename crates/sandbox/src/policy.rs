//! What each kind of child may do.

/// The kinds of children we start. A policy decides which system calls are on the list; which files a child sees is
/// its [`View`](crate::View), and how much of everything it may use its [`Limits`](crate::Limits).
///
/// | policy | who | system calls |
/// |---|---|---|
/// | `Preprocessor` | `cc -E` on a hostile text | files, memory, processes of its own |
/// | `Compiler` | `cc`, `as`, `ld` | the same |
/// | `Program` | the compiled program under analysis | the same |
/// | `Command` | programs the user names: clients of `represent`, `--exec` | the same, and pairs of connected sockets, `inotify`, copying between files |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Policy {
    Preprocessor,
    Compiler,
    Program,
    Command,
}

impl Policy {
    pub const ALL: [Policy; 4] = [Policy::Preprocessor, Policy::Compiler, Policy::Program, Policy::Command];
}

/// How much a child may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Processor time of each process.
    pub cpu_seconds: Option<u64>,
    /// Address space of each process, in bytes.
    pub address_space: Option<u64>,
    /// The largest file, in bytes.
    pub file_size: u64,
    /// All files in the child's own folder together, where that is a file system of its own.
    pub disk: u64,
    pub stack: Option<u64>,
    /// Open descriptors of each process.
    pub descriptors: u64,
    /// Tasks, threads included, where the kernel can count those of one child. A last resort: what ends a run with
    /// too many processes is counting them (see [`run`](crate::run)).
    pub tasks: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            cpu_seconds: None,
            address_space: None,
            file_size: 1 << 30,
            disk: 1 << 30,
            stack: None,
            descriptors: 1024,
            tasks: 4096,
        }
    }
}
