//! What an entry is given, of any type: numbers, records, objects behind pointers, strings, functions, files.
//!
//! A value is a tree. A pointer owns the object it leads to, unless it leads into the object of an earlier argument
//! ([`Given::Within`]). Values whose invariant is known to their makers alone are made by calls of the program's own
//! functions ([`Given::Made`]). The VM builds the objects in its memory; [`Given::encode`] writes them as the numbers
//! from which a compiled program builds the same ones.
//!
//! ```text
//! size_t f(struct buffer *b, const char *s)     b: Object { 16, Record [data: Object …, len: 3] }    s: Text "ab"
//! ```

use crate::{Scalar, ValueType};

/// The name of a function that returns zero, for pointers to functions that callers give.
pub const CALLBACK: &str = "plumb_callback";

/// The value of an input.
#[derive(Clone, PartialEq, Debug)]
pub enum Given {
    Scalar(ValueType, Scalar),
    /// Name and offset of each member that is given; the others are zero.
    Record(Vec<(String, u64, Given)>),
    /// A bit-field: where its bits lie, counted from the least significant one of the byte that the member is said to
    /// start in, and its value.
    Bits {
        first: u32,
        width: u32,
        value: i128,
    },
    /// The size of an element, and the elements.
    Array(u64, Vec<Given>),
    Null,
    /// A pointer to an object of this size.
    Object {
        size: u64,
        contents: Box<Given>,
    },
    /// A pointer to a string in an object of this size.
    Text {
        size: u64,
        bytes: Vec<u8>,
    },
    /// The function of this name.
    Function(String),
    /// A `FILE *` that reads these bytes, from their start.
    File(Vec<u8>),
    /// A pointer so many bytes into the object that an earlier argument leads to.
    Within {
        argument: usize,
        offset: u64,
    },
    /// What a function of the program makes: its result, or the object of its first argument after the call.
    Made {
        by: String,
        arguments: Vec<Given>,
        first: bool,
    },
    /// Nothing that can be chosen: zero.
    Nothing,
}

impl Given {
    pub fn int(kind: ir::IntKind, value: i128) -> Given {
        Given::Scalar(ValueType::Int(kind), Scalar::Int(value))
    }

    /// A string that fills its object.
    pub fn text(bytes: impl Into<Vec<u8>>) -> Given {
        let bytes = bytes.into();
        Given::Text { size: bytes.len() as u64 + 1, bytes }
    }

    /// The values directly inside.
    pub fn children(&self) -> Vec<&Given> {
        match self {
            Given::Record(parts) => parts.iter().map(|(_, _, part)| part).collect(),
            Given::Array(_, parts) => parts.iter().collect(),
            Given::Object { contents, .. } => vec![contents],
            Given::Made { arguments, .. } => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// As [`Given::children`], open to change.
    pub fn children_mut(&mut self) -> Vec<&mut Given> {
        match self {
            Given::Record(parts) => parts.iter_mut().map(|(_, _, part)| part).collect(),
            Given::Array(_, parts) => parts.iter_mut().collect(),
            Given::Object { contents, .. } => vec![contents],
            Given::Made { arguments, .. } => arguments.iter_mut().collect(),
            _ => Vec::new(),
        }
    }

    /// Calls `visit` on this value and everything inside, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Given)) {
        visit(self);
        self.children().into_iter().for_each(|part| part.walk(visit));
    }

    /// As [`Given::walk`], open to change.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Given)) {
        visit(self);
        self.children_mut().into_iter().for_each(|part| part.walk_mut(visit));
    }

    /// The size of the object that a pointer leads to, where it has one of its own.
    pub fn extent(&self) -> Option<u64> {
        match self {
            Given::Object { size, .. } | Given::Text { size, .. } => Some(*size),
            _ => None,
        }
    }

    /// The bytes of an object of this size, and the pointers in it with their places.
    pub fn image(&self, size: u64) -> (Vec<u8>, Vec<(u64, &Given)>) {
        let mut bytes = vec![0u8; size as usize];
        let mut pointers = Vec::new();
        match self {
            Given::Text { bytes: text, .. } => {
                let count = text.len().min(bytes.len());
                bytes[..count].copy_from_slice(&text[..count]);
            }
            contents => contents.lay_out(0, &mut bytes, &mut pointers),
        }
        (bytes, pointers)
    }

