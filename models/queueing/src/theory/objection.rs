//! Reasons why a network is not known to have a product form.

use crate::law::Law;
use crate::network::{Discipline, Network, Routing, Station};
use thiserror::Error;

/// Violation of a condition for a product form at a node.
///
/// The conditions are those of the theorems in [`closed_product_form`](super::closed_product_form). A network that
/// violates one may have the same means by chance, but no theorem says so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Objection {
    /// A law of service, or of the times between a source's tokens, is not exponential.
    #[error("its law is not exponential")]
    NotExponential,
    /// Service laws differ between the classes that come to the node.
    #[error("its classes have different laws")]
    LawsDiffer,
    /// Routes are taken in turn.
    #[error("it takes its routes in turn")]
    RoundRobin,
    /// The capacity is limited.
    #[error("it has a limited capacity")]
    Limited,
    /// The discipline prefers some of the classes that come to the node.
    #[error("its discipline, {discipline}, serves some of its classes before others")]
    Prefers {
        /// Discipline of the node.
        discipline: Discipline,
    },
    /// A route leads to the node itself, there are several classes, and a token that comes back may be the next one
    /// served.
    #[error(
        "it has routes to itself, and its discipline, {discipline}, may serve a token that comes back before others that wait: \
         classes that come back more often are served longer"
    )]
    ServesAgain {
        /// Discipline of the node.
        discipline: Discipline,
    },
    /// The node has something of which no formula here knows.
    #[error("it has {what}, of which no formula here knows")]
    Beyond {
        /// Property, in words.
        what: &'static str,
    },
    /// Tokens come from outside or leave, but the analysis is for closed networks.
    #[error("tokens come from outside or leave, and the analysis is for closed networks")]
    Open,
    /// Tokens of the start never leave, but the analysis is for open networks.
    #[error("tokens of class '{class}' are there that can never leave, and the analysis is for open networks")]
    Stays {
        /// Name of the class.
        class: String,
    },
    /// A station receives no tokens but those of the start.
    #[error("no tokens from a source come to it")]
    NoSource,
    /// A path is taken only once.
    #[error("tokens that leave it never come back, or those that come never return")]
    Transient,
}

/// Returns the first objection to a product form that one node alone raises.
pub(super) fn objection(network: &Network, node: u32) -> Option<Objection> {
    if let Some(what) = beyond(network, node) {
        return Some(Objection::Beyond { what });
    }
    if network.routing(node) == Routing::RoundRobin {
        return Some(Objection::RoundRobin);
    }
    let classes = || (0..network.classes() as u32).filter(move |&class| network.service(node, class).is_some());
    let law = |class| network.laws().get(network.service(node, class)? as usize);
    let station = network.station(node);
    if station.is_some_and(|station| station.capacity.is_some()) {
        return Some(Objection::Limited);
    }
    if station.is_some_and(is_symmetric) {
        return None;
    }
    if classes().any(|class| !matches!(law(class), Some(Law::Exponential { .. }))) {
        return Some(Objection::NotExponential);
    }
    let discipline = station?.discipline;
    let first = classes().next()?;
    if classes().any(|class| law(class) != law(first)) {
        return Some(Objection::LawsDiffer);
    }
    match discipline {
        Discipline::Fifo => None,
        Discipline::Priority | Discipline::PriorityPreemptive => {
            let prefers = classes().any(|class| network.priority(node, class) != network.priority(node, first));
            prefers.then_some(Objection::Prefers { discipline })
        }
        Discipline::ShortestJob | Discipline::ShortestRemaining | Discipline::GeneralizedSharing => {
            Some(Objection::Prefers { discipline })
        }
        _ => {
            let comes_back = classes().any(|class| network.routes(node, class).targets().any(|to| to == node));
            (comes_back && classes().count() > 1).then_some(Objection::ServesAgain { discipline })
        }
    }
}

/// Returns `true` if a station has a product form with services of any law, other ones for each class (Baskett, Chandy,
/// Muntz and Palacios): a delay, shared servers, or a single one that every arrival takes.
pub(super) const fn is_symmetric(station: Station) -> bool {
    match station.discipline {
        _ if station.servers == Station::INFINITE => true,
        Discipline::ProcessorSharing => true,
        Discipline::LifoPreemptive => station.servers == 1,
        _ => false,
    }
}

/// Returns a property of a node, or a region, of which no formula here knows.
fn beyond(network: &Network, node: u32) -> Option<&'static str> {
    if let Some(conduct) = network.conduct(node) {
        return Some(conduct.beyond);
    }
    if !network.regions().is_empty() {
        return Some("a region of limited capacity");
    }
    if (0..network.classes() as u32).any(|class| network.weights(node, class).is_some()) {
        return Some("routes with conditions");
    }
    (!network.routing(node).is_exact()).then_some("routes that depend on the state, or a fork")
}
