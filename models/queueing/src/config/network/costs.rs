//! Costs from the keys of a configuration.

use super::super::ConfigError;
use super::costs_shape::CostsShape;
use super::shape::NetworkShape;
use crate::costs::{AtStation, Costs};
use crate::network::{Network, Station};
use std::collections::HashMap;

impl NetworkShape {
    /// Returns the costs of a network of this configuration, if it gives any.
    pub(super) fn costs(&self, network: &Network) -> Result<Option<Costs>, ConfigError> {
        let own =
            || self.node.iter().enumerate().filter_map(|(number, node)| Some((number, node, node.costs.as_deref()?)));
        if self.costs.is_none() && own().next().is_none() {
            return Ok(None);
        }
        let classes: Vec<String> = (0..network.classes() as u32).map(|class| network.class_name(class)).collect();
        let of_all = self.costs.as_deref().cloned().unwrap_or_default();
        of_all.check("network.costs", &classes)?;
        let mut of_nodes = HashMap::new();
        for (number, node, costs) in own() {
            let key = format!("network.node[{number}].costs");
            costs.check(&key, &classes)?;
            let is_delay = node.servers.or(self.servers).is_some_and(|servers| servers.number() == Station::INFINITE);
            if is_delay && costs.server.is_some() {
                let problem = "a delay has no servers that could be paid: give `in_system` in its place, or remove it";
                return Err(ConfigError::value(&format!("{key}.server"), problem.to_owned()));
            }
            of_nodes.insert(node.name.as_str(), costs);
        }
        let none = CostsShape::default();
        let at = |node: u32| {
            let own = of_nodes.get(network.label(node).as_str()).copied().unwrap_or(&none);
            let class = |name: &String| own.of_class(name).or(&of_all.of_class(name)).rates();
            AtStation {
                server: own.server.or(of_all.server).unwrap_or(0.0),
                classes: classes.iter().map(class).collect(),
            }
        };
        Ok(Some(Costs::new(network, at)))
    }

    /// Returns the key of the first costs of a single class.
    pub(super) fn costs_by_class(&self) -> String {
        let has_classes = |costs: &Option<Box<CostsShape>>| costs.as_ref().is_some_and(|costs| !costs.class.is_empty());
        let node = self.node.iter().position(|node| has_classes(&node.costs));
        match node.filter(|_| !has_classes(&self.costs)) {
            Some(number) => format!("network.node[{number}].costs.class"),
            None => "network.costs.class".to_owned(),
        }
    }
}
