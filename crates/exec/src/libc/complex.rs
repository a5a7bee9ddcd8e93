//! What the compiler's library does for complex numbers: products that are no numbers, and quotients.
//!
//! *Source*: C11 annex G for what infinities and values that are no numbers give; for quotients the scaling that GCC's
//! library has since version 12 (M. Baudin and R. Smith, *A robust complex division in Scilab*, 2012), so that results
//! agree to the last bit. `float` is computed in `double` by the plain formula, as there.

use super::{Answer, Entry};
use crate::vm::{Call, Stop, Value};
use ir::FloatKind;

pub(super) const MODELS: &[Entry] = &[
    ("struct float_complex __mulsc3(float, float, float, float)", |call| product(call, FloatKind::Float)),
    ("struct double_complex __muldc3(double, double, double, double)", |call| product(call, FloatKind::Double)),
    ("struct float_complex __divsc3(float, float, float, float)", |call| quotient(call, FloatKind::Float)),
    ("struct double_complex __divdc3(double, double, double, double)", |call| quotient(call, FloatKind::Double)),
];

fn operands(call: &mut Call<'_, '_>, kind: FloatKind) -> Result<[f64; 4], Stop> {
    let mut values = [0.0; 4];
    for (index, value) in values.iter_mut().enumerate() {
        *value = match kind {
            FloatKind::Float => f64::from(call.float(index)?),
            _ => call.double(index)?,
        };
    }
    Ok(values)
}

/// Writes the two parts of a result. A result in `double` of `float` operands is rounded here.
fn deliver(call: &mut Call<'_, '_>, kind: FloatKind, real: f64, imaginary: f64) -> Answer {
    let result = call.result;
    if !result.is_null() {
        let mut bytes = Vec::with_capacity(16);
        for part in [real, imaginary] {
            match kind {
                FloatKind::Float => bytes.extend((part as f32).to_le_bytes()),
                _ => bytes.extend(part.to_le_bytes()),
            }
        }
        call.memory().write(result, &bytes)?;
    }
    Ok(Value::NONE)
}

/// 1 or 0 with the sign of `value`: whether it is infinite.
fn boxed(value: f64) -> f64 {
    (if value.is_infinite() { 1.0f64 } else { 0.0 }).copysign(value)
}

/// 0 with the sign of `value`, if it is no number.
fn settled(value: f64) -> f64 {
    if value.is_nan() { 0.0f64.copysign(value) } else { value }
}

fn product(call: &mut Call<'_, '_>, kind: FloatKind) -> Answer {
    let [mut a, mut b, mut c, mut d] = operands(call, kind)?;
    // Operands of type `float` have exact products in `double`, which are rounded before they are added.
    let round = |value: f64| if kind == FloatKind::Float { f64::from(value as f32) } else { value };
    let (ac, bd, ad, bc) = (round(a * c), round(b * d), round(a * d), round(b * c));
    let (x, y) = (round(ac - bd), round(ad + bc));
    if !(x.is_nan() && y.is_nan()) {
        return deliver(call, kind, x, y);
    }
    let mut again = false;
    if a.is_infinite() || b.is_infinite() {
        (a, b) = (boxed(a), boxed(b));
        (c, d) = (settled(c), settled(d));
        again = true;
    }
    if c.is_infinite() || d.is_infinite() {
        (c, d) = (boxed(c), boxed(d));
        (a, b) = (settled(a), settled(b));
        again = true;
    }
    if !again && [ac, bd, ad, bc].iter().any(|part| part.is_infinite()) {
        (a, b, c, d) = (settled(a), settled(b), settled(c), settled(d));
        again = true;
    }
    match again {
        true => deliver(call, kind, f64::INFINITY * (a * c - b * d), f64::INFINITY * (a * d + b * c)),
        false => deliver(call, kind, x, y),
    }
}

/// The quotient in `double` by the smaller denominator, with operands scaled away from both ends of the range.
fn scaled(mut a: f64, mut b: f64, mut c: f64, mut d: f64) -> (f64, f64) {
    const BIG: f64 = f64::MAX / 2.0;
    const LEAST: f64 = f64::MIN_POSITIVE;
    const STEP: f64 = f64::EPSILON;
    const SCALE: f64 = 1.0 / STEP;
    const LARGE: f64 = BIG * STEP;
    let swapped = c.abs() < d.abs();
    let larger = if swapped { d.abs() } else { c.abs() };
    if larger >= BIG {
        (a, b, c, d) = (a / 2.0, b / 2.0, c / 2.0, d / 2.0);
    }
    let larger = if swapped { d.abs() } else { c.abs() };
    let small = |value: f64, other: f64| value.abs() < LEAST && other.abs() < LARGE && larger < LARGE;
    if larger < LEAST || small(a, b) || small(b, a) {
        (a, b, c, d) = (a * SCALE, b * SCALE, c * SCALE, d * SCALE);
    }
    if swapped {
        let ratio = c / d;
        let denominator = c * ratio + d;
        match ratio.abs() > LEAST {
            true => ((a * ratio + b) / denominator, (b * ratio - a) / denominator),
            false => ((c * (a / d) + b) / denominator, (c * (b / d) - a) / denominator),
        }
    } else {
        let ratio = d / c;
        let denominator = d * ratio + c;
        match ratio.abs() > LEAST {
            true => ((b * ratio + a) / denominator, (b - a * ratio) / denominator),
            false => ((d * (b / c) + a) / denominator, (b - d * (a / c)) / denominator),
        }
    }
}

fn quotient(call: &mut Call<'_, '_>, kind: FloatKind) -> Answer {
    let [mut a, mut b, mut c, mut d] = operands(call, kind)?;
    let (x, y) = match kind {
        FloatKind::Float => {
            let denominator = c * c + d * d;
            let (x, y) = ((a * c + b * d) / denominator, (b * c - a * d) / denominator);
            (f64::from(x as f32), f64::from(y as f32))
        }
        _ => scaled(a, b, c, d),
    };
    if !(x.is_nan() && y.is_nan()) {
        return deliver(call, kind, x, y);
    }
    if c == 0.0 && d == 0.0 && (!a.is_nan() || !b.is_nan()) {
        let infinity = f64::INFINITY.copysign(c);
        return deliver(call, kind, infinity * a, infinity * b);
    }
    if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
        (a, b) = (boxed(a), boxed(b));
        return deliver(call, kind, f64::INFINITY * (a * c + b * d), f64::INFINITY * (b * c - a * d));
    }
    if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
        (c, d) = (boxed(c), boxed(d));
        return deliver(call, kind, 0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
    }
    deliver(call, kind, x, y)
}
