//! math.h for `double` and `float`.
//!
//! The functions are those of the C library of this machine, so results agree with a native run to the last bit, and
//! `errno` is set as the library sets it. The few written out here are exact by nature.

use super::errno;
use super::{Answer, Entry, bad_argument, int};
use crate::vm::{Call, Stop, Value};
use std::ffi::{CString, c_int};
use std::sync::LazyLock;

unsafe extern "C" {
    safe fn __errno_location() -> *mut c_int;
}

type Double1 = extern "C" fn(f64) -> f64;
type Double2 = extern "C" fn(f64, f64) -> f64;
type Float1 = extern "C" fn(f32) -> f32;
type Float2 = extern "C" fn(f32, f32) -> f32;

/// The function of that name in the machine's C library, which must have that type there. Looked up in the shared
/// library, because a name of ours would be linked to the copies of `sqrt`, `fma`, `cbrt` and others that Rust brings
/// along, which do not set `errno` and sometimes differ in the last bit.
macro_rules! libm {
    ($name:literal, $ty:ty) => {{
        static FOUND: LazyLock<usize> = LazyLock::new(|| find($name));
        match *FOUND {
            0 => Err(Stop::unsupported(concat!("`", $name, "`, which the C library of this machine does not have"))),
            // SAFETY: the address is that of the function with this name, whose type C and POSIX prescribe.
            address => Ok(unsafe { std::mem::transmute::<*const (), $ty>(address as *const ()) }),
        }
    }};
}

/// The address of a function of libm; 0 if there is none.
fn find(name: &str) -> usize {
    let name = CString::new(name).expect("names of functions should contain no zero byte");
    // SAFETY: both calls are given strings that end with a zero byte. The library is never unloaded.
    unsafe {
        let library = ::libc::dlopen(c"libm.so.6".as_ptr(), ::libc::RTLD_NOW);
        let scope = if library.is_null() { ::libc::RTLD_DEFAULT } else { library };
        ::libc::dlsym(scope, name.as_ptr()) as usize
    }
}

