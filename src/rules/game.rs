//! A game: a variant under a reading, and how it judges a move (R6 and the readings).

use std::fmt;

use super::moves::Move;
use super::piece::Color;
use super::position::Position;
use super::reading::Reading;
use super::variant::Variant;

/// A variant under a reading: all that is needed to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    /// What each side may use.
    pub variant: Variant,
    /// How the rules are read.
    pub reading: Reading,
}

/// How a move is judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The move ends the game, and Black has won.
    BlackWins,
    /// The move ends the game, and White has won.
    WhiteWins,
    /// Play goes on in this position.
    GoesOn(Position),
}

impl Outcome {
    fn won_by(color: Color) -> Outcome {
        match color {
            Color::White => Outcome::WhiteWins,
            Color::Black => Outcome::BlackWins,
        }
    }
}

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// Where it was tried.
    pub position: Position,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move in {} (R4, R5)", self.mv, self.position)
    }
}

impl std::error::Error for IllegalMove {}

impl Game {
    /// The game of a variant under a reading.
    #[must_use]
    pub const fn new(variant: Variant, reading: Reading) -> Game {
        Game { variant, reading }
    }

    /// Makes a move and judges it.
    ///
    /// # Errors
    /// The move is not legal in the position.
    pub fn play(&self, position: &Position, mv: Move) -> Result<Outcome, IllegalMove> {
        if self.moves(position).any(|legal| legal == mv) {
            Ok(self.play_unchecked(position, mv))
        } else {
            Err(IllegalMove { mv, position: *position })
        }
    }

    /// Makes a move that [`Game::moves`] gave for this position, and judges it. For any other move the
    /// outcome means nothing.
    #[must_use]
    pub fn play_unchecked(&self, position: &Position, mv: Move) -> Outcome {
        let mover = position.turn();
        let mut after = position.with_turn(!mover);
        let mut lifted = None;
        match mv {
            Move::Place { size, to } => after.add(mover, size, to),
            Move::Transfer { from, to } => {
                if let Some((color, size)) = position.top(from) {
                    after.remove(color, size, from);
                    lifted = Some(after);
                    after.add(color, size, to);
                }
            }
        }
        let stands = |color| after.has_line(color);
        let uncovers = || lifted.is_some_and(|lifted: Position| lifted.has_line(!mover));
        match self.winner(mover, uncovers, stands) {
            Some(color) => Outcome::won_by(color),
            None => Outcome::GoesOn(after),
        }
    }

