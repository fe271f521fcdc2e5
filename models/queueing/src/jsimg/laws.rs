//! Distributions of JMT as laws.

use super::JsimgError;
use super::parameter::{File, Parameter};
use crate::law::Law;
use crate::network::Markovian;

/// Times between the arrivals of a class.
#[derive(Debug, Clone, PartialEq)]
pub enum Times {
    /// Times that do not depend on one another, by a law.
    Law(Law),
    /// A Markovian arrival process.
    Markovian(Markovian),
}

/// Reads the times between arrivals; `None` for a class that a source does not emit.
pub(super) fn times(file: File<'_>, element: &str, strategy: Parameter<'_>) -> Result<Option<Times>, JsimgError> {
    let mut parts = strategy.parts();
    if let (Some(kind), Some(parameters)) = (parts.next(), parts.next()) {
        let reader = Distribution { file, element, parameters };
        match kind.class() {
            "MAPDistr" => {
                let process = Markovian { without: reader.matrix("D0")?, with: reader.matrix("D1")? };
                return Ok(Some(Times::Markovian(process)));
            }
            "MMPP2Distr" => {
                let number = |name: &str| reader.number(name);
                let (arrivals, changes) =
                    ([number("lambda0")?, number("lambda1")?], [number("sigma0")?, number("sigma1")?]);
                let without =
                    vec![vec![-arrivals[0] - changes[0], changes[0]], vec![changes[1], -arrivals[1] - changes[1]]];
                let with = vec![vec![arrivals[0], 0.0], vec![0.0, arrivals[1]]];
                return Ok(Some(Times::Markovian(Markovian { without, with })));
            }
            _ => {}
        }
    }
    Ok(law(file, element, strategy)?.map(Times::Law))
}

/// Reads the law of a service; `None` for a class that has none there.
pub(super) fn law(file: File<'_>, element: &str, strategy: Parameter<'_>) -> Result<Option<Law>, JsimgError> {
    let wrong = |problem: &str| Err(file.wrong(strategy.element, element, problem));
    match strategy.class() {
        "ServiceTimeStrategy" => drawn(file, element, strategy),
        "DisabledServiceTimeStrategy" => Ok(None),
        // The law of shortest durations: one tick.
        "ZeroServiceTimeStrategy" => Ok(Some(Law::Uniform { low: 0.0, high: 0.0 })),
        "LoadDependentStrategy" => wrong(
            "lengths of services that depend on the number of jobs as they start have no counterpart here: 'speeds' hold during a service",
        ),
        other => wrong(&format!("the strategy '{other}' has no counterpart here")),
    }
}

