//! TIFF files as values of a normalisation program's parameters, and back.
//!
//! *Source*: TIFF Revision 6.0 (Adobe, 1992), baseline grey and RGB images of 8 bits a sample, in strips, without
//! compression.
//!
//! The parameters have the names below. A pixel is one number: its sample, or red, green and blue as bytes from the
//! highest down. `pixels` are the rows that the file has room for; strip `i` is the rows from `offset[i]` on. What is
//! written stands in the file exactly so: the strips at these places and in this order, unused rows included. With
//! separate planes the room exists once for each sample.

use super::values::{Array, Value};
use std::collections::BTreeMap;

/// The names of the parameters that a file gives values to.
pub const NAMES: [&str; 12] = [
    "orientation",
    "big_endian",
    "planar",
    "samples",
    "width",
    "length",
    "strips",
    "rows_per_strip",
    "offset",
    "rows",
    "slots",
    "pixels",
];

/// Values by the names of parameters.
pub type Named = BTreeMap<String, Value>;

const WIDTH: u16 = 256;
const LENGTH: u16 = 257;
const BITS: u16 = 258;
const COMPRESSION: u16 = 259;
const PHOTOMETRIC: u16 = 262;
const OFFSETS: u16 = 273;
const ORIENTATION: u16 = 274;
const SAMPLES: u16 = 277;
const ROWS_PER_STRIP: u16 = 278;
const BYTE_COUNTS: u16 = 279;
const PLANAR: u16 = 284;
const TILE_WIDTH: u16 = 322;

/// Whether grey 0 is black; the only thing about the picture that is not in the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Photometric(pub u16);

struct Reader<'a> {
    bytes: &'a [u8],
    big_endian: bool,
}

