//! Groups that fault. The cases find the line of each fault by the marker at its end.

/// Text of this file, which contains the markers.
pub const SOURCE: &str = include_str!("faults.rs");

/// Path of this file, as the compiler names it.
pub const FILE: &str = file!();

#[imminent_core::kernels]
pub mod faulty {
    #[derive(Row)]
    pub struct Input {
        pub a: u32,
        pub after: u32,
    }

    /// Reads an element past the group's size.
    #[kernel(group = 64)]
    pub fn element(group: &mut Group<u32>, given: &mut Each<Input>) {
        group.phase((), |lane, ()| lane.set(7));
        group.phase(given, |lane, row| {
            row.after = lane.get(row.a) + 1; // marker: element
        });
    }

    /// Reads an element past the group's size between phases.
    #[kernel(group = 64)]
    pub fn element_between(group: &mut Group<u32>, given: &mut Each<Input>) {
        let bad = group.count(given, |lane, row| {
            lane.set(3);
            row.a >= 64
        });
        let found = group.get(if bad > 0 { 64 } else { 0 }); // marker: element between
        group.phase(given, |_, row| row.after = found + 1);
    }

    /// Faults in lower rows in the later phase.
    #[kernel(group = 64)]
    pub fn two_phases(group: &mut Group<u32>, given: &mut Each<Input>) {
        group.phase(given, |lane, row| {
            if row.a == 1 || row.a == 3 {
                lane.set(lane.get(100)); // marker: first phase
            }
        });
        group.phase(given, |lane, row| {
            if row.a == 2 || row.a == 3 {
                row.after = 1 / lane.own(); // marker: second phase
            }
        });
    }

    /// Asserts a condition of the whole group.
    #[kernel(group = 64)]
    pub fn between(group: &mut Group<u32>, given: &mut Each<Input>) {
        let fine = group.all(given, |_, row| row.a < 64);
        assert!(fine); // marker: between
        group.phase(given, |_, row| row.after = 1);
    }
}
