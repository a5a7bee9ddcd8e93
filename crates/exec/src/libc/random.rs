//! stdlib.h: pseudo-random numbers, bit for bit those of glibc.
//!
//! `rand` and `random` are one generator: additive feedback over 31 words, `x[i] = x[i-3] + x[i-31]`, filled by the
//! "minimal standard" linear congruential generator and run 310 steps before its first answer. The lowest bit of each
//! word is dropped. `drand48` and its kin are the 48-bit linear congruential generator that POSIX prescribes.

use super::{Answer, Entry, int, library};
use crate::vm::{Call, Value};

pub(super) const MODELS: &[Entry] = &[
    ("int rand(void)", |call| int(library(call).random.next())),
    ("long random(void)", |call| int(library(call).random.next())),
    ("void srand(unsigned)", seed),
    ("void srandom(unsigned)", seed),
    ("int rand_r(unsigned *)", rand_r),
    ("double drand48(void)", |call| Ok(Value::double(library(call).random.next48() as f64 / (1u64 << 48) as f64))),
    ("long lrand48(void)", |call| Ok(Value::signed((library(call).random.next48() >> 17) as i64))),
    ("long mrand48(void)", |call| int((library(call).random.next48() >> 16) as i32)),
    ("void srand48(long)", |call| {
        let seed = call.i64(0)?;
        library(call).random.state48 = u64::from(seed as u32) << 16 | 0x330e;
        Ok(Value::NONE)
    }),
];

pub struct Generator {
    words: [u32; 31],
    /// The place of `x[i-31]`, which the next word takes.
    at: usize,
    state48: u64,
}

impl Generator {
    pub fn new(seed: u32) -> Generator {
        let mut generator = Generator { words: [0; 31], at: 0, state48: 0 };
        generator.seed(seed);
        generator
    }

    fn seed(&mut self, seed: u32) {
        // Computed without overflow as in glibc, which for a negative seed is not the remainder that C defines.
        let mut word = if seed == 0 { 1 } else { seed as i32 };
        self.words[0] = word as u32;
        for place in &mut self.words[1..] {
            let (high, low) = (word / 127_773, word % 127_773);
            word = 16_807 * low - 2_836 * high;
            if word < 0 {
                word += 2_147_483_647;
            }
            *place = word as u32;
        }
        self.at = 3;
        for _ in 0..310 {
            self.next();
        }
    }

    fn next(&mut self) -> i32 {
        let other = self.words[(self.at + 28) % 31];
        let word = &mut self.words[self.at];
        *word = word.wrapping_add(other);
        self.at = (self.at + 1) % 31;
        (*word >> 1) as i32
    }

    fn next48(&mut self) -> u64 {
        self.state48 = self.state48.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & ((1 << 48) - 1);
        self.state48
    }
}

fn seed(call: &mut Call<'_, '_>) -> Answer {
    let seed = call.int(0)? as u32;
    library(call).random.seed(seed);
    Ok(Value::NONE)
}

/// Three steps of a linear congruential generator make the 31 bits of one answer.
fn rand_r(call: &mut Call<'_, '_>) -> Answer {
    let place = call.pointer(0)?;
    let mut state = call.memory().load_u32(place)?;
    let mut result = 0u32;
    for bits in [11, 10, 10] {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        result = (result << bits) ^ ((state >> 16) % (1 << bits));
    }
    call.memory().store_u32(place, state)?;
    int(result as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn srandom_r(seed: u32, state: *mut u8) -> i32;
        fn initstate_r(seed: u32, state: *mut u8, length: usize, data: *mut u8) -> i32;
        fn random_r(data: *mut u8, result: *mut i32) -> i32;
    }

    #[test]
    fn agrees_with_the_c_library() {
        for seed in [0, 1, 2, 42, 12345, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            let mut generator = Generator::new(seed);
            // `struct random_data` is 48 bytes of pointers and numbers that starts zeroed; 128 bytes of state select
            // the generator that `rand` uses.
            let (mut state, mut data) = ([0u64; 16], [0u64; 8]);
            // SAFETY: both buffers have the size the functions ask for, and stay in place.
            unsafe {
                let data = data.as_mut_ptr().cast();
                assert_eq!(initstate_r(1, state.as_mut_ptr().cast(), 128, data), 0);
                assert_eq!(srandom_r(seed, data), 0);
                for i in 0..2000 {
                    let mut expected = 0;
                    assert_eq!(random_r(data, &mut expected), 0);
                    assert_eq!(generator.next(), expected, "number {i} after seed {seed}");
                }
            }
        }
    }
}
