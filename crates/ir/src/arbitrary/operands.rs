//! Operands that the twins of [`crate::arith`] are compared on.

use crate::arith::Float;
use crate::ctype::{FloatKind, IntKind};

/// All values of a type of at most eight bits; of a wider one the borders of all widths, amounts of shifts, square
/// roots of the borders, patterns of bits, and what is next to them.
pub fn operands(kind: IntKind) -> Vec<i128> {
    if kind.bits() <= 8 {
        // Computed, since the greatest `unsigned char` plus one is none.
        return (0..=kind.max() - kind.min()).map(|step| kind.min() + step).collect();
    }
    let mut values = vec![0, 1, 2, 3, 5, 7, 10, 100, 46340, 3037000499, 0x5555_5555_5555_5555, i128::MAX / 3];
    for bits in [3, 4, 5, 6, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64, 127] {
        values.push(1i128.wrapping_shl(bits));
    }
    values.extend([kind.max(), kind.min(), kind.max() >> 1, kind.min() >> 1]);
    let near: Vec<i128> = values
        .iter()
        .flat_map(|&value| [value, value.wrapping_add(1), value.wrapping_sub(1)])
        .flat_map(|value| [value, value.wrapping_neg()])
        .map(|value| kind.wrap(value))
        .collect();
    let mut values = near;
    values.sort_unstable();
    values.dedup();
    values
}

/// Few of them: for engines that are asked about one pair of operands at a time.
pub fn borders(kind: IntKind) -> Vec<i128> {
    let width = i128::from(kind.bits());
    let values = [0, 1, 2, 3, 7, -1, -2, -7, width - 1, width, kind.min(), kind.min() + 1, kind.max() >> 1, kind.max()];
    let mut values: Vec<i128> = values.into_iter().map(|value| kind.wrap(value)).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Floating values of a type: the special ones, borders of integer types with their neighbours, and fractions.
pub fn floats(kind: FloatKind) -> Vec<Float> {
    let mut values = vec![
        0.0,
        0.1,
        0.5,
        0.999_999_999_999_999_9,
        1.0,
        1.5,
        2.0,
        1.0 / 3.0,
        100.7,
        1e10,
        1e20,
        1e38,
        3.4e38,
        1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1e-45,
        f64::from(f32::MIN_POSITIVE),
        f64::INFINITY,
        f64::NAN,
    ];
    for bits in [7, 8, 15, 16, 24, 31, 32, 53, 63, 64, 127] {
        let power = 2f64.powi(bits);
        values.extend([power, power + 1.0, power - 1.0, power - 0.5, power.next_down(), power.next_up()]);
        values.extend([f64::from((power as f32).next_down()), f64::from((power as f32).next_up())]);
    }
    let signed = values.into_iter().flat_map(|value| [value, -value]);
    let mut floats: Vec<Float> = signed.map(|value| Float::from_f64(kind, value)).collect();
    if kind == FloatKind::Extended {
        // Neighbours that only a `long double` has.
        let close = floats.iter().filter_map(|value| match value {
            Float::Extended(bits) if value.to_f64().is_normal() && value.to_f64().abs() > 1.0 => {
                Some(Float::Extended(bits - 1))
            }
            _ => None,
        });
        let close: Vec<Float> =
            close.filter(|value| matches!(value, Float::Extended(bits) if bits >> 63 & 1 == 1)).collect();
        floats.extend(close);
    }
    floats
}
