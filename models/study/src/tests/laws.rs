//! Laws of points, samples and seeds.

use super::queue;
use crate::definition::{Axis, Definition, Method, Sample, Spacing};
use crate::{Study, Value};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// Different loads in an order of their own.
fn loads() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::hash_set(1_u32..99, 1..6)
        .prop_map(|set| set.into_iter().map(|percent| f64::from(percent) / 100.0).collect::<Vec<_>>())
        .prop_shuffle()
}

fn customers() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::hash_set(1_i64..1000, 1..6).prop_map(|set| set.into_iter().collect::<Vec<_>>()).prop_shuffle()
}

/// The seeds of all runs, by what they are.
fn seeds(study: &Study) -> BTreeMap<(String, u32), u64> {
    let runs = study.select(0..study.runs());
    assert_eq!(runs.len() as u64, study.runs());
    let key = |run: &crate::Run| (format!("{:?}", run.point.values()), run.repetition);
    runs.iter().map(|run| (key(&run), run.seed)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn there_is_a_point_for_each_combination(loads in loads(), customers in customers(), repetitions in 1_u64..5) {
        let definition = Definition::new("queue")
            .repetitions(repetitions)
            .axis(Axis::values("load", loads.clone()))
            .axis(Axis::values("customers", customers.clone()));
        let study = definition.plan(queue()).unwrap();
        prop_assert_eq!(study.runs(), (loads.len() * customers.len()) as u64 * repetitions);
        let mut number = 0;
        for load in &loads {
            for count in &customers {
                let point = study.point(number).unwrap();
                prop_assert_eq!(point.number_of("load").unwrap(), *load);
                prop_assert_eq!(point.integer_of("customers").unwrap(), *count);
                prop_assert_eq!(study.value(number, 1), point.value("customers"));
                number += 1;
            }
        }
        prop_assert!(study.point(number).is_none() && study.select([study.runs()]).is_empty());
    }

    #[test]
    fn every_stratum_is_hit_once(seed: u64, points in 1_u64..200, log: bool) {
        let spacing = if log { Spacing::Log } else { Spacing::Linear };
        let sample = Sample::new(Method::LatinHypercube, points).over("load", 0.01, 0.9, spacing).over("customers", 1.0, 10_000.0, Spacing::Linear);
        let study = Definition::new("queue").seed(seed).sample(sample).plan(queue()).unwrap();
        prop_assert_eq!(study.points(), points);
        let mut strata = HashSet::new();
        let mut of_customers = HashSet::new();
        for number in 0..points {
            let point = study.point(number).unwrap();
            let load = point.number_of("load").unwrap();
            let share = if log { (load / 0.01).ln() / 90.0_f64.ln() } else { (load - 0.01) / 0.89 };
            strata.insert((share * points as f64) as u64);
            let customers = point.integer_of("customers").unwrap();
            prop_assert!((1..=10_000).contains(&customers));
            // Strata of 10,000 whole numbers begin and end within one.
            of_customers.insert(((customers as f64 - 0.5) / 10_000.0 * points as f64) as u64);
        }
        // The share is computed back, so a point at the edge of its stratum may seem to be in the next.
        prop_assert!(strata.len() as u64 + 1 >= points, "{} of {}", strata.len(), points);
        prop_assert!(of_customers.len() as u64 * 10 + 20 >= points * 9);
    }

    #[test]
    fn seeds_depend_on_what_a_run_is_alone(loads in loads(), customers in customers(), seed: u64, common: bool) {
        let base = Definition { common_random_numbers: common, ..Definition::new("queue").seed(seed).repetitions(4) };
        let (load, count) = (Axis::values("load", loads.clone()), Axis::values("customers", customers.clone()));
        let study = base.clone().axis(load.clone()).axis(count.clone()).plan(queue()).unwrap();
        let all = seeds(&study);
        let distinct: HashSet<_> = all.values().collect();
        prop_assert_eq!(distinct.len() as u64, if common { 4 } else { study.runs() });
        // Axes the other way round, and values too.
        let reversed = Axis::values("load", loads.iter().rev().copied());
        prop_assert_eq!(&all, &seeds(&base.clone().axis(count).axis(reversed).plan(queue()).unwrap()));
        // A part of the study, with fewer repetitions; what is the default or fixed need not be an axis.
        let part = base.repetitions(2).axis(load).fix("customers", customers[0]).fix("crowded", false).plan(queue()).unwrap();
        for (run, seed) in seeds(&part) {
            prop_assert_eq!(all.get(&run), Some(&seed));
        }
        // One by one, as all at once.
        let last = study.runs() - 1;
        prop_assert_eq!(study.select([last]).iter().next().unwrap().seed, study.select(0..=last).iter().last().unwrap().seed);
    }
}

/// So few values that every point comes several times: its runs are different ones nevertheless.
#[test]
fn points_that_a_sample_has_twice_have_seeds_of_their_own() {
    let sample = |parameter| Sample::new(Method::Random, 8).over(parameter, 1.0, 2.0, Spacing::Linear);
    let mut description = queue();
    let parameter = crate::description::Parameter::integer("doors", "", 1..=5, "Doors.").default(1);
    description = description.parameter(parameter);
    let definition =
        Definition::new("queue").repetitions(2).fix("load", 0.5).sample(sample("customers")).sample(sample("doors"));
    let study = definition.plan(description).unwrap();
    let seeds: HashSet<_> = study.select(0..study.runs()).iter().map(|run| run.seed).collect();
    assert_eq!((seeds.len(), study.runs()), (128, 128));
}

/// Both values of two, and each about as often as the other.
#[test]
fn whole_numbers_are_as_likely_as_each_other() {
    let sample = Sample::new(Method::Random, 3000).over("customers", 1.0, 3.0, Spacing::Linear);
    let study = Definition::new("queue").fix("load", 0.5).sample(sample).plan(queue()).unwrap();
    for value in 1..=3 {
        let points = (0..3000).filter(|point| study.value(*point, 1) == Some(&Value::Integer(value))).count();
        assert!((900..1100).contains(&points), "{points} times {value}");
    }
}

/// Seeds equal those computed as the documentation says.
#[test]
fn seeds_are_what_is_documented() {
    use imminent_common::streams::split_mix;
    let definition =
        Definition::new("queue").seed(11).repetitions(2).fix("service", "constant").axis(Axis::values("load", [0.25]));
    let study = definition.plan(queue()).unwrap();
    let hash = blake3::hash(b"load=n0.25\nservice=tconstant\n");
    let key = u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap());
    assert_eq!(study.seed_of(0, 1), Some(split_mix(split_mix(11, 0) ^ key, 1)));
    let common = Definition { common_random_numbers: true, ..definition }.plan(queue()).unwrap();
    assert_eq!(common.seed_of(0, 1), Some(split_mix(split_mix(11, 0), 1)));
}
