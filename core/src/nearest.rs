//! The known word that a misspelt one may mean.

/// Returns the word most similar to the given one, if any is similar.
pub fn nearest<'a>(given: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |word: &&str| edits(given, word);
    words.min_by_key(distance).filter(|word| distance(word) <= 1 + given.len() / 4)
}

/// Returns the edit distance of two words: insertions, deletions and substitutions of characters.
fn edits(from: &str, to: &str) -> usize {
    let mut costs: Vec<usize> = (0..=to.chars().count()).collect();
    for (row, left) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut costs[0], row + 1);
        for (column, right) in to.chars().enumerate() {
            let cost = (diagonal + usize::from(left != right)).min(costs[column] + 1).min(costs[column + 1] + 1);
            diagonal = std::mem::replace(&mut costs[column + 1], cost);
        }
    }
    costs.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_word_is_near_up_to_a_quarter_of_its_letters_and_one() {
        let words = ["cpu", "wgpu", "opencl", "cuda"];
        let meant = |given| nearest(given, words.into_iter());
        assert_eq!(meant("opencI"), Some("opencl"));
        assert_eq!(meant("coda"), Some("cuda"));
        assert_eq!(meant("metal"), None);
        assert_eq!(nearest("cpu", std::iter::empty()), None);
    }
}
