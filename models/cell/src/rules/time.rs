//! Times as CD++ writes them: `HH:MM:SS:mmm`.

use std::fmt;

/// A time of CD++'s files, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Time(pub(super) u64);

/// Reasons why a text is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTime {
    /// Not hours, minutes, seconds and milliseconds.
    Form,
    /// A part of a millisecond.
    Fraction,
    /// After the last time that a file can have.
    Late,
}

impl Time {
    /// End of the times that reals in double precision tell apart, in milliseconds: 285,000 years.
    pub(super) const END: f64 = (1_u64 << 53) as f64;

    /// The last time that a file can have.
    pub(super) const LAST: Time = Time((1 << 53) - 1);

    /// Reads `HH:MM:SS:mmm`. A part may have any number of digits and, as in CD++, exceed its range: 90 seconds are a
    /// minute and a half. A fifth part, as newer versions of CD++ have it, is a fraction of a millisecond and has to be
    /// 0.
    pub(super) fn read(text: &str) -> Result<Time, NoTime> {
        let mut parts = text.split(':');
        let mut whole = || {
            let part = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()) && !part.is_empty());
            // More digits than a number has are late for sure.
            part.map(|part| part.parse::<u64>().unwrap_or(u64::MAX)).ok_or(NoTime::Form)
        };
        let (hours, minutes, seconds, milliseconds) = (whole()?, whole()?, whole()?, whole()?);
        match (parts.next().map(str::parse::<f64>), parts.next()) {
            (None | Some(Ok(0.0)), None) => {}
            (Some(Ok(_)), None) => return Err(NoTime::Fraction),
            _ => return Err(NoTime::Form),
        }
        let units = [(hours, 3_600_000), (minutes, 60_000), (seconds, 1000), (milliseconds, 1)];
        let all = units.iter().fold(0_u64, |sum, &(count, unit)| sum.saturating_add(count.saturating_mul(unit)));
        Some(Time(all)).filter(|time| *time <= Time::LAST).ok_or(NoTime::Late)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        let (minutes, hours) = (seconds / 60, seconds / 3600);
        write!(f, "{hours:02}:{:02}:{:02}:{:03}", minutes % 60, seconds % 60, self.0 % 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_it_is_written() {
        for milliseconds in [0, 999, 1000, 3_599_999, 3_600_000, 359_999_999, Time::LAST.0] {
            assert_eq!(Time::read(&Time(milliseconds).to_string()), Ok(Time(milliseconds)));
        }
        assert_eq!(Time(71_973).to_string(), "00:01:11:973");
        assert_eq!(Time(4_294_967_294).to_string(), "1193:02:47:294");
        assert_eq!(Time::LAST.to_string(), "2501999792:59:00:991");
    }

    #[test]
    fn other_forms_of_cd_s_files_are_read() {
        for (text, time) in [("0:0:90:5", 90_005), ("00:00:10:00", 10_000), ("1:00:00:000:0", 3_600_000)] {
            assert_eq!(Time::read(text), Ok(Time(time)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_for_their_reason() {
        for text in ["", "10", "00:00:10", "00:00:-1:000", "a:0:0:0", "0:0:0:1.5", "0:0:0:0:", "0:0:0:0:0:0", "::::"] {
            assert_eq!(Time::read(text), Err(NoTime::Form), "{text}");
        }
        assert_eq!(Time::read("0:0:0:1:0.5"), Err(NoTime::Fraction));
        for text in ["2501999792:59:00:992", "99999999999999999999999:0:0:0"] {
            assert_eq!(Time::read(text), Err(NoTime::Late), "{text}");
        }
    }
}
