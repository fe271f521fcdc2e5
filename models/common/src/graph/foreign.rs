//! Formats of topologies that are not read, known by their first line, so that the error can name them.

/// Format that is not read.
pub(super) struct Foreign {
    /// Name of the format, and why it is not read.
    pub(super) what: &'static str,
    /// Remedy: the format to give instead.
    pub(super) remedy: &'static str,
}

const CONVERT: &str = "convert it to GraphML, as by networkx or igraph";

const ROCKETFUEL: Foreign = Foreign {
    what: "a map of Rocketfuel has neither bandwidths nor delays",
    remedy: "take its graph from REPETITA, or give GraphML",
};
const EDGES: Foreign = Foreign {
    what: "a list of edges, such as Rocketfuel's weights or latencies, does not say what its numbers mean",
    remedy: "give GraphML with 'bandwidth' and 'delay', or take Rocketfuel's graphs from REPETITA",
};
const NUMBERS: Foreign = Foreign {
    what: "a table of numbers, such as Inet's, Orbis' or a matrix, does not say what they mean",
    remedy: CONVERT,
};
const TABLE: Foreign =
    Foreign { what: "a table of edges, as Gephi and spreadsheets write it, is not read", remedy: CONVERT };
const BRITE: Foreign = Foreign {
    what: "a topology of BRITE is not read",
    remedy: "convert it to GraphML, as by parse_brite of FNSS and networkx",
};
const NDNSIM: Foreign = Foreign {
    what: "an annotated topology of ndnSIM is not read",
    remedy: "write its links as [[topology.link]], which takes the same units",
};
const SNDLIB: Foreign =
    Foreign { what: "SNDlib's native format is not read", remedy: "give the same network in SNDlib's XML" };
const DOT: Foreign = Foreign { what: "a graph of Graphviz (DOT) is not read", remedy: CONVERT };
const PAJEK: Foreign = Foreign { what: "a network of Pajek is not read", remedy: CONVERT };
const GDF: Foreign = Foreign { what: "a graph of GUESS (GDF) is not read", remedy: "convert it to GEXF, as by Gephi" };

/// Returns the format of a text that is none of the formats that are read; `None` if it may be TOML.
pub(super) fn foreign(text: &str) -> Option<Foreign> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '%']))?;
    let words: Vec<&str> = first.split_whitespace().collect();
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    let lower = first.to_ascii_lowercase();
    Some(match words.as_slice() {
        [router, place, ..] if router.parse::<i64>().is_ok() && place.starts_with(['@', '=']) => ROCKETFUEL,
        ["Topology:", "(", ..] => BRITE,
        ["?SNDlib", "native", ..] => SNDLIB,
        ["router"] => NDNSIM,
        _ if lower.starts_with("*vertices") || lower.starts_with("*network") => PAJEK,
        _ if lower.starts_with("nodedef>") => GDF,
        ["strict", "graph" | "digraph", ..] | ["digraph", ..] => DOT,
        ["graph", .., "{"] | ["graph{"] => DOT,
        // Lines of TOML are tables in brackets, or have an equals sign.
        _ if first.contains('=') || first.starts_with('[') => return None,
        [_, _, ..] if words.iter().all(is_number) => NUMBERS,
        [from, to, numbers @ ..]
            if !is_number(from) && !is_number(to) && !numbers.is_empty() && numbers.iter().all(is_number) =>
        {
            EDGES
        }
        _ if first.contains([',', ';', '\t']) => TABLE,
        _ => return None,
    })
}