/// Reads the distribution that is part of a strategy as a law; `None` if there is none.
pub(super) fn drawn(file: File<'_>, element: &str, strategy: Parameter<'_>) -> Result<Option<Law>, JsimgError> {
    let wrong = |problem: String| file.wrong(strategy.element, element, problem);
    let mut parts = strategy.parts();
    let (Some(kind), Some(parameters)) = (parts.next(), parts.next()) else { return Ok(None) };
    let reader = Distribution { file, element, parameters };
    let number = |name: &str| reader.number(name);
    let rate = |name: &str| reader.mean_of_rate(name);
    let law = match kind.class() {
        "Exponential" => Law::Exponential { mean: rate("lambda")? },
        "DeterministicDistr" => match number("t")? {
            0.0 => Law::Uniform { low: 0.0, high: 0.0 },
            value => Law::Deterministic { value },
        },
        "Uniform" => Law::Uniform { low: number("min")?, high: number("max")? },
        "Erlang" => {
            let stages = number("r")?;
            if stages.fract() != 0.0 || !(1.0..=f64::from(u32::MAX)).contains(&stages) {
                return Err(wrong(format!("'r' of an Erlang distribution is {stages}: give a whole number above 0")));
            }
            Law::Erlang { stages: stages as u32, mean: stages * rate("alpha")? }
        }
        "GammaDistr" => Law::Gamma { shape: number("alpha")?, mean: number("alpha")? * number("beta")? },
        "HyperExp" => {
            let (p, a, b) = (number("p")?, rate("lambda1")?, rate("lambda2")?);
            match p {
                1.0 => Law::Exponential { mean: a },
                0.0 => Law::Exponential { mean: b },
                p => Law::HyperExponential { branches: vec![(p, a), (1.0 - p, b)] },
            }
        }
        "CoxianDistr" => {
            // The probability is that to end after the first phase.
            let (first, second, ends) = (rate("lambda0")?, rate("lambda1")?, number("phi0")?);
            match ends {
                1.0 => Law::Exponential { mean: first },
                ends => Law::Coxian { means: vec![first, second], onward: vec![1.0 - ends] },
            }
        }
        "Lognormal" => {
            let (location, deviation) = (number("mu")?, number("sigma")?);
            let variance = deviation * deviation;
            Law::LogNormal { mean: (location + variance / 2.0).exp(), cv: variance.exp_m1().sqrt() }
        }
        "Normal" => Law::Normal { location: number("mean")?, deviation: number("standardDeviation")? },
        "Weibull" => Law::weibull_of_scale(number("r")?, number("alpha")?),
        "Pareto" => Law::pareto_of_scale(number("alpha")?, number("k")?),
        "PhaseTypeDistr" => {
            let initial = reader.matrix("alpha")?.into_iter().next().unwrap_or_default();
            let sum: f64 = initial.iter().sum();
            // JMT ends no duration at once, whatever the sum.
            let initial = initial.iter().map(|probability| probability / sum).collect();
            Law::PhaseType { initial, generator: reader.matrix("T")? }
        }
        "Burst" | "MMPP2Distr" | "MAPDistr" => {
            return Err(wrong(format!(
                "the distribution '{}' has no counterpart here: services that depend on one another; sources may have it",
                kind.name()
            )));
        }
        "Replayer" => {
            let instead = "use a TOML file with the law 'empirical' and the column of a CSV file";
            return Err(wrong(format!("a distribution that replays a file has no counterpart here: {instead}")));
        }
        other => return Err(wrong(format!("the distribution '{other}' has no counterpart here"))),
    };
    match law.check() {
        Ok(()) => Ok(Some(law)),
        Err(error) => Err(wrong(error.to_string())),
    }
}

/// Parameters of a distribution.
struct Distribution<'a> {
    file: File<'a>,
    element: &'a str,
    parameters: Parameter<'a>,
}

impl Distribution<'_> {
    fn number(&self, name: &str) -> Result<f64, JsimgError> {
        let text = self.parameters.part(name).and_then(Parameter::value);
        text.and_then(|text| text.parse().ok()).ok_or_else(|| {
            let problem = format!("'{name}' of a distribution is '{}': give a number", text.unwrap_or(""));
            self.file.wrong(self.parameters.element, self.element, problem)
        })
    }

    fn mean_of_rate(&self, name: &str) -> Result<f64, JsimgError> {
        let rate = self.number(name)?;
        if rate.is_finite() && rate > 0.0 {
            return Ok(1.0 / rate);
        }
        let problem = format!("'{name}' of a distribution is {rate}: give a finite number above 0");
        Err(self.file.wrong(self.parameters.element, self.element, problem))
    }

    fn matrix(&self, name: &str) -> Result<Vec<Vec<f64>>, JsimgError> {
        let Some(matrix) = self.parameters.part(name) else {
            let problem = format!("'{name}' of a distribution is missing: give a matrix");
            return Err(self.file.wrong(self.parameters.element, self.element, problem));
        };
        let entry = |entry: Parameter<'_>| {
            let text = entry.value().unwrap_or("");
            text.parse().map_err(|_| {
                let problem = format!("an entry of '{name}' of a distribution is '{text}': give a number");
                self.file.wrong(entry.element, self.element, problem)
            })
        };
        matrix.parts().map(|row| row.parts().map(entry).collect()).collect()
    }
}
