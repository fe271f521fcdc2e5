//! Figures that models of the catalogue offer, measured in several places.

use super::lines::figure;
use super::measured::{self, wanted};
use super::out::OutArgs;
use super::target::{Opened, Target};
use crate::models::{OfModels, read, with_options};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use imminent::models::sheet::{Kind, Sheet, Value};
use imminent::models::study::Figures;
use imminent::models::study::figures::{Cell, Figure, Plot, Quantity, Setting, Values};
use imminent_console::Failure;
use imminent_report::plot::{Axes, PlotError};
use serde_json::Value as Json;

/// Figures of a model, with their command line.
#[derive(Debug)]
pub(super) struct OfModel {
    figures: Figures,
    common: Common,
    matches: ArgMatches,
}

/// Options of the figures of every model.
#[derive(Debug, Args)]
struct Common {
    /// Places where simulations run, separated by commas: cpu, cpu:THREADS, wgpu, opencl, cuda, or host, the sequential
    /// program [default: host, every available device, and cpu].
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = Target::parse)]
    on: Vec<Target>,
    #[command(flatten)]
    out: OutArgs,
}

fn all() -> Vec<Figures> {
    imminent::models::catalogue().iter().filter_map(|model| model.figures()).collect()
}

impl OfModels for OfModel {
    fn commands() -> Vec<Command> {
        let command = |figures: Figures| {
            let names = PossibleValuesParser::new(figures.publication.parts.iter().map(|part| part.name));
            let parts = Arg::new("FIGURE").help("Figures to measure [default: all].").value_parser(names);
            let command = Command::new(figures.publication.name).arg(parts.num_args(0..).action(ArgAction::Append));
            with_options(Common::augment_args(command).about(figures.publication.about), figures.options())
        };
        all().into_iter().map(command).collect()
    }

    fn read(name: &str, matches: &ArgMatches) -> Result<Self, Error> {
        let figures = all().into_iter().find(|figures| figures.publication.name == name);
        let figures = figures.ok_or_else(|| Error::new(clap::error::ErrorKind::InvalidSubcommand))?;
        Ok(Self { figures, common: Common::from_arg_matches(matches)?, matches: matches.clone() })
    }
}

impl OfModel {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = self.common.out.folder()?;
        let options = read(self.figures.options(), &self.matches)?;
        let settings = self.figures.settings(options).map_err(Failure::usage)?;
        let usual = || [Target::Host].into_iter().chain(Target::apart()).chain([Target::Cpu(None)]).collect();
        let places = Target::open_all(&self.common.on, usual)?;
        let measured = self.measure(&settings, &places)?;
        let shown = Shown { figures: &self.figures, settings: &settings };
        measured.publish_as(
            folder.as_ref(),
            |measured, write| write(&Table { shown, measured }),
            |measured| shown.page(measured),
            |measured| shown.markdown(measured),
        )
    }

    fn measure(&self, settings: &[Setting], places: &[Opened]) -> Result<Measured, Failure> {
        let asked: Vec<&String> = self.matches.get_many("FIGURE").into_iter().flatten().collect();
        let is_asked = |part: &Figure| asked.is_empty() || asked.iter().any(|name| *name == part.name);
        let parts = self.figures.publication.parts.iter().enumerate().filter(|(_, part)| is_asked(part));
        let parts: Vec<_> = parts.map(|(number, _)| (number, (0..settings.len()).collect())).collect();
        let wanted = wanted(&parts, |_| places.iter().collect());
        let name = |setting: &usize| {
            let columns = self.figures.publication.columns.iter().zip(&settings[*setting].cells);
            columns.map(|(column, cell)| format!("{column} {cell}")).collect::<Vec<_>>().join(", ")
        };
        Measured::measure((parts, places), wanted, name, |setting, at| Ok((settings[setting].measure)(at.device())))
    }
}

/// Results of a setting, by its number, in a place.
type Point = measured::Point<usize, Values>;
/// All results, by the numbers of figures and settings.
type Measured = measured::Measured<usize, usize, Values>;

/// Figures and settings of the numbers in results.
#[derive(Clone, Copy)]
struct Shown<'f> {
    figures: &'f Figures,
    settings: &'f [Setting],
}

