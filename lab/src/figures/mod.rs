//! The command `lab figures`: figures that models of the catalogue offer, measured in several places.

mod target;

use crate::models::{OfModels, read, with_options};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use imminent::models::sheet::{Kind, Sheet, Value};
use imminent::models::study::Figures;
use imminent::models::study::figures::{Place, Shown, Usual};
use imminent::models::study::outcome::Content;
use imminent_console::progress::Bar;
use imminent_console::{Failure, interrupt, print::print_text};
use imminent_report::folder::{Folder, Names};
use imminent_report::page::{self, escape};
use imminent_report::plot::PlotError;
use serde_json::{Map, Value as Json};
use std::io::{self, Write};
use std::path::PathBuf;
use target::Target;

/// Figures of a model, with their command line.
#[derive(Debug)]
pub(crate) struct OfModel {
    figures: Figures,
    common: Common,
    matches: ArgMatches,
}

/// Options of the figures of every model.
#[derive(Debug, Args)]
struct Common {
    /// Places where simulations run, separated by commas: cpu, cpu:THREADS, wgpu, opencl, cuda, or host, one thing
    /// after the other.
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = Target::parse)]
    on: Vec<Target>,
    /// Write figures.csv and figures.html into this folder, in place of those of an earlier run.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Let --out write into a folder that holds other files.
    #[arg(long, requires = "out")]
    force: bool,
}

/// Files of a folder of figures.
const NAMES: Names<'_> = Names { written: &["figures.csv", "figures.html"], kept: &[] };

fn all() -> Vec<Figures> {
    imminent::models::catalogue().figures()
}

impl OfModels for OfModel {
    fn commands() -> Vec<Command> {
        let command = |figures: Figures| {
            let names = PossibleValuesParser::new(figures.parts.iter().map(|(name, ..)| *name));
            let parts = Arg::new("FIGURE").help("Figures to measure [default: all].").value_parser(names);
            let command = Command::new(figures.name).arg(parts.num_args(0..).action(ArgAction::Append));
            let usual: Vec<_> = figures.places.iter().map(|usual| words(*usual)).collect();
            let on = |arg: Arg| {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                arg.help(format!("{help} [default: {}]", usual.join(", ")))
            };
            let command = Common::augment_args(command).mut_arg("on", on).about(figures.about);
            with_options(command, figures.options())
        };
        all().into_iter().map(command).collect()
    }

    fn read(name: &str, matches: &ArgMatches) -> Result<Self, Error> {
        let figures = all().into_iter().find(|figures| figures.name == name);
        let figures = figures.ok_or_else(|| Error::new(clap::error::ErrorKind::InvalidSubcommand))?;
        Ok(Self { figures, common: Common::from_arg_matches(matches)?, matches: matches.clone() })
    }
}

fn words(usual: Usual) -> String {
    match usual {
        Usual::Host => "host".to_owned(),
        Usual::Threads(threads) => format!("cpu:{threads}"),
        Usual::AllThreads => "cpu".to_owned(),
        Usual::Devices => "every available device".to_owned(),
        Usual::Chosen => "the device that suits".to_owned(),
    }
}

