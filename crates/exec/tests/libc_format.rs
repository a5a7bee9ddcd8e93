//! The format engines against the C library of the machine, on random cases.
//!
//! A small C program reads cases, one a line, and does with `printf`, `sscanf` and `strtod` what the engines do here.

use exec::format::directive::FormatError;
use exec::format::print::{Arguments, print};
use exec::format::scan::{Scanner, scan};
use exec::format::{binary::Fit, number};
use ir::{FloatKind, IntKind};
use std::io::Write;
use std::process::{Command, Stdio};

const DRIVER: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char input[4096];
static size_t unhex(const char *p) {
    size_t n = 0;
    unsigned b;
    while (sscanf(p, "%2x", &b) == 1) { input[n++] = b; p += 2; }
    input[n] = 0;
    return n;
}
static void dump(const void *p, int n) {
    for (int i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]);
}
int main(void) {
    static char line[8192], format[512], rest[4096];
    char kind;
    while (fgets(line, sizeof line, stdin)) {
        rest[0] = 0;
        unsigned long high, low;
        if (sscanf(line, "P\t%c\t%[^\t]\t%lx\t%lx", &kind, format, &high, &low) == 4) {
            union { unsigned long bits[2]; double d; long double ld; } u = {{low, high}};
            switch (kind) {
            case 'i': printf(format, (int)low); break;
            case 'l': printf(format, (long)low); break;
            case 'd': printf(format, u.d); break;
            case 'L': printf(format, u.ld); break;
            case 'p': printf(format, (void *)low); break;
            case 's': printf(format, "a string to cut"); break;
            }
        } else if (sscanf(line, "S\t%c\t|%[^\t]\t%s", &kind, format, rest) >= 2) {
            unhex(rest);
            union { unsigned char bytes[256]; long double ld; } u;
            memset(u.bytes, 0x5a, sizeof u.bytes);
            int n = -7;
            int stored = sscanf((char *)input, format, u.bytes, &n);
            printf("%d %d ", stored, n);
            dump(u.bytes, 32);
        } else if (sscanf(line, "N\t%c\t%lu\t%s", &kind, &low, rest) >= 2) {
            unhex(rest);
            char *end;
            errno = 0;
            if (kind == 'd') { double v = strtod((char *)input, &end); dump(&v, 8); }
            if (kind == 'f') { float v = strtof((char *)input, &end); dump(&v, 4); }
            if (kind == 'L') { long double v = strtold((char *)input, &end); dump(&v, 10); }
            if (kind == 'l') { long v = strtol((char *)input, &end, (int)low); dump(&v, 8); }
            if (kind == 'u') { unsigned long v = strtoul((char *)input, &end, (int)low); dump(&v, 8); }
            printf(" %d %d", (int)((unsigned char *)end - input), errno == ERANGE);
        }
        putchar('\n');
    }
}
"#;

/// Runs the cases through the driver and gives its lines.
fn native(cases: &[String]) -> Vec<Vec<u8>> {
    let dir = tempfile::tempdir().expect("a temporary folder should be possible");
    let source = dir.path().join("driver.c");
    let program = dir.path().join("driver");
    std::fs::write(&source, DRIVER).expect("the driver should be writable");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let status = Command::new(compiler).args(["-w", "-o"]).arg(&program).arg(&source).status();
    assert!(status.expect("a C compiler should be there").success());
    let mut child = Command::new(&program)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the driver should start");
    let mut stdin = child.stdin.take().expect("the driver's input is a pipe");
    let text = cases.iter().map(|case| format!("{case}\n")).collect::<String>();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the driver should end");
    writer.join().expect("writing should not panic").expect("the driver should read all cases");
    let mut lines: Vec<Vec<u8>> = output.stdout.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    assert_eq!(lines.pop(), Some(Vec::new()), "the last line should be ended");
    assert_eq!(lines.len(), cases.len(), "every case should give a line");
    lines
}

/// A small generator, so that the cases are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }
}

/// One argument, given by its bits.
struct One {
    high: u64,
    low: u64,
}

