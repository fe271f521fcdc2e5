//! Kernels of other people: those that are right agree with their native functions, and one that is wrong is found
//! with the least row that shows it.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::broken_backend::{Defect, open};
use imminent_conformance::{KernelCheck, KernelOutcome, KernelReport};
use imminent_core::{Device, ModuleSource};
use imminent_cpu::{CpuBackend, Options};

/// Two modules of one form, which differ for values above 100.
macro_rules! module {
    ($name:ident, $more:literal) => {
        #[imminent_core::kernels]
        #[allow(dead_code, reason = "the tests launch the kernels by their source")]
        mod $name {
            pub enum State {
                Idle,
                Busy,
            }

            #[derive(Row)]
            pub struct Clerk {
                pub line: Lanes<u32>,
                pub value: u32,
                pub weight: f32,
                pub state: State,
            }

            #[derive(Row)]
            pub struct Desk {
                pub time: u64,
                pub share: f32,
            }

            #[derive(Params)]
            pub struct Shop {
                pub limit: u64,
            }

            /// Uses every kind of resource.
            #[kernel(reduce = max)]
            pub fn serve(me: &mut Clerk, desks: &Rows<Desk>, shop: &Shop, served: &Tally<u64>, id: u32) -> u32 {
                let desk = desks.get(id % desks.len().max(1));
                if desk.time < shop.limit {
                    served.add(id % served.len(), desk.time / shop.limit);
                    me.line.set(0, me.line.get(me.value % 3));
                }
                me.value
            }

            #[kernel]
            pub fn count(me: &mut Clerk) {
                if me.value > 100 {
                    me.value += $more;
                }
            }

            /// Reads a row of its own in another table.
            #[kernel]
            pub fn copy(me: &mut Clerk, desk: &Desk) {
                me.value = me.value.wrapping_add(1 + desk.time as u32 % 2);
            }

            /// Sends by the order of rows.
            #[kernel]
            #[unordered]
            pub fn send(_me: &Clerk, last: &Tally<u32>, id: u32) {
                last.store(0, id);
            }

            /// Loops for ever.
            #[kernel]
            pub fn wait(me: &mut Clerk) {
                while me.value != 12_345 {
                    me.value %= 7;
                }
            }
        }
    };
}

module!(right, 1);
module!(wrong, 2);

fn cpu(threads: usize) -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(threads), ..Options::default() }).unwrap()).unwrap()
}

fn check(device: &Device, source: &'static ModuleSource) -> Vec<KernelReport> {
    KernelCheck::new().run(device, source).unwrap()
}

fn reason(report: &KernelReport) -> &str {
    match &report.outcome {
        KernelOutcome::Ignored { reason } => reason,
        _ => panic!("{report}"),
    }
}

#[test]
fn kernels_that_are_right_agree_and_others_are_ignored_with_their_reasons() {
    for device in [cpu(2), crate::skeleton()] {
        let reports = check(&device, right::source());
        let [serve, count, copy, send, wait] = reports.as_slice() else { panic!("{reports:?}") };
        for report in [serve, count, copy] {
            assert!(matches!(report.outcome, KernelOutcome::Agrees { launches: 32, given_up: 0 }), "{report}");
        }
        assert_eq!(count.kernel, "right::count");
        assert!(reason(send).contains("order of rows") && reason(wait).contains("too long"), "{send}, {wait}");
    }
}

/// Returns a module with the native functions of one module, and the intermediate representation of the other.
fn planted() -> &'static ModuleSource {
    let ir = Vec::leak(wrong::source().ir().unwrap().encode().unwrap());
    let names = ["serve", "count", "copy", "send", "wait"];
    let entries: Vec<_> = (0..).zip(names).map(|(at, name)| (name, right::source().entry(at).unwrap())).collect();
    Box::leak(Box::new(ModuleSource::new("planted", ir, entries.leak())))
}

#[test]
fn a_kernel_that_is_wrong_is_shown_by_the_least_row() {
    let reports = check(&cpu(1), planted());
    assert_eq!(reports.iter().filter(|report| report.is_failure()).count(), 1, "{reports:?}");
    let KernelOutcome::Differs { message, launch } = &reports[1].outcome else { panic!("{}", reports[1]) };
    // 101 is the least value above 100: the wrong kernel adds 2, and the right one 1.
    assert!(message.contains("`me`, row 0, field `value`: expected 103, found 102"), "{message}");
    let row = "Clerk { line: Lanes::from(vec![0]), value: 101, weight: 1.0, state: State::Idle }";
    assert!(launch.starts_with(&format!("let mut me = Table::from_rows(&device, &[{row}])?;\n")), "{launch}");
    assert!(launch.ends_with("device.queue().launch::<planted::count>((&mut me,))?;\n"), "{launch}");
}

#[test]
fn a_device_that_is_wrong_is_found() {
    let reports = check(&open(Defect::DropsTheLastRow), right::source());
    let KernelOutcome::Differs { message, .. } = &reports[1].outcome else { panic!("{}", reports[1]) };
    assert!(message.contains("`me`, row 299") && message.contains("(native function, device)"), "{message}");
    // The launch cannot have fewer rows, and so every table of own rows keeps its 300.
    let KernelOutcome::Differs { message, launch } = &reports[2].outcome else { panic!("{}", reports[2]) };
    assert!(message.contains("`me`, row 299"), "{message}");
    assert_eq!(launch.matches("Desk {").count(), 300, "{launch}");
}

/// A launch of zeros would have a limit of 0: the one that is reported is the first, as it was made.
#[test]
fn a_device_that_is_lost_is_told_once_with_the_launch_as_it_was() {
    let devices = [open(Defect::Lost), cpu(1)];
    let all = KernelCheck::new().launches(2).run_on(&devices, &[right::source(), planted()], &mut |_| {});
    let KernelOutcome::Lost { message, launch } = &all.reports[0].outcome else { panic!("{}", all.reports[0]) };
    assert!(message.contains("it was made so"), "{message}");
    assert!(launch.contains("Shop { limit: ") && !launch.contains("Shop { limit: 0 }"), "{launch}");
    // The other device has all kernels of both modules.
    assert_eq!(all.reports[1..].iter().filter(|report| report.device.starts_with("cpu 0")).count(), 10);
}

#[test]
fn a_module_that_cannot_be_read_hides_no_kernel_that_differs() {
    let unreadable = Box::leak(Box::new(ModuleSource::new("unreadable", b"no kernels", &[])));
    let mut told = 0;
    let check = KernelCheck::new().launches(16);
    let all = check.run_on(&[cpu(1), cpu(1)], &[planted(), unreadable], &mut |_| told += 1);
    let problem = all.problem().unwrap();
    assert_eq!((told, all.failures().count(), all.errors.len()), (10, 2, 1), "{problem}");
    assert!(problem.contains("expected 103, found 102") && problem.contains("unreadable"), "{problem}");
}
