//! Flags under which the compiler does not compute as IEEE 754 says.

/// The first flag under which floating operations give something else than IEEE 754 says: unsafe optimisations, other
/// precisions, and contraction to fused operations, which GCC does as soon as the processor has them.
pub fn unmodelled_float_flag(flags: &[String]) -> Option<&str> {
    const UNSAFE: &[&str] = &[
        "-Ofast",
        "-ffast-math",
        "-funsafe-math-optimizations",
        "-fassociative-math",
        "-freciprocal-math",
        "-ffinite-math-only",
        "-fno-signed-zeros",
        "-fsingle-precision-constant",
        "-mlong-double-64",
        "-mlong-double-128",
        "-mpc32",
        "-mpc64",
        "-mdaz-ftz",
    ];
    const FUSES: &[&str] = &["-mfma", "-mfma4", "-mavx512", "-march=", "-mcpu="];
    const BASELINE: &[&str] = &["-march=x86-64", "-march=x86-64-v2", "-march=k8"];
    let is_contracted = !flags.iter().any(|flag| flag == "-ffp-contract=off");
    let is_unmodelled = |flag: &&str| {
        let fuses = FUSES.iter().any(|prefix| flag.starts_with(prefix)) && !BASELINE.contains(flag);
        UNSAFE.contains(flag) || flag.starts_with("-mfpmath=") && *flag != "-mfpmath=sse" || fuses && is_contracted
    };
    flags.iter().map(String::as_str).find(is_unmodelled)
}
