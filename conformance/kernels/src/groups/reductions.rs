//! Results of groups, reduced over the groups, and tallies.

macro_rules! values {
    ($module:ident, $t:ty) => {
        /// Reductions of the type that the module is named for: each group returns the sum of its rows.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
            }

            #[kernel(group = 16, reduce = min)]
            pub fn min(group: &mut Group<$t>, given: &Each<Input>) -> $t {
                group.phase(given, |lane, row| lane.set(row.a));
                let mut sum = group.get(0);
                for i in 1..group.size() {
                    sum += group.get(i);
                }
                sum
            }

            #[kernel(group = 16, reduce = max)]
            pub fn max(group: &mut Group<$t>, given: &Each<Input>) -> $t {
                group.phase(given, |lane, row| lane.set(row.a));
                let mut sum = group.get(0);
                for i in 1..group.size() {
                    sum += group.get(i);
                }
                sum
            }

            #[kernel(group = 16, reduce = sum)]
            pub fn sum(group: &mut Group<$t>, given: &Each<Input>) -> $t {
                group.phase(given, |lane, row| lane.set(row.a));
                let mut sum = group.get(0);
                for i in 1..group.size() {
                    sum += group.get(i);
                }
                sum
            }
        }
    };
}

values!(of_u32, u32);
values!(of_i32, i32);
values!(of_u64, u64);
values!(of_i64, i64);
values!(of_f32, f32);

#[imminent_core::kernels]
pub mod truths {
    #[derive(Row)]
    pub struct Input {
        pub a: u32,
    }

    #[kernel(group = 50, reduce = any)]
    pub fn any(group: &mut Group<u32>, given: &Each<Input>) -> bool {
        group.any(given, |_, row| row.a == 3)
    }

    #[kernel(group = 50, reduce = count)]
    pub fn count(group: &mut Group<u32>, given: &Each<Input>) -> bool {
        group.count(given, |_, row| row.a % 2 == 1) > 25
    }
}

/// Tallies in phases, between them, and in a function that both call.
#[imminent_core::kernels]
pub mod tallies {
    #[derive(Row)]
    pub struct Input {
        pub a: u32,
    }

    fn note(counts: &Tally<u32>, slot: u32) {
        counts.add(slot, 1);
    }

    #[kernel(group = 40)]
    pub fn both(
        group: &mut Group<u32>,
        given: &Each<Input>,
        counts: &Tally<u32>,
        sums: &Tally<u64>,
        most: &Tally<u32>,
    ) {
        note(counts, 0);
        let odd = group.count(given, |lane, row| {
            note(counts, 1);
            lane.set(row.a);
            row.a % 2 == 1
        });
        sums.add(0, odd as u64);
        for _ in 0..3 {
            group.phase(given, |_, row| sums.add(1, row.a as u64 * 0x1_0000_0001));
            note(counts, 2);
        }
        most.max(group.index() % 4, group.get(0));
        if odd > 20 {
            note(counts, 3);
        }
    }
}
