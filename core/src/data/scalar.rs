//! Scalars and arrays as data.

use super::{Data, Gather, Row, Scatter};
use imminent_ir::{Column, Layout, Scalar};
use std::sync::LazyLock;

macro_rules! scalar {
    ($ty:ty, $scalar:expr, $word:ty, |$value:ident| $to:expr, |$bits:ident| $from:expr) => {
        impl Data for $ty {
            const WORDS: u32 = $scalar.words();

            fn zeroed() -> Self {
                Self::default()
            }

            #[inline]
            fn leaf(&self, word: u32) -> u64 {
                let $value = *self;
                if word == 0 { $to } else { 0 }
            }

            #[inline]
            fn set_leaf(&mut self, word: u32, $bits: u64) {
                if word == 0 {
                    *self = $from;
                }
            }

            fn columns(name: &str, leaves: &mut Vec<(String, Scalar)>) {
                leaves.push((name.to_owned(), $scalar));
            }

            #[inline]
            fn gather<R>(rows: &[R], of: impl Fn(&R) -> &Self + Copy, columns: &mut Gather<'_>) {
                columns.fill(rows, |row| {
                    let $value = *of(row);
                    <$word>::to_le_bytes($to as $word)
                });
            }

            #[inline]
            fn scatter<R>(rows: &mut [R], of: impl Fn(&mut R) -> &mut Self + Copy, columns: &mut Scatter<'_>) {
                columns.drain(rows, |row, bytes| {
                    let $bits = u64::from(<$word>::from_le_bytes(bytes));
                    *of(row) = $from;
                });
            }
        }

        impl Row for $ty {
            fn layout() -> &'static Layout {
                static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout {
                    name: $scalar.name().to_owned(),
                    fixed_words: $scalar.words(),
                    lane_words: 0,
                    packed: false,
                    columns: vec![Column { name: "value".to_owned(), scalar: $scalar, word: 0, lane: false }],
                });
                &LAYOUT
            }

            fn zeroed(_capacity: u32) -> Self {
                Self::default()
            }

            #[inline]
            fn leaf(&self, word: u32) -> u64 {
                Data::leaf(self, word)
            }

            #[inline]
            fn set_leaf(&mut self, word: u32, bits: u64) {
                Data::set_leaf(self, word, bits);
            }

            fn lane_leaf(&self, _lane: u32, _word: u32) -> u64 {
                0
            }

            fn set_lane_leaf(&mut self, _lane: u32, _word: u32, _bits: u64) {}

            fn set_capacity(&mut self, _capacity: u32) {}

            fn capacity(&self) -> u32 {
                0
            }

            fn gather(rows: &[Self], _capacity: u32, columns: &mut Gather<'_>) {
                <Self as Data>::gather(rows, |row| row, columns);
            }

            fn scatter(rows: &mut [Self], _capacity: u32, columns: &mut Scatter<'_>) {
                <Self as Data>::scatter(rows, |row| row, columns);
            }
        }
    };
}

scalar!(bool, Scalar::Bool, u32, |v| u64::from(v), |bits| bits as u32 != 0);
scalar!(u32, Scalar::U32, u32, |v| u64::from(v), |bits| bits as u32);
scalar!(i32, Scalar::I32, u32, |v| u64::from(v as u32), |bits| bits as i32);
scalar!(u64, Scalar::U64, u64, |v| v, |bits| bits);
scalar!(i64, Scalar::I64, u64, |v| v as u64, |bits| bits as i64);
scalar!(f32, Scalar::F32, u32, |v| u64::from(v.to_bits()), |bits| f32::from_bits(bits as u32));
scalar!(f64, Scalar::F64, u64, |v| v.to_bits(), |bits| f64::from_bits(bits));

impl Data for () {
    const WORDS: u32 = 0;

    fn zeroed() -> Self {}

    fn leaf(&self, _word: u32) -> u64 {
        0
    }

    fn set_leaf(&mut self, _word: u32, _bits: u64) {}

    fn columns(_name: &str, _leaves: &mut Vec<(String, Scalar)>) {}

    fn gather<R>(_rows: &[R], _of: impl Fn(&R) -> &Self + Copy, _columns: &mut Gather<'_>) {}

    fn scatter<R>(_rows: &mut [R], _of: impl Fn(&mut R) -> &mut Self + Copy, _columns: &mut Scatter<'_>) {}
}

impl<T: Data, const N: usize> Data for [T; N] {
    const WORDS: u32 = T::WORDS * N as u32;

    fn zeroed() -> Self {
        [T::zeroed(); N]
    }

    #[inline]
    fn leaf(&self, word: u32) -> u64 {
        let Some(index) = word.checked_div(T::WORDS) else { return 0 };
        self.get(index as usize).map_or(0, |element| element.leaf(word % T::WORDS))
    }

    #[inline]
    fn set_leaf(&mut self, word: u32, bits: u64) {
        let Some(index) = word.checked_div(T::WORDS) else { return };
        if let Some(element) = self.get_mut(index as usize) {
            element.set_leaf(word % T::WORDS, bits);
        }
    }

    fn columns(name: &str, leaves: &mut Vec<(String, Scalar)>) {
        (0..N).for_each(|index| T::columns(&format!("{name}[{index}]"), leaves));
    }

    #[inline]
    fn gather<R>(rows: &[R], of: impl Fn(&R) -> &Self + Copy, columns: &mut Gather<'_>) {
        for index in 0..N {
            T::gather(rows, move |row| &of(row)[index], columns);
        }
    }

    #[inline]
    fn scatter<R>(rows: &mut [R], of: impl Fn(&mut R) -> &mut Self + Copy, columns: &mut Scatter<'_>) {
        for index in 0..N {
            T::scatter(rows, move |row| &mut of(row)[index], columns);
        }
    }
}
