//! Loops over ranges of every kind and every integer type.

/// Makes the kernel of the ranges.
macro_rules! range_kernels {
    ($($name:ident, $t:ident, $start:ident, $end:ident, $op:ident;)*) => {
        #[imminent_core::kernels]
        pub mod ranges {
            #[derive(Row)]
            pub struct Input {
                $(pub $start: $t, pub $end: $t),*
            }

            #[derive(Row)]
            pub struct Out {
                pub hash: [u32; 6],
            }

            pub enum Op {
                $($op),*
            }

            #[derive(Params)]
            pub struct Chosen {
                pub op: Op,
            }

            fn mix(hash: u32, i: u32) -> u32 {
                hash * 31 + i
            }

            $(
                fn $name(out: &mut Out, start: $t, end: $t) {
                    out.hash = [1; 6];
                    for i in start..end {
                        if i as u32 % 8 == 3 {
                            continue;
                        }
                        out.hash[0] = mix(out.hash[0], i as u32);
                        if out.hash[0] % 256 == 77 {
                            break;
                        }
                    }
                    for i in start..=end {
                        if i as u32 % 8 == 3 {
                            continue;
                        }
                        out.hash[1] = mix(out.hash[1], i as u32);
                        if out.hash[1] % 256 == 77 {
                            break;
                        }
                    }
                    for i in (start..end).rev() {
                        if i as u32 % 8 == 3 {
                            continue;
                        }
                        out.hash[2] = mix(out.hash[2], i as u32);
                        if out.hash[2] % 256 == 77 {
                            break;
                        }
                    }
                    for i in (start..=end).rev() {
                        if i as u32 % 8 == 3 {
                            continue;
                        }
                        out.hash[3] = mix(out.hash[3], i as u32);
                        if out.hash[3] % 256 == 77 {
                            break;
                        }
                    }
                    let first: $t = 3;
                    for i in first..=20 {
                        if i as u32 % 8 == 3 {
                            continue;
                        }
                        out.hash[4] = mix(out.hash[4], i as u32);
                    }
                    for i in (first..20).rev() {
                        out.hash[5] = mix(out.hash[5], i as u32);
                        if out.hash[5] % 16 == 5 {
                            break;
                        }
                    }
                }
            )*

            #[kernel]
            pub fn run(me: &Input, out: &mut Out, chosen: &Chosen) {
                $(
                    if chosen.op == Op::$op {
                        $name(out, me.$start, me.$end);
                    }
                )*
            }
        }
    };
}

range_kernels! {
    of_u32, u32, start_u32, end_u32, OfU32;
    of_i32, i32, start_i32, end_i32, OfI32;
    of_u64, u64, start_u64, end_u64, OfU64;
    of_i64, i64, start_i64, end_i64, OfI64;
}
