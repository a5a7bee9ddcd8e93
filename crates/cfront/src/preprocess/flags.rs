//! What the flags of a build say about the language.
//!
//! A flag is one of four kinds: it does not touch the meaning of a program (`-Wall`, `-O2`, `-I…`); what it changes can
//! be seen in the compiler's predefined macros (`-m…`, `-std=…`, see [`macros`](super::macros)); it changes what no macro
//! tells, and is modelled here (`-fshort-enums`); or it is refused by name. The lists are closed: a flag that nobody has
//! thought about is refused, because a verdict about another language than the compiler's is worse than none.

use super::EnvironmentError;
use ir::{DataModel, Packing};

/// Flags whose argument may be the next word. They say where things are found, what is defined and what is linked.
const WITH_ARGUMENT: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-u",
    "-z",
    "-T",
    "-A",
    "-dumpdir",
    "-dumpbase",
];

/// Words without an argument that have no meaning for the program.
const PLAIN: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-P",
    "-C",
    "-CC",
    "-v",
    "-w",
    "-g",
    "-s",
    "-p",
    "-pg",
    "-pipe",
    "-pedantic",
    "-pedantic-errors",
    "-pthread",
    "-pthreads",
    "-shared",
    "-static",
    "-static-pie",
    "-static-libgcc",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-r",
    "-nostdinc",
    "-undef",
    "-ansi",
    "-trigraphs",
    "-traditional-cpp",
    "-remap",
    "-save-temps",
    "-symbolic",
    "-H",
    "-time",
    "-Qn",
    "-Qy",
    "-no-integrated-cpp",
    "-coverage",
    "--coverage",
    "-no-canonical-prefixes",
    "-Qunused-arguments",
    "-no-pedantic",
];

/// What is harmless with whatever follows.
const PREFIXES: &[&str] = &[
    "-g",
    "-O",
    "-M",
    "-d",
    "-save-temps=",
    "-march=",
    "-mtune=",
    "-mcpu=",
    "-std=",
    "--std=",
    "--sysroot=",
    "-fdiagnostics-",
    "-fno-builtin-",
    "-fsanitize",
    "-fno-sanitize",
    "-fstack-protector",
    "-fstack-",
    "-fvisibility",
    "-fcf-protection",
    "-fdebug-",
    "-ffile-prefix-map=",
    "-fmacro-prefix-map=",
    "-fmessage-length=",
    "-fmax-",
    "-ftemplate-",
    "-fdump-",
    "-fopt-info",
    "-flto",
    "-ftree-",
    "-fipa-",
    "-floop-",
    "-fsched",
    "-fira-",
    "-falign-",
    "-finline-",
    "-fprofile-",
    "-fauto-profile",
    "-fbranch-",
    "-fgcse",
    "-fcrossjumping",
    "-fcse-",
    "-fselective-",
    "-fmodulo-",
    "-frename-",
    "-fsplit-",
    "-funroll-",
    "-fpeel-",
    "-funswitch-",
    "-fvect-",
    "-fvectorize",
    "-fslp-vectorize",
    "-fcompare-debug",
    "-frandom-seed=",
    "-fuse-ld=",
    "-fuse-linker-plugin",
    "-fwhole-program",
    "-ftrivial-auto-var-init=",
    "-fzero-call-used-regs=",
    "-fpatchable-function-entry=",
    "-ftls-model=",
    "-fvar-tracking",
    "-frecord-",
    "-fcolor-",
    "-fabi-",
    "-ftabstop=",
    "-ferror-limit=",
    "-fcaret-",
    "-fshow-",
    "-fspell-",
    "-fcondition-coverage",
    "-fpermitted-",
    "-fmodules-cache-path=",
    "-fsave-optimization-record",
    "-fstrict-flex-arrays",
    "-fharden-",
    "-fverbose-",
];