#[derive(Debug)]
struct Refused;

impl Arguments for One {
    type Error = Refused;

    fn integer(&mut self, kind: IntKind) -> Result<i128, Refused> {
        Ok(kind.wrap(i128::from(self.low)))
    }

    fn double(&mut self) -> Result<f64, Refused> {
        Ok(f64::from_bits(self.low))
    }

    fn long_double(&mut self) -> Result<u128, Refused> {
        Ok(u128::from(self.high & 0xffff) << 64 | u128::from(self.low))
    }

    fn pointer(&mut self) -> Result<u64, Refused> {
        Ok(self.low)
    }

    fn string(&mut self, limit: Option<usize>) -> Result<Option<Vec<u8>>, Refused> {
        let text = b"a string to cut";
        Ok(Some(text[..limit.unwrap_or(text.len()).min(text.len())].to_vec()))
    }

    fn store_count(&mut self, _: IntKind, _: u64) -> Result<(), Refused> {
        Err(Refused)
    }

    fn error_text(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn bad_format(&mut self, _: FormatError) -> Refused {
        Refused
    }
}

fn directive(random: &mut Random, length: &str, letters: &[u8]) -> String {
    let mut text = String::from("%");
    let letter = *random.pick(letters);
    for flag in "-+ #0".chars() {
        // glibc 2.36 forgets the zeros of `%#g` when rounding reaches the next power of ten; we do as C says.
        if random.below(4) == 0 && !(flag == '#' && letter.eq_ignore_ascii_case(&b'g')) {
            text.push(flag);
        }
    }
    if random.below(2) == 0 {
        text += &random.below(30).to_string();
    }
    if random.below(2) == 0 {
        text += &format!(".{}", if random.below(20) == 0 { random.below(400) } else { random.below(25) });
    }
    text += length;
    text.push(char::from(letter));
    format!("[{text}]")
}

#[test]
fn printed_as_the_c_library_prints() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut cases = Vec::new();
    let mut ours = Vec::new();
    for _ in 0..30_000 {
        let mut low = random.next();
        let mut high = 0;
        let (kind, format) = match random.below(9) {
            0 => ('i', directive(&mut random, "", b"c")),
            1 => {
                low >>= random.below(64);
                ('i', directive(&mut random, ["", "h", "hh"][(low % 3) as usize], b"diuoxX"))
            }
            2 => {
                low >>= random.below(64);
                ('l', directive(&mut random, ["l", "ll", "j", "z", "t", "q"][(low % 6) as usize], b"diuoxX"))
            }
            3 => ('p', directive(&mut random, "", b"p")),
            4 => ('s', directive(&mut random, "", b"s")),
            5 | 6 => {
                let spot: &[f64] = &[0.0, 0.5, 1.5, 2.5, 0.1, 1e23, 123456789.0, 9.5, 99.5, 999999.5, 1e-5, 5e-324];
                match random.below(4) {
                    0 => {}
                    1 => low = random.pick(spot).to_bits() | low & 1 << 63,
                    2 => low = ((low >> 30) as f64 / (1u64 << random.below(40)) as f64).to_bits(),
                    _ => low = (low as i64 as f64 * 10f64.powi(random.below(60) as i32 - 45)).to_bits(),
                }
                ('d', directive(&mut random, "", b"fFeEgGaA"))
            }
            _ => {
                // The exponents that `double` has too are the likely ones.
                let exponent = if random.below(8) == 0 { random.below(0x7fff) } else { 16383 - 40 + random.below(80) };
                low = if exponent == 0 { low >> 1 } else { low | 1 << 63 };
                low &= u64::MAX << random.below(64);
                if random.below(30) == 0 {
                    low = 1 << 63;
                }
                high = exponent | random.below(2) << 15;
                ('L', directive(&mut random, "L", b"fFeEgGaA"))
            }
        };
        // A zero byte would end the line in the driver, and `%c` may print a line end.
        if format.ends_with("c]") {
            low = u64::from(b'A') + low % 26;
        }
        if kind == 'p' && random.below(5) == 0 {
            low = 0;
        }
        cases.push(format!("P\t{kind}\t{format}\t{high:x}\t{low:x}"));
        let mut out = Vec::new();
        print(format.as_bytes(), &mut One { high, low }, &mut out).expect("the format is valid");
        ours.push(out);
    }
    for ((case, native), ours) in cases.iter().zip(native(&cases)).zip(ours) {
        assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&native), "{case}");
    }
}

