//! Small files of JSIMgraph, written out of their parts.

const JMT: &str = "jmt.engine";

pub(super) fn open(name: &str, priority: i32, reference: &str) -> String {
    format!("<userClass name=\"{name}\" priority=\"{priority}\" referenceSource=\"{reference}\" type=\"open\"/>")
}

pub(super) fn closed(name: &str, priority: i32, reference: &str, customers: u32) -> String {
    format!(
        "<userClass customers=\"{customers}\" name=\"{name}\" priority=\"{priority}\" referenceSource=\"{reference}\" type=\"closed\"/>"
    )
}

/// Returns a file of classes, nodes, connections, and further elements of the model.
pub(super) fn file(classes: &[String], nodes: &[String], connections: &[(&str, &str)], more: &str) -> String {
    let connections: String =
        connections.iter().map(|(a, b)| format!("<connection source=\"{a}\" target=\"{b}\"/>\n")).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<archive name=\"model\">\n<sim name=\"model\" seed=\"7\">\n{}\n{}\n{connections}{more}</sim>\n</archive>",
        classes.join("\n"),
        nodes.join("\n")
    )
}

pub(super) fn node(name: &str, sections: &str) -> String {
    format!("<node name=\"{name}\">\n{sections}</node>")
}

pub(super) fn section(kind: &str, parameters: &str) -> String {
    format!("<section className=\"{kind}\">{parameters}</section>\n")
}

fn value(name: &str, class: &str, value: &str) -> String {
    format!("<subParameter classPath=\"java.lang.{class}\" name=\"{name}\"><value>{value}</value></subParameter>")
}

fn by_class(name: &str, class: &str, parts: &[(&str, String)]) -> String {
    let parts: String = parts.iter().map(|(of, part)| format!("<refClass>{of}</refClass>{part}")).collect();
    format!("<parameter array=\"true\" classPath=\"{class}\" name=\"{name}\">{parts}</parameter>")
}

/// Returns a strategy of service with a distribution of these parameters.
pub(super) fn distribution(kind: &str, parameters: &[(&str, f64)]) -> String {
    let parameters: String =
        parameters.iter().map(|(name, number)| value(name, "Double", &number.to_string())).collect();
    format!(
        "<subParameter classPath=\"{JMT}.NetStrategies.ServiceStrategies.ServiceTimeStrategy\" name=\"ServiceTimeStrategy\">
         <subParameter classPath=\"{JMT}.random.{kind}\" name=\"{kind}\"/>
         <subParameter classPath=\"{JMT}.random.{kind}Par\" name=\"distrPar\">{parameters}</subParameter></subParameter>"
    )
}

pub(super) fn exponential(rate: f64) -> String {
    distribution("Exponential", &[("lambda", rate)])
}

pub(super) fn erlang(stages: u32, rate: f64) -> String {
    distribution("Erlang", &[("alpha", rate), ("r", f64::from(stages))])
}

pub(super) fn coxian(first: f64, second: f64, ends: f64) -> String {
    distribution("CoxianDistr", &[("lambda0", first), ("lambda1", second), ("phi0", ends)])
}

fn services(laws: &[(&str, String)]) -> String {
    by_class("ServiceStrategy", &format!("{JMT}.NetStrategies.ServiceStrategy"), laws)
}

pub(super) fn source(name: &str, laws: &[(&str, String)]) -> String {
    node(
        name,
        &[section("RandomSource", &services(laws)), section("ServiceTunnel", ""), section("Router", "")].concat(),
    )
}

pub(super) fn delay(name: &str, laws: &[(&str, String)]) -> String {
    node(name, &[section("Queue", ""), section("Delay", &services(laws)), section("Router", "")].concat())
}

