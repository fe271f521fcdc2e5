//! The worker's side: a laboratory that executes orders.

use super::orders::{Order, Report};
use crate::laboratory::Laboratory;
use crate::plan::Study;
use imminent_common::threads::start;
use std::any::Any;
use std::ops::ControlFlow::{Break, Continue};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread::Scope;

/// Executes orders of a study until the order to end, or until the channel of orders is closed.
pub(super) fn serve(
    laboratory: &mut dyn Laboratory,
    study: &Study,
    orders: &Receiver<Order>,
    report: &mut dyn FnMut(Report),
) {
    loop {
        let numbers = match orders.recv() {
            Ok(Order::CarryOut(numbers)) => numbers,
            // The order came after the last run was finished.
            Ok(Order::Stop) => continue,
            Ok(Order::End) | Err(_) => return,
        };
        let mut ended = false;
        let mut observer = |update| {
            report(Report::Update(update));
            match orders.try_recv() {
                Err(TryRecvError::Empty) => Continue(()),
                Ok(Order::Stop) => Break(()),
                Ok(Order::CarryOut(_) | Order::End) | Err(TryRecvError::Disconnected) => {
                    ended = true;
                    Break(())
                }
            }
        };
        // A panic is treated as the loss of the device: the worker reports it and ends.
        let outcome = catch_unwind(AssertUnwindSafe(|| laboratory.run(&study.select(numbers), &mut observer)));
        let lost = match outcome {
            Ok(Ok(())) => None,
            Ok(Err(fault)) => Some(fault.to_string()),
            Err(panic) => Some(format!("the model's program panicked: {}", said(panic.as_ref()))),
        };
        match lost {
            Some(why) => return report(Report::Lost(why)),
            None if ended => return,
            None => report(Report::Idle),
        }
    }
}

/// Serves in a thread of its own. If the system refuses one, the worker is lost.
pub(super) fn serve_apart<'scope, R>(
    scope: &'scope Scope<'scope, '_>,
    (laboratory, study): (&'scope mut (dyn Laboratory + Send), &'scope Study),
    orders: Receiver<Order>,
    mut report: R,
) where
    R: FnMut(Report) + Clone + Send + 'scope,
{
    let mut lost = report.clone();
    if start(scope, move || serve(laboratory, study, &orders, &mut report)).is_none() {
        lost(Report::Lost("the system starts no thread for it: give the process more memory or threads".to_owned()));
    }
}

/// Returns the message of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
}
