//! math.h for `double` and `float`.
//!
//! Every function is that of the C library of this machine, so results agree with a native run to the last bit, and
//! `errno` is set as the library sets it.

use super::errno;
use super::{Answer, Entry, bad_argument, int};
use crate::vm::{Call, Stop, Value};
use std::ffi::c_int;

unsafe extern "C" {
    safe fn __errno_location() -> *mut c_int;
    safe fn ldexp(x: f64, n: c_int) -> f64;
    safe fn ldexpf(x: f32, n: c_int) -> f32;
    safe fn fma(x: f64, y: f64, z: f64) -> f64;
    safe fn fmaf(x: f32, y: f32, z: f32) -> f32;
    safe fn ilogb(x: f64) -> c_int;
    safe fn ilogbf(x: f32) -> c_int;
    safe fn jn(n: c_int, x: f64) -> f64;
    safe fn yn(n: c_int, x: f64) -> f64;
    safe fn sin(x: f64) -> f64;
    safe fn sinf(x: f32) -> f32;
    safe fn cos(x: f64) -> f64;
    safe fn cosf(x: f32) -> f32;
    safe fn tan(x: f64) -> f64;
    safe fn tanf(x: f32) -> f32;
    safe fn asin(x: f64) -> f64;
    safe fn asinf(x: f32) -> f32;
    safe fn acos(x: f64) -> f64;
    safe fn acosf(x: f32) -> f32;
    safe fn atan(x: f64) -> f64;
    safe fn atanf(x: f32) -> f32;
    safe fn sinh(x: f64) -> f64;
    safe fn sinhf(x: f32) -> f32;
    safe fn cosh(x: f64) -> f64;
    safe fn coshf(x: f32) -> f32;
    safe fn tanh(x: f64) -> f64;
    safe fn tanhf(x: f32) -> f32;
    safe fn asinh(x: f64) -> f64;
    safe fn asinhf(x: f32) -> f32;
    safe fn acosh(x: f64) -> f64;
    safe fn acoshf(x: f32) -> f32;
    safe fn atanh(x: f64) -> f64;
    safe fn atanhf(x: f32) -> f32;
    safe fn exp(x: f64) -> f64;
    safe fn expf(x: f32) -> f32;
    safe fn exp2(x: f64) -> f64;
    safe fn exp2f(x: f32) -> f32;
    safe fn exp10(x: f64) -> f64;
    safe fn exp10f(x: f32) -> f32;
    safe fn expm1(x: f64) -> f64;
    safe fn expm1f(x: f32) -> f32;
    safe fn log(x: f64) -> f64;
    safe fn logf(x: f32) -> f32;
    safe fn log2(x: f64) -> f64;
    safe fn log2f(x: f32) -> f32;
    safe fn log10(x: f64) -> f64;
    safe fn log10f(x: f32) -> f32;
    safe fn log1p(x: f64) -> f64;
    safe fn log1pf(x: f32) -> f32;
    safe fn cbrt(x: f64) -> f64;
    safe fn cbrtf(x: f32) -> f32;
    safe fn sqrt(x: f64) -> f64;
    safe fn sqrtf(x: f32) -> f32;
    safe fn floor(x: f64) -> f64;
    safe fn floorf(x: f32) -> f32;
    safe fn ceil(x: f64) -> f64;
    safe fn ceilf(x: f32) -> f32;
    safe fn trunc(x: f64) -> f64;
    safe fn truncf(x: f32) -> f32;
    safe fn round(x: f64) -> f64;
    safe fn roundf(x: f32) -> f32;
    safe fn roundeven(x: f64) -> f64;
    safe fn roundevenf(x: f32) -> f32;
    safe fn rint(x: f64) -> f64;
    safe fn rintf(x: f32) -> f32;
    safe fn nearbyint(x: f64) -> f64;
    safe fn nearbyintf(x: f32) -> f32;
    safe fn fabs(x: f64) -> f64;
    safe fn fabsf(x: f32) -> f32;
    safe fn erf(x: f64) -> f64;
    safe fn erff(x: f32) -> f32;
    safe fn erfc(x: f64) -> f64;
    safe fn erfcf(x: f32) -> f32;
    safe fn tgamma(x: f64) -> f64;
    safe fn tgammaf(x: f32) -> f32;
    safe fn lgamma(x: f64) -> f64;
    safe fn lgammaf(x: f32) -> f32;
    safe fn logb(x: f64) -> f64;
    safe fn logbf(x: f32) -> f32;
    safe fn j0(x: f64) -> f64;
    safe fn j1(x: f64) -> f64;
    safe fn y0(x: f64) -> f64;
    safe fn y1(x: f64) -> f64;
    safe fn pow(x: f64, y: f64) -> f64;
    safe fn powf(x: f32, y: f32) -> f32;
    safe fn fmod(x: f64, y: f64) -> f64;
    safe fn fmodf(x: f32, y: f32) -> f32;
    safe fn remainder(x: f64, y: f64) -> f64;
    safe fn remainderf(x: f32, y: f32) -> f32;
    safe fn drem(x: f64, y: f64) -> f64;
    safe fn atan2(x: f64, y: f64) -> f64;
    safe fn atan2f(x: f32, y: f32) -> f32;
    safe fn hypot(x: f64, y: f64) -> f64;
    safe fn hypotf(x: f32, y: f32) -> f32;
    safe fn copysign(x: f64, y: f64) -> f64;
    safe fn copysignf(x: f32, y: f32) -> f32;
    safe fn fmin(x: f64, y: f64) -> f64;
    safe fn fminf(x: f32, y: f32) -> f32;
    safe fn fmax(x: f64, y: f64) -> f64;
    safe fn fmaxf(x: f32, y: f32) -> f32;
    safe fn fdim(x: f64, y: f64) -> f64;
    safe fn fdimf(x: f32, y: f32) -> f32;
    safe fn nextafter(x: f64, y: f64) -> f64;
    safe fn nextafterf(x: f32, y: f32) -> f32;
}

