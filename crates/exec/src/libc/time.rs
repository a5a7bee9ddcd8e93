//! time.h: calendar time. The time zone is UTC, so that a run is the same everywhere.
//!
//! Days are counted as in H. Hinnant, *chrono-compatible low-level date algorithms* (2013): years begin in March there, so
//! that the leap day is the last of its year.

use super::{Answer, Entry, bad_argument, library_string, string_argument};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("void *gmtime(const time_t *)", broken_down),
    ("void *localtime(const time_t *)", broken_down),
    ("void *gmtime_r(const time_t *, void *)", broken_down_into),
    ("void *localtime_r(const time_t *, void *)", broken_down_into),
    ("time_t mktime(void *)", mktime),
    ("time_t timegm(void *)", mktime),
    ("size_t strftime(char *, size_t, const char *, const void *)", strftime),
    ("char *asctime(const void *)", |call| {
        let from = call.pointer(0)?;
        let moment = Moment::load(call, from)?;
        as_text(call, &moment)
    }),
    ("char *ctime(const time_t *)", |call| {
        let from = call.pointer(0)?;
        let seconds = call.memory().load_i64(from)?;
        as_text(call, &Moment::of_seconds(seconds))
    }),
    ("void tzset(void)", |_| Ok(Value::NONE)),
];

const DAY: i64 = 86_400;
/// The size of `struct tm`: nine integers, the offset of the zone and its name.
const RECORD_BYTES: u64 = 56;
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A moment as `struct tm` has it, but for the zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Moment {
    second: i64,
    minute: i64,
    hour: i64,
    day: i64,
    /// From 0.
    month: i64,
    /// From 1900.
    year: i64,
    weekday: i64,
    day_of_year: i64,
}

/// The days from 1970 to a date; the month counts from 0 and may be any.
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12));
    let shifted = if month < 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Moment {
    fn of_seconds(seconds: i64) -> Moment {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = (shifted_month + 2) % 12;
        let year = year_of_era + era * 400 + i64::from(month < 2);
        Moment {
            second: rest % 60,
            minute: rest / 60 % 60,
            hour: rest / 3600,
            day,
            month,
            year: year - 1900,
            weekday: (days + 4).rem_euclid(7),
            day_of_year: days - days_to(year, 0, 1),
        }
    }

    fn seconds(&self) -> i64 {
        let days = days_to(self.year + 1900, self.month, 1) + self.day - 1;
        days * DAY + self.hour * 3600 + self.minute * 60 + self.second
    }

    fn load(call: &mut Call<'_, '_>, from: Address) -> Result<Moment, Stop> {
        let memory = call.memory();
        let field = |index: u64| memory.load_i32(from.plus(index * 4)).map(i64::from);
        Ok(Moment {
            second: field(0)?,
            minute: field(1)?,
            hour: field(2)?,
            day: field(3)?,
            month: field(4)?,
            year: field(5)?,
            weekday: field(6).unwrap_or(0),
            day_of_year: field(7).unwrap_or(0),
        })
    }

    fn store(&self, call: &mut Call<'_, '_>, to: Address) -> Result<(), Stop> {
        let zone = library_string(call, b"GMT")?;
        let fields =
            [self.second, self.minute, self.hour, self.day, self.month, self.year, self.weekday, self.day_of_year, 0];
        for (index, field) in fields.into_iter().enumerate() {
            call.memory().store_i32(to.plus(index as u64 * 4), field as i32)?;
        }
        call.memory().store_i64(to.plus(40), 0)?;
        call.memory().store_pointer(to.plus(48), zone)?;
        Ok(())
    }
}

fn broken_down(call: &mut Call<'_, '_>) -> Answer {
    let from = call.pointer(0)?;
    let seconds = call.memory().load_i64(from)?;
    let to = call.memory().allocate_library(RECORD_BYTES, "the time")?;
    Moment::of_seconds(seconds).store(call, to)?;
    Ok(Value::pointer(to))
}

fn broken_down_into(call: &mut Call<'_, '_>) -> Answer {
    let (from, to) = (call.pointer(0)?, call.pointer(1)?);
    let seconds = call.memory().load_i64(from)?;
    Moment::of_seconds(seconds).store(call, to)?;
    Ok(Value::pointer(to))
}

fn mktime(call: &mut Call<'_, '_>) -> Answer {
    let at = call.pointer(0)?;
    let seconds = Moment::load(call, at)?.seconds();
    Moment::of_seconds(seconds).store(call, at)?;
    Ok(Value::signed(seconds))
}

fn as_text(call: &mut Call<'_, '_>, moment: &Moment) -> Answer {
    let text = formatted(moment, b"%a %b %e %H:%M:%S %Y\n")?;
    Ok(Value::pointer(library_string(call, &text)?))
}

