//! Functions that the compiler itself provides. `__builtin_x` where `x` is a library function is that function; here
//! are the others. Some take arguments of any type, which their prototypes do not say.

use super::long_math::{as_extended, category, is_negative};
use super::math::classify;
use super::{Answer, Entry, bad_argument, fault, int};
use crate::format::binary;
use crate::vm::{Call, Stop, Value};
use dashu_int::IBig;
use diagnostics::Rule;
use ir::{BinaryOp, FloatKind, IntKind};
use std::cmp::Ordering;
use std::num::FpCategory;

pub(super) const MODELS: &[Entry] = &[
    ("int __builtin_constant_p(void)", |_| int(0)),
    ("int __builtin_popcount(unsigned)", |call| int((bits(call)? as u32).count_ones() as i32)),
    ("int __builtin_popcountl(unsigned long)", |call| int(bits(call)?.count_ones() as i32)),
    ("int __builtin_popcountll(unsigned long long)", |call| int(bits(call)?.count_ones() as i32)),
    ("int __builtin_parity(unsigned)", |call| int((bits(call)? as u32).count_ones() as i32 & 1)),
    ("int __builtin_parityl(unsigned long)", |call| int(bits(call)?.count_ones() as i32 & 1)),
    ("int __builtin_parityll(unsigned long long)", |call| int(bits(call)?.count_ones() as i32 & 1)),
    ("int __builtin_clz(unsigned)", |call| int((not_zero(call)? as u32).leading_zeros() as i32)),
    ("int __builtin_clzl(unsigned long)", |call| int(not_zero(call)?.leading_zeros() as i32)),
    ("int __builtin_clzll(unsigned long long)", |call| int(not_zero(call)?.leading_zeros() as i32)),
    ("int __builtin_ctz(unsigned)", |call| int((not_zero(call)? as u32).trailing_zeros() as i32)),
    ("int __builtin_ctzl(unsigned long)", |call| int(not_zero(call)?.trailing_zeros() as i32)),
    ("int __builtin_ctzll(unsigned long long)", |call| int(not_zero(call)?.trailing_zeros() as i32)),
    ("int __builtin_clrsb(int)", |call| {
        let x = call.i32(0)?;
        int((x ^ x >> 31).leading_zeros() as i32 - 1)
    }),
    ("int __builtin_clrsbl(long)", |call| {
        let x = call.i64(0)?;
        int((x ^ x >> 63).leading_zeros() as i32 - 1)
    }),
    ("int __builtin_clrsbll(long long)", |call| {
        let x = call.i64(0)?;
        int((x ^ x >> 63).leading_zeros() as i32 - 1)
    }),
    ("int ffs(int)", |call| first_set(u64::from(bits(call)? as u32))),
    ("int ffsl(long)", |call| first_set(bits(call)?)),
    ("int ffsll(long long)", |call| first_set(bits(call)?)),
    ("uint16_t __builtin_bswap16(uint16_t)", |call| Ok(Value::unsigned(u64::from((bits(call)? as u16).swap_bytes())))),
    ("uint32_t __builtin_bswap32(uint32_t)", |call| Ok(Value::unsigned(u64::from((bits(call)? as u32).swap_bytes())))),
    ("uint64_t __builtin_bswap64(uint64_t)", |call| Ok(Value::unsigned(bits(call)?.swap_bytes()))),
    ("long __builtin_expect(long, long)", |call| Ok(Value::signed(call.i64(0)?))),
    ("void __builtin_prefetch(const void *, ...)", |_| Ok(Value::NONE)),
    ("void __builtin_trap(void)", |_| fault(Rule::Aborted, "the program calls `__builtin_trap`")),
    ("void __builtin_unreachable(void)", |_| bad_argument("`__builtin_unreachable` is reached")),
    ("double __builtin_inf(void)", |_| Ok(Value::double(f64::INFINITY))),
    ("float __builtin_inff(void)", |_| Ok(Value::float(f32::INFINITY))),
    ("long double __builtin_infl(void)", |_| Ok(Value::extended(binary::infinity(FloatKind::Extended, false)))),
    ("double __builtin_huge_val(void)", |_| Ok(Value::double(f64::INFINITY))),
    ("float __builtin_huge_valf(void)", |_| Ok(Value::float(f32::INFINITY))),
    ("long double __builtin_huge_vall(void)", |_| Ok(Value::extended(binary::infinity(FloatKind::Extended, false)))),
    ("int __builtin_isnan(...)", |call| is(call, |c| c == FpCategory::Nan)),
    ("int __builtin_isinf(...)", isinf_sign),
    ("int __builtin_isinf_sign(...)", isinf_sign),
    ("int __builtin_isfinite(...)", |call| is(call, |c| !matches!(c, FpCategory::Nan | FpCategory::Infinite))),
    ("int __builtin_isnormal(...)", |call| is(call, |c| c == FpCategory::Normal)),
    ("int __builtin_signbit(...)", |call| int(is_negative(as_extended(call, 0)?).into())),
    ("int __builtin_signbitf(float)", |call| int(is_negative(as_extended(call, 0)?).into())),
    ("int __builtin_signbitl(long double)", |call| int(is_negative(as_extended(call, 0)?).into())),
    ("int __builtin_fpclassify(int, int, int, int, int, ...)", fpclassify),
    ("int __builtin_isgreater(...)", |call| compare(call, |order| order == Some(Ordering::Greater))),
    ("int __builtin_isgreaterequal(...)", |call| compare(call, |order| order.is_some_and(Ordering::is_ge))),
    ("int __builtin_isless(...)", |call| compare(call, |order| order == Some(Ordering::Less))),
    ("int __builtin_islessequal(...)", |call| compare(call, |order| order.is_some_and(Ordering::is_le))),
    ("int __builtin_islessgreater(...)", |call| compare(call, |order| order.is_some_and(Ordering::is_ne))),
    ("int __builtin_isunordered(...)", |call| compare(call, |order| order.is_none())),
    ("_Bool __builtin_add_overflow(...)", |call| overflow(call, BinaryOp::Add)),
    ("_Bool __builtin_sub_overflow(...)", |call| overflow(call, BinaryOp::Sub)),
    ("_Bool __builtin_mul_overflow(...)", |call| overflow(call, BinaryOp::Mul)),
    ("_Bool __builtin_sadd_overflow(int, int, int *)", |call| overflow(call, BinaryOp::Add)),
    ("_Bool __builtin_ssub_overflow(int, int, int *)", |call| overflow(call, BinaryOp::Sub)),
    ("_Bool __builtin_smul_overflow(int, int, int *)", |call| overflow(call, BinaryOp::Mul)),
    ("_Bool __builtin_uadd_overflow(unsigned, unsigned, unsigned *)", |call| overflow(call, BinaryOp::Add)),
    ("_Bool __builtin_usub_overflow(unsigned, unsigned, unsigned *)", |call| overflow(call, BinaryOp::Sub)),
    ("_Bool __builtin_umul_overflow(unsigned, unsigned, unsigned *)", |call| overflow(call, BinaryOp::Mul)),
];

