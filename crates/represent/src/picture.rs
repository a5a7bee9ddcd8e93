//! Small pictures of representations, for people to look at.
//!
//! A program that has an output `picture` of two dimensions is about pictures. Its scalar output `channels` or `samples`, if it
//! has one, is the number of samples of a pixel. Elements of 8 bits are samples, those of a pixel side by side; a larger
//! element is a whole pixel, its samples as bytes from the highest down. What a file looks like before it is made
//! sense of is the input of two dimensions with elements of the same type: rows as they are stored, with everything
//! that stands between them.

use super::formula::ParamId;
use super::language::{Normalisation, Role};
use super::values::Values;

/// The longest side of a picture.
const LONGEST: usize = 64;

/// A picture, row by row from the top, the samples of a pixel side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// 1 for grey, 3 for red, green and blue.
    pub channels: usize,
    pub pixels: Vec<u8>,
}

/// What the canonical value shows, if it is a picture.
pub fn shown(normalisation: &Normalisation, canonical: &Values) -> Option<Picture> {
    drawn(normalisation, canonical, output(normalisation)?, channels(normalisation, canonical))
}

/// The rows of a representation as they are stored.
pub fn stored(normalisation: &Normalisation, canonical: &Values, representation: &Values) -> Option<Picture> {
    let kind = normalisation.param(output(normalisation)?).kind;
    let alike = |id: &ParamId| normalisation.param(*id).dims.len() == 2 && normalisation.param(*id).kind == kind;
    let rows = normalisation.ids(Role::Input).find(alike)?;
    drawn(normalisation, representation, rows, channels(normalisation, canonical))
}

fn output(normalisation: &Normalisation) -> Option<ParamId> {
    let is_picture = |id: &ParamId| {
        let param = normalisation.param(*id);
        param.name == "picture" && param.dims.len() == 2
    };
    normalisation.ids(Role::Output).find(is_picture)
}

fn channels(normalisation: &Normalisation, canonical: &Values) -> usize {
    let named = |id: &ParamId| matches!(normalisation.param(*id).name.as_str(), "channels" | "samples");
    let count = normalisation.ids(Role::Output).find(named).and_then(|id| canonical.scalar(id));
    if count == Some(3) { 3 } else { 1 }
}

/// Every so many pixels of an array, so that it becomes small.
fn drawn(normalisation: &Normalisation, values: &Values, id: ParamId, channels: usize) -> Option<Picture> {
    let array = values.array(id)?;
    let by_sample = normalisation.param(id).kind.bits() == 8;
    let per_pixel = if by_sample { channels } else { 1 };
    let (rows, row) = (array.dims[0], array.dims[1]);
    let columns = row / per_pixel;
    let step = rows.max(columns).div_ceil(LONGEST);
    if rows == 0 || columns == 0 {
        return None;
    }
    let mut pixels = Vec::new();
    for y in (0..rows).step_by(step) {
        for x in (0..columns).step_by(step) {
            let at = y * row + x * per_pixel;
            match by_sample {
                true => pixels.extend(array.elements[at..at + channels].iter().map(|&sample| sample as u8)),
                false => pixels.extend((0..channels).rev().map(|s| (array.elements[at] >> (8 * s)) as u8)),
            }
        }
    }
    Some(Picture { width: columns.div_ceil(step), height: rows.div_ceil(step), channels, pixels })
}