/// `-f…` and `-fno-…` of these names leave the meaning alone: they choose between translations of the same program,
/// say what is linked how, or make more programs defined than the model takes to be.
const NEUTRAL: &[&str] = &[
    "pic",
    "PIC",
    "pie",
    "PIE",
    "plt",
    "common",
    "lto",
    "ident",
    "semantic-interposition",
    "function-sections",
    "data-sections",
    "section-anchors",
    "omit-frame-pointer",
    "asynchronous-unwind-tables",
    "unwind-tables",
    "non-call-exceptions",
    "exceptions",
    "delete-dead-exceptions",
    "delete-null-pointer-checks",
    "builtin",
    "hosted",
    "gnu89-inline",
    "keep-inline-functions",
    "keep-static-functions",
    "keep-static-consts",
    "inline",
    "inline-functions",
    "early-inlining",
    "indirect-inlining",
    "partial-inlining",
    "merge-constants",
    "merge-all-constants",
    "optimize-sibling-calls",
    "optimize-strlen",
    "caller-saves",
    "combine-stack-adjustments",
    "conserve-stack",
    "compare-elim",
    "dce",
    "dse",
    "defer-pop",
    "delayed-branch",
    "devirtualize",
    "expensive-optimizations",
    "fat-lto-objects",
    "forward-propagate",
    "function-cse",
    "gcse",
    "guess-branch-probability",
    "hoist-adjacent-loads",
    "if-conversion",
    "if-conversion2",
    "isolate-erroneous-paths-dereference",
    "jump-tables",
    "bit-tests",
    "live-patching",
    "lra-remat",
    "math-errno",
    "trapping-math",
    "rounding-math",
    "signaling-nans",
    "peephole",
    "peephole2",
    "plt",
    "predictive-commoning",
    "prefetch-loop-arrays",
    "printf-return-value",
    "ree",
    "reg-struct-return",
    "reorder-blocks",
    "reorder-blocks-and-partition",
    "reorder-functions",
    "rerun-cse-after-loop",
    "rounding-math",
    "shrink-wrap",
    "shrink-wrap-separate",
    "signed-zeros",
    "associative-math",
    "reciprocal-math",
    "finite-math-only",
    "unsafe-math-optimizations",
    "fast-math",
    "single-precision-constant",
    "store-merging",
    "strict-volatile-bitfields",
    "thread-jumps",
    "threadsafe-statics",
    "toplevel-reorder",
    "tracer",
    "unit-at-a-time",
    "unconstrained-commons",
    "use-ld",
    "variable-expansion-in-unroller",
    "web",
    "wpa",
    "zero-initialized-in-bss",
    "working-directory",
    "syntax-only",
    "asm",
    "dollars-in-identifiers",
    "extended-identifiers",
    "preprocessed",
    "directives-only",
    "allow-store-data-races",
    "aggressive-loop-optimizations",
    "code-hoisting",
    "cprop-registers",
    "auto-inc-dec",
    "stdarg-opt",
    "ssa-phiopt",
    "ssa-backprop",
    "split-stack",
    "pch-deps",
    "pch-preprocess",
    "working-directory",
    "diagnostics-color",
    "eliminate-unused-debug-types",
    "eliminate-unused-debug-symbols",
    "emit-class-debug-always",
    "test-coverage",
    "profile-arcs",
    "pack-struct",
    "short-enums",
    "signed-char",
    "unsigned-char",
    "signed-bitfields",
    "unsigned-bitfields",
    "short-wchar",
    "wrapv",
    "wrapv-pointer",
    "strict-overflow",
    "trapv",
    "ms-extensions",
    "lax-vector-conversions",
    "addrsig",
    "integrated-as",
    "use-init-array",
    "gnuc-version",
    "temp-file",
    "access-control",
    "caret-diagnostics",
    "unroll-loops",
    "peel-loops",
    "ivopts",
    "sched-interblock",
];

