//! Load that constant rates offer to links.

use super::network::Kind;
use super::scenario::Traffic;

/// Link with an offered load above its bandwidth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overload {
    /// Link with the greatest load.
    pub link: u32,
    /// Offered load of that link over its bandwidth, above 1.
    pub share: f64,
    /// Number of links with a load above their bandwidth.
    pub links: u64,
    /// Number of links with any load.
    pub of: u64,
}

impl Traffic {
    /// Returns the load offered to each link, in bits per second, by link number. It counts flows with a rate of their
    /// own: UDP, and packet sources during on periods, less losses of links on the path. TCP adapts to the available
    /// bandwidth and offers no load.
    #[must_use]
    pub fn offered(&self) -> Vec<f64> {
        let mut offered = vec![0.0; self.network().links().len()];
        for (number, flow) in (0..).zip(self.flows().all()) {
            let rate = match flow.kind {
                Kind::Udp { rate, .. } | Kind::Poisson { rate } => rate as f64,
                Kind::OnOff { rate, on, off } => rate as f64 * on as f64 / (on as f64 + off as f64),
                Kind::Tcp { .. } | Kind::Requests { .. } => continue,
            };
            let mut left = rate;
            for &link in self.routes().links(number) {
                if let Some(offered) = offered.get_mut(link as usize) {
                    *offered += left;
                }
                left *= 1.0 - self.network().link(link).map_or(0.0, |link| link.loss);
            }
        }
        offered
    }

    /// Returns the link with the greatest load relative to its bandwidth, and that ratio.
    #[must_use]
    pub fn busiest(&self) -> Option<(u32, f64)> {
        let shares = (0..).zip(self.shares());
        shares.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Returns the worst overloaded link, if there is one. Packets that exceed its bandwidth are lost, however long
    /// queues are.
    #[must_use]
    pub fn overload(&self) -> Option<Overload> {
        let (link, share) = self.busiest().filter(|(_, share)| *share > 1.0)?;
        let count = |least: f64| self.shares().filter(|share| *share > least).count() as u64;
        Some(Overload { link, share, links: count(1.0), of: count(0.0) })
    }

    /// Returns the ratio of load to bandwidth for each link.
    fn shares(&self) -> impl Iterator<Item = f64> {
        self.offered().into_iter().zip(self.network().links()).map(|(offered, link)| offered / link.bandwidth as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrafficConfig;

    const LINE: &str = "[topology]\nbandwidth = 1e6\ndelay = 0.01\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n[[topology.link]]\nfrom = 'b'\nto = 'c'\nbandwidth = 2e6\n";

    fn traffic(flows: &[(&str, &str, &str)]) -> Traffic {
        let flow =
            |(from, to, keys): &(&str, &str, &str)| format!("[[traffic.flow]]\nfrom = '{from}'\nto = '{to}'\n{keys}\n");
        let flows: String = flows.iter().map(flow).collect();
        TrafficConfig::from_toml(&format!("{LINE}{flows}"), "t").unwrap().traffic().unwrap()
    }

    #[test]
    fn constant_rates_add_up_on_their_links() {
        let traffic = traffic(&[
            ("a", "c", "kind = 'udp'\nrate = 6e5"),
            ("a", "b", "kind = 'poisson'\nrate = 3e5"),
            ("b", "c", "kind = 'on-off'\nrate = 4e5\non = 1\noff = 3"),
            ("a", "c", "sessions = 40"),
        ]);
        // a to b, back, b to c, back.
        assert_eq!(traffic.offered(), [9e5, 0.0, 7e5, 0.0]);
        assert_eq!((traffic.busiest(), traffic.overload()), (Some((0, 0.9)), None));
    }

    #[test]
    fn what_a_link_loses_is_not_asked_of_the_next() {
        let flow = "[[traffic.flow]]\nfrom = 'a'\nto = 'c'\nkind = 'udp'\nrate = 4e5\n";
        let text = format!("{}{flow}", LINE.replacen("delay", "loss = 0.25\ndelay", 1));
        let traffic = TrafficConfig::from_toml(&text, "t").unwrap().traffic().unwrap();
        assert_eq!(traffic.offered(), [4e5, 0.0, 3e5, 0.0]);
    }

    #[test]
    fn links_asked_for_more_than_they_send_are_counted_and_the_worst_is_named() {
        let traffic = traffic(&[("a", "c", "kind = 'udp'\nrate = 3e6"), ("b", "a", "kind = 'udp'\nrate = 1e6")]);
        assert_eq!(traffic.overload(), Some(Overload { link: 0, share: 3.0, links: 2, of: 3 }));
    }
}
