//! math.h for `long double`.
//!
//! Rust has no type for the 80-bit format, so the functions of the machine's C library are called by hand: the
//! arguments go to the stack and the result comes back in the first x87 register, as the System V ABI says. On other
//! machines than x86-64 a call is reported as unsupported.

use super::math::classify;
use super::{Answer, Entry, bad_argument, int};
use crate::format::binary::{self, Magnitude};
use crate::vm::{Call, Stop, Value};
use ir::FloatKind;
use std::num::FpCategory;

#[cfg(target_arch = "x86_64")]
mod native {
    use std::arch::asm;

    /// A function of the C library with one or two parameters of type `long double`, and such a result.
    pub type Function = unsafe extern "C" fn();

    /// Calls a function on two values; a function of one parameter does not look at the second.
    pub fn apply(function: Function, x: u128, y: u128) -> u128 {
        let args = [x, y];
        let mut result = 0u128;
        // SAFETY: the block makes a call as the ABI demands. The stack pointer is aligned for a call at the start of
        // an asm block and stays so after 32 is subtracted; the 32 bytes hold the arguments, 16 each. What a call may
        // change is given as clobbered, the x87 stack included, which is empty again after `fstp`. The operands sit in
        // registers that the callee preserves. Functions of math.h do nothing but compute and set `errno`.
        unsafe {
            asm!(
                "sub rsp, 32",
                "movups xmm0, [r12]",
                "movups [rsp], xmm0",
                "movups xmm0, [r12 + 16]",
                "movups [rsp + 16], xmm0",
                "call r13",
                "fstp tbyte ptr [r14]",
                "add rsp, 32",
                in("r12") args.as_ptr(),
                in("r13") function,
                in("r14") &mut result,
                clobber_abi("C"),
            );
        }
        result
    }

    unsafe extern "C" {
        pub fn sinl();
        pub fn cosl();
        pub fn tanl();
        pub fn asinl();
        pub fn acosl();
        pub fn atanl();
        pub fn sinhl();
        pub fn coshl();
        pub fn tanhl();
        pub fn asinhl();
        pub fn acoshl();
        pub fn atanhl();
        pub fn expl();
        pub fn exp2l();
        pub fn exp10l();
        pub fn expm1l();
        pub fn logl();
        pub fn log2l();
        pub fn log10l();
        pub fn log1pl();
        pub fn cbrtl();
        pub fn sqrtl();
        pub fn floorl();
        pub fn ceill();
        pub fn truncl();
        pub fn roundl();
        pub fn rintl();
        pub fn nearbyintl();
        pub fn fabsl();
        pub fn erfl();
        pub fn erfcl();
        pub fn tgammal();
        pub fn lgammal();
        pub fn logbl();
        pub fn powl();
        pub fn fmodl();
        pub fn remainderl();
        pub fn atan2l();
        pub fn hypotl();
        pub fn copysignl();
        pub fn fminl();
        pub fn fmaxl();
        pub fn fdiml();
        pub fn nextafterl();
    }
}

macro_rules! native {
    ($call:expr, $function:ident, $count:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            apply($call, native::$function, $count)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = ($call, $count);
            Err(Stop::unsupported(concat!("`", stringify!($function), "` on this machine")))
        }
    }};
}

#[cfg(target_arch = "x86_64")]
fn apply(call: &mut Call<'_, '_>, function: native::Function, count: usize) -> Answer {
    let x = call.extended(0)?;
    let y = if count == 2 { call.extended(1)? } else { 0 };
    super::math::with_errno(call, || Value::extended(native::apply(function, x, y)))
}