    /// Who has won after a move by `mover`: `uncovers` says whether lifting the piece showed a line of the
    /// mover's opponent, `stands` whether a line of a colour stands after the move.
    fn winner(
        &self,
        mover: Color,
        uncovers: impl Fn() -> bool,
        stands: impl Fn(Color) -> bool,
    ) -> Option<Color> {
        use Reading::{NoEntryCover, Official, Robust, StrictLift, Thesis};
        // R6: the opponent's line first, then the mover's. In `robust`, Black's line comes first whoever moved.
        let first = if self.reading == Robust { Color::Black } else { !mover };
        let at_the_end = || [first, !first].into_iter().find(|&color| stands(color));
        match (self.reading, mover) {
            (Official | NoEntryCover, _) | (Robust, Color::Black) => at_the_end(),
            _ if !uncovers() => at_the_end(),
            (Thesis, _) => Some(if stands(mover) { mover } else { !mover }),
            (StrictLift, _) => Some(!mover),
            (Robust, Color::White) => Some(Color::Black),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome of a move under each reading, in the order of `Reading::ALL`: `w`, `b` or `-`.
    fn judged(position: &str, mv: &str) -> String {
        let variant = "abcd-full".parse().expect("a variant");
        let judge = |reading| {
            let game = Game::new(variant, reading);
            let position = game.parse(position).expect("a position");
            match game.play(&position, mv.parse().expect("a move")).expect("legal") {
                Outcome::BlackWins => 'b',
                Outcome::WhiteWins => 'w',
                Outcome::GoesOn(_) => '-',
            }
        };
        Reading::ALL.into_iter().map(judge).collect()
    }

    #[test]
    fn a_line_wins_for_the_mover() {
        assert_eq!(judged("A,A,A,./.,.,.,./.,.,.,./B,.,.,. w", "a1-d4"), "wwwww");
        assert_eq!(judged("a,a,a,./.,.,.,./.,.,.,./b,.,.,. b", "a1-d4"), "bbbbb");
        assert_eq!(judged("A,A,.,./.,.,.,./.,.,.,./B,.,.,. w", "a1-d4"), "-----");
    }

    #[test]
    fn a_lift_that_uncovers_a_line_and_does_nothing_about_it() {
        // White's A on d4 covers the fourth black piece of rank 4.
        assert_eq!(judged("a,a,a,Ab/.,.,.,./.,.,.,./.,.,.,. w", "d4-a1"), "bbbbb");
        // Black's a on d4 covers the fourth white piece of rank 4.
        assert_eq!(judged("A,A,A,aB/.,.,.,./.,.,.,./.,.,.,. b", "d4-a1"), "wwwww");
    }

    #[test]
    fn a_lift_that_covers_the_line_again() {
        // The lifted A lands on the black b at a4, in the same line.
        assert_eq!(judged("b,a,a,Ab/.,.,.,./.,.,.,./.,.,a,. w", "d4-a4"), "-bb-b");
        // The same for Black: under `robust` nobody has a line after the move, and play goes on.
        assert_eq!(judged("B,A,A,aB/.,.,.,./.,.,.,./.,.,A,. b", "d4-a4"), "-ww--");
    }

    #[test]
    fn a_lift_that_uncovers_a_line_and_makes_the_movers_own() {
        // Both lines stand after the move: R6 gives it to the opponent, `thesis` to the mover.
        assert_eq!(judged("a,a,b,Ab/.,.,.,./.,.,.,./B,A,A,. w", "d4-d1"), "bwbbb");
        assert_eq!(judged("A,A,B,aB/.,.,.,./.,.,.,./b,a,a,. b", "d4-d1"), "wbwwb");
        // The mover's line alone stands, because the piece lands on the uncovered line.
        assert_eq!(judged("b,a,a,Ab/B,.,.,./A,.,.,./B,A,.,. w", "d4-a4"), "wwbwb");
        assert_eq!(judged("B,A,A,aB/b,.,.,./a,.,.,./b,a,.,. b", "d4-a4"), "bbwbb");
    }

    #[test]
    fn an_illegal_move_is_given_back() {
        let game = Game::new("ab".parse().expect("a variant"), Reading::Official);
        let position = Position::empty(Color::White);
        for illegal in ["B@a1", "a1-b1"] {
            let mv = illegal.parse().expect("a move");
            assert_eq!(game.play(&position, mv), Err(IllegalMove { mv, position }));
        }
        let mv = "B@a1".parse().expect("a move");
        let told = IllegalMove { mv, position }.to_string();
        assert_eq!(told, "B@a1 is not a legal move in .,.,.,./.,.,.,./.,.,.,./.,.,.,. w (R4, R5)");
    }

    #[test]
    fn the_other_side_is_to_move_after_a_move() {
        let game = Game::new("abc-full".parse().expect("a variant"), Reading::Official);
        for (before, mv, after) in [
            (".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "A@a1", ".,.,.,./.,.,.,./.,.,.,./A,.,.,. b"),
            ("b,.,.,./.,.,.,./.,.,.,./A,a,.,. b", "b1-a4", "ab,.,.,./.,.,.,./.,.,.,./A,.,.,. w"),
            ("bC,.,.,./a,.,.,./.,.,.,./A,B,.,. b", "a4-d4", "C,.,.,b/a,.,.,./.,.,.,./A,B,.,. w"),
            ("C,.,.,./.,.,.,./.,.,.,./A,B,.,. w", "a4-d4", ".,.,.,C/.,.,.,./.,.,.,./A,B,.,. b"),
        ] {
            let [before, after] = [before, after].map(|text| game.parse(text).expect("a position"));
            let played = game.play(&before, mv.parse().expect("a move"));
            assert_eq!(played, Ok(Outcome::GoesOn(after)), "{mv}");
        }
    }
}