impl OfModel {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // The folder is made before measuring begins.
        let folder = self.common.out.as_ref().map(|path| Folder::claim(path, self.common.force, NAMES));
        let folder = folder.transpose().map_err(Failure::usage)?;
        let options = read(self.figures.options(), &self.matches)?;
        let asked: Vec<&String> = self.matches.get_many("FIGURE").into_iter().flatten().collect();
        let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|asked| *asked == name);
        let numbered = self.figures.parts.iter().enumerate().filter(|(_, (name, ..))| is_asked(name));
        let asked: Vec<_> = numbered.map(|(number, _)| number).collect();
        let places = self.places(&asked)?;
        let mut bar = None;
        interrupt::watch();
        let mut go_on = |done, all| {
            bar.get_or_insert_with(|| Bar::new(all, "points")).done(done);
            !interrupt::requested()
        };
        let shown = self.figures.measure(options, &asked, &places, &mut go_on).map_err(Failure::usage)?;
        drop(bar);
        if shown.all == 0 {
            return Err(Failure::usage("these figures are not measured in these places: name others by --on"));
        }
        if let ([], [reason, ..]) = (shown.rows.as_slice(), shown.left_out.as_slice()) {
            return Err(Failure::run(format!("nothing was measured: {reason}")));
        }
        let missing = match shown.done {
            done if done == shown.all => None,
            0 => return Err(Failure::run(format!("interrupted: none of {} points were measured", shown.all))),
            done => Some(format!("interrupted: {done} of {} points were measured", shown.all)),
        };
        let tables = markdown(&shown, missing.as_deref());
        if let Some(folder) = &folder {
            folder.replace(|folder| {
                folder.csv(&Table(&shown.rows))?;
                let page = self.page(&shown, missing.as_deref(), &tables);
                folder.save("figures.html", |file| file.write_all(page.map_err(io::Error::other)?.as_bytes()))
            })?;
        }
        print_text(&tables)?;
        missing.map_or(Ok(()), |missing| Err(Failure::run(missing)))
    }

    /// Opens the places of the command, and those beside which some of the figures set them.
    fn places(&self, asked: &[usize]) -> Result<Vec<Place>, Failure> {
        let targets = match self.common.on.as_slice() {
            [] => self.figures.places.iter().flat_map(|usual| Target::of(*usual)).collect(),
            given => given.to_vec(),
        };
        let mut places = targets.into_iter().map(Target::open).collect::<Result<Vec<_>, _>>()?;
        let beside = asked.iter().filter_map(|number| self.figures.parts.get(*number)).flat_map(|(.., beside)| *beside);
        for target in beside.flat_map(|usual| Target::of(*usual)) {
            if places.iter().all(|place| place.name != target.to_string()) {
                places.push(Place { is_beside: true, ..target.open()? });
            }
        }
        Ok(places)
    }

    /// Returns a page: introduction, devices of the places, drawings of each figure under its title, and tables.
    fn page(&self, shown: &Shown, missing: Option<&str>, tables: &str) -> Result<String, PlotError> {
        let mut page = page::begin(self.figures.title);
        page += &format!("<p>{}</p>\n", escape(self.figures.introduction));
        if let Some(missing) = missing {
            page.push_str(&page::warning(&format!("partial: {missing}")));
        }
        let devices = shown.devices.iter().map(|(place, device)| (place.as_str(), device.clone()));
        page::summary(&mut page, &devices.collect::<Vec<_>>());
        for (title, contents) in &shown.parts {
            page += &format!("<h2>{}</h2>\n", escape(title));
            for content in contents {
                match content {
                    Content::Plot(plot) if !plot.lines.is_empty() => page.push_str(&page::plot(plot)?),
                    Content::Columns { values, label, caption } => {
                        page.push_str(&page::columns(values, label, caption)?);
                    }
                    _ => {}
                }
            }
        }
        page += &format!("<pre>{}</pre>\n</body></html>\n", escape(tables));
        Ok(page)
    }
}

/// Returns the tables of each figure under its title.
fn markdown(shown: &Shown, missing: Option<&str>) -> String {
    let mut text = String::new();
    for (title, contents) in &shown.parts {
        text += &format!("{title}\n\n");
        for content in contents {
            match content {
                Content::Table { columns, rows } => {
                    let rule = vec!["---".to_owned(); columns.len()];
                    for cells in [columns, &rule].into_iter().chain(rows) {
                        text += &format!("| {} |\n", cells.join(" | "));
                    }
                    text.push('\n');
                }
                Content::Text(sentences) => text += &format!("{sentences}\n\n"),
                _ => {}
            }
        }
    }
    for left_out in &shown.left_out {
        text += &format!("left out: {left_out}\n");
    }
    if let Some(missing) = missing {
        text += &format!("partial: {missing}\n");
    }
    text
}

/// Table with a line for each result.
struct Table<'r>(&'r [Map<String, Json>]);

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
        self.0.first().into_iter().flatten().map(|(name, value)| (name.clone(), kind(value))).collect()
    }

    fn rows(&self) -> usize {
        self.0.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        match self.0.get(row).and_then(|row| row.values().nth(column)) {
            Some(Json::String(text)) => Value::Text(text.clone()),
            value => {
                let count = value.and_then(Json::as_u64);
                count.map_or_else(|| Value::Number(value.and_then(Json::as_f64)), Value::Count)
            }
        }
    }
}