pub(super) const MODELS: &[Entry] = &[
    ("double sin(double)", |call| double1(call, sin)),
    ("float sinf(float)", |call| float1(call, sinf)),
    ("double cos(double)", |call| double1(call, cos)),
    ("float cosf(float)", |call| float1(call, cosf)),
    ("double tan(double)", |call| double1(call, tan)),
    ("float tanf(float)", |call| float1(call, tanf)),
    ("double asin(double)", |call| double1(call, asin)),
    ("float asinf(float)", |call| float1(call, asinf)),
    ("double acos(double)", |call| double1(call, acos)),
    ("float acosf(float)", |call| float1(call, acosf)),
    ("double atan(double)", |call| double1(call, atan)),
    ("float atanf(float)", |call| float1(call, atanf)),
    ("double sinh(double)", |call| double1(call, sinh)),
    ("float sinhf(float)", |call| float1(call, sinhf)),
    ("double cosh(double)", |call| double1(call, cosh)),
    ("float coshf(float)", |call| float1(call, coshf)),
    ("double tanh(double)", |call| double1(call, tanh)),
    ("float tanhf(float)", |call| float1(call, tanhf)),
    ("double asinh(double)", |call| double1(call, asinh)),
    ("float asinhf(float)", |call| float1(call, asinhf)),
    ("double acosh(double)", |call| double1(call, acosh)),
    ("float acoshf(float)", |call| float1(call, acoshf)),
    ("double atanh(double)", |call| double1(call, atanh)),
    ("float atanhf(float)", |call| float1(call, atanhf)),
    ("double exp(double)", |call| double1(call, exp)),
    ("float expf(float)", |call| float1(call, expf)),
    ("double exp2(double)", |call| double1(call, exp2)),
    ("float exp2f(float)", |call| float1(call, exp2f)),
    ("double exp10(double)", |call| double1(call, exp10)),
    ("float exp10f(float)", |call| float1(call, exp10f)),
    ("double expm1(double)", |call| double1(call, expm1)),
    ("float expm1f(float)", |call| float1(call, expm1f)),
    ("double log(double)", |call| double1(call, log)),
    ("float logf(float)", |call| float1(call, logf)),
    ("double log2(double)", |call| double1(call, log2)),
    ("float log2f(float)", |call| float1(call, log2f)),
    ("double log10(double)", |call| double1(call, log10)),
    ("float log10f(float)", |call| float1(call, log10f)),
    ("double log1p(double)", |call| double1(call, log1p)),
    ("float log1pf(float)", |call| float1(call, log1pf)),
    ("double cbrt(double)", |call| double1(call, cbrt)),
    ("float cbrtf(float)", |call| float1(call, cbrtf)),
    ("double sqrt(double)", |call| double1(call, sqrt)),
    ("float sqrtf(float)", |call| float1(call, sqrtf)),
    ("double floor(double)", |call| double1(call, floor)),
    ("float floorf(float)", |call| float1(call, floorf)),
    ("double ceil(double)", |call| double1(call, ceil)),
    ("float ceilf(float)", |call| float1(call, ceilf)),
    ("double trunc(double)", |call| double1(call, trunc)),
    ("float truncf(float)", |call| float1(call, truncf)),
    ("double round(double)", |call| double1(call, round)),
    ("float roundf(float)", |call| float1(call, roundf)),
    ("double roundeven(double)", |call| double1(call, roundeven)),
    ("float roundevenf(float)", |call| float1(call, roundevenf)),
    ("double rint(double)", |call| double1(call, rint)),
    ("float rintf(float)", |call| float1(call, rintf)),
    ("double nearbyint(double)", |call| double1(call, nearbyint)),
    ("float nearbyintf(float)", |call| float1(call, nearbyintf)),
    ("double fabs(double)", |call| double1(call, fabs)),
    ("float fabsf(float)", |call| float1(call, fabsf)),
    ("double erf(double)", |call| double1(call, erf)),
    ("float erff(float)", |call| float1(call, erff)),
    ("double erfc(double)", |call| double1(call, erfc)),
    ("float erfcf(float)", |call| float1(call, erfcf)),
    ("double tgamma(double)", |call| double1(call, tgamma)),
    ("float tgammaf(float)", |call| float1(call, tgammaf)),
    ("double lgamma(double)", |call| double1(call, lgamma)),
    ("float lgammaf(float)", |call| float1(call, lgammaf)),
    ("double logb(double)", |call| double1(call, logb)),
    ("float logbf(float)", |call| float1(call, logbf)),
    ("double j0(double)", |call| double1(call, j0)),
    ("double j1(double)", |call| double1(call, j1)),
    ("double y0(double)", |call| double1(call, y0)),
    ("double y1(double)", |call| double1(call, y1)),
    ("double pow(double, double)", |call| double2(call, pow)),
    ("float powf(float, float)", |call| float2(call, powf)),
    ("double fmod(double, double)", |call| double2(call, fmod)),
    ("float fmodf(float, float)", |call| float2(call, fmodf)),
    ("double remainder(double, double)", |call| double2(call, remainder)),
    ("float remainderf(float, float)", |call| float2(call, remainderf)),
    ("double drem(double, double)", |call| double2(call, drem)),
    ("double atan2(double, double)", |call| double2(call, atan2)),
    ("float atan2f(float, float)", |call| float2(call, atan2f)),
    ("double hypot(double, double)", |call| double2(call, hypot)),
    ("float hypotf(float, float)", |call| float2(call, hypotf)),
    ("double copysign(double, double)", |call| double2(call, copysign)),
    ("float copysignf(float, float)", |call| float2(call, copysignf)),
    ("double fmin(double, double)", |call| double2(call, fmin)),
    ("float fminf(float, float)", |call| float2(call, fminf)),
    ("double fmax(double, double)", |call| double2(call, fmax)),
    ("float fmaxf(float, float)", |call| float2(call, fmaxf)),
    ("double fdim(double, double)", |call| double2(call, fdim)),
    ("float fdimf(float, float)", |call| float2(call, fdimf)),
    ("double nextafter(double, double)", |call| double2(call, nextafter)),
    ("float nextafterf(float, float)", |call| float2(call, nextafterf)),
    ("double ldexp(double, int)", scale),
    ("float ldexpf(float, int)", scale_float),
    ("double scalbn(double, int)", scale),
    ("float scalbnf(float, int)", scale_float),
    ("double scalbln(double, long)", scale),
    ("float scalblnf(float, long)", scale_float),
    ("double fma(double, double, double)", |call| {
        let (x, y, z) = (call.double(0)?, call.double(1)?, call.double(2)?);
        with_errno(call, || Value::double(fma(x, y, z)))
    }),
    ("float fmaf(float, float, float)", |call| {
        let (x, y, z) = (call.float(0)?, call.float(1)?, call.float(2)?);
        with_errno(call, || Value::float(fmaf(x, y, z)))
    }),
    ("double jn(int, double)", |call| {
        let (n, x) = (call.i32(0)?, call.double(1)?);
        with_errno(call, || Value::double(jn(n, x)))
    }),
    ("double yn(int, double)", |call| {
        let (n, x) = (call.i32(0)?, call.double(1)?);
        with_errno(call, || Value::double(yn(n, x)))
    }),
    ("int ilogb(double)", |call| {
        let x = call.double(0)?;
        with_errno(call, || Value::signed(ilogb(x).into()))
    }),
    ("int ilogbf(float)", |call| {
        let x = call.float(0)?;
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

/// Hides from the compiler which function is called: it knows `sqrt` and others by name, computes them by itself, and
/// then leaves `errno` alone.
fn opaque<F>(function: F) -> F {
    std::hint::black_box(function)
}

fn double1(call: &mut Call<'_, '_>, function: extern "C" fn(f64) -> f64) -> Answer {
    let (x, function) = (call.double(0)?, opaque(function));
    with_errno(call, || Value::double(function(x)))
}

fn float1(call: &mut Call<'_, '_>, function: extern "C" fn(f32) -> f32) -> Answer {
    let (x, function) = (call.float(0)?, opaque(function));
    with_errno(call, || Value::float(function(x)))
}

fn double2(call: &mut Call<'_, '_>, function: extern "C" fn(f64, f64) -> f64) -> Answer {
    let (x, y, function) = (call.double(0)?, call.double(1)?, opaque(function));
    with_errno(call, || Value::double(function(x, y)))
}

fn float2(call: &mut Call<'_, '_>, function: extern "C" fn(f32, f32) -> f32) -> Answer {
    let (x, y, function) = (call.float(0)?, call.float(1)?, opaque(function));
    with_errno(call, || Value::float(function(x, y)))
}

/// An exponent far outside every format's range does what the nearest `int` does.
fn exponent(call: &Call<'_, '_>) -> Result<i32, Stop> {
    Ok(call.i64(1)?.clamp(-100_000, 100_000) as i32)
}

fn scale(call: &mut Call<'_, '_>) -> Answer {
    let (x, n) = (call.double(0)?, exponent(call)?);
    let ldexp = opaque(ldexp as extern "C" fn(f64, c_int) -> f64);
    with_errno(call, || Value::double(ldexp(x, n)))
}

fn scale_float(call: &mut Call<'_, '_>) -> Answer {
    let (x, n) = (call.float(0)?, exponent(call)?);
    let ldexpf = opaque(ldexpf as extern "C" fn(f32, c_int) -> f32);
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
            assert_eq!(ldexp(fraction, exponent).to_bits(), x.to_bits());
        }
    }
}