/// `-m…` of these names choose instructions, not meanings. What they can change nevertheless (contraction of floating
/// operations, the largest alignment, the data model) stands in the macros.
const MACHINE: &[&str] = &[
    "-m64",
    "-m32",
    "-mx32",
    "-m16",
    "-mmmx",
    "-m3dnow",
    "-msse",
    "-mssse3",
    "-mavx",
    "-mfma",
    "-mbmi",
    "-maes",
    "-mpclmul",
    "-mpopcnt",
    "-mlzcnt",
    "-mabm",
    "-mmovbe",
    "-mf16c",
    "-mrdrnd",
    "-mrdseed",
    "-madx",
    "-mxsave",
    "-msha",
    "-mcx16",
    "-msahf",
    "-mcrc32",
    "-mcmodel=",
    "-mred-zone",
    "-mfpmath=",
    "-mprefer-vector-width=",
    "-mgeneral-regs-only",
    "-mstackrealign",
    "-mpreferred-stack-boundary=",
    "-mincoming-stack-boundary=",
    "-mtls-dialect=",
    "-mvzeroupper",
    "-mindirect-branch",
    "-mfunction-return=",
    "-mshstk",
    "-mrecord-mcount",
    "-mfentry",
    "-mnop-mcount",
    "-momit-leaf-frame-pointer",
    "-maccumulate-outgoing-args",
    "-mbranch-cost=",
    "-mlong-double-",
    "-m80387",
    "-mhard-float",
    "-m128bit-long-double",
    "-mlittle-endian",
    "-mstrict-align",
    "-mbranch-protection=",
    "-moutline-atomics",
    "-mfix-",
    "-mmovdir",
    "-mgfni",
    "-mvaes",
    "-mvpclmulqdq",
    "-mfsgsbase",
    "-mclflushopt",
    "-mclwb",
    "-mprfchw",
    "-mwaitpkg",
    "-mfxsr",
    "-mhle",
    "-mrtm",
    "-mtbm",
    "-mlwp",
    "-mxop",
    "-mpku",
    "-mserialize",
    "-mptwrite",
    "-mrdpid",
    "-mno-",
    "-mgcc-struct",
    "-mskip-rax-setup",
];

/// Flags that have no model, and why.
const REFUSED: &[(&str, &str)] = &[
    ("-fopenmp", "its pragmas make threads, and there is no model of them"),
    ("-fopenacc", "its pragmas make threads, and there is no model of them"),
    ("-fgnu-tm", "there is no model of transactions"),
    ("-finstrument-functions", "every function would call hooks of the program that the model does not call"),
    ("-fexec-charset=", "literals would have other bytes than the text"),
    ("-fwide-exec-charset=", "literals would have other values than the text"),
    ("-finput-charset=", "literals are read as UTF-8"),
    ("-mms-bitfields", "records would be laid out as Microsoft's compilers do"),
    ("-mabi=", "calls would follow another convention"),
    ("-msoft-float", "floating point would be computed by a library"),
    ("-mpc32", "the x87 unit would round to another precision"),
    ("-mpc64", "the x87 unit would round to another precision"),
    ("-mpc80", "the x87 unit would be set up by other code"),
    ("-mdaz-ftz", "small floating values would become zero"),
    ("-nostdlib", "functions with the names of the library could be anything"),
    ("-nodefaultlibs", "functions with the names of the library could be anything"),
    ("-nostartfiles", "the program would begin elsewhere than in `main`"),
    ("-ffreestanding", "functions with the names of the library could be anything"),
    ("-fno-hosted", "functions with the names of the library could be anything"),
    ("-fplugin", "a plugin can change the language"),
    ("-specs=", "a specification can add flags that are not seen"),
    ("--specs=", "a specification can add flags that are not seen"),
    ("-wrapper", "another program would be called in the compiler's place"),
    ("-include-pch", "precompiled headers are not read"),
    ("-target", "only the native target has a model"),
    ("--target=", "only the native target has a model"),
    ("-fplan9-extensions", "pointers to records would become pointers to their members"),
    ("-fblocks", "Clang's blocks have no model"),
];

/// What the linker is told that changes which function a name means.
const LINKER: &[&str] = &["--wrap", "--defsym", "-e,", "--entry", "-init", "-fini", "--script", "-T,"];

