//! Figures 6 to 13 of the paper on parameter studies, measured anew.

mod budget;
mod options;
mod paper;
mod setting;
mod shown;

use crate::benchmarks::timed::Strategy;
use crate::{Mapping, MappingChoice};
use budget::StudyTimes;
use imminent_study::Figures;
use imminent_study::figures::{Figure, Publication, Usual};
use imminent_study::outcome::Content;
use options::Options;
use setting::{Setting, Work, by};
use shown::Results;

/// Mapping that keeps modules in their given order.
const IN_ORDER: MappingChoice = MappingChoice::Always(Mapping::InOrder);
const SORTED: MappingChoice = MappingChoice::Always(Mapping::Sorted);
const PADDED: MappingChoice = MappingChoice::Always(Mapping::Padded);

/// Returns the figures.
pub(crate) fn of_kunz() -> Figures {
    Figures::from(Publication {
        name: "studies",
        about: "Figures 6 to 13 of parameter studies: events per second by simulations, modules and mappings, cost of \
                events, and the wireless mesh, in several places.",
        title: "Events of many simulations",
        introduction: "Figures 6 to 13 of Kunz et al. 2012, measured anew.",
        places: &[Usual::Devices, Usual::AllThreads],
        figures: vec![
            figure(
                "6",
                "Figure 6: millions of events a second, one generator, modules as they come",
                |options| options.generators(&[Work::Lcg(1)], IN_ORDER),
                shown::alike,
            ),
            figure(
                "7",
                "Figure 7: millions of events a second, four generators beside one, modules as they come",
                |options| options.beside_one(IN_ORDER, IN_ORDER),
                |results| shown::beside_one(results, IN_ORDER, Some(paper::UNSORTED)),
            ),
            figure(
                "8",
                "Figure 8: millions of events a second, four generators beside one, modules sorted by their events",
                |options| options.beside_one(SORTED, IN_ORDER),
                |results| shown::beside_one(results, IN_ORDER, Some(paper::SORTED)),
            ),
            figure(
                "9",
                "Figure 9: millions of events a second, four generators beside one, sorted and padded",
                |options| options.beside_one(PADDED, IN_ORDER),
                |results| shown::beside_one(results, IN_ORDER, Some(paper::PADDED)),
            ),
            figure(
                "auto",
                "Figure auto: millions of events a second, four generators beside one, mapping chosen",
                |options| options.beside_one(MappingChoice::Auto, MappingChoice::Auto),
                |results| shown::beside_one(results, MappingChoice::Auto, None),
            ),
            figure(
                "10",
                "Figure 10: ms for all events, which go over 72 bytes (ns each)",
                |options| each(&[Work::Laden(MIN_LADEN)], &options.simulations, &options.modules, &options.lists()),
                shown::overhead,
            ),
            figure(
                "11",
                "Figure 11: ms for all events of four kinds, at which nothing happens (ns each)",
                Options::mappings,
                shown::mappings,
            ),
            figure(
                "12",
                "Figure 12: ms for all events, which go over their module's state, by its bytes (ns each)",
                Options::states,
                shown::states,
            ),
            Figure {
                beside: &[FOUR_CORES, Usual::Host],
                ..figure("13", "Figure 13: the wireless mesh, s", Options::meshes, shown::meshes)
            },
        ],
        measure: |options: Options| {
            Box::new(move |setting: &Setting, place| setting.measure(place.device.as_ref(), &options))
        },
    })
}

fn figure(
    name: &'static str,
    title: &'static str,
    settings: fn(&Options) -> Vec<Setting>,
    contents: fn(&Results<'_>) -> Vec<Content>,
) -> Figure<Options, Setting, StudyTimes> {
    Figure { is_for: |setting, place, _| setting.is_for(place), ..Figure::new(name, title, settings, contents) }
}

/// Place with which the paper compares the mesh.
const FOUR_CORES: Usual = Usual::Threads(4);

/// Number of points of the mesh study.
const POINTS: u32 = 9;

/// Size in bytes of the paper's smallest states.
const MIN_LADEN: u32 = 72;

fn each(works: &[Work], simulations: &[u32], modules: &[u32], strategies: &[Strategy]) -> Vec<Setting> {
    let mut settings = vec![];
    for &strategy in strategies {
        for &work in works {
            for &modules in modules {
                let setting = |&simulations| Setting { work, simulations, modules, strategy };
                settings.extend(simulations.iter().map(setting));
            }
        }
    }
    settings
}

impl Options {
    fn generators(&self, works: &[Work], mapping: MappingChoice) -> Vec<Setting> {
        each(works, &self.simulations, &self.modules, &[by(mapping)])
    }

    /// Returns settings with one generator, and those with four, each by a mapping.
    fn beside_one(&self, four: MappingChoice, one: MappingChoice) -> Vec<Setting> {
        [self.generators(&[Work::Lcg(1)], one), self.generators(&[Work::Lcg(4)], four)].concat()
    }

    fn lists(&self) -> Vec<Strategy> {
        let streams = |copies| self.streams.iter().map(move |&parts| Strategy::Streams { parts, copies });
        std::iter::once(by(MappingChoice::Auto)).chain(streams(false)).chain(streams(true)).collect()
    }

    fn mappings(&self) -> Vec<Setting> {
        let mappings = Mapping::ALL.into_iter().map(MappingChoice::Always).chain([MappingChoice::Auto]);
        each(&[Work::Kinds], &self.simulations, &[1], &mappings.map(by).collect::<Vec<_>>())
    }

    fn states(&self) -> Vec<Setting> {
        let works: Vec<_> = self.states.iter().copied().map(Work::Laden).collect();
        each(&works, &[self.middle], &self.modules, &self.lists())
    }

    fn meshes(&self) -> Vec<Setting> {
        let (simulations, strategy) = (self.seeds * POINTS, by(MappingChoice::Auto));
        let study = Setting { work: Work::Mesh, simulations, modules: 5, strategy };
        vec![study, Setting { work: Work::MeshAlone, simulations: POINTS, ..study }]
    }
}
