//! Values for all links that no link takes.

use super::TopologyShape;
use crate::network::files::Filled;

impl TopologyShape {
    /// Returns the keys of values for links without their own where there are none, with the reasons.
    pub(in super::super) fn unused(&self, filled: &Filled) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        let own = |what: &str| format!("as each has its own '{what}'");
        let red = if filled.red == 0 { "as no queue is red" } else { "as none lacks a parameter of RED" };
        let places = || "as none has a delay from the places of its ends".to_owned();
        let delays = || "as each has its own 'delay', or one from the places of its ends".to_owned();
        let all = |own: u64| own == filled.edges;
        let of_buffer = all(filled.own_buffer);
        let stray = [
            ("bandwidth", self.bandwidth.is_some() && filled.bandwidth == 0, own("bandwidth")),
            ("delay", self.delay.is_some() && filled.delay == 0, delays()),
            ("least_delay", self.least_delay != usual.least_delay && filled.delay_from_places == 0, places()),
            ("buffer", self.buffer.is_some() && of_buffer, own("buffer")),
            ("buffer_time", self.buffer_time.is_some() && of_buffer, own("buffer")),
            ("least_buffer", self.least_buffer.is_some() && of_buffer, own("buffer")),
            ("loss", self.loss.is_some() && all(filled.own_loss), own("loss")),
            ("discipline", self.discipline != usual.discipline && all(filled.own_discipline), own("discipline")),
            ("red", self.red != usual.red && filled.with_red == 0, red.to_owned()),
        ];
        let stray = stray.into_iter().filter(|(_, unused, _)| *unused).map(|(key, _, why)| (key, why));
        stray.chain(self.unused_codel(filled)).map(|(key, why)| (key, format!("no link takes it, {why}"))).collect()
    }

    /// Returns the given parameters of CoDel that no queue takes, with the reasons.
    fn unused_codel(&self, filled: &Filled) -> Vec<(&'static str, String)> {
        if filled.codel == 0 && !self.codel.is_empty() {
            return vec![("codel", "as no queue is codel or fq-codel".to_owned())];
        }
        let own = |name: &str| format!("as each queue has its own '{name}'");
        let of_fair = |name| if filled.fq_codel == 0 { "as no queue is fq-codel".to_owned() } else { own(name) };
        let keys = [
            ("codel.target", own("target")),
            ("codel.interval", own("interval")),
            ("codel.quantum", of_fair("quantum")),
            ("codel.queues", of_fair("queues")),
        ];
        let keys = keys.into_iter().zip(self.codel.given()).zip(filled.with_codel);
        keys.filter(|((_, is_given), count)| *is_given && *count == 0).map(|((key, _), _)| key).collect()
    }
}
