//! Code outside the kernel language is an error at the user's token. The error says what to write instead.

#[test]
fn errors_point_at_the_token_and_say_what_to_write() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