impl Shown<'_> {
    fn title(self, part: usize) -> &'static str {
        self.figures.publication.parts[part].title
    }

    /// Returns the whole page.
    fn page(self, measured: &Measured) -> Result<String, PlotError> {
        let texts = [self.figures.publication.title, self.figures.publication.introduction, &self.markdown(measured)];
        let draw = |part: usize, settings: &[usize]| {
            self.figures.publication.parts[part].plots.iter().map(|plot| self.plot(measured, plot, settings)).collect()
        };
        measured.page(texts, |part| self.title(part), draw)
    }

    fn plot(self, measured: &Measured, plot: &Plot, settings: &[usize]) -> Result<String, PlotError> {
        let (first, others) = measured.places.split_at(1.min(measured.places.len()));
        let x = |setting: &usize| self.settings[*setting].values.get(plot.x).and_then(Json::as_f64).unwrap_or(f64::NAN);
        let of = |places: &[String], settings: &[usize], y: &dyn Fn(&Point) -> Option<f64>, name: &Name<'_>| {
            let places: Vec<&str> = places.iter().map(String::as_str).collect();
            measured.lines(settings, &places, (x, y), name)
        };
        let lines = match plot.y {
            Quantity::Result(result, scale) => {
                let y = |point: &Point| Some(point.found.get(result)?.as_f64()? * scale);
                of(first, settings, &y, &|_, setting| self.settings[*setting].line.clone())
            }
            Quantity::Speed(is_shown) => {
                let chosen = settings.iter().copied().filter(|setting| is_shown(&self.settings[*setting].values));
                let speed = |point: &Point| self.speed(measured, point);
                of(others, &chosen.collect::<Vec<_>>(), &speed, &|place, _| place.to_owned())
            }
        };
        let axes = if plot.is_logarithmic { Axes::Logarithmic } else { Axes::Even };
        figure(&lines, axes, plot.labels, plot.caption)
    }

    /// Returns a table for each figure with a column for each place.
    fn markdown(self, measured: &Measured) -> String {
        measured.markdown(
            |part| self.title(part),
            |part, settings| {
                let cells = |setting: &usize| self.settings[*setting].cells.clone();
                let cell = |point: &Point| self.cell(measured, self.figures.publication.parts[part].cell, point);
                measured.table(self.figures.publication.columns, settings, cells, cell)
            },
        )
    }

    fn cell(self, measured: &Measured, cell: Cell, point: &Point) -> String {
        match cell {
            Cell::Estimates(results) => {
                let number = |name: &str, scale: f64| {
                    let value = point.found.get(name).and_then(Json::as_f64);
                    value.map_or_else(|| "–".to_owned(), |value| format!("{:.3}", value * scale))
                };
                let estimate = |(name, scale): &(&str, f64)| {
                    format!("{} ± {}", number(name, *scale), number(&format!("{name}_ci95"), *scale))
                };
                results.iter().map(estimate).collect::<Vec<_>>().join("; ")
            }
            Cell::Speed => match self.speed(measured, point) {
                Some(times) => format!("{times:.2} x ({:.3} s)", seconds(point)),
                None => format!("{:.3} s", seconds(point)),
            },
        }
    }

    /// Returns the speed beside that of the first place, in the setting that it is compared with.
    fn speed(self, measured: &Measured, point: &Point) -> Option<f64> {
        let beside = self.settings[point.setting].beside?;
        Some(seconds(measured.of(measured.places.first()?, beside)?) / seconds(point))
    }
}

/// Name of the line on which a setting is in a place.
type Name<'n> = dyn Fn(&str, &usize) -> String + 'n;

fn seconds(point: &Point) -> f64 {
    point.found.get("seconds").and_then(Json::as_f64).unwrap_or(f64::NAN)
}

/// Table with a line for each point: place, device, parameters and results.
struct Table<'m> {
    shown: Shown<'m>,
    measured: &'m Measured,
}

impl Table<'_> {
    /// Returns the names and values of a row.
    fn row(&self, point: &Point) -> Vec<(String, Json)> {
        let place = [("on", &point.place), ("device", &point.device)];
        let place = place.map(|(name, text)| (name.to_owned(), Json::from(text.as_str())));
        let values = self.shown.settings[point.setting].values.iter().chain(&point.found);
        place.into_iter().chain(values.map(|(name, value)| (name.clone(), value.clone()))).collect()
    }
}

impl Sheet for Table<'_> {
    fn name(&self) -> &'static str {
        "figures"
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let kind = |value: &Json| match value {
            Json::String(_) => Kind::Text,
            value if value.is_u64() => Kind::Count,
            _ => Kind::Number,
        };
        let first = self.measured.points.first().map(|point| self.row(point)).unwrap_or_default();
        first.into_iter().map(|(name, value)| (name, kind(&value))).collect()
    }

    fn rows(&self) -> usize {
        self.measured.points.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let row = self.measured.points.get(row).map(|point| self.row(point)).unwrap_or_default();
        match row.into_iter().nth(column) {
            Some((_, Json::String(text))) => Value::Text(text),
            Some((_, value)) => value.as_u64().map_or_else(|| Value::Number(value.as_f64()), Value::Count),
            None => Value::Number(None),
        }
    }
}
