//! The working files of a run over several processes. The process with the number 0 reads and writes them for all.

use crate::cluster::share::Share;
use crate::cluster::wire::{Wire, agreed};
use crate::enumerate::rows::layout::Layout;
use crate::passes::{FixpointError, Saving};
use crate::rules::Color;
use crate::store::saved_tiers::{SavedTier, SavedWords, TierState, save_words};
use crate::store::{Checkpoint, SavedTiers, WorkingError};

/// The checkpoint of a run, as each of its processes sees it.
pub(crate) struct SharedCheckpoint<'a> {
    wire: &'a dyn Wire,
    /// `Some` in the process with the number 0, if the run is saved.
    own: Saving<'a>,
    is_kept: bool,
}

/// Called after each block that is read; its error breaks the run off.
type Heed<'a> = &'a mut dyn FnMut() -> Result<(), FixpointError>;

/// The number of words that announces the end. Before words are sent their number is told, which is never this one.
const NO_MORE: u64 = 0;

impl<'a> SharedCheckpoint<'a> {
    pub(crate) fn new(wire: &'a dyn Wire, saving: Saving<'a>) -> SharedCheckpoint<'a> {
        let own = saving.filter(|_| wire.rank() == 0);
        SharedCheckpoint { wire, is_kept: wire.any(own.is_some()), own }
    }

    pub(crate) fn wire(&self) -> &'a dyn Wire {
        self.wire
    }

    /// Whether the run is saved.
    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// The result of this process, if none failed. Else as [`agreed`], where the others are interrupted.
    fn agreed<T>(&self, own: Result<T, FixpointError>) -> Result<T, FixpointError> {
        agreed(self.wire, own, || FixpointError::Interrupted)
    }

    /// Adds to the shares of a tier what the files hold of it, as [`crate::store::saved_tiers::load`] does for one process. All
    /// processes ask `heed` equally often, and it must tell all of them the same.
    pub(crate) fn load(
        &self,
        share: &Share,
        whole: &Layout,
        tier: usize,
        turns: &[Color],
        heed: Heed<'_>,
    ) -> Result<TierState, FixpointError> {
        if !self.is_kept {
            return Ok(TierState::default());
        }
        let Some(checkpoint) = self.own.as_deref() else {
            let mut heeded = Ok(());
            while let Some((from, words)) = self.hear() {
                add(share, whole, tier, turns, from, &words);
                heeded = heed();
            }
            self.agreed(heeded)?;
            return Ok(self.told(TierState::default()));
        };
        let loaded = self.read(checkpoint, whole, tier, |from, words| {
            add(share, whole, tier, turns, from, &words);
            heed()
        });
        self.tell(NO_MORE, 0, &mut SavedWords::default());
        let known = match loaded {
            Err(FixpointError::Working(WorkingError::Missing { .. })) => Ok(TierState::default()),
            loaded => loaded,
        };
        Ok(self.told(self.agreed(known)?))
    }

    /// Reads what the files hold of a tier, tells the others, and hands it to `add`.
    fn read(
        &self,
        checkpoint: &Checkpoint<SavedTiers>,
        whole: &Layout,
        tier: usize,
        mut add: impl FnMut(usize, SavedWords) -> Result<(), FixpointError>,
    ) -> Result<TierState, FixpointError> {
        let Some(saved) = SavedTier::of(checkpoint, tier, whole.tier(tier)) else {
            return Ok(TierState::default());
        };
        let mut from = 0;
        for place in 0..saved.blocks() {
            let mut words = saved.block(place, from)?;
            let len = words.white_to_move.len();
            if len > 0 {
                self.tell(len as u64, from, &mut words);
                add(from, words)?;
            }
            from += len;
        }
        saved.are_all(from)?;
        Ok(saved.state)
    }

    /// As [`SharedCheckpoint::load`] of a tier that must be finished.
    pub(crate) fn load_finished(
        &self,
        share: &Share,
        whole: &Layout,
        tier: usize,
        turn: Color,
        heed: Heed<'_>,
    ) -> Result<(), FixpointError> {
        let known = self.load(share, whole, tier, &[turn], heed)?;
        if known.finished && known.with_black {
            return Ok(());
        }
        let dir = self.own.as_deref().map(|checkpoint| checkpoint.dir().to_owned());
        let tier = whole.tier(tier).tier;
        Err(dir.map_or(FixpointError::Interrupted, |dir| FixpointError::Unfinished { dir, tier }))
    }

    /// Writes the state and the sets of a tier. They count from the next [`SharedCheckpoint::publish`] on.
    pub(crate) fn save(
        &mut self,
        share: &Share,
        whole: &Layout,
        tier: usize,
        known: TierState,
    ) -> Result<(), FixpointError> {
        if !self.is_kept {
            return Ok(());
        }
        let (wire, len) = (self.wire, whole.tier(tier).len());
        let Some(checkpoint) = self.own.as_deref_mut() else {
            // The process with the files says which words it writes next.
            loop {
                let mut asked = [0; 3];
                wire.or(&mut asked);
                let [len, from, turn] = asked.map(|number| number as usize);
                if len as u64 == NO_MORE {
                    return self.agreed(Ok(()));
                }
                share.gather(wire, whole, (tier, Color::ALL[turn]), from..from + len);
            }
        };
        let written = save_words(checkpoint, (tier, len), known, |turn, words| {
            wire.or(&mut [words.len() as u64, words.start as u64, turn as u64]);
            share.gather(wire, whole, (tier, turn), words)
        });
        wire.or(&mut [NO_MORE, 0, 0]);
        self.agreed(written.map_err(FixpointError::from))
    }

    /// Publishes what was written: it counts from now on.
    pub(crate) fn publish(&mut self) -> Result<(), FixpointError> {
        let published = self.own.as_deref_mut().map_or(Ok(()), Checkpoint::publish);
        self.agreed(published.map_err(FixpointError::from))
    }

    /// The same, if something was written since the last time.
    pub(crate) fn publish_news(&mut self) -> Result<(), FixpointError> {
        let published = self.own.as_deref_mut().map_or(Ok(()), Checkpoint::publish_news);
        self.agreed(published.map_err(FixpointError::from))
    }

    /// Whether it is time to save.
    pub(crate) fn is_due(&self) -> bool {
        self.wire.any(self.own.as_deref().is_some_and(Checkpoint::is_due))
    }

    /// As [`Checkpoint::is_worth`].
    pub(crate) fn is_worth(&self, bytes: u128) -> bool {
        self.wire.any(self.own.as_deref().is_some_and(|checkpoint| checkpoint.is_worth(bytes)))
    }

    /// As [`Checkpoint::go_on`].
    pub(crate) fn go_on(&mut self) {
        self.own.as_deref_mut().into_iter().for_each(Checkpoint::go_on);
    }

    /// As [`Checkpoint::begin_another`].
    pub(crate) fn begin_another(&mut self) {
        self.own.as_deref_mut().into_iter().for_each(Checkpoint::begin_another);
    }

    /// Sends words of both sets to the others, beginning at word `from`: `len` words of each set that is there.
    fn tell(&self, len: u64, from: usize, words: &mut SavedWords) {
        self.wire.or(&mut [len, from as u64, words.black_to_move.len() as u64]);
        self.wire.or(&mut words.white_to_move);
        self.wire.or(&mut words.black_to_move);
    }

    /// Receives what [`SharedCheckpoint::tell`] sent, with the place of the first word; `None` if that was the end.
    fn hear(&self) -> Option<(usize, SavedWords)> {
        let mut asked = [0; 3];
        self.wire.or(&mut asked);
        let [white, from, black] = asked.map(|number| number as usize);
        let mut words = SavedWords { white_to_move: vec![0; white], black_to_move: vec![0; black] };
        self.wire.or(&mut words.white_to_move);
        self.wire.or(&mut words.black_to_move);
        (white as u64 != NO_MORE).then_some((from, words))
    }

    /// Gives all processes the state of a tier that the process with the files knows.
    fn told(&self, own: TierState) -> TierState {
        let TierState { rounds, first_round, finished, with_black } = own;
        let mut words = [rounds.into(), first_round, finished.into(), with_black.into()];
        self.wire.or(&mut words);
        let [rounds, first_round, finished, with_black] = words;
        TierState { rounds: rounds as u32, first_round, finished: finished != 0, with_black: with_black != 0 }
    }
}

/// Adds words of both sets to the shares that keep them.
fn add(share: &Share, whole: &Layout, tier: usize, turns: &[Color], from: usize, words: &SavedWords) {
    for &turn in turns {
        share.scatter(whole, (tier, turn), from, words.of(turn));
    }
}
