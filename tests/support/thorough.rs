//! Tests that try everything where a part of it finds the same.

/// Whether to try everything, which takes minutes more: `GOBPROVE_TESTS=all` in the environment, as `.ci/weekly` sets it.
pub fn thorough() -> bool {
    std::env::var("GOBPROVE_TESTS").is_ok_and(|which| {
        assert_eq!(which, "all", "GOBPROVE_TESTS is all or not there");
        true
    })
}
