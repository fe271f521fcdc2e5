//! The worker's side: a laboratory that does as it is told.

use super::crew::{Order, Told};
use crate::laboratory::Laboratory;
use crate::plan::Study;
use std::any::Any;
use std::ops::ControlFlow::{Break, Continue};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError};

/// Carries out what is ordered of a study, until the end is, or nobody gives orders any more.
pub(super) fn serve(
    laboratory: &mut dyn Laboratory,
    study: &Study,
    orders: &Receiver<Order>,
    say: &mut dyn FnMut(Told),
) {
    loop {
        let numbers = match orders.recv() {
            Ok(Order::CarryOut(numbers)) => numbers,
            // It came when everything was done already.
            Ok(Order::Stop) => continue,
            Ok(Order::End) | Err(_) => return,
        };
        let mut ended = false;
        let mut tell = |news| {
            say(Told::News(news));
            match orders.try_recv() {
                Err(TryRecvError::Empty) => Continue(()),
                Ok(Order::Stop) => Break(()),
                Ok(Order::CarryOut(_) | Order::End) | Err(TryRecvError::Disconnected) => {
                    ended = true;
                    Break(())
                }
            }
        };
        // One that panics is like one whose device is gone: it tells why, and does nothing more.
        let outcome = catch_unwind(AssertUnwindSafe(|| laboratory.run(&study.select(numbers), &mut tell)));
        let lost = match outcome {
            Ok(Ok(())) => None,
            Ok(Err(fault)) => Some(fault.to_string()),
            Err(panic) => Some(format!("the model's program panicked: {}", said(panic.as_ref()))),
        };
        match lost {
            Some(why) => return say(Told::Lost(why)),
            None if ended => return,
            None => say(Told::Idle),
        }
    }
}

/// Returns the message of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
}
