//! Rounding errors of the drawn durations.

use super::Network;

/// Law of a network with the largest rounding error of its mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounding {
    /// Number of a node that has the law.
    pub node: u32,
    /// Name of the law in configurations.
    pub law: &'static str,
    /// Mean requested, in time units.
    pub mean: f64,
    /// The mean of all draws, in time units.
    pub drawn: f64,
}

impl Rounding {
    /// Largest relative error of a mean that needs no [warning](super::Warning::Rounded): 1/4,096.
    pub const UNNOTICED: f64 = 1.0 / 4096.0;

    /// Returns the relative error of the mean: positive if draws are too long.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.drawn / self.mean - 1.0
    }
}

impl Network {
    /// Returns the law whose draws differ most from its mean, relative to it. Laws of mean 0, whose draws last a tick,
    /// do not count.
    #[must_use]
    pub fn rounding(&self) -> Option<Rounding> {
        let per_unit = self.tick.per_unit();
        let of = |(number, (law, sampler)): (u32, (&crate::Law, &crate::law::Sampler))| {
            let (mean, drawn) = (law.mean(), sampler.mean_ticks() / per_unit);
            (mean > 0.0).then(|| (number, Rounding { node: 0, law: law.name(), mean, drawn }))
        };
        let all = (0..).zip(self.laws.iter().zip(&self.samplers)).filter_map(of);
        let size = |rounding: &Rounding| rounding.error().abs();
        let (law, worst) = all.max_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)))?;
        if size(&worst) <= Rounding::UNNOTICED {
            // Small errors are not reported, and a network may have many nodes.
            return Some(worst);
        }
        let has = |&node: &u32| (0..self.classes() as u32).any(|class| self.service(node, class) == Some(law));
        Some(Rounding { node: (0..self.len() as u32).find(has).unwrap_or(0), ..worst })
    }
}
