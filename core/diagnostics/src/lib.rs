//! Tests of what the kernel macro says of code that is outside the language: see `tests/ui`.
