//! Tells the lab which commit it is built from, as the program does.

#[path = "../cli/build.rs"]
mod program;

fn main() {
    program::main();
}
