//! Which functions read and write: the built-in table, and the plain form of what the user says (`io.toml`).

use super::kinds::{Kinds, Pattern};
use std::collections::BTreeMap;

/// Which side of the pair a program plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    Producer,
    Consumer,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Producer => "producer",
            Role::Consumer => "consumer",
        }
    }

    /// What the calls of that side do.
    pub fn verb(self) -> &'static str {
        match self {
            Role::Producer => "writes",
            Role::Consumer => "reads",
        }
    }
}

/// What a call of a function means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// It reads or writes this.
    Moves(Moves),
    /// Its argument of this number (from 1) is a format.
    Format(u32),
    /// Its argument of this number is a string that is written as it is, and then perhaps a newline.
    Text { position: u32, newline: bool },
    /// It moves memory: the number of the pointer, and those of the factors of the size.
    Memory { pointer: u32, size: Vec<u32> },
    /// The call is no input or output, whatever its function does.
    Ignored,
    /// The program fails here.
    Fails,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    pub pattern: Pattern,
    /// The argument that is written, or that points to where what is read goes; 0 is the result.
    pub value: Option<u32>,
    /// The argument that points to the memory that is moved; if it is also `value`, the number is what it points to.
    pub pointer: Option<u32>,
    /// Whether the program asks which number it is, so that the constants of the other side are told apart.
    pub asked: bool,
    /// What is moved where an argument that the pattern depends on is not constant.
    pub otherwise: Option<Pattern>,
    /// Memory whose size is known, if at all, only where the call is reached; the pattern is for where it is not.
    pub block: Option<Block>,
    /// What the call returns when the input is at its end; without it the call fails there.
    pub end: Option<i128>,
    /// The least and the greatest number it returns otherwise, where that is known.
    pub returned: Option<(i128, Option<i128>)>,
}

/// Memory that is moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The number of the argument that points to it.
    pub pointer: u32,
    /// The numbers of the arguments whose product is its size in bytes.
    pub size: Vec<u32>,
    /// What it is made of, if nothing better is known about the pointer, and how many bytes that takes.
    pub element: Pattern,
    pub bytes: u64,
}

/// What the user says about a program's input and output.
#[derive(Clone, Debug)]
pub struct Io {
    pub kinds: Kinds,
    /// Whether the table of library functions counts.
    pub builtin: bool,
    /// By the names of functions and macros.
    pub writes: BTreeMap<String, Action>,
    pub reads: BTreeMap<String, Action>,
    /// Functions whose call is a failure of the program.
    pub fails: Vec<String>,
    /// What a function may return, for those whose body is not to be looked at.
    pub returns: BTreeMap<String, Vec<i128>>,
    /// Variables that are not followed; fields have a dot in front, and a star at the end stands for anything.
    pub forget: Vec<String>,
    /// How bytes of integers are ordered.
    pub big_endian: bool,
    pub producer: Side,
    pub consumer: Side,
}

/// What differs between the two sides.
#[derive(Clone, Debug)]
pub struct Side {
    pub entry: Option<String>,
    /// The exit statuses of success.
    pub success: Vec<i128>,
    /// Globals that have one value throughout.
    pub assume: BTreeMap<String, i128>,
    /// Calls as the user listed them: nothing else is input or output.
    pub sites: Option<Vec<ListedSite>>,
}

impl Default for Side {
    fn default() -> Side {
        Side { entry: None, success: vec![0], assume: BTreeMap::new(), sites: None }
    }
}

/// A line of `--io-sites`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedSite {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub callee: String,
    pub action: Action,
}

impl Default for Io {
    fn default() -> Io {
        Io {
            kinds: Kinds::default(),
            builtin: true,
            writes: BTreeMap::new(),
            reads: BTreeMap::new(),
            fails: Vec::new(),
            returns: BTreeMap::new(),
            forget: Vec::new(),
            big_endian: false,
            producer: Side::default(),
            consumer: Side::default(),
        }
    }
}