pub(super) const MODELS: &[Entry] = &[
    ("long double sinl(long double)", |call| native!(call, sinl, 1)),
    ("long double cosl(long double)", |call| native!(call, cosl, 1)),
    ("long double tanl(long double)", |call| native!(call, tanl, 1)),
    ("long double asinl(long double)", |call| native!(call, asinl, 1)),
    ("long double acosl(long double)", |call| native!(call, acosl, 1)),
    ("long double atanl(long double)", |call| native!(call, atanl, 1)),
    ("long double sinhl(long double)", |call| native!(call, sinhl, 1)),
    ("long double coshl(long double)", |call| native!(call, coshl, 1)),
    ("long double tanhl(long double)", |call| native!(call, tanhl, 1)),
    ("long double asinhl(long double)", |call| native!(call, asinhl, 1)),
    ("long double acoshl(long double)", |call| native!(call, acoshl, 1)),
    ("long double atanhl(long double)", |call| native!(call, atanhl, 1)),
    ("long double expl(long double)", |call| native!(call, expl, 1)),
    ("long double exp2l(long double)", |call| native!(call, exp2l, 1)),
    ("long double exp10l(long double)", |call| native!(call, exp10l, 1)),
    ("long double expm1l(long double)", |call| native!(call, expm1l, 1)),
    ("long double logl(long double)", |call| native!(call, logl, 1)),
    ("long double log2l(long double)", |call| native!(call, log2l, 1)),
    ("long double log10l(long double)", |call| native!(call, log10l, 1)),
    ("long double log1pl(long double)", |call| native!(call, log1pl, 1)),
    ("long double cbrtl(long double)", |call| native!(call, cbrtl, 1)),
    ("long double sqrtl(long double)", |call| native!(call, sqrtl, 1)),
    ("long double floorl(long double)", |call| native!(call, floorl, 1)),
    ("long double ceill(long double)", |call| native!(call, ceill, 1)),
    ("long double truncl(long double)", |call| native!(call, truncl, 1)),
    ("long double roundl(long double)", |call| native!(call, roundl, 1)),
    ("long double rintl(long double)", |call| native!(call, rintl, 1)),
    ("long double nearbyintl(long double)", |call| native!(call, nearbyintl, 1)),
    ("long double fabsl(long double)", |call| native!(call, fabsl, 1)),
    ("long double erfl(long double)", |call| native!(call, erfl, 1)),
    ("long double erfcl(long double)", |call| native!(call, erfcl, 1)),
    ("long double tgammal(long double)", |call| native!(call, tgammal, 1)),
    ("long double lgammal(long double)", |call| native!(call, lgammal, 1)),
    ("long double logbl(long double)", |call| native!(call, logbl, 1)),
    ("long double powl(long double, long double)", |call| native!(call, powl, 2)),
    ("long double fmodl(long double, long double)", |call| native!(call, fmodl, 2)),
    ("long double remainderl(long double, long double)", |call| native!(call, remainderl, 2)),
    ("long double atan2l(long double, long double)", |call| native!(call, atan2l, 2)),
    ("long double hypotl(long double, long double)", |call| native!(call, hypotl, 2)),
    ("long double copysignl(long double, long double)", |call| native!(call, copysignl, 2)),
    ("long double fminl(long double, long double)", |call| native!(call, fminl, 2)),
    ("long double fmaxl(long double, long double)", |call| native!(call, fmaxl, 2)),
    ("long double fdiml(long double, long double)", |call| native!(call, fdiml, 2)),
    ("long double nextafterl(long double, long double)", |call| native!(call, nextafterl, 2)),
    ("long double ldexpl(long double, int)", scale),
    ("long double scalbnl(long double, int)", scale),
    ("long double scalblnl(long double, long)", scale),
    ("long double frexpl(long double, int *)", frexpl),
    ("long double modfl(long double, long double *)", modfl),
    ("long double nanl(const char *)", |_| Ok(Value::extended(binary::nan(FloatKind::Extended, false)))),
    ("long lrintl(long double)", |call| to_long(call.extended(0)?, Rounding::TiesEven)),
    ("long long llrintl(long double)", |call| to_long(call.extended(0)?, Rounding::TiesEven)),
    ("long lroundl(long double)", |call| to_long(call.extended(0)?, Rounding::TiesAway)),
    ("long long llroundl(long double)", |call| to_long(call.extended(0)?, Rounding::TiesAway)),
    ("int __isnanl(long double)", |call| int((category(call.extended(0)?) == FpCategory::Nan).into())),
    ("int __isinfl(long double)", |call| {
        let x = call.extended(0)?;
        let sign = if is_negative(x) { -1 } else { 1 };
        int(if category(x) == FpCategory::Infinite { sign } else { 0 })
    }),
    ("int __finitel(long double)", |call| {
        let category = category(call.extended(0)?);
        int(i32::from(!matches!(category, FpCategory::Nan | FpCategory::Infinite)))
    }),
    ("int __signbitl(long double)", |call| int(i32::from(is_negative(call.extended(0)?)) << 9)),
    ("int __fpclassifyl(long double)", |call| int(classify(category(call.extended(0)?)))),
];

pub(super) fn is_negative(bits: u128) -> bool {
    binary::unpack(FloatKind::Extended, bits).negative
}

pub(super) fn category(bits: u128) -> FpCategory {
    match binary::unpack(FloatKind::Extended, bits).magnitude {
        Magnitude::Nan => FpCategory::Nan,
        Magnitude::Infinite => FpCategory::Infinite,
        Magnitude::Zero => FpCategory::Zero,
        Magnitude::Finite { mantissa, .. } if mantissa >> 63 == 0 => FpCategory::Subnormal,
        Magnitude::Finite { .. } => FpCategory::Normal,
    }
}

/// The value times a power of two, rounded if it becomes subnormal.
fn scaled(bits: u128, by: i64) -> u128 {
    let unpacked = binary::unpack(FloatKind::Extended, bits);
    match unpacked.magnitude {
        Magnitude::Finite { mantissa, exponent } => {
            let (mantissa, exponent) = (u128::from(mantissa), i64::from(exponent) + by);
            binary::round_scaled(FloatKind::Extended, unpacked.negative, mantissa, exponent, false).0
        }
        _ => bits,
    }
}