pub(super) const MODELS: &[Entry] = &[
    ("double sin(double)", |call| double1(call, libm!("sin", Double1)?)),
    ("float sinf(float)", |call| float1(call, libm!("sinf", Float1)?)),
    ("double cos(double)", |call| double1(call, libm!("cos", Double1)?)),
    ("float cosf(float)", |call| float1(call, libm!("cosf", Float1)?)),
    ("double tan(double)", |call| double1(call, libm!("tan", Double1)?)),
    ("float tanf(float)", |call| float1(call, libm!("tanf", Float1)?)),
    ("double asin(double)", |call| double1(call, libm!("asin", Double1)?)),
    ("float asinf(float)", |call| float1(call, libm!("asinf", Float1)?)),
    ("double acos(double)", |call| double1(call, libm!("acos", Double1)?)),
    ("float acosf(float)", |call| float1(call, libm!("acosf", Float1)?)),
    ("double atan(double)", |call| double1(call, libm!("atan", Double1)?)),
    ("float atanf(float)", |call| float1(call, libm!("atanf", Float1)?)),
    ("double sinh(double)", |call| double1(call, libm!("sinh", Double1)?)),
    ("float sinhf(float)", |call| float1(call, libm!("sinhf", Float1)?)),
    ("double cosh(double)", |call| double1(call, libm!("cosh", Double1)?)),
    ("float coshf(float)", |call| float1(call, libm!("coshf", Float1)?)),
    ("double tanh(double)", |call| double1(call, libm!("tanh", Double1)?)),
    ("float tanhf(float)", |call| float1(call, libm!("tanhf", Float1)?)),
    ("double asinh(double)", |call| double1(call, libm!("asinh", Double1)?)),
    ("float asinhf(float)", |call| float1(call, libm!("asinhf", Float1)?)),
    ("double acosh(double)", |call| double1(call, libm!("acosh", Double1)?)),
    ("float acoshf(float)", |call| float1(call, libm!("acoshf", Float1)?)),
    ("double atanh(double)", |call| double1(call, libm!("atanh", Double1)?)),
    ("float atanhf(float)", |call| float1(call, libm!("atanhf", Float1)?)),
    ("double exp(double)", |call| double1(call, libm!("exp", Double1)?)),
    ("float expf(float)", |call| float1(call, libm!("expf", Float1)?)),
    ("double exp2(double)", |call| double1(call, libm!("exp2", Double1)?)),
    ("float exp2f(float)", |call| float1(call, libm!("exp2f", Float1)?)),
    ("double exp10(double)", |call| double1(call, libm!("exp10", Double1)?)),
    ("float exp10f(float)", |call| float1(call, libm!("exp10f", Float1)?)),
    ("double expm1(double)", |call| double1(call, libm!("expm1", Double1)?)),
    ("float expm1f(float)", |call| float1(call, libm!("expm1f", Float1)?)),
    ("double log(double)", |call| double1(call, libm!("log", Double1)?)),
    ("float logf(float)", |call| float1(call, libm!("logf", Float1)?)),
    ("double log2(double)", |call| double1(call, libm!("log2", Double1)?)),
    ("float log2f(float)", |call| float1(call, libm!("log2f", Float1)?)),
    ("double log10(double)", |call| double1(call, libm!("log10", Double1)?)),
    ("float log10f(float)", |call| float1(call, libm!("log10f", Float1)?)),
    ("double log1p(double)", |call| double1(call, libm!("log1p", Double1)?)),
    ("float log1pf(float)", |call| float1(call, libm!("log1pf", Float1)?)),
    ("double cbrt(double)", |call| double1(call, libm!("cbrt", Double1)?)),
    ("float cbrtf(float)", |call| float1(call, libm!("cbrtf", Float1)?)),
    ("double sqrt(double)", |call| double1(call, libm!("sqrt", Double1)?)),
    ("float sqrtf(float)", |call| float1(call, libm!("sqrtf", Float1)?)),
    ("double floor(double)", |call| double1(call, libm!("floor", Double1)?)),
    ("float floorf(float)", |call| float1(call, libm!("floorf", Float1)?)),
    ("double ceil(double)", |call| double1(call, libm!("ceil", Double1)?)),
    ("float ceilf(float)", |call| float1(call, libm!("ceilf", Float1)?)),
    ("double trunc(double)", |call| double1(call, libm!("trunc", Double1)?)),
    ("float truncf(float)", |call| float1(call, libm!("truncf", Float1)?)),
    ("double round(double)", |call| double1(call, libm!("round", Double1)?)),
    ("float roundf(float)", |call| float1(call, libm!("roundf", Float1)?)),
    ("double roundeven(double)", |call| double1(call, libm!("roundeven", Double1)?)),
    ("float roundevenf(float)", |call| float1(call, libm!("roundevenf", Float1)?)),
    ("double rint(double)", |call| double1(call, libm!("rint", Double1)?)),
    ("float rintf(float)", |call| float1(call, libm!("rintf", Float1)?)),
    ("double nearbyint(double)", |call| double1(call, libm!("nearbyint", Double1)?)),
    ("float nearbyintf(float)", |call| float1(call, libm!("nearbyintf", Float1)?)),
    ("double fabs(double)", |call| double1(call, libm!("fabs", Double1)?)),
    ("float fabsf(float)", |call| float1(call, libm!("fabsf", Float1)?)),
    ("double erf(double)", |call| double1(call, libm!("erf", Double1)?)),
    ("float erff(float)", |call| float1(call, libm!("erff", Float1)?)),
    ("double erfc(double)", |call| double1(call, libm!("erfc", Double1)?)),
    ("float erfcf(float)", |call| float1(call, libm!("erfcf", Float1)?)),
    ("double tgamma(double)", |call| double1(call, libm!("tgamma", Double1)?)),
    ("float tgammaf(float)", |call| float1(call, libm!("tgammaf", Float1)?)),
    ("double lgamma(double)", |call| double1(call, libm!("lgamma", Double1)?)),
    ("float lgammaf(float)", |call| float1(call, libm!("lgammaf", Float1)?)),
    ("double logb(double)", |call| double1(call, libm!("logb", Double1)?)),
    ("float logbf(float)", |call| float1(call, libm!("logbf", Float1)?)),
    ("double j0(double)", |call| double1(call, libm!("j0", Double1)?)),
    ("double j1(double)", |call| double1(call, libm!("j1", Double1)?)),
    ("double y0(double)", |call| double1(call, libm!("y0", Double1)?)),
    ("double y1(double)", |call| double1(call, libm!("y1", Double1)?)),
    ("double pow(double, double)", |call| double2(call, libm!("pow", Double2)?)),
    ("float powf(float, float)", |call| float2(call, libm!("powf", Float2)?)),
    ("double fmod(double, double)", |call| double2(call, libm!("fmod", Double2)?)),
    ("float fmodf(float, float)", |call| float2(call, libm!("fmodf", Float2)?)),
    ("double remainder(double, double)", |call| double2(call, libm!("remainder", Double2)?)),
    ("float remainderf(float, float)", |call| float2(call, libm!("remainderf", Float2)?)),
    ("double drem(double, double)", |call| double2(call, libm!("drem", Double2)?)),
    ("double atan2(double, double)", |call| double2(call, libm!("atan2", Double2)?)),
    ("float atan2f(float, float)", |call| float2(call, libm!("atan2f", Float2)?)),
    ("double hypot(double, double)", |call| double2(call, libm!("hypot", Double2)?)),
    ("float hypotf(float, float)", |call| float2(call, libm!("hypotf", Float2)?)),
    ("double copysign(double, double)", |call| double2(call, libm!("copysign", Double2)?)),
    ("float copysignf(float, float)", |call| float2(call, libm!("copysignf", Float2)?)),
    ("double fmin(double, double)", |call| double2(call, libm!("fmin", Double2)?)),
    ("float fminf(float, float)", |call| float2(call, libm!("fminf", Float2)?)),
    ("double fmax(double, double)", |call| double2(call, libm!("fmax", Double2)?)),
    ("float fmaxf(float, float)", |call| float2(call, libm!("fmaxf", Float2)?)),
    ("double fdim(double, double)", |call| double2(call, libm!("fdim", Double2)?)),
    ("float fdimf(float, float)", |call| float2(call, libm!("fdimf", Float2)?)),
    ("double nextafter(double, double)", |call| double2(call, libm!("nextafter", Double2)?)),
    ("float nextafterf(float, float)", |call| float2(call, libm!("nextafterf", Float2)?)),
    ("double ldexp(double, int)", scale),
    ("float ldexpf(float, int)", scale_float),
    ("double scalbn(double, int)", scale),
    ("float scalbnf(float, int)", scale_float),
    ("double scalbln(double, long)", scale),
    ("float scalblnf(float, long)", scale_float),
    ("double fma(double, double, double)", |call| {
        let (x, y, z) = (call.double(0)?, call.double(1)?, call.double(2)?);
        let fma = libm!("fma", extern "C" fn(f64, f64, f64) -> f64)?;
        with_errno(call, || Value::double(fma(x, y, z)))
    }),
    ("float fmaf(float, float, float)", |call| {
        let (x, y, z) = (call.float(0)?, call.float(1)?, call.float(2)?);
        let fmaf = libm!("fmaf", extern "C" fn(f32, f32, f32) -> f32)?;
        with_errno(call, || Value::float(fmaf(x, y, z)))
    }),
    ("double jn(int, double)", |call| {
        let (n, x) = (call.i32(0)?, call.double(1)?);
        let jn = libm!("jn", extern "C" fn(c_int, f64) -> f64)?;
        with_errno(call, || Value::double(jn(n, x)))
    }),
    ("double yn(int, double)", |call| {
        let (n, x) = (call.i32(0)?, call.double(1)?);
        let yn = libm!("yn", extern "C" fn(c_int, f64) -> f64)?;
        with_errno(call, || Value::double(yn(n, x)))
    }),
    ("int ilogb(double)", |call| {
        let x = call.double(0)?;
        let ilogb = libm!("ilogb", extern "C" fn(f64) -> c_int)?;
        with_errno(call, || Value::signed(ilogb(x).into()))
    }),
    ("int ilogbf(float)", |call| {
        let x = call.float(0)?;
        let ilogbf = libm!("ilogbf", extern "C" fn(f32) -> c_int)?;
        with_errno(call, || Value::signed(ilogbf(x).into()))
    }),
    ("double frexp(double, int *)", frexp),
    ("float frexpf(float, int *)", frexpf),
    ("double modf(double, double *)", modf),
    ("float modff(float, float *)", modff),
    ("void sincos(double, double *, double *)", sincos),
    ("double nan(const char *)", |_| Ok(Value::double(f64::NAN))),
    ("float nanf(const char *)", |_| Ok(Value::float(f32::NAN))),
    ("long lrint(double)", |call| to_long(call.double(0)?.round_ties_even())),
    ("long lrintf(float)", |call| to_long(call.float(0)?.round_ties_even().into())),
    ("long long llrint(double)", |call| to_long(call.double(0)?.round_ties_even())),
    ("long long llrintf(float)", |call| to_long(call.float(0)?.round_ties_even().into())),
    ("long lround(double)", |call| to_long(call.double(0)?.round())),
    ("long lroundf(float)", |call| to_long(call.float(0)?.round().into())),
    ("long long llround(double)", |call| to_long(call.double(0)?.round())),
    ("long long llroundf(float)", |call| to_long(call.float(0)?.round().into())),
    ("int __isnan(double)", |call| int(call.double(0)?.is_nan().into())),
    ("int __isnanf(float)", |call| int(call.float(0)?.is_nan().into())),
    ("int __isinf(double)", |call| int(infinite(call.double(0)?))),
    ("int __isinff(float)", |call| int(infinite(call.float(0)?.into()))),
    ("int __finite(double)", |call| int(call.double(0)?.is_finite().into())),
    ("int __finitef(float)", |call| int(call.float(0)?.is_finite().into())),
    ("int finite(double)", |call| int(call.double(0)?.is_finite().into())),
    // glibc gives the sign bit itself.
    ("int __signbit(double)", |call| int(i32::from(call.double(0)?.is_sign_negative()) << 7)),
    ("int __signbitf(float)", |call| int(i32::from(call.float(0)?.is_sign_negative()) << 3)),
    ("int __fpclassify(double)", |call| int(classify(call.double(0)?.classify()))),
    ("int __fpclassifyf(float)", |call| int(classify(call.float(0)?.classify()))),
];