impl Io {
    pub fn side(&self, role: Role) -> &Side {
        match role {
            Role::Producer => &self.producer,
            Role::Consumer => &self.consumer,
        }
    }

    pub fn side_mut(&mut self, role: Role) -> &mut Side {
        match role {
            Role::Producer => &mut self.producer,
            Role::Consumer => &mut self.consumer,
        }
    }

    /// What a call of this function means on that side.
    pub(super) fn action(&mut self, role: Role, name: &str) -> Option<Action> {
        if self.fails.iter().any(|fail| fail == name) {
            return Some(Action::Fails);
        }
        let listed = match role {
            Role::Producer => self.writes.get(name),
            Role::Consumer => self.reads.get(name),
        };
        if let Some(action) = listed {
            return Some(action.clone());
        }
        if !self.builtin {
            return None;
        }
        match role {
            Role::Producer => written(name, &mut self.kinds),
            Role::Consumer => read(name, &mut self.kinds),
        }
    }

    /// The number of the argument that is the stream of a library function, to leave out `stderr`.
    pub(super) fn stream(name: &str) -> Option<u32> {
        Some(match name {
            "putc" | "fputc" | "putc_unlocked" | "fputc_unlocked" | "putw" | "fputs" | "fputs_unlocked" => 2,
            "fprintf" | "vfprintf" => 1,
            "fwrite" | "fwrite_unlocked" => 4,
            _ => return None,
        })
    }
}

fn one(kind: &str, value: u32, kinds: &mut Kinds) -> Action {
    let pattern = kinds.pattern(kind).expect("the kinds of the table should be built in");
    Action::Moves(Moves { pattern, value: Some(value), ..Moves::default() })
}

fn written(name: &str, kinds: &mut Kinds) -> Option<Action> {
    Some(match name {
        "putc" | "fputc" | "putchar" | "putc_unlocked" | "fputc_unlocked" | "putchar_unlocked" => one("u8", 1, kinds),
        "putw" => one("int", 1, kinds),
        "puts" => Action::Text { position: 1, newline: true },
        "fputs" | "fputs_unlocked" => Action::Text { position: 1, newline: false },
        "printf" | "vprintf" => Action::Format(1),
        "fprintf" | "dprintf" | "vfprintf" | "vdprintf" => Action::Format(2),
        "fwrite" | "fwrite_unlocked" => Action::Memory { pointer: 1, size: vec![2, 3] },
        "write" | "send" | "sendto" | "pwrite" => Action::Memory { pointer: 2, size: vec![3] },
        _ => return None,
    })
}

fn read(name: &str, kinds: &mut Kinds) -> Option<Action> {
    Some(match name {
        "getc" | "fgetc" | "getchar" | "getc_unlocked" | "fgetc_unlocked" | "getchar_unlocked" => {
            let pattern = kinds.pattern("u8").expect("the kinds of the table should be built in");
            Action::Moves(Moves {
                pattern,
                value: Some(0),
                end: Some(-1),
                returned: Some((0, Some(255))),
                ..Moves::default()
            })
        }
        "getw" => one("int", 0, kinds),
        "fgets" | "gets" | "getline" | "getdelim" => {
            let pattern = kinds.pattern("line").expect("the kinds of the table should be built in");
            let end = if name.starts_with("get") && name != "gets" { -1 } else { 0 };
            Action::Moves(Moves { pattern, end: Some(end), returned: Some((1, None)), ..Moves::default() })
        }
        "scanf" | "vscanf" => Action::Format(1),
        "fscanf" | "vfscanf" => Action::Format(2),
        "fread" | "fread_unlocked" => Action::Memory { pointer: 1, size: vec![2, 3] },
        "read" | "recv" | "recvfrom" | "pread" => Action::Memory { pointer: 2, size: vec![3] },
        _ => return None,
    })
}
