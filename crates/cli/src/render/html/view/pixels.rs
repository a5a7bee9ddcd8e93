//! Pictures that are data of the analysed program: pixels in a document become an image that needs no script.
//!
//! The image is a bitmap of 24 bits in a `data:` address, which every browser shows: rows from the bottom, each filled
//! up to four bytes, blue before green before red.

use super::code;
use crate::render::html::document::{count, text};
use crate::render::html::escape::Html;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// Pixels of a picture that is shown.
const MOST: usize = 1 << 18;

/// `{width, height, channels, pixels}` as an image; nothing if that is no picture.
pub fn image(picture: &Value, about: &str) -> Option<Html> {
    let number = |name: &str| count(picture, name).and_then(|number| usize::try_from(number).ok());
    let (width, height, channels) = (number("width")?, number("height")?, number("channels")?);
    let area = width.checked_mul(height).filter(|area| (1..=MOST).contains(area))?;
    if !matches!(channels, 1..=4) {
        return None;
    }
    let pixels = bytes(text(picture, "pixels"), area * channels)?;
    let mut html = Html::new();
    html.raw("<img class=\"pixels\" alt=\"")
        .text(about)
        .raw("\" width=\"")
        .count(width)
        .raw("\" height=\"")
        .count(height);
    html.raw("\" src=\"data:image/bmp;base64,")
        .text(&STANDARD.encode(bitmap(width, height, channels, &pixels)))
        .raw("\">");
    Some(html)
}

/// So many bytes, written in hexadecimal or in base 64.
fn bytes(written: &str, wanted: usize) -> Option<Vec<u8>> {
    let digits = written.as_bytes();
    if digits.len() == 2 * wanted && digits.iter().all(u8::is_ascii_hexdigit) {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        return digits.chunks_exact(2).map(byte).collect();
    }
    STANDARD.decode(written).ok().filter(|bytes| bytes.len() == wanted)
}

fn bitmap(width: usize, height: usize, channels: usize, pixels: &[u8]) -> Vec<u8> {
    const HEADER: u32 = 54;
    let row = (3 * width).next_multiple_of(4);
    let mut bytes = Vec::with_capacity(HEADER as usize + row * height);
    let mut word = |value: u32, size: usize| bytes.extend_from_slice(&value.to_le_bytes()[..size]);
    let size = (row * height) as u32;
    word(u32::from(u16::from_le_bytes(*b"BM")), 2);
    [HEADER + size, 0, HEADER, 40, width as u32, height as u32].into_iter().for_each(|value| word(value, 4));
    [1, 24].into_iter().for_each(|value| word(value, 2));
    // Neither compressed nor with a table of colours.
    [0, size, 2835, 2835, 0, 0].into_iter().for_each(|value| word(value, 4));
    for line in pixels.chunks_exact(width * channels).rev() {
        let start = bytes.len();
        for pixel in line.chunks_exact(channels) {
            let (red, green, blue) = match pixel {
                [red, green, blue, ..] => (*red, *green, *blue),
                [grey, ..] => (*grey, *grey, *grey),
                [] => (0, 0, 0),
            };
            bytes.extend_from_slice(&[blue, green, red]);
        }
        bytes.resize(start + row, 0);
    }
    bytes
}

/// A picture with what is said below it.
pub fn figure(picture: &Value, title: &str, caption: &str) -> Option<Html> {
    let image = image(picture, title)?;
    let mut html = Html::new();
    html.raw("<figure class=\"thumb\">").add(&image).raw("<figcaption><b>").text(title).raw("</b>");
    if !caption.is_empty() {
        html.raw(" ").add(&code(caption));
    }
    html.raw("</figcaption></figure>");
    Some(html)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pixels_become_a_bitmap() {
        let image_of = bitmap(1, 2, 3, &[1, 2, 3, 4, 5, 6]);
        assert_eq!((&image_of[..2], image_of.len()), (&b"BM"[..], 54 + 8));
        assert_eq!(image_of[54..], [6, 5, 4, 0, 3, 2, 1, 0]);
        assert_eq!(bytes("0a0B0c", 3), Some(vec![10, 11, 12]));
        assert!(image(&json!({"width": 1, "height": 1, "channels": 1, "pixels": "AA=="}), "a").is_some());
        for bad in [
            json!({}),
            json!({"width": 2, "height": 1, "channels": 1, "pixels": "AA=="}),
            json!({"width": u64::MAX, "height": 2, "channels": 1, "pixels": "AA=="}),
        ] {
            assert!(image(&bad, "a").is_none(), "{bad}");
        }
    }
}
