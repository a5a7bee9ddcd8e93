//! Arithmetic modulo primes of 31 bits, small enough that products and a lazy sum of them stay inside 64 bits.

/// A prime between 2^30 and 2^31.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prime(u32);

impl Prime {
    /// The primes below 2^31, largest first.
    pub fn all() -> impl Iterator<Item = Prime> {
        (1u32 << 30..1 << 31).rev().filter(|&n| n % 2 == 1 && is_prime(n)).map(Prime)
    }

    pub fn value(self) -> u32 {
        self.0
    }

    pub fn reduce_i128(self, value: i128) -> u32 {
        // Most values are small, and a division of 128 bits is slow.
        if let Ok(small) = i64::try_from(value) {
            return small.rem_euclid(i64::from(self.0)) as u32;
        }
        value.rem_euclid(i128::from(self.0)) as u32
    }

    pub fn mul(self, a: u32, b: u32) -> u32 {
        (u64::from(a) * u64::from(b) % u64::from(self.0)) as u32
    }

    pub fn neg(self, a: u32) -> u32 {
        if a == 0 { 0 } else { self.0 - a }
    }

    pub fn pow(self, mut base: u32, mut exponent: u32) -> u32 {
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, base);
            }
            base = self.mul(base, base);
            exponent >>= 1;
        }
        result
    }

    /// The inverse of a value that is not zero.
    pub fn inverse(self, a: u32) -> u32 {
        self.pow(a, self.0 - 2)
    }
}

/// Miller–Rabin; the bases 2, 3, 5 and 7 decide every number below 3,215,031,751.
fn is_prime(n: u32) -> bool {
    let n = u64::from(n);
    let (mut odd, mut twos) = (n - 1, 0);
    while odd % 2 == 0 {
        odd /= 2;
        twos += 1;
    }
    [2u64, 3, 5, 7].iter().all(|&base| {
        let (mut x, mut square, mut e) = (1u64, base % n, odd);
        while e > 0 {
            if e & 1 == 1 {
                x = x * square % n;
            }
            square = square * square % n;
            e >>= 1;
        }
        if x == 1 || x == n - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = x * x % n;
            x == n - 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_primes_are_the_known_ones() {
        let first: Vec<u32> = Prime::all().take(3).map(Prime::value).collect();
        assert_eq!(first, [2147483647, 2147483629, 2147483587]);
    }

    #[test]
    fn inverses_and_reductions() {
        let p = Prime::all().nth(5).unwrap();
        for a in [1, 2, 12345, p.value() - 1] {
            assert_eq!(p.mul(a, p.inverse(a)), 1);
            assert_eq!((a + p.neg(a)) % p.value(), 0);
        }
        assert_eq!(p.reduce_i128(-1), p.value() - 1);
        assert_eq!(p.reduce_i128(i128::from(p.value()) << 70), 0);
    }
}