#[test]
fn the_alternate_form_of_g_keeps_its_zeros() {
    for (value, text) in [(999999.5, "1.00000e+06"), (1.0, "1.00000"), (0.0, "0.00000"), (1e-5, "1.00000e-05")] {
        let mut out = Vec::new();
        print(b"%#g", &mut One { high: 0, low: f64::to_bits(value) }, &mut out).expect("the format is valid");
        assert_eq!(String::from_utf8_lossy(&out), text);
    }
}

/// Reads from a string and stores into one buffer, and `%n` into another place.
struct Text<'a> {
    input: &'a [u8],
    at: usize,
    target: [u8; 256],
    stores: u32,
    count: i32,
}

impl Scanner for Text<'_> {
    type Error = Refused;

    fn next(&mut self) -> Result<Option<u8>, Refused> {
        let byte = self.input.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        Ok(byte)
    }

    fn unread(&mut self, byte: u8) {
        self.at -= 1;
        assert_eq!(self.input[self.at], byte);
    }

    fn store_integer(&mut self, kind: IntKind, value: i128) -> Result<(), Refused> {
        self.stores += 1;
        if self.stores == 2 {
            self.count = value as i32;
        } else {
            self.target[..kind.bytes() as usize].copy_from_slice(&value.to_le_bytes()[..kind.bytes() as usize]);
        }
        Ok(())
    }

    fn store_float(&mut self, kind: FloatKind, bits: u128) -> Result<(), Refused> {
        self.stores += 1;
        let bytes = if kind == FloatKind::Extended { 10 } else { kind.bytes() as usize };
        self.target[..bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
        Ok(())
    }

    fn store_chars(&mut self, bytes: &[u8], terminated: bool) -> Result<(), Refused> {
        self.stores += 1;
        self.target[..bytes.len()].copy_from_slice(bytes);
        if terminated {
            self.target[bytes.len()] = 0;
        }
        Ok(())
    }

    fn bad_format(&mut self, _: FormatError) -> Refused {
        Refused
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Text that is often nearly a number.
fn numberish(random: &mut Random) -> String {
    let parts = [
        " ",
        "\t",
        "-",
        "+",
        "0",
        "0x",
        "0X",
        "1",
        "7",
        "9",
        "12345",
        "99999999999999999999",
        "a",
        "f",
        "z",
        ".",
        "e",
        "E",
        "e+",
        "e-5",
        "p",
        "p3",
        "p-",
        "inf",
        "INFINITY",
        "infinit",
        "nan",
        "nan(",
        "nan(1)",
        ",",
        "00",
        "e308",
        "e-320",
        "e4931",
        "2147483648",
        "9223372036854775807",
        "18446744073709551616",
    ];
    (0..random.below(5)).map(|_| *random.pick(&parts)).collect()
}

#[test]
fn scanned_as_the_c_library_scans() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let formats: &[(char, &str)] = &[
        ('i', "%d%n"),
        ('i', "%i%n"),
        ('i', "%u%n"),
        ('i', "%x%n"),
        ('i', "%o%n"),
        ('i', "%hd%n"),
        ('i', "%hhx%n"),
        ('i', "%ld%n"),
        ('i', "%llu%n"),
        ('i', "%3d%n"),
        ('i', "%1i%n"),
        ('i', "%2i%n"),
        ('i', "%3i%n"),
        ('i', "%4x%n"),
        ('f', "%f%n"),
        ('f', "%lf%n"),
        ('f', "%Lf%n"),
        ('f', "%3lf%n"),
        ('f', "%1lg%n"),
        ('f', "%2le%n"),
        ('f', "%5la%n"),
        ('f', "%6lf%n"),
        ('f', "%4lf%n"),
        ('s', "%s%n"),
        ('s', "%3s%n"),
        ('s', " %c%n"),
        ('s', "%c%n"),
        ('s', "%4c%n"),
        ('s', "%[0-9]%n"),
        ('s', "%[^0-9]%n"),
        ('s', "%[]a-f]%n"),
        ('s', "%5[-+0-9]%n"),
        ('i', "1%d%n"),
        ('i', "%%%d%n"),
        ('i', "%*d%d%n"),
        ('i', "%*s %d%n"),
        ('i', "%d,%n"),
        ('i', " 0 %d %n"),
    ];
    let mut cases = Vec::new();
    let mut ours = Vec::new();
    for _ in 0..20_000 {
        let input = numberish(&mut random);
        let &(kind, format) = random.pick(formats);
        let mut text = Text { input: input.as_bytes(), at: 0, target: [0x5a; 256], stores: 0, count: -7 };
        let stored = scan(format.as_bytes(), &mut text).expect("the format is valid");
        cases.push(format!("S\t{kind}\t|{format}\t{}", hex(input.as_bytes())));
        let shown = format!("{stored} {} {}", text.count, hex(&text.target[..32]));
        ours.push((input, shown));
    }
    for ((case, native), (input, ours)) in cases.iter().zip(native(&cases)).zip(ours) {
        assert_eq!(ours, String::from_utf8_lossy(&native), "{case:?} on {input:?}");
    }
}

#[test]
fn numbers_as_the_c_library_reads_them() {
    let mut random = Random(0x94D0_49BB_1331_11EB);
    let mut cases = Vec::new();
    let mut ours = Vec::new();
    for _ in 0..30_000 {
        let mut input = numberish(&mut random);
        if random.below(2) == 0 {
            let digits: String = (0..1 + random.below(40)).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
            input = format!("{digits}e{}", random.below(9900) as i64 - 4970);
            if random.below(2) == 0 {
                input = format!("{}.{digits}e{}", random.below(10), random.below(660) as i64 - 330);
            }
        }
        let (kind, base) = match random.below(5) {
            0 => ('d', 0),
            1 => ('f', 0),
            2 => ('L', 0),
            3 => ('l', *random.pick(&[0, 2, 8, 10, 16, 36])),
            _ => ('u', *random.pick(&[0, 10, 16])),
        };
        let (value, length, range) = if kind == 'l' || kind == 'u' {
            let Ok(found) = number::integer(number::bytes_of(input.as_bytes()), base, false);
            let (value, fits) = if kind == 'l' {
                let (value, fits) = found.signed(64);
                (value as u64, fits)
            } else {
                found.unsigned()
            };
            if found.length == 0 { (hex(&[0; 8]), 0, false) } else { (hex(&value.to_le_bytes()), found.length, !fits) }
        } else {
            let (float, bytes) = match kind {
                'd' => (FloatKind::Double, 8),
                'f' => (FloatKind::Float, 4),
                _ => (FloatKind::Extended, 10),
            };
            let Ok(found) = number::float(number::bytes_of(input.as_bytes()));
            let found = found.map(|f| (f.bits(float), f.length));
            let ((bits, fit), length) = found.unwrap_or(((0, Fit::Exact), 0));
            (hex(&bits.to_le_bytes()[..bytes]), length, matches!(fit, Fit::Overflow | Fit::Underflow))
        };
        cases.push(format!("N\t{kind}\t{base}\t{}", hex(input.as_bytes())));
        ours.push((input, format!("{value} {length} {}", u32::from(range))));
    }
    for ((case, native), (input, ours)) in cases.iter().zip(native(&cases)).zip(ours) {
        // The payload of a NaN is the one thing we forget.
        if input.contains("nan(") {
            continue;
        }
        assert_eq!(ours, String::from_utf8_lossy(&native), "{case:?} on {input:?}");
    }
}