fn scale(call: &mut Call<'_, '_>) -> Answer {
    let (x, n) = (call.extended(0)?, call.i64(1)?.clamp(-100_000, 100_000));
    let result = scaled(x, n);
    let (before, after) = (category(x), category(result));
    let overflowed = after == FpCategory::Infinite && before != FpCategory::Infinite;
    let vanished = after == FpCategory::Zero && before != FpCategory::Zero;
    if overflowed || vanished {
        super::errno::set(call, super::errno::ERANGE)?;
    }
    Ok(Value::extended(result))
}

fn frexpl(call: &mut Call<'_, '_>) -> Answer {
    let (x, place) = (call.extended(0)?, call.pointer(1)?);
    let power = match binary::unpack(FloatKind::Extended, x).magnitude {
        Magnitude::Finite { mantissa, exponent } => exponent + 64 - mantissa.leading_zeros() as i32,
        _ => 0,
    };
    call.memory().store_i32(place, power)?;
    Ok(Value::extended(scaled(x, -i64::from(power))))
}

fn modfl(call: &mut Call<'_, '_>) -> Answer {
    let (x, place) = (call.extended(0)?, call.pointer(1)?);
    let unpacked = binary::unpack(FloatKind::Extended, x);
    let kind = FloatKind::Extended;
    let zero = binary::zero(kind, unpacked.negative);
    let (whole, fraction) = match unpacked.magnitude {
        Magnitude::Finite { mantissa, exponent } if exponent < 0 => {
            let bits = (-exponent) as u32;
            let below = if bits >= 64 { mantissa } else { mantissa & ((1 << bits) - 1) };
            let part = |mantissa: u64| {
                let mantissa = u128::from(mantissa);
                binary::round_scaled(kind, unpacked.negative, mantissa, exponent.into(), false).0
            };
            (part(mantissa - below), part(below))
        }
        Magnitude::Nan => (x, x),
        _ => (x, zero),
    };
    call.memory().store_u128(place, whole)?;
    Ok(Value::extended(fraction))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    TiesEven,
    TiesAway,
}

fn to_long(bits: u128, rounding: Rounding) -> Answer {
    let unpacked = binary::unpack(FloatKind::Extended, bits);
    let magnitude = match unpacked.magnitude {
        Magnitude::Zero => Some(0),
        Magnitude::Finite { mantissa, exponent } if (0..=63).contains(&exponent) => {
            Some(u128::from(mantissa) << exponent)
        }
        Magnitude::Finite { exponent, .. } if exponent < -65 => Some(0),
        Magnitude::Finite { mantissa, exponent } if exponent < 0 => {
            let drop = (-exponent) as u32;
            let mantissa = u128::from(mantissa);
            let (kept, below, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1u128 << (drop - 1));
            let up = below > half || (below == half && (rounding == Rounding::TiesAway || kept & 1 == 1));
            Some(kept + u128::from(up))
        }
        _ => None,
    };
    let limit = (1u128 << 63) - u128::from(!unpacked.negative);
    match magnitude {
        Some(magnitude) if magnitude <= limit => {
            let value = magnitude as i128;
            Ok(Value::signed((if unpacked.negative { -value } else { value }) as i64))
        }
        _ => bad_argument("the value does not fit `long`"),
    }
}

/// A value of any of the formats as a `long double`, for what is asked of all of them alike.
pub(super) fn as_extended(call: &Call<'_, '_>, index: usize) -> Result<u128, Stop> {
    use crate::vm::Class;
    match call.class(index)? {
        Class::Float(FloatKind::Float) => Ok(binary::extend(f64::from(call.float(index)?))),
        Class::Float(FloatKind::Double) => Ok(binary::extend(call.double(index)?)),
        Class::Float(FloatKind::Extended) => call.extended(index),
        Class::Int(_) => Ok(binary::extend(call.int(index)? as f64)),
        Class::Pointer => bad_argument("a pointer where a floating value is expected"),
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_machine_are_called() {
        let two = binary::extend(2.0);
        let root = native::apply(native::sqrtl, two, 0);
        assert_eq!(root, 0x3fff_b504_f333_f9de_6484, "the square root of 2 to 64 bits");
        let thousand = native::apply(native::powl, two, binary::extend(10.0));
        assert_eq!(binary::narrow(thousand), 1024.0);
        for _ in 0..100 {
            // A value left on the x87 stack would spoil a later call.
            assert_eq!(binary::narrow(native::apply(native::floorl, binary::extend(-2.5), 0)), -3.0);
        }
    }

    #[test]
    fn scaling_is_exact() {
        let x = binary::extend(0.1);
        assert_eq!(scaled(scaled(x, -16000), 16000), x);
        assert_eq!(category(scaled(x, 20000)), FpCategory::Infinite);
        assert_eq!(category(scaled(x, -16400)), FpCategory::Subnormal);
    }
}
