//! Checks of the parameters of TCP against the sessions that take them.

use super::error::PacketError;
use super::tcp::TcpRules;
use crate::Traffic;
use crate::network::{FlowError, OwnTcp, Variant};

/// Checks the parameters of TCP of all flows, and those that flows have of their own.
///
/// # Errors
/// [`PacketError::Setting`] for a value out of range, or one that no session takes; [`PacketError::Flow`] for a flow
/// whose variant lacks what it asks for.
pub(crate) fn check_rules(traffic: &Traffic, rules: &TcpRules) -> Result<(), PacketError> {
    check_ranges(rules)?;
    REFINEMENTS.iter().try_for_each(|refinement| refinement.check(traffic, rules))
}

fn check_ranges(rules: &TcpRules) -> Result<(), PacketError> {
    let most = 1 << 62;
    let checks = [
        ("initial_window", u64::from(rules.first_window()), 1..=1 << 20, "give 1 to 2^20 packets"),
        ("ack", u64::from(rules.ack), 1..=1 << 20, "give 1 to 2^20 bytes"),
        ("first_timeout", rules.first_timeout, 1..=most, "give 1 to 2^62 picoseconds"),
        (
            "greatest_timeout",
            rules.greatest_timeout,
            rules.least_timeout.max(1)..=most,
            "give at least 'least_timeout', and at most 2^62 picoseconds",
        ),
        ("delayed_ack", rules.delayed_ack, 0..=most, "give at most 2^62 picoseconds"),
    ];
    match checks.into_iter().find(|(_, value, range, _)| !range.contains(value)) {
        None => Ok(()),
        Some((name, value, _, expected)) => Err(PacketError::Setting { name, value: value.to_string(), expected }),
    }
}

/// Parameter of NewReno and CUBIC that Reno lacks.
struct Refinement {
    name: &'static str,
    /// Error and remedy for a flow of Reno that asks for it.
    of_flow: &'static str,
    /// Remedy where it is asked for all flows, and no flow has it.
    of_all: &'static str,
    is_for_all: fn(&TcpRules) -> bool,
    own: fn(&OwnTcp) -> Option<bool>,
}

const REFINEMENTS: [Refinement; 2] = [
    Refinement {
        name: "sack",
        of_flow: "Reno has no selective acknowledgements: give 'newreno' or 'cubic'",
        of_all: "Reno has no selective acknowledgements, and no session is of another variant: remove it, or give 'newreno' or 'cubic'",
        is_for_all: |rules| rules.sack == Some(true),
        own: |own| own.sack,
    },
    Refinement {
        name: "hystart",
        of_flow: "Reno has no HyStart++: give 'newreno' or 'cubic'",
        of_all: "Reno has no HyStart++, and no session is of another variant: remove it, or give 'newreno' or 'cubic'",
        is_for_all: |rules| rules.hystart,
        own: |own| own.hystart,
    },
];

impl Refinement {
    /// Checks that each flow that asks for the parameter has it, and some flow of those that take what holds for all.
    fn check(&self, traffic: &Traffic, rules: &TcpRules) -> Result<(), PacketError> {
        let flows = (0..).zip(traffic.flows().all()).filter(|(_, flow)| flow.kind.has_packets() && flow.kind.is_tcp());
        // Without sessions the variant of all flows decides.
        let (mut is_taken, mut is_ignored) = (false, rules.variant == Variant::Reno);
        for (number, _) in flows {
            let own = traffic.flows().tcp(number);
            let is_reno = rules.of_flow(&own).variant == Variant::Reno;
            if is_reno && (self.own)(&own) == Some(true) {
                let (flow, problem) = (traffic.flows().label(number), self.of_flow.to_owned());
                return Err(PacketError::Flow(FlowError::Tcp { flow, parameter: self.name, problem }));
            }
            let follows = (self.own)(&own).is_none();
            is_taken |= follows && !is_reno;
            is_ignored |= follows && is_reno;
        }
        if (self.is_for_all)(rules) && is_ignored && !is_taken {
            let (name, expected) = (self.name, self.of_all);
            return Err(PacketError::Setting { name, value: "true".to_owned(), expected });
        }
        Ok(())
    }
}
