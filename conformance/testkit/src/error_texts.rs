//! Lists of the error texts of a crate, which a snapshot keeps in one file for review.
//!
//! A unit test lists an error of each variant with [`error_texts!`](macro@crate::error_texts). It does not compile if a
//! variant has no line, so a new error cannot be added without its text in the snapshot.

use std::fmt::{Display, Write};

/// Error texts of a crate: for each error the name of its variant, then its text.
#[derive(Debug, Default)]
pub struct ErrorTexts {
    text: String,
}

impl ErrorTexts {
    /// Appends the text of an error under a name.
    pub fn add(&mut self, name: &str, error: &dyn Display) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        writeln!(self.text, "{gap}{name}\n{error}").expect("a string takes all that is written");
    }
}

impl Display for ErrorTexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// Appends the texts of an enum's errors to [`ErrorTexts`]: one error or more for each variant.
///
/// ```text
/// let mut texts = ErrorTexts::default();
/// error_texts!(texts, LawError {
///     NotPositive => [LawError::NotPositive { law: "exponential", parameter: "mean", value: 0.0 }],
///     Branches => [LawError::Branches { sum: 0.9 }],
/// });
/// insta::assert_snapshot!(texts);
/// ```
///
/// The parts of an error are listed as `error_texts!(texts, Part in whole { .. })`, where `whole` is a function that
/// returns the error with a part.
#[macro_export]
macro_rules! error_texts {
    ($texts:ident, $type:ident $(<$argument:ty>)? { $($variants:tt)* }) => {
        $crate::error_texts!($texts, $type $(<$argument>)? in std::convert::identity { $($variants)* });
    };
    ($texts:ident, $type:ident $(<$argument:ty>)? in $whole:path {
        $($variant:ident => [$($error:expr),+ $(,)?]),+ $(,)?
    }) => {
        // The match is exhaustive: a variant without a line does not compile.
        let name_of = |error: &$type $(<$argument>)?| match error {
            $($type::$variant { .. } => concat!(stringify!($type), "::", stringify!($variant))),+
        };
        $($(
            let error = $error;
            let name = name_of(&error);
            assert!(name.ends_with(concat!("::", stringify!($variant))), "an error of {name} is in another line");
            $texts.add(name, &$whole(error));
        )+)+
    };
}