    /// Writes the bytes of a value, and notes where pointers stand.
    fn lay_out<'g>(&'g self, at: u64, bytes: &mut [u8], pointers: &mut Vec<(u64, &'g Given)>) {
        match self {
            Given::Scalar(ty, value) => {
                let image: Vec<u8> = match (ty, value) {
                    (ValueType::Int(kind), Scalar::Int(value)) => value.to_le_bytes()[..kind.bytes() as usize].to_vec(),
                    (ValueType::Float(ir::FloatKind::Float), Scalar::Float(value)) => {
                        (*value as f32).to_le_bytes().to_vec()
                    }
                    (ValueType::Float(ir::FloatKind::Double), Scalar::Float(value)) => value.to_le_bytes().to_vec(),
                    (ValueType::Float(_), Scalar::Float(value)) => {
                        ir::arith::double_to_extended(*value).to_le_bytes().to_vec()
                    }
                    _ => Vec::new(),
                };
                let at = at as usize;
                if let Some(place) = bytes.get_mut(at..at + image.len()) {
                    place.copy_from_slice(&image);
                }
            }
            Given::Bits { first, width, value } => {
                for bit in 0..*width {
                    let place = at as usize * 8 + (first + bit) as usize;
                    if let Some(byte) = bytes.get_mut(place / 8) {
                        let mask = 1 << (place % 8);
                        *byte = if value >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
                    }
                }
            }
            Given::Record(parts) => {
                parts.iter().for_each(|(_, offset, part)| part.lay_out(at + offset, bytes, pointers));
            }
            Given::Array(size, parts) => {
                for (k, part) in (0u64..).zip(parts) {
                    part.lay_out(at + k * size, bytes, pointers);
                }
            }
            Given::Null | Given::Nothing => {}
            _ => pointers.push((at, self)),
        }
    }

    /// The value as numbers that the driver of a compiled program reads: a number is itself; a pointer is whether
    /// there is an object, its size, its bytes eight to a number, how many pointers are in it, and for each its place
    /// and what it leads to; a stream is a 2, the number of its bytes, and those; a pointer into
    /// the object of an earlier argument is a 3, the number of that one, and the offset; a function that returns zero is a 4.
    /// An error says what cannot be made there.
    pub fn encode(&self, out: &mut Vec<Scalar>) -> Result<(), String> {
        let size = match self {
            Given::Scalar(_, value) => {
                out.push(*value);
                return Ok(());
            }
            Given::Null | Given::Nothing => {
                out.push(Scalar::Int(0));
                return Ok(());
            }
            Given::Object { size, .. } | Given::Text { size, .. } => *size,
            Given::Function(name) if name == CALLBACK => {
                out.push(Scalar::Int(4));
                return Ok(());
            }
            Given::Function(name) => {
                return Err(format!("a pointer to the function `{name}`, which the replay cannot make"));
            }
            Given::File(bytes) => {
                out.push(Scalar::Int(2));
                out.push(Scalar::Int(bytes.len() as i128));
                push_words(bytes, out);
                return Ok(());
            }
            Given::Within { argument, offset } => {
                out.extend([3, *argument as i128, i128::from(*offset)].map(Scalar::Int));
                return Ok(());
            }
            Given::Made { by, .. } => return Err(format!("an object made by `{by}`, which the replay cannot call")),
            Given::Record(_) | Given::Array(..) | Given::Bits { .. } => {
                return Err("a record by value, which the replay cannot make".to_string());
            }
        };
        let (bytes, pointers) = match self {
            Given::Object { contents, .. } => contents.image(size),
            _ => self.image(size),
        };
        out.push(Scalar::Int(1));
        out.push(Scalar::Int(i128::from(size)));
        push_words(&bytes, out);
        out.push(Scalar::Int(pointers.len() as i128));
        for (at, target) in pointers {
            out.push(Scalar::Int(i128::from(at)));
            target.encode(out)?;
        }
        Ok(())
    }
}

/// Bytes, eight to a number.
fn push_words(bytes: &[u8], out: &mut Vec<Scalar>) {
    for chunk in bytes.chunks(8) {
        let mut word = [0u8; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        out.push(Scalar::Int(i128::from(u64::from_le_bytes(word))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::IntKind;

    #[test]
    fn a_record_is_its_bytes_and_its_pointers() {
        let record = Given::Record(vec![
            ("n".into(), 0, Given::int(IntKind::Int, -2)),
            ("flags".into(), 4, Given::Bits { first: 3, width: 4, value: 0b1010 }),
            ("name".into(), 8, Given::text("ab")),
        ]);
        let (bytes, pointers) = record.image(16);
        assert_eq!(bytes[..8], [0xfe, 0xff, 0xff, 0xff, 0b0101_0000, 0, 0, 0]);
        assert_eq!(pointers, [(8, &Given::text("ab"))]);
        let mut numbers = Vec::new();
        Given::Object { size: 16, contents: Box::new(record) }.encode(&mut numbers).unwrap();
        // There is one, of 16 bytes in two words, with one pointer at 8, to 3 bytes in one word, with none.
        let shape: Vec<i128> = [1, 16].into_iter().chain([1, 8, 1, 3, 0x6261, 0]).collect();
        let plain: Vec<i128> = numbers.iter().map(|n| if let Scalar::Int(n) = n { *n } else { 0 }).collect();
        assert_eq!([&plain[..2], &plain[4..]].concat(), shape);
        numbers.clear();
        Given::File(b"x".to_vec()).encode(&mut numbers).unwrap();
        assert_eq!(numbers, [Scalar::Int(2), Scalar::Int(1), Scalar::Int(0x78)]);
        assert!(Given::Function("f".into()).encode(&mut numbers).is_err());
    }
}
