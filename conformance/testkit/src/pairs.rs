//! Timing of two ways of doing the same work, alternating in one process.
//!
//! The ratio of two times that were measured one after the other is more reliable than the times: load and temperature
//! of the machine affect both alike. The median over many such pairs is reported.

use std::time::Instant;

/// Result of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    /// Description of the work.
    pub what: String,
    /// Median time of our way for one repetition, in seconds.
    pub ours: f64,
    /// Median time of the other way for one repetition, in seconds.
    pub theirs: f64,
    /// Median of our time over the other, pair by pair.
    pub ratio: f64,
    /// Lower and upper quartiles of these ratios.
    pub quartiles: (f64, f64),
}

/// Runs both alternately, `rounds` times after a warm-up round. Each call performs the work `count` times.
///
/// Every other round the second goes first, which cancels effects of the order.
pub fn measure(what: &str, rounds: usize, count: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> Pairs {
    let time = |work: &mut dyn FnMut()| {
        let clock = Instant::now();
        work();
        clock.elapsed().as_secs_f64() / count as f64
    };
    let mut pairs = Vec::with_capacity(rounds);
    for round in 0..=rounds {
        let pair = if round % 2 == 0 {
            let first = time(&mut ours);
            (first, time(&mut theirs))
        } else {
            let first = time(&mut theirs);
            (time(&mut ours), first)
        };
        if round > 0 {
            pairs.push(pair);
        }
    }
    let ratios = sorted(pairs.iter().map(|(ours, theirs)| ours / theirs));
    Pairs {
        what: what.to_owned(),
        ours: at(&sorted(pairs.iter().map(|pair| pair.0)), 0.5),
        theirs: at(&sorted(pairs.iter().map(|pair| pair.1)), 0.5),
        ratio: at(&ratios, 0.5),
        quartiles: (at(&ratios, 0.25), at(&ratios, 0.75)),
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn at(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part).round() as usize]
}

impl Pairs {
    /// Returns the result as one JSON object on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!(
            "{{\"what\": {:?}, \"ours_us\": {:.4}, \"by_hand_us\": {:.4}, \"ratio\": {:.4}, \"quartiles\": [{:.4}, {:.4}]}}",
            self.what,
            self.ours * 1e6,
            self.theirs * 1e6,
            self.ratio,
            self.quartiles.0,
            self.quartiles.1
        )
    }

    /// Prints the result: as JSON if that is among the program's arguments, otherwise as text.
    pub fn print(&self) {
        if std::env::args().any(|argument| argument == "--json") {
            println!("{}", self.to_json());
        } else {
            println!("{self}");
        }
    }
}

impl std::fmt::Display for Pairs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (low, high) = self.quartiles;
        write!(
            f,
            "{}: {:.3} us through Imminent, {:.3} us by hand, ratio {:.3} (half of the pairs between {low:.3} and {high:.3})",
            self.what,
            self.ours * 1e6,
            self.theirs * 1e6,
            self.ratio
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn the_ratio_is_that_of_the_work() {
        let pairs = measure("sleep", 5, 1, || sleep(Duration::from_millis(20)), || sleep(Duration::from_millis(10)));
        assert!((1.5..2.5).contains(&pairs.ratio), "{pairs}");
        assert!(pairs.quartiles.0 <= pairs.ratio && pairs.ratio <= pairs.quartiles.1);
        assert!(pairs.to_json().contains("\"what\": \"sleep\""));
    }
}
