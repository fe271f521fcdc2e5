//! Progress of long commands.

use crate::interrupt;
use crate::print::{is_quiet, tell};
use imminent::models::printable::printable;
use imminent_core::backend::compiling;
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::Duration;

/// Bars of this process, one below the other: devices that are tested at the same time have one each.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Progress bar on standard error; without a terminal, or with `--quiet`, it does nothing.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// Creates a bar of `length` parts, which are called `unit`.
    pub fn new(length: u64, unit: &str) -> Bar {
        Self::styled(length, &format!("{{elapsed_precise}} {{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}"))
    }

    /// Creates a bar with the remaining time; the `done` parts do not affect its estimate.
    pub fn with_time_to_go(length: u64, done: u64, unit: &str) -> Bar {
        let template = format!("{{elapsed_precise}} {{bar:30}} {{pos}}/{{len}} {unit}, {{eta}} to go  {{msg}}");
        let bar = Self::styled(length, &template);
        bar.0.set_position(done);
        bar.0.reset_eta();
        bar
    }

    /// Creates a counter of parts whose number is not known; they are called `unit`.
    pub fn counting(unit: &str) -> Bar {
        Self::styled(0, &format!("{{elapsed_precise}} {{spinner}} {{human_pos}} {unit}  {{msg}}"))
    }

    fn styled(length: u64, template: &str) -> Bar {
        let bar = if is_quiet() { ProgressBar::hidden() } else { BARS.add(ProgressBar::new(length)) };
        if let Ok(style) = ProgressStyle::with_template(&format!("{template}{{compiling}}")) {
            bar.set_style(style.with_key("compiling", |_: &ProgressState, text: &mut dyn Write| {
                if let Some((number, kernel)) = compiling() {
                    // A line that cannot be written is drawn again a moment later.
                    let _ = write!(text, "  compiling kernel {number}, `{kernel}`");
                }
            }));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Bar(bar)
    }

    /// Sets the number of parts.
    pub fn of(&self, parts: u64) {
        self.0.set_length(parts);
    }

    /// Sets the number of completed parts.
    pub fn done(&self, parts: u64) {
        if parts > 0 {
            interrupt::note_results();
        }
        self.0.set_position(parts);
    }

    /// Prints a line to standard error, above the bars if there are any.
    pub fn line(&self, text: &str) {
        BARS.suspend(|| tell(text));
    }

    /// Prints a line to standard error if there is no bar.
    pub fn line_without_bar(&self, text: &str) {
        if self.0.is_hidden() {
            tell(text);
        }
    }

    /// Sets the message of the bar.
    pub fn say(&self, what: String) {
        self.0.set_message(printable(&what).into_owned());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
        BARS.remove(&self.0);
    }
}
