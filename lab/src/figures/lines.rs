//! Measurements from several places, as lines of a page.

use super::measured::{Measured, Point};
use imminent_report::page::{self, escape};
use imminent_report::plot::{self, Axes, Curve, PlotError, curves_on};

impl<P: Copy, S: Copy + PartialEq, F> Measured<P, S, F> {
    /// Returns a page: introduction, devices of the places, drawings of each figure under its title, and tables.
    pub(super) fn page(
        &self,
        [title, about, tables]: [&str; 3],
        name: impl Fn(P) -> &'static str,
        draw: impl Fn(P, &[S]) -> Result<String, PlotError>,
    ) -> Result<String, PlotError> {
        let mut page = page::begin(title);
        page.push_str(&format!("<p>{}</p>\n", escape(about)));
        if let Some(missing) = &self.missing {
            page.push_str(&page::warning(&format!("partial: {missing}")));
        }
        let mut devices: Vec<_> =
            self.points.iter().map(|point| (point.place.as_str(), point.device.clone())).collect();
        devices.sort();
        devices.dedup();
        page::summary(&mut page, &devices);
        for (part, settings) in &self.parts {
            page.push_str(&format!("<h2>{}</h2>\n{}", escape(name(*part)), draw(*part, settings)?));
        }
        page.push_str(&format!("<pre>{}</pre>\n</body></html>\n", escape(tables)));
        Ok(page)
    }

    /// Returns a line for each name that the points of some places have.
    pub(super) fn lines(
        &self,
        settings: &[S],
        places: &[&str],
        (x, y): (impl Fn(&S) -> f64, impl Fn(&Point<S, F>) -> Option<f64>),
        name: impl Fn(&str, &S) -> String,
    ) -> Vec<Curve> {
        let mut lines: Vec<Curve> = vec![];
        for place in places {
            for setting in settings {
                let Some(y) = self.of(place, *setting).and_then(&y) else { continue };
                let point = plot::Point { x: x(setting), y, half_width: None };
                let name = Some(name(place, setting));
                match lines.iter_mut().find(|line| line.name == name) {
                    Some(line) => line.points.push(point),
                    None => lines.push(Curve { points: vec![point], ..Curve::new(name, lines.len()) }),
                }
            }
        }
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
        lines
    }
}

/// Returns a plot, or an empty text if it would show nothing.
pub(super) fn figure(lines: &[Curve], axes: Axes, labels: [&str; 2], caption: &str) -> Result<String, PlotError> {
    if lines.is_empty() {
        return Ok(String::new());
    }
    let drawn = curves_on(axes, lines, labels)?;
    Ok(format!("<figure>{drawn}<figcaption>{}</figcaption></figure>\n", escape(caption)))
}
