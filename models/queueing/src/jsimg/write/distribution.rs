//! Laws as distributions of JMT.

use super::element::Element;
use crate::law::Law;
use crate::network::Markovian;

/// Returns a distribution of JMT and its parameters; `None` for a law that JMT does not have.
pub(super) fn distribution(law: &Law) -> Option<[Element; 2]> {
    let number = |name: &str, number: f64| Element::value(name, "Double", format!("{number:?}"));
    let of =
        |name: &str, class: &str, parameters: Vec<Element>| written(name, class, &format!("{class}Par"), parameters);
    Some(match law {
        Law::Exponential { mean } => of("Exponential", "Exponential", vec![number("lambda", 1.0 / mean)]),
        Law::Deterministic { value } => of("Deterministic", "DeterministicDistr", vec![number("t", *value)]),
        Law::Uniform { low, high } => of("Uniform", "Uniform", vec![number("min", *low), number("max", *high)]),
        Law::Erlang { stages, mean } => {
            let parameters = vec![number("alpha", f64::from(*stages) / mean), Element::value("r", "Long", stages)];
            of("Erlang", "Erlang", parameters)
        }
        Law::Gamma { shape, mean } => {
            of("Gamma", "GammaDistr", vec![number("alpha", *shape), number("beta", mean / shape)])
        }
        Law::LogNormal { mean, cv } => {
            let variance = (cv * cv).ln_1p();
            let location = mean.ln() - variance / 2.0;
            of("Lognormal", "Lognormal", vec![number("mu", location), number("sigma", variance.sqrt())])
        }
        Law::Normal { location, deviation } => {
            of("Normal", "Normal", vec![number("mean", *location), number("standardDeviation", *deviation)])
        }
        Law::Weibull { shape, mean } => {
            let scale = mean / Law::weibull_of_scale(*shape, 1.0).mean();
            of("Weibull", "Weibull", vec![number("alpha", scale), number("r", *shape)])
        }
        Law::Pareto { shape, mean } => {
            of("Pareto", "Pareto", vec![number("alpha", *shape), number("k", mean * (shape - 1.0) / shape)])
        }
        Law::HyperExponential { branches } => match branches.as_slice() {
            [(p, a), (_, b)] => {
                let parameters = vec![number("p", *p), number("lambda1", 1.0 / a), number("lambda2", 1.0 / b)];
                of("Hyperexponential", "HyperExp", parameters)
            }
            _ => return phase_type(law),
        },
        Law::Coxian { means, onward } => match (means.as_slice(), onward.as_slice()) {
            ([first, second], [onward]) => {
                let parameters =
                    vec![number("lambda0", 1.0 / first), number("lambda1", 1.0 / second), number("phi0", 1.0 - onward)];
                written("Coxian", "CoxianDistr", "CoxianPar", parameters)
            }
            _ => return phase_type(law),
        },
        Law::HypoExponential { .. } | Law::PhaseType { .. } => return phase_type(law),
        Law::Triangular { .. } | Law::Empirical { .. } => return None,
    })
}

/// Returns a Markovian arrival process as a distribution of JMT and its parameters.
pub(super) fn markovian(process: &Markovian) -> [Element; 2] {
    written("Burst (MAP)", "MAPDistr", "MAPPar", [matrix("D0", &process.without), matrix("D1", &process.with)])
}

fn phase_type(law: &Law) -> Option<[Element; 2]> {
    let (initial, generator) = law.sub_generator()?;
    let parameters = [matrix("alpha", &[initial]), matrix("T", &generator)];
    Some(written("Phase-Type", "PhaseTypeDistr", "PhaseTypePar", parameters))
}

fn written(name: &str, class: &str, parameter: &str, parameters: impl IntoIterator<Item = Element>) -> [Element; 2] {
    let distribution = Element::part(name, &format!("jmt.engine.random.{class}"));
    let list = Element::part("distrPar", &format!("jmt.engine.random.{parameter}"));
    [distribution, parameters.into_iter().fold(list, Element::holding)]
}

/// Returns a matrix, row by row.
fn matrix(name: &str, rows: &[Vec<f64>]) -> Element {
    let array = |name: &str| Element::part(name, "java.lang.Object").with("array", "true");
    let row = |row: &Vec<f64>| {
        let entries = row.iter().map(|entry| Element::value("entry", "Double", format!("{entry:?}")));
        entries.fold(array("vector"), Element::holding)
    };
    rows.iter().map(row).fold(array(name), Element::holding)
}
