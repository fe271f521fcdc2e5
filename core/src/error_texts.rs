//! Snapshot of all error texts of this crate.

use crate::fault::Operands;
use crate::holder::Holder;
use crate::native::NativeError;
use crate::{Determinism, Error, Fault, Limit};
use imminent_ir::flatten::FlattenError;
use imminent_ir::interpret::Stuck;
use imminent_ir::{DecodeError, FaultKind};
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;
use std::sync::Arc;

fn fault(kind: FaultKind, text: &str, operands: Option<Operands>) -> Fault {
    let (kernel, file, text) = ("serve".to_owned(), "src/shop.rs".to_owned(), text.to_owned());
    Fault { kernel, row: 20, kind, file, line: 99, column: 20, text, operands, operation: None }
}

fn out_of_memory(limit: Option<u64>, holders: Vec<Holder>) -> Error {
    let (backend, device, what) = ("cuda".into(), "NVIDIA H200".into(), "table `Desk`".into());
    Error::OutOfMemory { backend, device, what, requested: 8_589_934_592, limit, holders }
}

fn exceeded(limit: Limit) -> Error {
    Error::limit(limit, 70_000_u32, 65_536_u32)
}

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    let (cuda, device) = (String::from("cuda"), String::from("NVIDIA H200"));
    error_texts!(texts, Error {
        Fault => [
            fault(FaultKind::IndexOutOfRange, "`me.past[row as usize]`", Some(Operands::Index { index: 23, length: 8 })).into(),
            fault(FaultKind::IndexOutOfRange, "`me.past[row as usize]`", None).into(),
            fault(FaultKind::DivisionByZero, "`me.sum / me.served`", Some(Operands::Dividend(-12))).into(),
            fault(FaultKind::HistoryTooOld, "`sent.get(id, step - 40)`", Some(Operands::Step { step: 60, from: 84, until: 100 })).into(),
            fault(FaultKind::Assertion, "the line has room: `me.waiting < shop.places`", None).into(),
            fault(FaultKind::LoopCut, "", None).into(),
        ],
        Poisoned => [Error::Poisoned {
            what: "table `Desk`".into(),
            cause: Arc::new(fault(FaultKind::RemainderByZero, "`row % shop.places`", Some(Operands::Dividend(20))).into()),
        }],
        OutOfMemory => [
            out_of_memory(None, Vec::new()),
            out_of_memory(Some(1_073_741_824), vec![
                Holder { what: "table `Line`".into(), count: 1, bytes: 120_000_000_000 },
                Holder { what: "tally of u64".into(), count: 3, bytes: 24_000 },
            ]),
        ],
        Limit => [exceeded(Limit::Rows { of: "a table of `Desk`".into() })],
        Unsupported => [Error::Unsupported {
            backend: "wgpu".into(),
            device: "llvmpipe".into(),
            what: "kernel `serve`".into(),
            reason: "it has no `f64`, which src/shop.rs:99 uses".into(),
            remedy: "Use `f32` or fixed point, or another device".into(),
        }],
        Determinism => [Error::Determinism {
            backend: "wgpu".into(),
            device: "llvmpipe".into(),
            what: "kernel `serve`".into(),
            asked: Determinism::Reproducible,
            offered: Determinism::Bounded { ulp: 3 },
            reason: "its division is off by up to 3 ulp".into(),
            remedy: "Allow results within 3 ulp by the device option `floats=bounded` or `Device::allowing`, take another device".into(),
        }],
        Compile => [Error::Compile {
            backend: cuda.clone(),
            device: device.clone(),
            kernel: "serve".into(),
            location: "src/shop.rs:99".into(),
            message: "error: identifier \"x\" is undefined".into(),
        }],
        Unavailable => [Error::Unavailable {
            backend: cuda.clone(),
            reason: "the driver's library is missing".into(),
            tried: "libcuda.so.1, libcuda.so".into(),
            remedy: "Install the NVIDIA driver".into(),
        }],
        NoDevice => [Error::NoDevice { backend: cuda.clone(), index: 3, available: "1 device: 0 NVIDIA H200".into() }],
        DeviceLost => [Error::DeviceLost {
            backend: cuda.clone(),
            device: device.clone(),
            stage: "the launch of kernel `serve`".into(),
            reason: "CUDA_ERROR_ECC_UNCORRECTABLE".into(),
        }],
        Driver => [Error::Driver {
            backend: cuda,
            device,
            stage: "a download".into(),
            message: "CUDA_ERROR_UNKNOWN".into(),
        }],
        Launch => [Error::Launch {
            kernel: "serve".into(),
            reason: "own rows are of tables of 10 and of 12 rows: give tables of one length".into(),
        }],
        Invalid => [Error::invalid("selection", "row 7 is listed twice: list each row once")],
        NoThreads => [Error::NoThreads { what: "a program that is started".into(), remedy: "Run it with `Program::run`".into() }],
        Module => [Error::Module { module: "shop".into(), reason: "it has no kernel at position 4".into() }],
    });
    let (kernel, table) = (String::from("serve"), String::from("a table of `Desk`"));
    error_texts!(texts, Limit in exceeded {
        Rows => [Limit::Rows { of: table.clone() }],
        Slots => [Limit::Slots { of: "a tally of u64".into() }],
        Lanes => [Limit::Lanes { of: "a ragged table of `Desk`".into() }],
        PackedLanes => [Limit::PackedLanes { of: "a packed table of 20 `Desk` with 4 lanes each".into() }],
        HistorySteps => [Limit::HistorySteps { of: "a history of `Desk`".into() }],
        Messages => [Limit::Messages],
        Bytes => [Limit::Bytes { of: table.clone() }],
        PackedBytes => [Limit::PackedBytes { of: table }],
        PartialBytes => [Limit::PartialBytes],
        StagedValues => [Limit::StagedValues { scalar: "u64" }],
        LaunchRows => [Limit::LaunchRows { kernel: kernel.clone() }],
        LaunchGroups => [Limit::LaunchGroups { kernel: kernel.clone() }],
        GroupRows => [Limit::GroupRows { kernel: kernel.clone() }],
        GroupBytes => [Limit::GroupBytes { kernel: kernel.clone() }],
        GroupThreads => [Limit::GroupThreads { kernel: kernel.clone() }],
        Pointers => [Limit::Pointers { kernel: kernel.clone() }],
        ArgumentBytes => [Limit::ArgumentBytes { kernel: kernel.clone() }],
        StorageBuffers => [Limit::StorageBuffers { kernel: kernel.clone(), own: 3 }],
        KernelFaults => [Limit::KernelFaults { kernel }],
        StepFaults => [Limit::StepFaults],
        StepOperations => [Limit::StepOperations],
        StepDispatches => [Limit::StepDispatches],
        SwapSteps => [Limit::SwapSteps],
        InnerLoops => [Limit::InnerLoops],
        Conditions => [Limit::Conditions],
        ConditionData => [Limit::ConditionData],
        ConditionBytes => [Limit::ConditionBytes],
        Workgroup => [Limit::Workgroup],
        Other => [Limit::Other { what: "tiles of 256 cells".into(), remedy: "Simulate a smaller space" }],
    });
    error_texts!(texts, FaultKind {
        DivisionByZero => [FaultKind::DivisionByZero],
        RemainderByZero => [FaultKind::RemainderByZero],
        IndexOutOfRange => [FaultKind::IndexOutOfRange],
        RowOutOfRange => [FaultKind::RowOutOfRange],
        LaneOutOfRange => [FaultKind::LaneOutOfRange],
        TallyOutOfRange => [FaultKind::TallyOutOfRange],
        ScratchOutOfRange => [FaultKind::ScratchOutOfRange],
        HistoryTooYoung => [FaultKind::HistoryTooYoung],
        HistoryTooOld => [FaultKind::HistoryTooOld],
        HistoryTooEarly => [FaultKind::HistoryTooEarly],
        HistoryTooFar => [FaultKind::HistoryTooFar],
        Assertion => [FaultKind::Assertion],
        LoopCut => [FaultKind::LoopCut],
    });
    error_texts!(texts, NativeError {
        Type => [NativeError::Type { slot: 2, expected: "table of `Desk`" }],
        Unavailable => [NativeError::Unavailable { slot: 2 }],
        Groups => [NativeError::Groups],
    });
    error_texts!(texts, DecodeError {
        Malformed => [DecodeError::Malformed("Hit the end of buffer, expected more data".into())],
        Version => [DecodeError::Version { found: 12 }],
    });
    error_texts!(texts, FlattenError {
        Recursion => [FlattenError::Recursion { kernel: "serve".into(), function: "next".into() }],
        MixedTally => [FlattenError::MixedTally { kernel: "serve".into(), tally: "served".into(), first: "add", second: "max" }],
        TooLarge => [FlattenError::TooLarge { kernel: "serve".into(), what: "Desk".into(), limit: 65_536 }],
        TooDeep => [FlattenError::TooDeep { kernel: "serve".into(), place: "`next` (src/shop.rs:99)".into(), limit: 256 }],
        IllFormed => [FlattenError::IllFormed {
            kernel: "serve".into(),
            place: "`next` (src/shop.rs:99)".into(),
            what: "local 12 does not exist".into(),
        }],
    });
    error_texts!(texts, Stuck {
        IllFormed => [Stuck::IllFormed("local 12 does not exist".into())],
        Fuel => [Stuck::Fuel],
    });
    insta::assert_snapshot!("errors", texts);
}
