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
    /// Record types of which at most one object is in use at a time, and only through pointers to it: their tags, or one
    /// of their fields with a dot in front.
    pub one: Vec<String>,
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
            one: Vec::new(),
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

    /// The number of the argument that is the stream or the descriptor of a library function that writes, to leave out
    /// what goes to the user.
    pub(super) fn stream(name: &str) -> Option<u32> {
        Some(match plain(name) {
            "putc" | "fputc" | "putw" | "fputs" => 2,
            "fprintf" | "vfprintf" | "__fprintf_chk" | "__vfprintf_chk" => 1,
            "write" | "pwrite" | "dprintf" | "vdprintf" | "__dprintf_chk" | "__vdprintf_chk" => 1,
            "fwrite" => 4,
            _ => return None,
        })
    }
}

/// Whether a process that ends with this status ends well: of the status the system keeps eight bits.
pub(super) fn is_good_status(success: &[i128], status: i128) -> bool {
    success.iter().any(|good| (good ^ status) & 0xff == 0)
}

/// The name that a library function has in the standards: variants that take no lock, that the headers redirect to, and
/// that macros stand for do the same.
pub(super) fn plain(name: &str) -> &str {
    let name = name.strip_suffix("_unlocked").unwrap_or(name);
    let name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    match name {
        "_IO_getc" => "getc",
        "_IO_putc" => "putc",
        "_IO_puts" => "puts",
        "_IO_fgets" => "fgets",
        "__getdelim" | "_IO_getdelim" => "getdelim",
        "__getline" => "getline",
        "__builtin_putchar" => "putchar",
        "__builtin_puts" => "puts",
        "__builtin_printf" => "printf",
        "__builtin_fputc" => "fputc",
        "__builtin_fputs" => "fputs",
        "__builtin_fprintf" => "fprintf",
        "__builtin_fwrite" => "fwrite",
        "__read_chk" => "read",
        "__recv_chk" => "recv",
        "__recvfrom_chk" => "recvfrom",
        "__pread_chk" | "pread64" | "__pread64_chk" => "pread",
        "pwrite64" => "pwrite",
        other => other,
    }
}

fn one(kind: &str, value: u32, kinds: &mut Kinds) -> Action {
    let pattern = kinds.pattern(kind).expect("the kinds of the table should be built in");
    Action::Moves(Moves { pattern, value: Some(value), ..Moves::default() })
}

fn written(name: &str, kinds: &mut Kinds) -> Option<Action> {
    Some(match plain(name) {
        "putc" | "fputc" | "putchar" => one("u8", 1, kinds),
        "putw" => one("int", 1, kinds),
        "puts" => Action::Text { position: 1, newline: true },
        "fputs" => Action::Text { position: 1, newline: false },
        "printf" | "vprintf" => Action::Format(1),
        "fprintf" | "dprintf" | "vfprintf" | "vdprintf" | "__printf_chk" | "__vprintf_chk" => Action::Format(2),
        "__fprintf_chk" | "__vfprintf_chk" | "__dprintf_chk" | "__vdprintf_chk" => Action::Format(3),
        "fwrite" => Action::Memory { pointer: 1, size: vec![2, 3] },
        "write" | "send" | "sendto" | "pwrite" => Action::Memory { pointer: 2, size: vec![3] },
        _ => return None,
    })
}

