//! How much stronger one player is than another, by the games between them.

/// The results of some games for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// The rating difference that an expected score means, in Elo points: 400 points are ten to one. Infinite at 0 and 1.
fn points(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

impl Tally {
    /// How many games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The share of points, 0 to 1, with half a point for a draw. `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) / games as f64)
    }

    /// The difference in Elo points, then the lower and upper end of its 95 % interval. The difference is infinite if
    /// one side won all games. `None` without games.
    ///
    /// The interval is Wilson's for the score. It ignores that draws make the variance smaller, so it is rather too
    /// wide.
    #[must_use]
    pub fn elo(&self) -> Option<[f64; 3]> {
        let (score, games) = (self.score()?, self.games() as f64);
        let z = 1.96;
        let middle = (score + z * z / (2.0 * games)) / (1.0 + z * z / games);
        let half = z / (1.0 + z * z / games)
            * (score * (1.0 - score) / games + z * z / (4.0 * games * games)).sqrt();
        Some([score, (middle - half).max(0.0), (middle + half).min(1.0)].map(points))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores and differences of FIDE's handbook, B.02, table 8.1a: 76 % is 200 points, 64 % is 102. That table uses
    /// the normal distribution, so it differs by up to three points.
    #[test]
    fn differences_are_those_of_the_table_and_the_interval_holds_them() {
        for (won, difference) in [(76, 200.0), (64, 102.0), (50, 0.0), (36, -102.0)] {
            let tally = Tally { won, drawn: 0, lost: 100 - won };
            let [elo, low, high] = tally.elo().expect("games");
            assert!((elo - difference).abs() < 3.0, "{won}: {elo}");
            assert!(low < elo && elo < high && high - low < 200.0, "{low} {elo} {high}");
        }
        let all = Tally { won: 10, drawn: 0, lost: 0 };
        let [elo, low, _] = all.elo().expect("games");
        assert!(elo.is_infinite() && low > 100.0, "{low}");
        assert_eq!(Tally::default().elo(), None);
        assert_eq!(Tally { won: 1, drawn: 2, lost: 1 }.score(), Some(0.5));
    }
}
