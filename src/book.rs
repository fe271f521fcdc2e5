//! Chapters of the book in `docs`, of which every Rust sample is compiled and run as a documentation test.

macro_rules! chapters {
    ($($name:ident: $file:literal;)*) => {$(
        #[doc = include_str!($file)]
        mod $name {}
    )*};
}

chapters! {
    readme: "../README.md";
    architecture: "../docs/architecture.md";
    cell: "../docs/cell.md";
    dependencies: "../docs/dependencies.md";
    determinism: "../docs/determinism.md";
    doctor: "../docs/doctor.md";
    drivers: "../docs/drivers.md";
    events: "../docs/events.md";
    from_cuda: "../docs/from-cuda.md";
    from_simpy: "../docs/from-simpy.md";
    host: "../docs/host.md";
    kernel_language: "../docs/kernel-language.md";
    manet: "../docs/manet.md";
    measuring: "../docs/measuring.md";
    outside: "../docs/outside.md";
    primitives: "../docs/primitives.md";
    queueing: "../docs/queueing.md";
    results: "../docs/results.md";
    studies: "../docs/studies.md";
    traffic: "../docs/traffic.md";
    tutorial: "../docs/tutorial.md";
    writing_a_backend: "../docs/writing-a-backend.md";
}
