//! The IR of a small module, to be read and to notice changes. (It holds lines of this file.)
#![allow(clippy::expect_used)]

/// A module of its own, small enough that its IR can be read.
#[imminent_core::kernels]
mod ledger {
    #[derive(Row)]
    pub struct Account {
        pub balance: i64,
        pub limits: [i64; 3],
        pub open: bool,
    }

    const FEE: i64 = 2;

    fn charge(balance: &mut i64, share: i64) -> bool {
        *balance -= FEE / share;
        *balance >= 0
    }

    /// Charges an account.
    #[kernel(reduce = count)]
    pub fn settle(me: &mut Account, all: &Rows<Account>, id: u32) -> bool {
        let next = all.get(id + 1);
        let mut share = 1;
        while share < 3 && me.limits[share as usize] < next.balance {
            share += 1;
        }
        me.open = me.open && charge(&mut me.balance, share);
        match share {
            1 | 2 => me.open,
            n if n > 2 => !me.open,
            _ => false,
        }
    }
}

#[test]
fn the_ir_of_a_small_module_is_as_it_was() {
    let mut module = ledger::source().ir().expect("the module decodes").clone();
    // Origins hold a hash of the source as the compiler prints it.
    module.structs.iter_mut().for_each(|item| item.origin.clear());
    module.consts.iter_mut().for_each(|item| item.origin.clear());
    module.functions.iter_mut().for_each(|item| item.origin.clear());
    insta::assert_json_snapshot!(module);
}
