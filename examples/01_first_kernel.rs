//! A table, a kernel, a launch: bank accounts that earn interest.
//!
//! `cargo run -p imminent --example 01_first_kernel`

#[imminent::kernels]
mod bank {
    /// An account. Money is in cents: integers give the same bits on every device.
    #[derive(Row)]
    pub struct Account {
        pub cents: u64,
        pub rate_per_mille: u32,
    }

    /// A year: every account earns its interest. The bank's total is reduced on the device.
    #[kernel(reduce = sum)]
    pub fn year(me: &mut Account) -> u64 {
        me.cents += me.cents * me.rate_per_mille as u64 / 1000;
        me.cents
    }
}

use bank::{Account, AccountColumns, year};
use imminent::{DeviceSelection, Table};

fn main() -> imminent::Result<()> {
    // The fastest device of the backends that are compiled in.
    let device = imminent::open(&DeviceSelection::default())?;
    println!("on {}", device.info().name);

    let rows: Vec<Account> = (0..1_000).map(|i| Account { cents: 100 * i, rate_per_mille: 30 }).collect();
    let mut accounts = Table::from_rows(&device, &rows)?;

    // `&mut accounts` is lent to the launch: it could not be bound a second time.
    let total = device.queue().launch::<year>((&mut accounts,))?;
    println!("the bank holds {} cents", total.read()?);

    // One column, some rows: only those bytes are moved.
    println!("accounts 10 to 12: {:?}", accounts.cents().read_rows(10..13)?);
    Ok(())
}
