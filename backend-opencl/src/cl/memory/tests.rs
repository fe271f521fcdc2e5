use super::*;
use crate::device;
use crate::options::{Cache, Options};

/// Bytes of 2,250 million words: more than 2³¹.
const LARGE: usize = 9_000_000_000;

#[test]
fn pieces_follow_one_another_and_none_is_too_large() {
    let large: Vec<_> = pieces(20..LARGE, MAX_AT_ONCE).collect();
    assert_eq!((large.first().map(|piece| piece.start), large.last().map(|piece| piece.end)), (Some(20), Some(LARGE)));
    assert!(large.windows(2).all(|two| two[0].end == two[1].start));
    assert!(large.iter().all(|piece| !piece.is_empty() && piece.len() <= MAX_AT_ONCE));
    assert_eq!(pieces(8..8, 16).count(), 0);
    assert_eq!(pieces(8..40, 16).collect::<Vec<_>>(), [8..24, 24..40]);
}

#[test]
fn fills_and_copies_in_pieces_reach_every_word_and_no_other() {
    const WORDS: usize = 5003;
    let (context, _) = device::open(0, &Options { cache: Cache::Off, ..Options::default() }).unwrap();
    let queue = CommandQueue::new(&context.cl, context.device).unwrap();
    let [from, to] = [(); 2].map(|()| create_buffer(&context.cl, WORDS * 4).unwrap());
    fill(&queue, &from, 1, 0, WORDS * 4).unwrap();
    fill(&queue, &to, 2, 0, WORDS * 4).unwrap();
    fill_by(6000, &queue, (&from, 7), 4..WORDS * 4 - 8).unwrap();
    copy_by(6000, &queue, (&from, &to), WORDS * 4 - 4).unwrap();
    let mut words = [0_u32; WORDS];
    // SAFETY: the words have room for this many bytes, and are not read before the command is done.
    unsafe { read(&queue, &to, 0, words.as_mut_ptr().cast(), WORDS * 4) }.unwrap().wait().unwrap();
    let mut expected = [7; WORDS];
    (expected[0], expected[WORDS - 2], expected[WORDS - 1]) = (1, 1, 2);
    assert_eq!(words, expected);
}