fn bits(call: &Call<'_, '_>) -> Result<u64, Stop> {
    call.u64(0)
}

fn not_zero(call: &Call<'_, '_>) -> Result<u64, Stop> {
    match call.u64(0)? {
        0 => bad_argument("counting the leading or trailing zeros of zero is undefined"),
        value => Ok(value),
    }
}

fn first_set(value: u64) -> Answer {
    int(if value == 0 { 0 } else { value.trailing_zeros() as i32 + 1 })
}

/// The class of the value in its own format: a subnormal `float` is a normal `long double`.
fn category_of(call: &Call<'_, '_>, index: usize) -> Result<FpCategory, Stop> {
    use crate::vm::Class;
    Ok(match call.class(index)? {
        Class::Float(FloatKind::Float) => call.float(index)?.classify(),
        Class::Float(FloatKind::Double) => call.double(index)?.classify(),
        _ => category(as_extended(call, index)?),
    })
}

fn is(call: &mut Call<'_, '_>, holds: fn(FpCategory) -> bool) -> Answer {
    int(holds(category_of(call, 0)?).into())
}

fn isinf_sign(call: &mut Call<'_, '_>) -> Answer {
    let sign = if is_negative(as_extended(call, 0)?) { -1 } else { 1 };
    int(if category_of(call, 0)? == FpCategory::Infinite { sign } else { 0 })
}

