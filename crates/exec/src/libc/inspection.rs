//! Functions that look at memory without being undefined anywhere: for programs that are instrumented, not for users.
//!
//! A place of interest may want to show `p->len` where `p` is null, dangling or not written yet. The instrumented
//! program asks first.

use super::{Answer, ModelFn};
use crate::vm::{Call, Value};

/// `int plumb_readable(const void *, unsigned long)`: whether so many bytes are there and have values.
pub const READABLE: &str = "plumb_readable";
/// `long plumb_length(const char *)`: the length of the string, or -1 where there is none.
pub const LENGTH: &str = "plumb_length";

pub(super) fn find(name: &str) -> Option<ModelFn> {
    match name {
        READABLE => Some(readable),
        LENGTH => Some(length),
        _ => None,
    }
}

fn readable(call: &mut Call<'_, '_>) -> Answer {
    let (address, length) = (call.pointer(0)?, call.u64(1)?);
    let is_readable = !address.is_nullish() && call.memory().read(address, length).is_ok();
    Ok(Value::signed(is_readable.into()))
}

fn length(call: &mut Call<'_, '_>) -> Answer {
    let address = call.pointer(0)?;
    if address.is_nullish() {
        return Ok(Value::signed(-1));
    }
    Ok(Value::signed(call.memory().c_string_length(address).map_or(-1, |length| length as i64)))
}