/// Runs a function of the machine's library and passes on the error it reports.
pub(super) fn with_errno(call: &mut Call<'_, '_>, compute: impl FnOnce() -> Value) -> Answer {
    let place = __errno_location();
    // SAFETY: the C library gives each thread an `errno` of its own, which is there as long as the thread is.
    let (value, code) = unsafe {
        let before = *place;
        *place = 0;
        let value = compute();
        let code = *place;
        *place = before;
        (value, code)
    };
    if code != 0 {
        errno::set(call, code)?;
    }
    Ok(value)
}

fn double1(call: &mut Call<'_, '_>, function: Double1) -> Answer {
    let x = call.double(0)?;
    with_errno(call, || Value::double(function(x)))
}

fn float1(call: &mut Call<'_, '_>, function: Float1) -> Answer {
    let x = call.float(0)?;
    with_errno(call, || Value::float(function(x)))
}

fn double2(call: &mut Call<'_, '_>, function: Double2) -> Answer {
    let (x, y) = (call.double(0)?, call.double(1)?);
    with_errno(call, || Value::double(function(x, y)))
}

fn float2(call: &mut Call<'_, '_>, function: Float2) -> Answer {
    let (x, y) = (call.float(0)?, call.float(1)?);
    with_errno(call, || Value::float(function(x, y)))
}

