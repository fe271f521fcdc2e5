//! Cases of the suite.

pub(crate) use crate::group::Group;
pub(crate) use crate::verdict::SkipReason;
pub(crate) use crate::verdict::{Stop, Verdict, ensure, equal, equal_slices, error_of, fail, refused};

use crate::context::Context;
use std::sync::Arc;

type Body = Arc<dyn Fn(&Context<'_>) -> Verdict + Send + Sync>;

/// A statement about backends, and its test.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) body: Body,
}

/// Cases of a group while they are collected.
pub(crate) struct Cases {
    group: Group,
    list: Vec<Case>,
}

impl Cases {
    pub(crate) fn new(group: Group) -> Self {
        Cases { group, list: Vec::new() }
    }

    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        body: impl Fn(&Context<'_>) -> Verdict + Send + Sync + 'static,
    ) {
        self.list.push(Case { group: self.group, name: name.into(), body: Arc::new(body) });
    }

    pub(crate) fn into_list(self) -> Vec<Case> {
        self.list
    }
}
