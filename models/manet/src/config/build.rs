//! Networks that configurations describe.

use super::units::{length, refused, scaled, short_time, time};
use super::{ConfigError, Engine, ManetConfig, MobilityName, ProtocolName};
use crate::NetworkError;
use crate::field::Field;
use crate::mobility::Mobility;
use crate::network::{Beacons, Medium, Network};

impl ManetConfig {
    /// Returns the network of this configuration, checked. Reads the trace that it names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line), or reports an error in
    /// a trace.
    pub fn build(&self) -> Result<Network, ConfigError> {
        let run = &self.run;
        if run.replications == 0 {
            return Err(refused("run.replications", "0 replications give no result; give at least 1".into()));
        }
        let mobility = self.mobility()?;
        let nodes = self.nodes(&mobility)?;
        let usual = Network::scenario(nodes.max(1));
        let usual_field = match &mobility {
            // Nodes move where the trace says, and its field has room for it.
            Mobility::Trace(trace) => {
                let [width, height] = trace.extent().map(|side| (side as u32).max(1));
                Field { width, height }
            }
            _ => usual.field,
        };
        let side = |key: &str, given: Option<f64>, usual: u32| given.map_or(Ok(usual), |metres| length(key, metres, 1));
        let interval = time("run.interval", run.interval)?;
        let network = Network {
            nodes,
            field: Field {
                width: side("network.width", self.network.width, usual_field.width)?,
                height: side("network.height", self.network.height, usual_field.height)?,
            },
            placement: self.placement()?,
            traffic: self.packets(&mobility, nodes, usual.traffic.gap)?,
            mobility,
            range: length("network.range", self.network.range, 1)?,
            beacons: self.beacons()?,
            protocol: self.protocol()?,
            planar: self.routing.planar,
            medium: self.medium()?,
            interval: if run.engine == Engine::Interval { interval } else { 1 },
            warm_up: time("run.warm_up", run.warm_up)?,
            end: time("run.horizon", run.horizon)?,
            seed: run.seed,
        };
        network.check().map_err(|error| match error {
            NetworkError::Outside { .. } if self.network.trace.is_some() => refused("network.trace", error.to_string()),
            NetworkError::Pair { .. } if self.traffic.pairs.is_some() => refused("traffic.pairs", error.to_string()),
            other => other.into(),
        })?;
        let start = if self.traffic.flow.is_empty() { "traffic.start" } else { "traffic.flow" };
        for (key, begin, what) in [
            ("run.warm_up", network.warm_up, "no packet would count"),
            (start, network.traffic.first_start(), "no packet would be created"),
        ] {
            if begin >= network.end && network.traffic.flows() > 0 {
                let (begin, end) = (begin as f64 / 1e6, run.horizon);
                let problem = format!("{begin} s is not before the end at {end} s, so {what}; raise 'horizon'");
                return Err(refused(key, problem));
            }
        }
        Ok(network)
    }

    /// Returns the keys that have no effect because others override them, with the reasons.
    #[must_use]
    pub fn unused(&self) -> Vec<(&'static str, &'static str)> {
        let name = self.network.mobility;
        let still = match (&self.network.trace, name) {
            (Some(_), _) => Some("a trace has the movements"),
            (None, MobilityName::Static) => Some("static nodes do not move"),
            _ => None,
        };
        let gradual = (name == MobilityName::GaussMarkov).then_some("Gauss-Markov mobility has no pauses");
        let other = |of: MobilityName, why| still.or((name != of).then_some(why));
        let is_gpsr = self.routing.protocol == ProtocolName::Gpsr;
        let of_gpsr = (!is_gpsr).then_some("AODV sends no beacons and uses no positions");
        let whole = (!is_gpsr && !self.aodv.expanding_ring).then_some("each search reaches the whole network");
        let clock = (self.run.engine != Engine::Interval).then_some("only the engine `interval` has a clock");
        let keys = [
            ("network.speed", still),
            ("network.pause", still.or(gradual)),
            ("gauss_markov", other(MobilityName::GaussMarkov, "`network.mobility` is not `gauss-markov`")),
            ("manhattan", other(MobilityName::Manhattan, "`network.mobility` is not `manhattan`")),
            ("beacons", of_gpsr),
            ("routing.planar", of_gpsr),
            ("aodv", is_gpsr.then_some("`routing.protocol` is not `aodv`")),
            ("aodv.ttl_start", whole),
            ("aodv.ttl_increment", whole),
            ("aodv.ttl_threshold", whole),
            ("run.interval", clock),
        ];
        keys.into_iter().filter_map(|(key, why)| Some((key, why?))).collect()
    }

