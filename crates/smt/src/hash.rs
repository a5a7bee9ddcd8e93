//! A hash that is the same in every run, on every thread, whatever ids happened to be given out.
//!
//! Ids depend on which thread interned first; output must not. Wherever an order is needed that can
//! reach the user (arguments of a sum, say), terms are ordered by this structural hash instead.

use std::hash::{BuildHasherDefault, Hasher};

/// Multiply-rotate mixing with a final avalanche; fixed constants, no random seed.
#[derive(Default, Clone, Copy)]
pub(crate) struct Mixer(u64);

/// For hash maps keyed by our small ids, where SipHash would dominate the cost of a traversal.
pub(crate) type MixState = BuildHasherDefault<Mixer>;
pub(crate) type IdMap<K, V> = std::collections::HashMap<K, V, MixState>;
pub(crate) type IdSet<K> = std::collections::HashSet<K, MixState>;

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word) ^ (chunk.len() as u64) << 56);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