/// The part of a data model that the flags decide alone, in the order of the flags: of two that disagree the last counts.
/// A flag without a model is refused.
pub(super) fn data_model(flags: &[String]) -> Result<DataModel, EnvironmentError> {
    let mut data = DataModel::default();
    let mut words = flags.iter().map(String::as_str);
    while let Some(flag) = words.next() {
        if WITH_ARGUMENT.contains(&flag) || flag == "-Xlinker" || flag == "-Xassembler" || flag == "--param" {
            let argument = words.next().unwrap_or_default();
            if flag == "-Xlinker" {
                check_linker(flag, argument)?;
            }
        } else if flag == "-x" {
            let language = words.next().unwrap_or_default();
            if !matches!(language, "c" | "none" | "cpp-output") {
                return Err(refusal(&format!("-x {language}"), "programs are read as C"));
            }
        } else {
            read_flag(&mut data, flag)?;
        }
    }
    Ok(data)
}

fn read_flag(data: &mut DataModel, flag: &str) -> Result<(), EnvironmentError> {
    match flag {
        "-fsigned-bitfields" | "-fno-unsigned-bitfields" => data.unsigned_bit_fields = false,
        "-funsigned-bitfields" | "-fno-signed-bitfields" => data.unsigned_bit_fields = true,
        "-fshort-enums" => data.short_enums = true,
        "-fno-short-enums" => data.short_enums = false,
        "-fpack-struct" => data.packing = Packing::Packed,
        "-fno-pack-struct" => data.packing = Packing::Natural,
        "-fwrapv" | "-fno-strict-overflow" => data.signed_wraps = true,
        "-fno-wrapv" | "-fstrict-overflow" => data.signed_wraps = false,
        // An overflow ends the program; the model calls it undefined, which promises less.
        "-ftrapv" => data.signed_wraps = false,
        "-fstrict-aliasing" => data.strict_aliasing = true,
        "-fno-strict-aliasing" => data.strict_aliasing = false,
        "-fsingle-precision-constant" => data.single_constants = true,
        "-fno-single-precision-constant" => data.single_constants = false,
        "-fms-extensions" => data.tagged_members = true,
        "-fno-ms-extensions" => data.tagged_members = false,
        // Looked for by `macros`, which know whether the machine could contract.
        "-ffp-contract=off" | "-ffp-contract=on" | "-ffp-contract=fast" => {}
        "-fexcess-precision=standard" | "-fexcess-precision=fast" | "-Xpreprocessor" | "-Xclang" | "-" | "--" => {
            if flag.starts_with("-X") {
                return Err(refusal(flag, "what it passes on is not read"));
            }
        }
        _ => {
            if let Some(bytes) = flag.strip_prefix("-fpack-struct=") {
                let bytes = bytes.parse().ok().filter(|n: &u64| n.is_power_of_two() && *n <= 16);
                let bytes = bytes.ok_or_else(|| refusal(flag, "the number must be a power of two up to 16"))?;
                data.packing = Packing::AtMost(bytes);
                return Ok(());
            }
            if let Some((_, why)) = REFUSED.iter().find(|(name, _)| flag.starts_with(name)) {
                let utf8 = flag.split_once('=').is_some_and(|(_, set)| set.eq_ignore_ascii_case("utf-8"));
                if utf8 && flag.contains("charset") && !flag.contains("wide") {
                    return Ok(());
                }
                return Err(refusal(flag, why));
            }
            if flag.starts_with('@') {
                return Err(refusal(flag, "the flags in that file are not read"));
            }
            if let Some(passed) = flag.strip_prefix("-Wl,") {
                return check_linker(flag, passed);
            }
            if let Some(passed) = flag.strip_prefix("-Wp,") {
                return match ["-D", "-U", "-I", "-M"].iter().any(|harmless| passed.starts_with(harmless)) {
                    true => Ok(()),
                    false => Err(refusal(flag, "what it passes on is not read")),
                };
            }
            if !is_neutral(flag) {
                return Err(refusal(flag, "it may change what the program means"));
            }
        }
    }
    Ok(())
}