fn line(size: Option<u32>, drop: &str, order: &str, laws: &[(&str, String)]) -> String {
    let size = size.map_or(-1, |size| size as i32);
    let size = format!("<parameter classPath=\"java.lang.Integer\" name=\"size\"><value>{size}</value></parameter>");
    let drops: Vec<_> = laws.iter().map(|(class, _)| (*class, value("dropStrategy", "String", drop))).collect();
    let order =
        format!("<subParameter classPath=\"{JMT}.NetStrategies.QueuePutStrategies.{order}\" name=\"{order}\"/>");
    let orders: Vec<_> = laws.iter().map(|(class, _)| (*class, order.clone())).collect();
    let orders = by_class("QueuePutStrategy", &format!("{JMT}.NetStrategies.QueuePutStrategy"), &orders);
    section("Queue", &[size, by_class("dropStrategies", "java.lang.String", &drops), orders].concat())
}

fn server(servers: u32, laws: &[(&str, String)]) -> String {
    let number =
        format!("<parameter classPath=\"java.lang.Integer\" name=\"maxJobs\"><value>{servers}</value></parameter>");
    section("Server", &[number, services(laws)].concat())
}

/// Returns a queue with random routing.
pub(super) fn queue(
    name: &str,
    servers: u32,
    size: Option<u32>,
    drop: &str,
    order: &str,
    laws: &[(&str, String)],
) -> String {
    node(name, &[line(size, drop, order, laws), server(servers, laws), section("Router", "")].concat())
}

/// Returns a queue of one server with routing strategies, by class.
pub(super) fn routed(name: &str, laws: &[(&str, String)], strategies: &[(&str, &str)]) -> String {
    node(name, &[line(None, "drop", "TailStrategy", laws), server(1, laws), routing(strategies)].concat())
}

/// Returns a node that tokens pass, with routing strategies by class: names, or elements.
pub(super) fn router(name: &str, strategies: &[(&str, &str)]) -> String {
    node(name, &[section("Queue", ""), section("ServiceTunnel", ""), routing(strategies)].concat())
}

fn routing(strategies: &[(&str, &str)]) -> String {
    let path = format!("{JMT}.NetStrategies.RoutingStrategies");
    let owned: Vec<(&str, String)> = strategies
        .iter()
        .map(|(class, name)| {
            let element = match *name {
                element if element.starts_with("<sub") => element.to_owned(),
                name => format!("<subParameter classPath=\"{path}.{name}\" name=\"{name}\"/>"),
            };
            (*class, element)
        })
        .collect();
    section("Router", &by_class("RoutingStrategy", &format!("{JMT}.NetStrategies.RoutingStrategy"), &owned))
}

/// Returns an entry of a routing strategy by probabilities.
fn entry(station: &str, probability: f64) -> String {
    format!(
        "<subParameter classPath=\"{JMT}.random.EmpiricalEntry\" name=\"EmpiricalEntry\">{}{}</subParameter>",
        value("stationName", "String", station),
        value("probability", "Double", &probability.to_string())
    )
}

/// Returns a routing strategy by probabilities.
pub(super) fn probabilities(entries: &[(&str, f64)]) -> String {
    let entries: String = entries.iter().map(|(station, probability)| entry(station, *probability)).collect();
    format!(
        "<subParameter classPath=\"{JMT}.NetStrategies.RoutingStrategies.EmpiricalStrategy\" name=\"Probabilities\">
         <subParameter array=\"true\" classPath=\"{JMT}.random.EmpiricalEntry\" name=\"EmpiricalEntryArray\">{entries}</subParameter>
         </subParameter>"
    )
}

/// Weights of the classes that a class may become.
pub(super) type Weights<'a> = &'a [(&'a str, f64)];

/// Returns a class switch with random routing.
pub(super) fn switch(name: &str, rows: &[(&str, Weights<'_>)]) -> String {
    let row = |cells: Weights<'_>| -> String {
        let cells: String = cells
            .iter()
            .map(|(class, weight)| {
                format!("<refClass>{class}</refClass>{}", value("cell", "Float", &weight.to_string()))
            })
            .collect();
        format!("<subParameter array=\"true\" classPath=\"java.lang.Float\" name=\"row\">{cells}</subParameter>")
    };
    let rows: Vec<_> = rows.iter().map(|(class, cells)| (*class, row(cells))).collect();
    let matrix = by_class("matrix", "java.lang.Object", &rows);
    node(name, &[section("Queue", ""), section("ClassSwitch", &matrix), section("Router", "")].concat())
}
