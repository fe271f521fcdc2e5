//! Figures as a page with plots.

use super::figure::{Figure, MEAN, MEANS, Measured, SIDE};
use super::measure::{Observation, Shape};
use super::tables;
use imminent::models::estimate::Estimate;
use imminent_report::page::{self, escape};
use imminent_report::plot::{Curve, PlotError, Point, curves};
use std::fmt::Write;

/// Returns the whole page.
pub(super) fn page(measured: &[Measured], device: &str, missing: Option<&str>) -> Result<String, PlotError> {
    let mut page = page::begin("Clustering events in intervals of time");
    let _ = writeln!(
        page,
        "<p>Table 5-2 and figures 5-4 to 5-6 of H. Park's dissertation, measured anew on {}. Interval 0 is the exact engine.</p>",
        escape(device)
    );
    if let Some(missing) = missing {
        page.push_str(&page::warning(&format!("partial: {missing}")));
    }
    for part in measured {
        page.push_str(&part.drawings()?);
        let _ = writeln!(page, "<pre>{}</pre>", escape(&tables::markdown(std::slice::from_ref(part))));
    }
    page.push_str("</body></html>\n");
    Ok(page)
}

impl Measured {
    fn drawings(&self) -> Result<String, PlotError> {
        let utilization = |figure: &Observation| to_point(figure, figure.utilization);
        match self.part {
            Figure::Table => self.beside_printed(),
            Figure::Networks => {
                let shapes = || Shape::ALL.into_iter().map(|shape| (shape.name().to_owned(), shape));
                let of = |shape: &Shape, figure: &Observation| figure.setting.shape == *shape;
                let sojourn = |figure: &Observation| to_point(figure, figure.sojourn);
                let a = self.figure("5-4 A", "mean sojourn at a station", shapes(), of, sojourn)?;
                Ok(a + &self.figure("5-4 B", "utilization", shapes(), of, utilization)?)
            }
            Figure::Parameters => {
                let sides = self.sides().into_iter().map(|side| (format!("{side} x {side}"), side));
                let of_side =
                    |side: &u32, figure: &Observation| (figure.setting.side, figure.setting.mean) == (*side, MEAN);
                let a = self.figure("5-5 A", "utilization", sides, of_side, utilization)?;
                let means = MEANS.map(|mean| (format!("mean service {mean}"), mean)).into_iter();
                let of_mean =
                    |mean: &f64, figure: &Observation| (figure.setting.side, figure.setting.mean) == (SIDE, *mean);
                Ok(a + &self.figure("5-5 B", "utilization", means, of_mean, utilization)?)
            }
            Figure::Speed => {
                let mut text = String::new();
                for (letter, shape) in ["A", "B"].into_iter().zip(Shape::ALL) {
                    let sides = self.sides().into_iter().map(|side| (format!("{side} x {side}"), side));
                    let of = |side: &u32, figure: &Observation| {
                        (figure.setting.side, figure.setting.shape) == (*side, shape)
                    };
                    let beside = |figure: &Observation| {
                        let exact = self.exact(figure)?;
                        let y = figure.speed / exact.speed;
                        Some(Point { x: figure.setting.interval?, y, half_width: None })
                    };
                    let what = format!("speed beside the exact engine, {} network", shape.name());
                    text += &self.figure(&format!("5-6 {letter}"), &what, sides, of, beside)?;
                }
                Ok(text)
            }
        }
    }

    /// Returns Table 5-2 as a figure: the utilization by interval for each mean service, measured and as printed.
    fn beside_printed(&self) -> Result<String, PlotError> {
        let mut lines = Vec::new();
        for (colour, mean) in MEANS.into_iter().enumerate() {
            let members = || self.figures.iter().filter(|figure| figure.setting.mean == mean);
            let measured = members().filter_map(|figure| to_point(figure, figure.utilization)).collect();
            lines.push(Curve { points: measured, ..Curve::new(Some(format!("mean service {mean}")), colour) });
            let printed = |figure: &Observation| {
                let entry = tables::printed(figure)?;
                Some(Point { x: entry.interval, y: entry.utilization, half_width: None })
            };
            let printed = members().filter_map(printed).collect();
            lines.push(Curve { points: printed, is_dashed: true, ..Curve::new(None, colour) });
        }
        let drawing = curves(&lines, "interval", "utilization")?;
        let caption = "utilization, measured and (dashed) as the dissertation prints it";
        Ok(format!("<h2>Table 5-2</h2>\n<figure>{drawing}<figcaption>{caption}.</figcaption></figure>\n"))
    }

    /// Returns a figure with a curve for each of the `groups`, through the points of its members.
    fn figure<G>(
        &self,
        name: &str,
        what: &str,
        groups: impl Iterator<Item = (String, G)>,
        is_of: impl Fn(&G, &Observation) -> bool,
        point: impl Fn(&Observation) -> Option<Point>,
    ) -> Result<String, PlotError> {
        let curve = |(colour, (name, group)): (usize, (String, G))| {
            let members = self.figures.iter().filter(|figure| is_of(&group, figure));
            Curve { points: members.filter_map(&point).collect(), ..Curve::new(Some(name), colour) }
        };
        let lines: Vec<_> = groups.enumerate().map(curve).filter(|curve| !curve.points.is_empty()).collect();
        let drawing = curves(&lines, "interval", what)?;
        Ok(format!("<h2>Figure {name}</h2>\n<figure>{drawing}<figcaption>{what}.</figcaption></figure>\n"))
    }

    fn sides(&self) -> Vec<u32> {
        let mut sides: Vec<_> = self.figures.iter().map(|figure| figure.setting.side).collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    }
}

fn to_point(figure: &Observation, estimate: Estimate) -> Option<Point> {
    Some(Point { x: figure.setting.interval.unwrap_or(0.0), y: estimate.mean?, half_width: estimate.ci95 })
}