/// An exponent far outside every format's range does what the nearest `int` does.
fn exponent(call: &Call<'_, '_>) -> Result<i32, Stop> {
    Ok(call.i64(1)?.clamp(-100_000, 100_000) as i32)
}

fn scale(call: &mut Call<'_, '_>) -> Answer {
    let (x, n) = (call.double(0)?, exponent(call)?);
    let ldexp = libm!("ldexp", extern "C" fn(f64, c_int) -> f64)?;
    with_errno(call, || Value::double(ldexp(x, n)))
}

fn scale_float(call: &mut Call<'_, '_>) -> Answer {
    let (x, n) = (call.float(0)?, exponent(call)?);
    let ldexpf = libm!("ldexpf", extern "C" fn(f32, c_int) -> f32)?;
    with_errno(call, || Value::float(ldexpf(x, n)))
}

/// A fraction in [0.5, 1) and a power of two.
fn split(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // A subnormal value is brought into the range where the exponent can be read off.
    let (scaled, moved) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(64), -64) } else { (x, 0) };
    let bits = scaled.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent + moved)
}

fn frexp(call: &mut Call<'_, '_>) -> Answer {
    let (x, place) = (call.double(0)?, call.pointer(1)?);
    let (fraction, exponent) = split(x);
    call.memory().store_i32(place, exponent)?;
    Ok(Value::double(fraction))
}

