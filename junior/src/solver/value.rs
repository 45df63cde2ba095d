//! What a position is worth.

use std::collections::BTreeMap;

/// What a position is worth to the side to move. The order is for lists: losses, then draws, then wins, each by their plies.
/// [`Value::rank`] says how good a value is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// Its opponent wins after this number of plies; after 0 a line stands.
    Loss(u32),
    /// Nobody can force a line.
    Draw,
    /// It wins after this number of plies; after 0 a line stands.
    Win(u32),
}

/// How many positions that differ by more than a symmetry have each value.
pub type Counts = BTreeMap<Value, u64>;

impl Value {
    /// What a move that leads there is worth to the side that makes it.
    #[must_use]
    pub fn before(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Win(plies) => Value::Loss(plies + 1),
        }
    }

    /// The plies to the end of the game, `None` for a draw.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            Value::Draw => None,
            Value::Loss(plies) | Value::Win(plies) => Some(plies),
        }
    }

    /// How good it is: a win the sooner the better, a loss the later the better.
    #[must_use]
    pub fn rank(self) -> i64 {
        let far = i64::from(u32::MAX);
        match self {
            Value::Draw => 0,
            Value::Loss(plies) => i64::from(plies) - far,
            Value::Win(plies) => far - i64::from(plies),
        }
    }

    /// The word for it: win, draw or loss.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Value::Win(_) => "win",
            Value::Draw => "draw",
            Value::Loss(_) => "loss",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_win_is_best_and_a_quick_loss_worst() {
        let order = [Value::Win(1), Value::Win(3), Value::Draw, Value::Loss(4), Value::Loss(2)];
        assert!(order.is_sorted_by_key(|value| -value.rank()));
        assert_eq!(Value::Loss(4).before(), Value::Win(5));
    }
}