/// The first five arguments say what to answer for NaN, infinite, normal, subnormal and zero.
fn fpclassify(call: &mut Call<'_, '_>) -> Answer {
    let index = match classify(category_of(call, 5)?) {
        0 => 0,
        1 => 1,
        4 => 2,
        3 => 3,
        _ => 4,
    };
    int(call.i32(index)?)
}

fn compare(call: &mut Call<'_, '_>, holds: fn(Option<Ordering>) -> bool) -> Answer {
    let (a, b) = (as_extended(call, 0)?, as_extended(call, 1)?);
    int(holds(order(a, b)).into())
}

/// How two values of type `long double` compare; `None` if one is a NaN.
fn order(a: u128, b: u128) -> Option<Ordering> {
    if category(a) == FpCategory::Nan || category(b) == FpCategory::Nan {
        return None;
    }
    // Without the sign, the bits of a larger value are larger.
    let key = |bits: u128| {
        let magnitude = (bits & ((1 << 79) - 1)) as i128;
        if is_negative(bits) { -magnitude } else { magnitude }
    };
    Some(key(a).cmp(&key(b)))
}

/// Stores the result, wrapped to the type pointed to, and tells whether it was wrapped.
fn overflow(call: &mut Call<'_, '_>, op: BinaryOp) -> Answer {
    let (a, b, place) = (operand(call, 0)?, operand(call, 1)?, call.pointer(2)?);
    let types = call.machine.types();
    let pointee = types.pointee(call.argument(2)?.ty).and_then(|ty| types.int_kind(ty));
    let Some(kind) = pointee else {
        return bad_argument("the result of an overflow check is not stored to an integer");
    };
    let exact = match op {
        BinaryOp::Add => &a + &b,
        BinaryOp::Sub => &a - &b,
        _ => &a * &b,
    };
    // The low 128 bits are those of the operation on the low 128 bits of the operands.
    let low = |value: &IBig| {
        let modulus = IBig::ONE << 128;
        let rest = value - value / &modulus * &modulus;
        let rest = if rest < IBig::ZERO { rest + modulus } else { rest };
        u128::try_from(&rest).unwrap_or(0) as i128
    };
    let wrapped = kind.wrap(low(&exact));
    let memory = call.memory();
    match kind.bytes() {
        1 => memory.store_u8(place, wrapped as u8)?,
        2 => memory.store_u16(place, wrapped as u16)?,
        4 => memory.store_u32(place, wrapped as u32)?,
        8 => memory.store_u64(place, wrapped as u64)?,
        _ => memory.store_u128(place, wrapped as u128)?,
    }
    Ok(Value::unsigned(u64::from(mathematical(kind, wrapped) != exact)))
}

/// An argument as the number it stands for.
fn operand(call: &Call<'_, '_>, index: usize) -> Result<IBig, Stop> {
    use crate::vm::Class;
    let value = call.int(index)?;
    Ok(match call.class(index)? {
        Class::Int(kind) => mathematical(kind, value),
        _ => IBig::from(value),
    })
}

/// The number behind a value, which for `unsigned __int128` is a pattern of bits.
fn mathematical(kind: IntKind, value: i128) -> IBig {
    if kind == IntKind::UInt128 { IBig::from(value as u128) } else { IBig::from(value) }
}
