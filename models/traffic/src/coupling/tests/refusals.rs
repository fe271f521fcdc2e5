//! Tests of errors of the coupling.

use super::*;

#[test]
fn what_does_not_fit_is_told() {
    let traffic = validation_network(10);
    let fits = size(&traffic, 20);
    let told = |simulator: Simulator, size, coupling| {
        let on_host = Coupled::on_host(&traffic, simulator.clone(), size, coupling).unwrap_err().to_string();
        let on_device = Coupled::new(&device(), &traffic, simulator, size, coupling).unwrap_err().to_string();
        assert_eq!(on_host, on_device);
        on_host
    };
    let new = || packets(&traffic, 1);
    assert_eq!(told(new(), fits, batches_of(0)), "a batch of 0 launches is not possible: give 1 to 10000");
    assert_eq!(told(new(), fits, batches_of(10_001)), "a batch of 10001 launches is not possible: give 1 to 10000");
    for (step, lookahead) in [(500_000, 0), (0, 20), (500_000, 21)] {
        let text = told(new(), StepSize { step, lookahead, ..fits }, Coupling::default());
        let expected = format!(
            "a launch of {lookahead} steps of {step} ns is not possible where the smallest delay of a link is 10000000 ns: "
        );
        assert!(text.starts_with(&expected), "{text}");
    }
    let mut began = new();
    began.run_until(SECOND / 2, &mut Alone);
    assert_eq!(
        told(began, fits, Coupling::default()),
        "the packets were already simulated until 0.5 s, and the fluids begin at 0: give a new simulator"
    );
    let other = "the packets are not on the network of the fluids: make the simulator from the same traffic";
    assert_eq!(told(packets(&validation_network(0), 1), fits, Coupling::default()), other);
    let pipe = pipe(50_000, Discipline::DropTail, &[], Tcp::default());
    assert_eq!(told(packets(&pipe, 1), fits, Coupling::default()), other);
}

#[test]
fn a_configuration_says_the_scheme_in_one_key() {
    let read = |text: &str| toml::from_str::<Coupling>(text);
    assert_eq!(read("").unwrap(), Coupling::default());
    assert_eq!(read("scheme = 'lock-step'").unwrap(), by_turns());
    assert_eq!(read("scheme.asynchronous.batch = 20").unwrap(), batches_of(20));
    assert!(read("scheme = 'leap'").is_err());
}
