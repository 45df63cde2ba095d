//! `request` under libFuzzer.
#![no_main]

#[path = "../../tests/fuzz/targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    targets::request::run(input);
});