fn is_neutral(flag: &str) -> bool {
    // What is no flag is a file that is linked.
    if !flag.starts_with('-') || PLAIN.contains(&flag) || flag.starts_with("-W") {
        return true;
    }
    if let Some(name) = flag.strip_prefix("-f") {
        let name = name.strip_prefix("no-").unwrap_or(name);
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        if NEUTRAL.contains(&name) {
            return true;
        }
    }
    let joined = WITH_ARGUMENT.iter().any(|name| flag.starts_with(name));
    let no = flag.strip_prefix("-fno-").map(|name| format!("-f{name}"));
    let is_prefixed = |flag: &str| PREFIXES.iter().chain(MACHINE).any(|prefix| flag.starts_with(prefix));
    joined || is_prefixed(flag) || no.is_some_and(|flag| is_prefixed(&flag)) || flag.starts_with("--param=")
}

fn check_linker(flag: &str, passed: &str) -> Result<(), EnvironmentError> {
    match LINKER.iter().any(|name| passed.starts_with(name) || passed.contains(&format!(",{name}"))) {
        true => Err(refusal(&format!("{flag} {passed}"), "names would mean other functions")),
        false => Ok(()),
    }
}

pub(super) fn refusal(flag: &str, why: &str) -> EnvironmentError {
    EnvironmentError {
        message: format!("plumb does not model the compiler flag {flag}: {why}"),
        help: "leave it out after `--` if the program means the same without it".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &str) -> Result<DataModel, String> {
        let words: Vec<String> = flags.split_whitespace().map(str::to_string).collect();
        data_model(&words).map_err(|error| error.message)
    }

    #[test]
    fn builds_of_real_projects_are_accepted() {
        for flags in [
            "-O2 -g -Wall -Wextra -Werror=format-security -fstack-protector-strong -D_FORTIFY_SOURCE=2 -std=gnu99 -pthread",
            "-Iinclude -I include -DN=3 -D N=3 -UX -include config.h -isystem /usr/include -MMD -MF x.d -o x.o -c",
            "-fPIC -fstrict-aliasing -fvisibility=hidden -ffunction-sections -fdata-sections -Wl,-z,relro -lm -L. -s",
            "-march=native -mtune=generic -msse4.2 -mno-avx -mcmodel=large -m64 -fno-omit-frame-pointer -flto=auto -Os",
            "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-common -fno-builtin -fno-inline -ggdb3 -funroll-loops",
            "-fdiagnostics-color=always -fdebug-prefix-map=/a=/b -ftree-vectorize -fno-tree-vectorize --param max=3 helper.o",
        ] {
            assert_eq!(read(flags), Ok(DataModel::default()), "{flags}");
        }
    }

    #[test]
    fn what_changes_the_language_is_in_the_model_or_refused() {
        let default = DataModel::default();
        assert_eq!(read("-fshort-enums"), Ok(DataModel { short_enums: true, ..default }));
        assert_eq!(read("-fshort-enums -fno-short-enums"), Ok(default));
        assert_eq!(read("-fpack-struct=2"), Ok(DataModel { packing: Packing::AtMost(2), ..default }));
        assert_eq!(read("-fno-strict-overflow"), Ok(DataModel { signed_wraps: true, ..default }));
        assert_eq!(read("-O2 -fno-strict-aliasing"), Ok(DataModel { strict_aliasing: false, ..default }));
        assert_eq!(read("-fno-signed-bitfields"), Ok(DataModel { unsigned_bit_fields: true, ..default }));
        for flag in [
            "-fopenmp",
            "-finstrument-functions",
            "-fno-such-flag",
            "-fexec-charset=EBCDIC",
            "-mms-bitfields",
            "@flags",
            "-Wl,--wrap=malloc",
            "-Wp,-funsigned-char",
            "-x c++",
            "-fpack-struct=3",
            "-ffreestanding",
            "-madvanced",
        ] {
            let message = read(flag).expect_err(flag);
            assert!(message.contains(flag), "{flag}: {message}");
        }
    }
}
