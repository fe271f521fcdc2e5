//! Backends by name: an ordered set that anyone can extend.

mod built_in;
mod provider;

#[doc(hidden)]
pub use built_in::not_compiled_in;
pub use provider::BackendProvider;

use imminent_core::{Error, Result, nearest};
use std::sync::{Arc, LazyLock};

/// An ordered set of backends, by name. Among devices of one kind `auto` prefers the later backend.
///
/// [`devices`](crate::devices), [`open`](crate::open) and [`select`](crate::select) use the standard set. The methods
/// of the same names use a set of one's own, as [`BackendProvider`] shows.
#[derive(Clone, Debug, Default)]
pub struct Backends {
    providers: Vec<Arc<dyn BackendProvider>>,
}

impl Backends {
    /// Returns this package's backends. Backends that are not compiled in are named too: their errors say how to get
    /// them.
    #[must_use]
    pub fn standard() -> Backends {
        Backends { providers: built_in::providers().into() }
    }

    /// Returns the standard set of this process.
    pub(crate) fn of_process() -> &'static Backends {
        static STANDARD: LazyLock<Backends> = LazyLock::new(Backends::standard);
        &STANDARD
    }

    /// Adds a backend after the others, or in the place of the one that has its name.
    #[must_use]
    pub fn with(mut self, provider: impl BackendProvider + 'static) -> Backends {
        match self.providers.iter_mut().find(|other| other.name() == provider.name()) {
            Some(other) => *other = Arc::new(provider),
            None => self.providers.push(Arc::new(provider)),
        }
        self
    }

    /// Returns the names of the backends, in the order of the set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(BackendProvider::name)
    }

    /// Returns the backends in the order of the set.
    pub fn iter(&self) -> impl Iterator<Item = &dyn BackendProvider> {
        self.providers.iter().map(|provider| &**provider)
    }

    /// Returns the backend of a name.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown name, with the known ones.
    pub fn get(&self, name: &str) -> Result<&dyn BackendProvider> {
        self.iter().find(|provider| provider.name() == name).ok_or_else(|| {
            let known: Vec<&str> = self.names().collect();
            // `gpu` is as near to `cpu` as to `wgpu`: a tie is broken by order, and no suggestion.
            let [first, last] = [nearest(name, known.iter().copied()), nearest(name, known.iter().rev().copied())];
            let remedy = match first.filter(|_| first == last) {
                Some(meant) => format!("did you mean `{meant}`? Known are {}", known.join(", ")),
                None => format!("give one of {}", known.join(", ")),
            };
            Error::invalid(format!("backend `{name}`"), format!("there is none of that name: {remedy}"))
        })
    }
}
