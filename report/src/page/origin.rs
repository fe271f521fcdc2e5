//! Origin of a page: the files, the command and the version that made it, and the date.

use super::escape;
use std::env;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Largest number of input files that a page names.
const MAX_FILES: usize = 8;

/// Version that the program gave. A static, since it is a constant of the process, like its arguments.
static VERSION: OnceLock<String> = OnceLock::new();

/// Sets the version that pages name, with the commit. Call it once, before a page is made.
pub fn set_version(version: &str) {
    let _ = VERSION.set(version.to_owned());
}

/// Origin of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Names of the input files.
    pub inputs: Vec<String>,
    /// Command line.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Date of the page.
    pub made: SystemTime,
}

impl Origin {
    /// Returns the origin of a page that this process makes now.
    #[must_use]
    pub fn of_process() -> Self {
        let files = imminent_common::input::files_read();
        let arguments = env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        Origin {
            inputs: files.iter().map(|file| file.display().to_string()).collect(),
            command: command(arguments),
            version: VERSION.get().map_or(env!("CARGO_PKG_VERSION"), String::as_str).to_owned(),
            made: SystemTime::now(),
        }
    }

    /// Returns the origin as HTML.
    pub(super) fn html(&self) -> String {
        let mut inputs = self.inputs.iter().take(MAX_FILES).map(|file| escape(file)).collect::<Vec<_>>().join(", ");
        if self.inputs.len() > MAX_FILES {
            inputs += &format!(" and {} more", self.inputs.len() - MAX_FILES);
        }
        if inputs.is_empty() {
            inputs.push_str("no file");
        }
        format!(
            "<dl class=\"origin\"><dt>input</dt><dd>{inputs}</dd><dt>command</dt><dd><code>{}</code></dd><dt>version</dt><dd>{}</dd><dt>made</dt><dd>{}</dd></dl>\n",
            escape(&self.command),
            escape(&self.version),
            date(self.made)
        )
    }
}

/// Returns a command line, with quotes where a shell needs them. The program goes by its name, without its folder.
fn command(mut arguments: impl Iterator<Item = String>) -> String {
    let program = arguments.next().unwrap_or_default();
    let name = Path::new(&program).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    arguments.fold(quoted(&name), |line, argument| line + " " + &quoted(&argument))
}

fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_=+,./:@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

/// Formats a time in UTC to the minute, as in ISO 8601.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (mut day, minute) = (seconds / 86_400, seconds % 86_400 / 60);
    let days_of = |year: u64| {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        if is_leap { 366 } else { 365 }
    };
    let mut year = 1970;
    while day >= days_of(year) {
        day -= days_of(year);
        year += 1;
    }
    let mut month = 1;
    for length in [31, days_of(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02} {:02}:{:02} UTC", day + 1, minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Dates as `date -u -d @SECONDS` of GNU coreutils prints them.
    #[test]
    fn dates_are_those_of_the_calendar() {
        let dates = [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59 UTC"),
            (1_735_689_599, "2024-12-31 23:59 UTC"),
            (1_772_323_200, "2026-03-01 00:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ];
        for (seconds, text) in dates {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn an_origin_names_files_command_version_and_date() {
        let line = ["/opt/bin/imminent", "run", "network", "a b.toml", "it's", "<x>", "--seed=1"];
        let origin = Origin {
            inputs: (0..10).map(|number| format!("{number}.toml")).collect(),
            command: command(line.into_iter().map(str::to_owned)),
            version: "0.1.0 (abc)".to_owned(),
            made: UNIX_EPOCH,
        };
        assert_eq!(origin.command, r"imminent run network 'a b.toml' 'it'\''s' '<x>' --seed=1");
        let html = origin.html();
        for part in ["6.toml, 7.toml and 2 more<", "&lt;x&gt;", "0.1.0 (abc)", "1970-01-01 00:00 UTC"] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
