//! Options that limit which answers White may choose, shared by the commands that grow closures without a solution.

use std::path::PathBuf;

use clap::Args;

use super::args::{self, Talk, Threads};
use super::exit::{Failure, shown};
use super::memory::Memory;
use super::progress::Progress;
use super::signals::Signals;
use super::work::{on_threads, within};
use crate::bitbase::Solution;
use crate::closure::SavedValues;
use crate::closure::prover::{Choice, Guide};
use crate::enumerate::Discipline;
use crate::passes;
use crate::passes::FixpointError;
use crate::rules::Game;
use crate::store::{Checkpoint, WorkingError, is_working_directory, mistaken};
use crate::strategy::Seed;

/// The answers that White may choose from.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// Take only answers that are safe by the working files of a finished `gobprove solve VARIANT --no-file --dir DIR`
    /// under the same discipline. Without this option White answers by weights, and an answer that turns out lost is replaced
    #[arg(long, value_name = "DIR")]
    pub values: Option<PathBuf>,
    /// What White keeps to: A=2 for at most two white A that cover no black B, A=3/3/2/1 by how many black B are on the
    /// board, B=1 likewise over black C; B@=2 for at most two white B on the board, B@=2/2/3/3 by how many black C are
    /// there; a loss then leaves the variant open
    #[arg(long, value_name = "SIZE=MOST,...", default_value_t, hide_default_value = true)]
    #[arg(value_parser = args::discipline_of_white)]
    pub discipline: Discipline,
    /// With --values: where they know no safe answer, take one that keeps to this discipline, as in --beyond A=3
    #[arg(long, value_name = "SIZE=MOST,...", requires = "values", value_parser = args::discipline_of_white)]
    pub beyond: Option<Discipline>,
}

/// The values of a finished solve.
pub enum Known {
    /// All of them are in memory.
    Whole(Box<Solution>),
    /// Only the values that answer the questions of one tier are in memory at a time.
    ByTier(Box<SavedValues>),
}

impl Answers {
    /// The values of the finished solve that `--values` names; `None` without it. `beside` bytes of memory are left for
    /// other work. If not all values fit, they are read tier by tier, and the closure that grows from them is the same. Then
    /// the values of a tier that take more than half of the memory lie in mapped files.
    ///
    /// # Errors
    /// They do not fit into memory, the working files are not those of a finished solve of the game, or a signal came.
    pub fn values(
        &self,
        game: &Game,
        beside: u128,
        memory: Memory,
        threads: Threads,
        talk: Talk,
        signals: &Signals,
    ) -> Result<Option<Known>, Failure> {
        let Some(dir) = &self.values else {
            memory.allow(game.variant, beside)?;
            return Ok(None);
        };
        let (mut by_tier, most) = (false, u128::from(memory.most()));
        let room = most / 2;
        let needed = || {
            let whole = passes::bytes_of_answers(game.variant, self.discipline);
            // With `beyond`, play may leave the values and come back to them in any tier.
            by_tier = self.beyond.is_none() && beside + whole > most;
            beside + if by_tier { SavedValues::bytes(game.variant, self.discipline, room) } else { whole }
        };
        memory.allow_within(game.variant, self.discipline, needed, talk)?;
        let finish = |failure: Failure| {
            let discipline = within(&self.discipline);
            failure.next(format!(
                "gobprove solve {} --reading {} --no-file{discipline} --dir {} finishes them",
                game.variant,
                game.reading,
                shown(dir)
            ))
        };
        if !is_working_directory(dir) {
            return Err(finish(Failure::unavailable(format!("{} holds no working files", shown(dir)))));
        }
        let saved = Checkpoint::open_within(dir, game, Seed::Rules, &self.discipline, false);
        let saved = saved.map_err(|error| match error {
            WorkingError::Foreign { found, expected, .. } => {
                let what = format!("{}: {}", shown(dir), mistaken(&found, &expected));
                Failure::unavailable(what)
                    .next("give the --reading and the --discipline that it was solved under")
            }
            error => Failure::unavailable(error),
        })?;
        let _progress = Progress::new(format!("reading the values of {}", game.variant), talk);
        let known = match by_tier {
            true => SavedValues::new(game, self.discipline, saved, room).map(Box::new).map(Known::ByTier),
            false => {
                let read = || passes::safe_answers(game, self.discipline, &saved, &mut || signals.goes_on());
                on_threads(threads.count(), read)?.map(Box::new).map(Known::Whole)
            }
        };
        known.map(Some).map_err(|error| match error {
            FixpointError::Unfinished { .. } => finish(Failure::unavailable(error)),
            FixpointError::Interrupted => signals.failure(),
            error => Failure::unavailable(error),
        })
    }

    /// How many bytes the values take at most.
    #[must_use]
    pub fn taken(&self, game: &Game, values: Option<&Known>) -> u128 {
        match values {
            None => 0,
            Some(Known::Whole(values)) => {
                u128::from(values.bytes()) + passes::bytes_of_table(game.variant, self.discipline)
            }
            Some(Known::ByTier(values)) => SavedValues::bytes(game.variant, self.discipline, values.room()),
        }
    }

    /// Whether White may give every answer. If so, a position that is not safe is lost.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.discipline.is_free() || self.beyond.is_some_and(|beyond| beyond.is_free())
    }

    /// How White's answers are chosen, before the values are read.
    #[must_use]
    pub fn choice(&self) -> Choice<'_> {
        match (&self.values, &self.beyond) {
            (None, _) => Choice::Discipline(&self.discipline),
            (Some(_), None) => Choice::Values(self.discipline),
            (Some(_), Some(discipline)) => Choice::Beyond(&self.discipline, discipline),
        }
    }

    /// What White's answers are chosen by.
    #[must_use]
    pub fn guide<'a>(&'a self, values: Option<&'a Known>) -> Guide<'a> {
        match (values, &self.beyond) {
            (None, _) => Guide::Discipline(&self.discipline),
            (Some(Known::Whole(values)), Some(discipline)) => Guide::Beyond(values, discipline),
            (Some(Known::Whole(values)), None) => Guide::Values(&**values),
            (Some(Known::ByTier(values)), _) => Guide::Values(&**values),
        }
    }
}

impl Known {
    /// The error that kept a tier's values from being read, if there was one. It is given once.
    #[must_use]
    pub fn failed(&self) -> Option<FixpointError> {
        match self {
            Known::Whole(_) => None,
            Known::ByTier(values) => values.failed(),
        }
    }
}