fn read(name: &str, kinds: &mut Kinds) -> Option<Action> {
    let name = plain(name);
    Some(match name {
        "getc" | "fgetc" | "getchar" => {
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
        "fgets" | "gets" | "getline" | "getdelim" | "__fgets_chk" | "__gets_chk" => {
            let pattern = kinds.pattern("line").expect("the kinds of the table should be built in");
            let end = if matches!(name, "getline" | "getdelim") { -1 } else { 0 };
            Action::Moves(Moves { pattern, end: Some(end), returned: Some((1, None)), ..Moves::default() })
        }
        "scanf" | "vscanf" => Action::Format(1),
        "fscanf" | "vfscanf" => Action::Format(2),
        "fread" => Action::Memory { pointer: 1, size: vec![2, 3] },
        "__fread_chk" => Action::Memory { pointer: 1, size: vec![3, 4] },
        "read" | "recv" | "recvfrom" | "pread" => Action::Memory { pointer: 2, size: vec![3] },
        _ => return None,
    })
}

/// Library functions that write to streams in ways that the table does not know.
const WRITERS: &[&str] = &[
    "fputwc",
    "putwc",
    "putwchar",
    "fputws",
    "wprintf",
    "fwprintf",
    "vwprintf",
    "vfwprintf",
    "writev",
    "pwritev",
    "sendmsg",
    "sendmmsg",
    "sendfile",
    "splice",
    "copy_file_range",
    "vmsplice",
    "process_vm_writev",
];

/// Library functions that read from streams in ways that the table does not know.
const READERS: &[&str] = &[
    "fgetwc", "getwc", "getwchar", "fgetws", "wscanf", "fwscanf", "vwscanf", "vfwscanf", "readv", "preadv", "recvmsg",
    "recvmmsg", "mmap", "ungetwc",
];

/// Library functions that change what a stream is or where it stands, or run other code.
const MOVERS: &[&str] = &[
    "fseek",
    "fseeko",
    "fseeko64",
    "fsetpos",
    "rewind",
    "lseek",
    "lseek64",
    "freopen",
    "dup",
    "dup2",
    "dup3",
    "fdopen",
    "ftruncate",
    "truncate",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "siglongjmp",
    "system",
    "popen",
    "fork",
    "vfork",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "posix_spawn",
    "pthread_create",
    "thrd_create",
    "dlopen",
    "dlsym",
    "syscall",
    "ioctl",
    "fcntl",
];

/// Library functions beyond those that have models, which move nothing.
const QUIET: &[&str] = &[
    "access",
    "alarm",
    "asctime",
    "basename",
    "bcmp",
    "bcopy",
    "bindtextdomain",
    "bzero",
    "cfsetispeed",
    "chdir",
    "chmod",
    "chown",
    "clearerr",
    "clearerr_unlocked",
    "clock_gettime",
    "close",
    "closedir",
    "closelog",
    "connect",
    "creat",
    "ctime",
    "dcgettext",
    "dgettext",
    "difftime",
    "dirname",
    "endpwent",
    "err",
    "error",
    "errx",
    "explicit_bzero",
    "fchmod",
    "fchown",
    "fclose",
    "feof",
    "feof_unlocked",
    "ferror",
    "ferror_unlocked",
    "fflush",
    "fflush_unlocked",
    "fileno",
    "fileno_unlocked",
    "flockfile",
    "fopen",
    "fopen64",
    "freeaddrinfo",
    "fstat",
    "fstat64",
    "fsync",
    "ftell",
    "ftello",
    "ftello64",
    "fgetpos",
    "ftrylockfile",
    "funlockfile",
    "futimens",
    "gai_strerror",
    "getaddrinfo",
    "getcwd",
    "getegid",
    "geteuid",
    "getgid",
    "gethostbyname",
    "gethostname",
    "getopt",
    "getopt_long",
    "getpagesize",
    "getpid",
    "getppid",
    "getpwnam",
    "getpwuid",
    "getrlimit",
    "getrusage",
    "getsockopt",
    "gettext",
    "gettimeofday",
    "getuid",
    "gmtime",
    "gmtime_r",
    "htonl",
    "htons",
    "inet_addr",
    "inet_ntoa",
    "inet_ntop",
    "inet_pton",
    "isatty",
    "kill",
    "link",
    "listen",
    "accept",
    "bind",
    "localeconv",
    "localtime",
    "localtime_r",
    "lstat",
    "lstat64",
    "memccpy",
    "memmem",
    "mempcpy",
    "memrchr",
    "mkdir",
    "mkstemp",
    "mkstemp64",
    "mktemp",
    "mktime",
    "nanosleep",
    "ngettext",
    "nl_langinfo",
    "ntohl",
    "ntohs",
    "open",
    "open64",
    "openat",
    "opendir",
    "openlog",
    "pclose",
    "perror",
    "poll",
    "posix_fadvise",
    "posix_memalign",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_self",
    "putenv",
    "raise",
    "random",
    "readdir",
    "readlink",
    "realpath",
    "remove",
    "rename",
    "rmdir",
    "sched_yield",
    "select",
    "setbuf",
    "setbuffer",
    "setenv",
    "setlinebuf",
    "setlocale",
    "setmode",
    "setrlimit",
    "setsockopt",
    "settimeofday",
    "setvbuf",
    "shutdown",
    "sigaction",
    "sigaddset",
    "sigdelset",
    "sigemptyset",
    "sigfillset",
    "siginterrupt",
    "sigismember",
    "signal",
    "sigprocmask",
    "sleep",
    "socket",
    "srandom",
    "stat",
    "stat64",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcasestr",
    "strchrnul",
    "strcoll",
    "strdup",
    "strerror",
    "strerror_r",
    "strfmon",
    "strftime",
    "strlcat",
    "strlcpy",
    "strncasecmp",
    "strndup",
    "strnlen",
    "strptime",
    "strsep",
    "strsignal",
    "strtok_r",
    "strverscmp",
    "strxfrm",
    "symlink",
    "sync",
    "sysconf",
    "syslog",
    "tcgetattr",
    "tcsetattr",
    "textdomain",
    "time",
    "times",
    "tmpfile",
    "tmpnam",
    "tzset",
    "ulimit",
    "umask",
    "uname",
    "unlink",
    "unlockpt",
    "unsetenv",
    "usleep",
    "utime",
    "utimes",
    "verr",
    "verrx",
    "vsyslog",
    "vwarn",
    "vwarnx",
    "wait",
    "waitpid",
    "warn",
    "warnx",
    "at_quick_exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__errno_location",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__assert_fail",
    "__assert",
    "__fpending",
    "__freading",
    "__fwriting",
    "__fsetlocking",
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
    "__mempcpy_chk",
    "__strcpy_chk",
    "__strcat_chk",
    "__strncpy_chk",
    "__strncat_chk",
    "__sprintf_chk",
    "__snprintf_chk",
    "__vsprintf_chk",
    "__vsnprintf_chk",
    "__stack_chk_fail",
    "__overflow",
    "__uflow",
    "asprintf",
    "vasprintf",
    "__asprintf_chk",
    "__vasprintf_chk",
    "obstack_free",
    "secure_getenv",
    "reallocarray",
    "reallocf",
    "lockf",
    "flock",
    "fstatat",
    "utimensat",
    "futimes",
    "aligned_alloc",
    "malloc_usable_size",
    "getrandom",
    "getentropy",
];

/// What is known of a function without a body that is no input or output of this side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Foreign {
    /// It moves nothing of this side.
    Quiet,
    /// It moves something, and what is not known.
    Moves,
    /// It changes where a stream stands, or runs other code.
    Disturbs,
    /// Nothing is known about it.
    Stranger,
}

/// What a function without a body may do to the messages of a side.
pub(super) fn foreign(role: Role, name: &str) -> Foreign {
    let kinds = &mut Kinds::default();
    let bare = plain(name).trim_start_matches("__builtin_");
    let (own, other) = match role {
        Role::Producer => (WRITERS, READERS),
        Role::Consumer => (READERS, WRITERS),
    };
    // What this side does not move may be of the other.
    if other.contains(&bare) || written(name, kinds).is_some() || read(name, kinds).is_some() {
        return Foreign::Quiet;
    }
    if own.contains(&bare) {
        return Foreign::Moves;
    }
    if MOVERS.contains(&bare) {
        return Foreign::Disturbs;
    }
    let known = exec::libc::lookup(name).is_some() || QUIET.contains(&bare) || name.starts_with("__builtin_");
    let verifier = name.starts_with("__VERIFIER_nondet");
    if known || verifier { Foreign::Quiet } else { Foreign::Stranger }
}