impl Reader<'_> {
    fn number(&self, at: usize, width: usize) -> Result<u32, String> {
        let bytes = at.checked_add(width).and_then(|end| self.bytes.get(at..end));
        let bytes = bytes.ok_or_else(|| format!("it ends before byte {at}, which it points to"))?;
        let fold = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
        Ok(if self.big_endian { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) })
    }

    /// The numbers of an entry of the directory.
    fn entry(&self, at: usize) -> Result<Vec<u32>, String> {
        let width = match self.number(at + 2, 2)? {
            1 => 1,
            3 => 2,
            4 => 4,
            _ => return Ok(Vec::new()),
        };
        let count = self.number(at + 4, 4)? as usize;
        if count > self.bytes.len() {
            return Err(format!("a field has {count} values, more than the file has bytes"));
        }
        let start = if count * width <= 4 { at + 8 } else { self.number(at + 8, 4)? as usize };
        (0..count).map(|i| self.number(start + i * width, width)).collect()
    }
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<(Named, Photometric), String> {
    let big_endian = match bytes.get(..4) {
        Some([b'I', b'I', 42, 0]) => false,
        Some([b'M', b'M', 0, 42]) => true,
        _ => return Err("it does not start as a TIFF file does".into()),
    };
    let reader = Reader { bytes, big_endian };
    let directory = reader.number(4, 4)? as usize;
    let mut fields: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
    for i in 0..reader.number(directory, 2)? as usize {
        let at = directory + 2 + 12 * i;
        fields.insert(reader.number(at, 2)? as u16, reader.entry(at)?);
    }
    let one = |tag: u16, otherwise: Option<u32>, name: &str| match fields.get(&tag).map(|v| &v[..]) {
        Some([value, ..]) => Ok(*value),
        _ => otherwise.ok_or_else(|| format!("it has no {name} (tag {tag})")),
    };
    if fields.contains_key(&TILE_WIDTH) {
        return Err("it is in tiles; only images in strips are read".into());
    }
    if one(COMPRESSION, Some(1), "Compression")? != 1 {
        return Err("it is compressed; only images without compression are read".into());
    }
    let width = one(WIDTH, None, "ImageWidth")? as usize;
    let length = one(LENGTH, None, "ImageLength")? as usize;
    let samples = one(SAMPLES, Some(1), "SamplesPerPixel")? as usize;
    let planar = one(PLANAR, Some(1), "PlanarConfiguration")?;
    let orientation = one(ORIENTATION, Some(1), "Orientation")?;
    let photometric = one(PHOTOMETRIC, None, "PhotometricInterpretation")?;
    if !matches!((samples, photometric), (1, 0 | 1) | (3, 2)) {
        return Err(format!("it has {samples} samples of kind {photometric}; only grey and RGB images are read"));
    }
    let bits = fields.get(&BITS).cloned().unwrap_or_default();
    if bits.is_empty() || bits.iter().any(|b| *b != 8) {
        return Err("its samples do not have 8 bits".into());
    }
    if !(1..=2).contains(&planar) {
        return Err(format!("its PlanarConfiguration is {planar}, which means nothing"));
    }
    if width == 0 || length == 0 || width.saturating_mul(length) > 1 << 28 {
        return Err(format!("it is {width} by {length} pixels"));
    }
    let rows_per_strip = (one(ROWS_PER_STRIP, Some(u32::MAX), "RowsPerStrip")? as usize).min(length);
    if rows_per_strip == 0 {
        return Err("its strips have no rows".into());
    }
    let strips = length.div_ceil(rows_per_strip);
    let planes = if planar == 2 { samples } else { 1 };
    let offsets = fields.get(&OFFSETS).cloned().unwrap_or_default();
    if offsets.len() != strips * planes {
        return Err(format!(
            "it has {} strips where {length} rows in strips of {rows_per_strip} make {}",
            offsets.len(),
            strips * planes
        ));
    }
    let counts = fields.get(&BYTE_COUNTS).cloned().unwrap_or_default();
    let per_pixel = samples / planes;
    let mut pixels = vec![0i64; width * length];
    for (i, &offset) in offsets.iter().enumerate() {
        let (plane, strip) = (i / strips, i % strips);
        let rows = rows_per_strip.min(length - strip * rows_per_strip);
        let size = rows * width * per_pixel;
        if counts.get(i).is_some_and(|count| (*count as usize) < size) {
            return Err(format!("strip {strip} has {} bytes where {rows} rows take {size}", counts[i]));
        }
        let start = offset as usize;
        let Some(data) = bytes.get(start..start.saturating_add(size)) else {
            return Err(format!("strip {strip} lies outside the file"));
        };
        let first = strip * rows_per_strip * width;
        for (at, chunk) in data.chunks_exact(per_pixel).enumerate() {
            let pixel = &mut pixels[first + at];
            for (s, byte) in chunk.iter().enumerate() {
                let sample = if planar == 2 { plane } else { s };
                *pixel |= i64::from(*byte) << (8 * (samples - 1 - sample));
            }
        }
    }
    // The strips of the first plane, in the order in which they stand in the file.
    let mut order: Vec<usize> = (0..strips).collect();
    order.sort_by_key(|&i| offsets[i]);
    let rows: Vec<usize> = (0..strips).map(|i| rows_per_strip.min(length - i * rows_per_strip)).collect();
    let (mut place, mut next) = (vec![0i64; strips], 0);
    for i in order {
        place[i] = next as i64;
        next += rows[i];
    }
    let mut room = vec![0i64; width * length];
    let mut row = 0;
    for i in 0..strips {
        let (from, to, size) = (row * width, place[i] as usize * width, rows[i] * width);
        room[to..to + size].copy_from_slice(&pixels[from..from + size]);
        row += rows[i];
    }
    let scalar = |n: usize| Value::Scalar(n as i64);
    let list = |elements: Vec<i64>| Value::Array(Array { dims: vec![elements.len()], elements });
    let named = [
        ("orientation", scalar(orientation as usize)),
        ("big_endian", scalar(usize::from(big_endian))),
        ("planar", scalar(planar as usize)),
        ("samples", scalar(samples)),
        ("width", scalar(width)),
        ("length", scalar(length)),
        ("strips", scalar(strips)),
        ("rows_per_strip", scalar(rows_per_strip)),
        ("offset", list(place)),
        ("rows", list(rows.iter().map(|&r| r as i64).collect())),
        ("slots", scalar(length)),
        ("pixels", Value::Array(Array { dims: vec![length, width], elements: room })),
    ];
    let named = named.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    Ok((named, Photometric(photometric as u16)))
}

