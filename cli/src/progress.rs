//! What a person sees while something long is running.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A progress bar on standard error if that is a terminal, nothing otherwise.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar of `length` parts, which are called `unit`.
    pub fn new(length: u64, unit: &str) -> Bar {
        Self::styled(length, &format!("{{elapsed_precise}} {{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}"))
    }

    /// A bar that also says how long the rest will take; parts that were `done` before say nothing about that.
    pub fn with_time_to_go(length: u64, done: u64, unit: &str) -> Bar {
        let template = format!("{{elapsed_precise}} {{bar:30}} {{pos}}/{{len}} {unit}, {{eta}} to go  {{msg}}");
        let bar = Self::styled(length, &template);
        bar.0.set_position(done);
        bar.0.reset_eta();
        bar
    }

    fn styled(length: u64, template: &str) -> Bar {
        let bar = ProgressBar::new(length);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar(bar)
    }

    /// Says how many parts are done.
    pub fn done(&self, parts: u64) {
        self.0.set_position(parts);
    }

    /// Prints a line to standard error: above the bar, or where there is none.
    pub fn line(&self, text: &str) {
        self.0.suspend(|| eprintln!("{text}"));
    }

    /// Prints a line to standard error where there is no bar to look at.
    pub fn line_without_bar(&self, text: &str) {
        if self.0.is_hidden() {
            eprintln!("{text}");
        }
    }

    /// Says what is going on.
    pub fn say(&self, what: String) {
        self.0.set_message(what);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