    fn beacons(&self) -> Result<Beacons, ConfigError> {
        let [least, most] = self.beacons.interval;
        let key = "beacons.interval";
        Ok(Beacons {
            interval: [short_time(key, least)?, short_time(key, most)?],
            timeout: time("beacons.timeout", self.beacons.timeout)?,
        })
    }

    fn medium(&self) -> Result<Medium, ConfigError> {
        let [least, most] = self.mac.backoff;
        let key = "mac.backoff";
        Ok(Medium {
            bit_rate: scaled("mac.bit_rate", self.mac.bit_rate, 1.0, [1.0, 1e15])? as u64,
            backoff: [short_time(key, least)?, short_time(key, most)?],
            queue: self.mac.queue,
            hops: self.routing.ttl,
            retries: self.routing.retries,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_default_network() {
        let config = ManetConfig::from_toml("", "empty.toml").unwrap();
        assert_eq!(config.build().unwrap(), Network::default());
    }

    /// Nodes 0 to 2 are called 10, 20 and 30. Numbers in flows and pairs are these names then.
    #[test]
    fn numbers_in_flows_are_names_where_nodes_have_such() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("net.toml");
        std::fs::write(folder.path().join("a.csv"), "time,node,x,y\n0,30,3,0\n0,10,1,0\n0,20,2,0\n").unwrap();
        let built = |traffic: &str| {
            let text = format!("[network]\ntrace = 'a.csv'\n{traffic}");
            let built = ManetConfig::from_toml(&text, file.to_str().unwrap()).and_then(|config| config.build());
            let flows = |network: Network| network.traffic.listed().unwrap_or_default().to_vec();
            built.map(|network| flows(network).iter().map(|flow| (flow.from, flow.to)).collect::<Vec<_>>())
        };
        assert_eq!(built("[traffic]\npairs = [[10, 30], [20, 10]]"), Ok(vec![(0, 2), (1, 0)]));
        assert_eq!(built("[[traffic.flow]]\nfrom = 30\nto = '20'"), Ok(vec![(2, 1)]));
        let told = built("[traffic]\npairs = [[10, 1]]").unwrap_err().to_string();
        assert!(told.contains("traffic.pairs: the trace has no node `1`; its nodes have names such as `10`"), "{told}");
    }

    #[test]
    fn keys_that_others_override_are_found() {
        let keys = |text: &str| {
            let unused = ManetConfig::from_toml(text, "net.toml").unwrap().unused();
            unused.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        };
        assert_eq!(keys(""), ["gauss_markov", "manhattan", "aodv", "run.interval"]);
        let of_aodv = ["gauss_markov", "manhattan", "beacons", "routing.planar", "run.interval"];
        assert_eq!(keys("[routing]\nprotocol = 'aodv'"), of_aodv);
        let rings = keys("[routing]\nprotocol = 'aodv'\n[aodv]\nexpanding_ring = false");
        assert_eq!(rings[4..], ["aodv.ttl_start", "aodv.ttl_increment", "aodv.ttl_threshold", "run.interval"]);
        let all = ["network.speed", "network.pause", "gauss_markov", "manhattan", "aodv", "run.interval"];
        assert_eq!(keys("[network]\nmobility = 'static'"), all);
        assert_eq!(keys("[network]\ntrace = 'a.tcl'\n[run]\nengine = 'interval'"), all[..5]);
        assert_eq!(
            keys("[network]\nmobility = 'gauss-markov'"),
            ["network.pause", "manhattan", "aodv", "run.interval"]
        );
        assert_eq!(keys("[network]\nmobility = 'manhattan'"), ["gauss_markov", "aodv", "run.interval"]);
    }

    #[test]
    fn errors_name_line_and_key() {
        let text = |text: &str| {
            let built = ManetConfig::from_toml(text, "net.toml").and_then(|config| config.build());
            built.map_err(|error| error.located(text, "net.toml").to_string()).unwrap_err()
        };
        let texts = [
            "[network]\nrange = 0",
            "[network]\nspeed = [0, 0]\npause = [0, 0]",
            "[network]\nspeed = [20, 0]",
            "[network]\nmobility = \"static\"\nspeed = [nan, 0]",
            "[network]\nnodes = 1",
            "[network]\nnodes = 2\npositions = [[1, 2], [1e4, 5]]",
            "[network]\nnodes = 3\npositions = [[1, 2], [1e4, 5]]",
            "[network]\npositions = [[1, 2]]",
            "[network]\ntrace = \"no such folder/a.tcl\"",
            "[network]\nactivity = \"a.tcl\"",
            "[network]\ntrace = \"a.tcl\"\npositions = [[1, 2]]",
            "[network]\ntrace = \"a.tcl\"\nmobility = \"static\"",
            "[network]\nmobility = \"gauss-markov\"\nspeed = [0, 4100]",
            "[network]\nmobility = \"gauss-markov\"\n[gauss_markov]\nmemory = 1.1",
            "[network]\nmobility = \"gauss-markov\"\n[gauss_markov]\nmean_speed = 4100",
            "[network]\nmobility = \"gauss-markov\"\n[gauss_markov]\nupdate = 0",
            "[network]\nmobility = \"gauss-markov\"\n[gauss_markov]\ndirection_deviation = 181",
            "[network]\nmobility = \"manhattan\"\n[manhattan]\nblock = 1501",
            "[network]\nmobility = \"manhattan\"\n[manhattan]\nturn = nan",
            "[network]\nmobility = \"manhattan\"\npositions = [[100, 5], [7, 5]]\nwidth = 200",
            "[network]\nwidth = -4",
            "[traffic]\nsenders = 51",
            "[traffic]\nrate = 0",
            "[traffic]\nwithin = 0",
            "[traffic]\npairs = [[0, 50]]",
            "[traffic]\npairs = [[0, 5]]\nsenders = 50",
            "[traffic]\npairs = [[0, 5]]\nwithin = 50",
            "[traffic]\npairs = [[0, 5]]\ndestinations = \"each-packet\"",
            "[traffic]\nwithin = 50\ndestinations = \"each-packet\"",
            "[traffic]\npairs = [[0, 5]]\n[[traffic.flow]]\nfrom = 1\nto = 2",
            "[traffic]\nsenders = 5\n[[traffic.flow]]\nfrom = 1\nto = 2",
            "[[traffic.flow]]\nfrom = 1\nto = 50",
            "[[traffic.flow]]\nfrom = 1\nto = 2\n[[traffic.flow]]\nfrom = 1\nto = 2\nrate = 0",
            "[[traffic.flow]]\nfrom = 1\nto = 2\nstart = 5\nstop = 5",
            "[[traffic.flow]]\nfrom = 1\nto = 'car.0'",
            "[network]\ntrace = '../../examples/manet/cars.xml'\n[[traffic.flow]]\nfrom = 'car.9'\nto = 'car.0'",
            "[[traffic.flow]]\nfrom = -1\nto = 2",
            "[[traffic.flow]]\nfrom = 1\nto = 2\nbytes = 0",
            "[[traffic.flow]]\nfrom = 1\nto = 2\nstart = 100",
            "[traffic]\nflow = []",
            "[traffic]\nstart = 100",
            "[run]\nengine = \"interval\"\ninterval = 0.01",
            "[run]\ninterval = nan",
            "[run]\nwarm_up = 100.0",
            "[run]\nreplications = 0",
            "[run]\nengin = \"exact\"",
            "[mac]\nbackoff = [0, 0.02]",
            "[routing]\nprotocol = \"olsr\"",
            "[routing]\nprotocol = \"aodv\"\nretries = 0",
            "[routing]\nprotocol = \"aodv\"\n[aodv]\nnet_diameter = 256",
            "[routing]\nprotocol = \"aodv\"\n[aodv]\nactive_route_timeout = 0",
            "[routing]\nprotocol = \"aodv\"\n[aodv]\nbuffer_timeout = nan",
            "[routing]\nprotocol = \"aodv\"\n[aodv]\njitter = -1",
            "[routing]\nprotocol = \"aodv\"\n[run]\nengine = \"interval\"",
        ];
        insta::assert_snapshot!(texts.map(text).join("\n"));
    }
}