fn formatted(moment: &Moment, format: &[u8]) -> Result<Vec<u8>, Stop> {
    let mut out = Vec::new();
    let mut letters = format.iter().copied();
    let weekday = WEEKDAYS.get(moment.weekday as usize).copied().unwrap_or("?");
    let month = MONTHS.get(moment.month as usize).copied().unwrap_or("?");
    let twelve = if moment.hour % 12 == 0 { 12 } else { moment.hour % 12 };
    while let Some(letter) = letters.next() {
        if letter != b'%' {
            out.push(letter);
            continue;
        }
        let mut directive = letters.next();
        // Alternative digits and eras are the plain ones in the C locale.
        if matches!(directive, Some(b'E' | b'O')) {
            directive = letters.next();
        }
        let piece = match directive {
            Some(b'a') => weekday[..weekday.len().min(3)].to_string(),
            Some(b'A') => weekday.to_string(),
            Some(b'b' | b'h') => month[..month.len().min(3)].to_string(),
            Some(b'B') => month.to_string(),
            Some(b'c') => String::from_utf8_lossy(&formatted(moment, b"%a %b %e %H:%M:%S %Y")?).into_owned(),
            Some(b'C') => format!("{:02}", (moment.year + 1900).div_euclid(100)),
            Some(b'd') => format!("{:02}", moment.day),
            Some(b'D' | b'x') => String::from_utf8_lossy(&formatted(moment, b"%m/%d/%y")?).into_owned(),
            Some(b'e') => format!("{:2}", moment.day),
            Some(b'F') => String::from_utf8_lossy(&formatted(moment, b"%Y-%m-%d")?).into_owned(),
            Some(b'H') => format!("{:02}", moment.hour),
            Some(b'I') => format!("{twelve:02}"),
            Some(b'j') => format!("{:03}", moment.day_of_year + 1),
            Some(b'm') => format!("{:02}", moment.month + 1),
            Some(b'M') => format!("{:02}", moment.minute),
            Some(b'n') => String::from("\n"),
            Some(b'p') => String::from(if moment.hour < 12 { "AM" } else { "PM" }),
            Some(b'r') => String::from_utf8_lossy(&formatted(moment, b"%I:%M:%S %p")?).into_owned(),
            Some(b'R') => String::from_utf8_lossy(&formatted(moment, b"%H:%M")?).into_owned(),
            Some(b's') => moment.seconds().to_string(),
            Some(b'S') => format!("{:02}", moment.second),
            Some(b't') => String::from("\t"),
            Some(b'T' | b'X') => String::from_utf8_lossy(&formatted(moment, b"%H:%M:%S")?).into_owned(),
            Some(b'u') => (if moment.weekday == 0 { 7 } else { moment.weekday }).to_string(),
            Some(b'U') => format!("{:02}", (moment.day_of_year + 7 - moment.weekday) / 7),
            Some(b'w') => moment.weekday.to_string(),
            Some(b'W') => format!("{:02}", (moment.day_of_year + 7 - (moment.weekday + 6) % 7) / 7),
            Some(b'y') => format!("{:02}", (moment.year + 1900).rem_euclid(100)),
            Some(b'Y') => (moment.year + 1900).to_string(),
            Some(b'z') => String::from("+0000"),
            Some(b'Z') => String::from("GMT"),
            Some(b'%') => String::from("%"),
            Some(other) if other.is_ascii_alphabetic() => {
                return Err(Stop::unsupported(format!("the directive `%{}` of `strftime`", char::from(other))));
            }
            _ => return bad_argument("a directive of `strftime` that C does not have"),
        };
        out.extend(piece.bytes());
    }
    Ok(out)
}

fn strftime(call: &mut Call<'_, '_>) -> Answer {
    let (to, room, from) = (call.pointer(0)?, call.u64(1)?, call.pointer(3)?);
    let format = string_argument(call, 2)?;
    let moment = Moment::load(call, from)?;
    let mut text = formatted(&moment, &format)?;
    let length = text.len() as u64;
    text.push(0);
    if length + 1 > room {
        return Ok(Value::unsigned(0));
    }
    call.memory().write(to, &text)?;
    Ok(Value::unsigned(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_go_forth_and_back() {
        for (seconds, text) in [
            (0, "Thu Jan  1 00:00:00 1970 001"),
            (951_782_400, "Tue Feb 29 00:00:00 2000 060"),
            (1_577_836_800, "Wed Jan  1 00:00:00 2020 001"),
            (-1, "Wed Dec 31 23:59:59 1969 365"),
            (4_107_542_399, "Sun Feb 28 23:59:59 2100 059"),
        ] {
            let moment = Moment::of_seconds(seconds);
            let shown = formatted(&moment, b"%a %b %e %H:%M:%S %Y %j").expect("the directives should be known");
            assert_eq!(String::from_utf8_lossy(&shown), text);
            assert_eq!(moment.seconds(), seconds);
        }
        for seconds in (-100_000_000_000i64..100_000_000_000).step_by(12_345_679) {
            assert_eq!(Moment::of_seconds(seconds).seconds(), seconds);
        }
    }
}
