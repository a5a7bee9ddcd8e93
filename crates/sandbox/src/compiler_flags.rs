//! Arguments that make a compiler do more than compile.
//!
//! Flags after `--` are the user's own, but people copy them from build systems and other people's instructions. Those
//! that load code into the compiler, start other programs, take arguments from files or write files of their choice are
//! refused until the user names them a second time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a flag could do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Danger {
    /// It runs code of somebody's choice inside the compiler, or instead of one of its parts.
    RunsCode,
    /// It takes more arguments from a file.
    ReadsArguments,
    /// It makes the compiler write files.
    WritesFiles,
}

impl Danger {
    /// As the end of "the flag …".
    pub fn what(self) -> &'static str {
        match self {
            Danger::RunsCode => "makes the compiler run other code",
            Danger::ReadsArguments => "takes more arguments from a file",
            Danger::WritesFiles => "makes the compiler write files",
        }
    }
}

/// Beginnings of flags, with what they do. Longer ones stand before those they begin with.
const DANGEROUS: [(&str, Danger); 38] = [
    ("@", Danger::ReadsArguments),
    ("--config", Danger::ReadsArguments),
    ("-Wl,@", Danger::ReadsArguments),
    ("-Wa,@", Danger::ReadsArguments),
    ("-Xlinker=@", Danger::ReadsArguments),
    ("-fplugin", Danger::RunsCode),
    ("-fpass-plugin", Danger::RunsCode),
    ("-wrapper", Danger::RunsCode),
    ("-specs", Danger::RunsCode),
    ("--specs", Danger::RunsCode),
    ("-B", Danger::RunsCode),
    ("--gcc-toolchain", Danger::RunsCode),
    ("--ld-path", Danger::RunsCode),
    ("-fuse-ld=/", Danger::RunsCode),
    ("-no-canonical-prefixes", Danger::RunsCode),
    ("-load", Danger::RunsCode),
    ("-Xclang", Danger::RunsCode),
    ("-Wl,-plugin", Danger::RunsCode),
    ("-Wl,--plugin", Danger::RunsCode),
    ("-Wl,-dynamic-linker", Danger::RunsCode),
    ("-Wl,--dynamic-linker", Danger::RunsCode),
    ("-o", Danger::WritesFiles),
    ("--output", Danger::WritesFiles),
    ("-MF", Danger::WritesFiles),
    ("-save-temps", Danger::WritesFiles),
    ("--save-temps", Danger::WritesFiles),
    ("-dumpdir", Danger::WritesFiles),
    ("-dumpbase", Danger::WritesFiles),
    ("-fdump-", Danger::WritesFiles),
    ("-fprofile-", Danger::WritesFiles),
    ("-ftest-coverage", Danger::WritesFiles),
    ("-fstack-usage", Danger::WritesFiles),
    ("-fcallgraph-info", Danger::WritesFiles),
    ("-aux-info", Danger::WritesFiles),
    ("-gsplit-dwarf", Danger::WritesFiles),
    ("-Wl,-Map", Danger::WritesFiles),
    ("-Wl,-o", Danger::WritesFiles),
    ("-Wp,-M", Danger::WritesFiles),
];

/// The danger of one flag, or of the word behind a flag that passes it on (`-Xlinker`, `-Xassembler`).
pub fn dangerous(flag: &str) -> Option<Danger> {
    DANGEROUS.iter().find(|(beginning, _)| flag.starts_with(beginning)).map(|(_, danger)| *danger)
}

/// A path as an argument that no compiler takes for a flag (`-x.c`) or a file of arguments (`@x.c`).
pub fn not_a_flag(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") || path.as_os_str().as_encoded_bytes().starts_with(b"@") {
        PathBuf::from(".").join(path).into_os_string()
    } else {
        path.as_os_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_loads_writes_or_reads_arguments_is_dangerous() {
        for flag in ["-fplugin=x.so", "-wrapper", "@args", "-specs=x", "-B.", "-o", "-ofile", "-MF", "-save-temps=cwd"]
        {
            assert!(dangerous(flag).is_some(), "{flag}");
        }
        for flag in
            ["-O2", "-Iinclude", "-DX=@", "-std=c11", "-lm", "-pthread", "-m32", "-fno-builtin", "-Wl,-rpath,/x"]
        {
            assert_eq!(dangerous(flag), None, "{flag}");
        }
    }

    #[test]
    fn names_are_never_flags() {
        assert_eq!(not_a_flag(Path::new("@evil.c")), "./@evil.c");
        assert_eq!(not_a_flag(Path::new("-evil.c")), "./-evil.c");
        assert_eq!(not_a_flag(Path::new("a/@b.c")), "a/@b.c");
    }
}
