//! A file of movements, whatever its format.

use super::error::FileError;
use super::read::Nodes;
use super::{Trace, csv_rows, fcd};

impl Trace {
    /// Reads a file of movements: XML that SUMO records, CSV with the columns of `trajectories.csv`, or a trace of
    /// ns-2's `setdest`. `activity` is a second file, in which SUMO tells when the nodes of such a trace enter and
    /// leave.
    ///
    /// ```
    /// use imminent_manet::trace::Trace;
    ///
    /// let trace = Trace::of_file("time,node,x,y\n0,7,0,0\n10,7,50,0\n10,8,50,5\n", None)?;
    /// assert_eq!((trace.nodes(), trace.greatest_speed()), (2, 5_000_200));
    /// assert_eq!(trace.tracks()[1].stay.enter, 10_000_000);
    /// # Ok::<(), imminent_manet::trace::FileError>(())
    /// ```
    ///
    /// # Errors
    /// The first error in the files, and an activity beside XML or CSV.
    pub fn of_file(text: &str, activity: Option<&str>) -> Result<Self, FileError> {
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
        let is_xml = first.starts_with('<');
        if is_xml || csv_rows::begins(first) {
            return match activity {
                Some(_) => Err(FileError::Activity),
                None if is_xml => Ok(fcd::read(text)?),
                None => Ok(csv_rows::read(text)?),
            };
        }
        let mut nodes = Nodes::default();
        nodes.add(text)?;
        nodes.add(activity.unwrap_or("")).map_err(FileError::InActivity)?;
        Ok(nodes.trace()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Stay;

    const TRACE: &str = "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n";

    #[test]
    fn the_activity_of_a_trace_of_ns_2_is_a_file_of_its_own() {
        let read = Trace::of_file(TRACE, Some("$ns_ at 5.0 \"$g(0) start\"; # SUMO-ID: late\n")).unwrap();
        assert_eq!(read.tracks()[0].stay, Stay { enter: 5_000_000, ..Stay::default() });
        assert_eq!(read.find("late"), Some(0));
    }

    #[test]
    fn errors_tell_the_file() {
        let error = |text: &str, activity: &str| Trace::of_file(text, Some(activity)).unwrap_err().to_string();
        let csv = "\u{feff}\n time,node,x,y\n0,1,2,3\n";
        assert_eq!(
            error(csv, "$ns_ at 5.0 \"$g(0) start\""),
            "it tells itself when nodes enter and leave; leave `network.activity` out"
        );
        assert!(error(TRACE, "5.0 0 start").starts_with("in the file of activity, line 1: cannot read `5.0 0 start`"));
        assert!(Trace::of_file(csv, None).is_ok());
    }
}
