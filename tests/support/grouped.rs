//! Numbers as people read them.

/// `1234567` as `1,234,567`.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let starts = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let spaced = |(at, digit): (usize, char)| [starts(at).then_some(','), Some(digit)];
    digits.chars().enumerate().flat_map(spaced).flatten().collect()
}
