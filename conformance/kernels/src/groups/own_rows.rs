//! Rows of invocations and rows of groups.

#[imminent_core::kernels]
pub mod own_rows {
    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
        pub items: Lanes<u64>,
        pub count: u32,
    }

    #[derive(Row)]
    pub struct Price {
        pub each: u64,
    }

    #[derive(Row)]
    pub struct Total {
        pub untouched: u32,
        pub sum: u64,
        pub list: [u32; 3],
        pub rows: u32,
    }

    #[derive(Row)]
    pub struct Quota {
        pub most: u32,
        pub kept: u64,
    }

    fn push(cell: &mut Cell, item: u64) {
        cell.items.set(cell.count, item);
        cell.count += 1;
    }

    fn add(total: &mut Total, sum: u64, at: u32) -> bool {
        total.sum += sum;
        total.list[at as usize] += 1;
        total.sum > 1000
    }

    fn most(quota: &Quota) -> u32 {
        quota.most
    }

    /// Uses two tables of own rows, one of them read-only, with lanes; and two of groups, one of them read-only.
    #[kernel(group = 96, reduce = count)]
    pub fn two_of_each(
        prices: &Each<Price>,
        group: &mut Group<u64>,
        total: &mut Total,
        cells: &mut Each<Cell>,
        quota: &Quota,
    ) -> bool {
        let limit = most(quota);
        group.phase((cells, prices), |lane, (cell, price)| {
            lane.set(price.each * cell.value as u64);
            push(cell, price.each + cell.items.get(0));
        });
        let mut sum = 0;
        for i in 0..group.len() {
            sum += group.get(i);
        }
        if sum % 5 == 4 {
            // After an early return, the current contents of the group's row are stored.
            total.rows = group.len();
            return false;
        }
        let large = add(total, sum, group.index() % 3);
        if large {
            total.sum += quota.kept;
        }
        group.phase((cells,), |lane, (cell,)| {
            if lane.index() < limit {
                push(cell, sum);
            }
        });
        total.rows = group.count(prices, |lane, price| price.each > lane.get(0));
        large
    }
}

/// A group's own row of which a kernel touches a part of a struct, and not its double.
#[imminent_core::kernels]
pub mod parts {
    pub struct Reading {
        pub value: f64,
        pub marks: [bool; 3],
    }

    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
    }

    #[derive(Row)]
    pub struct Station {
        pub reading: Reading,
    }

    /// Marks a station whose first mark is set and that has an odd value among its cells.
    #[kernel(group = 32)]
    pub fn mark(cells: &Each<Cell>, group: &mut Group<bool>, station: &mut Station) {
        let odd = group.any(cells, |_, cell| cell.value % 2 == 1);
        station.reading.marks[2] = station.reading.marks[0] && odd;
    }
}