fn frexpf(call: &mut Call<'_, '_>) -> Answer {
    let (x, place) = (call.float(0)?, call.pointer(1)?);
    let (fraction, exponent) = split(x.into());
    call.memory().store_i32(place, exponent)?;
    Ok(Value::float(fraction as f32))
}

/// The fraction, with the sign of the argument.
fn fraction(x: f64) -> f64 {
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    fraction.copysign(x)
}

fn modf(call: &mut Call<'_, '_>) -> Answer {
    let (x, place) = (call.double(0)?, call.pointer(1)?);
    call.memory().store_f64(place, x.trunc())?;
    Ok(Value::double(if x.is_nan() { x } else { fraction(x) }))
}

fn modff(call: &mut Call<'_, '_>) -> Answer {
    let (x, place) = (call.float(0)?, call.pointer(1)?);
    call.memory().store_f32(place, x.trunc())?;
    Ok(Value::float(if x.is_nan() { x } else { fraction(x.into()) as f32 }))
}

fn sincos(call: &mut Call<'_, '_>) -> Answer {
    let (x, sine, cosine) = (call.double(0)?, call.pointer(1)?, call.pointer(2)?);
    let (sin, cos) = (libm!("sin", Double1)?, libm!("cos", Double1)?);
    call.memory().store_f64(sine, sin(x))?;
    call.memory().store_f64(cosine, cos(x))?;
    Ok(Value::NONE)
}

fn to_long(rounded: f64) -> Answer {
    // 2^63 is the first value that does not fit; -2^63 does.
    if !(-(2f64.powi(63))..2f64.powi(63)).contains(&rounded) {
        return bad_argument(format!("{rounded:e} does not fit `long`"));
    }
    Ok(Value::signed(rounded as i64))
}

fn infinite(x: f64) -> i32 {
    if x.is_infinite() { x.signum() as i32 } else { 0 }
}

/// The numbers of `FP_NAN` and the other classes.
pub(super) fn classify(class: std::num::FpCategory) -> i32 {
    use std::num::FpCategory::*;
    match class {
        Nan => 0,
        Infinite => 1,
        Zero => 2,
        Subnormal => 3,
        Normal => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_split_exactly() {
        for x in [1.0, -1.5, 0.1, 1e300, 5e-324, 2.2e-310, -0.0, f64::MAX] {
            let (fraction, exponent) = split(x);
            assert!(x == 0.0 || (0.5..1.0).contains(&fraction.abs()), "{x}");
            // In two steps, because 2^-1073 times a half is out of reach of one factor.
            let (first, second) = (exponent / 2, exponent - exponent / 2);
            assert_eq!((fraction * 2f64.powi(first) * 2f64.powi(second)).to_bits(), x.to_bits());
        }
    }

    #[test]
    fn every_function_is_in_the_library() {
        // The functions written out here do without it.
        let own = ["sincos", "nan", "modf", "frexp", "lrint", "llrint", "lround", "llround", "scalbn", "scalbln"];
        for &(declaration, _) in MODELS {
            let (name, _) = crate::libc::prototype::parse(declaration);
            if !own.contains(&name.trim_end_matches('f')) && !name.starts_with("__") {
                assert_ne!(find(name), 0, "{name}");
            }
        }
    }
}