/// Writes a file in which the values stand as they are.
pub fn write(named: &BTreeMap<&str, &Value>, Photometric(photometric): Photometric) -> Result<Vec<u8>, String> {
    let scalar = |name: &str| match named.get(name).copied() {
        Some(Value::Scalar(value)) => u32::try_from(*value).map_err(|_| format!("`{name}` is {value}")),
        _ => Err(format!("`{name}` has no value")),
    };
    let list = |name: &str| match named.get(name).copied() {
        Some(Value::Array(array)) => Ok(array),
        _ => Err(format!("`{name}` has no values")),
    };
    let big_endian = scalar("big_endian")? != 0;
    let (planar, samples, width) = (scalar("planar")?, scalar("samples")? as usize, scalar("width")? as usize);
    let (offset, rows, pixels) = (list("offset")?, list("rows")?, list("pixels")?);
    let slots = pixels.dims[0];
    let (planes, per_pixel) = if planar == 2 { (samples, 1) } else { (1, samples) };
    let mut file = Vec::with_capacity(pixels.elements.len() * samples + 512);
    let put = |file: &mut Vec<u8>, value: u32, width: usize| {
        let bytes = value.to_be_bytes();
        let bytes = &bytes[4 - width..];
        if big_endian {
            file.extend(bytes);
        } else {
            file.extend(bytes.iter().rev());
        }
    };
    file.extend(if big_endian { b"MM" } else { b"II" });
    put(&mut file, 42, 2);
    let base = 8u32;
    let plane_size = slots * width * per_pixel;
    let data = planes * plane_size;
    // Directories begin on a word boundary.
    let directory = base + data as u32 + (data as u32 & 1);
    put(&mut file, directory, 4);
    for plane in 0..planes {
        for pixel in &pixels.elements {
            match (planar, samples) {
                (2, _) => file.push((pixel >> (8 * (samples - 1 - plane))) as u8),
                (_, 1) => file.push(*pixel as u8),
                _ => file.extend([(pixel >> 16) as u8, (pixel >> 8) as u8, *pixel as u8]),
            }
        }
    }
    file.resize(directory as usize, 0);
    let row = (width * per_pixel) as u32;
    let mut offsets = Vec::new();
    let mut counts = Vec::new();
    for plane in 0..planes {
        for (&place, &rows) in offset.elements.iter().zip(&rows.elements) {
            offsets.push(base + (plane * plane_size) as u32 + place as u32 * row);
            counts.push(rows as u32 * row);
        }
    }
    let short = |tag: u16, value: u32| (tag, 3u32, vec![value]);
    let fields = [
        (WIDTH, 4, vec![width as u32]),
        (LENGTH, 4, vec![scalar("length")?]),
        (BITS, 3, vec![8; samples]),
        short(COMPRESSION, 1),
        short(PHOTOMETRIC, u32::from(photometric)),
        (OFFSETS, 4, offsets),
        short(ORIENTATION, scalar("orientation")?),
        short(SAMPLES, samples as u32),
        (ROWS_PER_STRIP, 4, vec![scalar("rows_per_strip")?]),
        (BYTE_COUNTS, 4, counts),
        short(PLANAR, planar),
    ];
    let mut behind = directory + 2 + 12 * fields.len() as u32 + 4;
    let mut rest = Vec::new();
    put(&mut file, fields.len() as u32, 2);
    for (tag, kind, values) in &fields {
        let size = if *kind == 3 { 2 } else { 4 };
        put(&mut file, u32::from(*tag), 2);
        put(&mut file, *kind, 2);
        put(&mut file, values.len() as u32, 4);
        let mut bytes = Vec::new();
        values.iter().for_each(|v| put(&mut bytes, *v, size));
        if bytes.len() <= 4 {
            bytes.resize(4, 0);
            file.extend(bytes);
        } else {
            put(&mut file, behind, 4);
            behind += bytes.len() as u32;
            rest.extend(bytes);
        }
    }
    put(&mut file, 0, 4);
    file.extend(rest);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(samples: i64, planar: i64, big_endian: i64) -> Named {
        let list = |elements: Vec<i64>| Value::Array(Array { dims: vec![elements.len()], elements });
        let highest = if samples == 1 { 251 } else { 0xFF_FFFF };
        let pixels = (0..12).map(|i| i * 5_077_003 % highest).collect();
        let values = [
            ("orientation", Value::Scalar(6)),
            ("big_endian", Value::Scalar(big_endian)),
            ("planar", Value::Scalar(planar)),
            ("samples", Value::Scalar(samples)),
            ("width", Value::Scalar(3)),
            ("length", Value::Scalar(4)),
            ("strips", Value::Scalar(2)),
            ("rows_per_strip", Value::Scalar(3)),
            ("offset", list(vec![1, 0])),
            ("rows", list(vec![3, 1])),
            ("slots", Value::Scalar(4)),
            ("pixels", Value::Array(Array { dims: vec![4, 3], elements: pixels })),
        ];
        values.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    fn borrowed(named: &Named) -> BTreeMap<&str, &Value> {
        named.iter().map(|(name, value)| (name.as_str(), value)).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        for (samples, photometric) in [(1, 1), (3, 2)] {
            for planar in 1..=samples.min(2) {
                for big_endian in [0, 1] {
                    let values = named(samples, planar, big_endian);
                    let file = write(&borrowed(&values), Photometric(photometric)).expect("it should be written");
                    assert_eq!(read(&file), Ok((values, Photometric(photometric))));
                }
            }
        }
    }

    #[test]
    fn files_that_are_cut_or_changed_are_refused_or_read() {
        let file = write(&borrowed(&named(3, 2, 1)), Photometric(2)).expect("it should be written");
        for end in 0..file.len() {
            assert!(read(&file[..end]).is_err(), "cut at {end}");
        }
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                // The claim is that nothing panics; a changed pixel is as good as any.
                let _ = read(&changed);
            }
        }
    }
}
