//! Selection of the most loaded items of many.

use imminent_common::parallel;

/// Returns the first `most` of `count` items by falling load. `load` returns an item and its load, or `None` for a
/// number without an item. Equal loads are ordered by item, and items without a load come last.
pub(crate) fn in_order<T: Copy + Ord + Send>(
    count: usize,
    load: impl Fn(usize) -> Option<(Option<f64>, T)> + Sync + Send,
    most: usize,
) -> Vec<T> {
    let parts = parallel::ranges(count, |part| first(part.filter_map(&load), most));
    first(parts.into_iter().flatten(), most).into_iter().map(|(_, item)| item).collect()
}

/// Returns the first `most` of items in their order. Keeps no more than twice as many at a time: networks are large.
fn first<T: Copy + Ord>(items: impl Iterator<Item = (Option<f64>, T)>, most: usize) -> Vec<(Option<f64>, T)> {
    let load = |item: &(Option<f64>, T)| item.0.unwrap_or(-1.0);
    let order = |a: &(Option<f64>, T), b: &(Option<f64>, T)| load(b).total_cmp(&load(a)).then(a.1.cmp(&b.1));
    let Some(last) = most.checked_sub(1) else { return vec![] };
    // The last of the first items when they were selected.
    let mut worst = None;
    let mut kept = vec![];
    for item in items {
        if worst.is_some_and(|worst| order(&item, &worst).is_gt()) {
            continue;
        }
        kept.push(item);
        if kept.len() >= most.saturating_mul(2) {
            worst = Some(*kept.select_nth_unstable_by(last, order).1);
            kept.truncate(most);
        }
    }
    kept.sort_by(order);
    kept.truncate(most);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the loads, the first are those of all items in order.
        #[test]
        fn the_first_are_those_of_the_sorted_list(loads in prop::collection::vec(0..20_u32, 0..300), most in 0..40_usize) {
            // Every seventh number has no item, every fifth item no load.
            let load = |item: usize| (item % 7 != 6).then(|| ((item % 5 != 4).then(|| f64::from(loads[item])), item));
            let mut all: Vec<(Option<f64>, usize)> = (0..loads.len()).filter_map(load).collect();
            all.sort_by(|a, b| b.0.unwrap_or(-1.0).total_cmp(&a.0.unwrap_or(-1.0)).then(a.1.cmp(&b.1)));
            let expected: Vec<usize> = all.into_iter().map(|(_, item)| item).take(most).collect();
            prop_assert_eq!(in_order(loads.len(), load, most), expected);
        }
    }

    #[test]
    fn equal_loads_are_in_the_order_of_items_and_none_comes_last() {
        let loads = [None, Some(0.5), Some(0.8), Some(0.5)];
        assert_eq!(in_order(4, |item| Some((loads[item], item)), 3), [2, 1, 3]);
        assert_eq!(in_order(4, |item| Some((loads[item], item)), 4), [2, 1, 3, 0]);
    }
}
