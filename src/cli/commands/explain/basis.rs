//! What an explanation rests on: certificates from the command line, certificates that ship, a solved variant in a file, or a
//! solution made at once.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::ExplainArgs;
use crate::cli::commands::query;
use crate::cli::console::exit::{Failure, shown};
use crate::cli::console::lattice::{reason, settled_by};
use crate::cli::console::progress::Progress;
use crate::cli::console::report::say;
use crate::cli::console::shipped::{self, Shipped, missing, no_certificate};
use crate::cli::console::work::on_threads;
use crate::enumerate::census;
use crate::explain::knowledge::Source;
use crate::explain::solved_file::AskedFile;
use crate::passes::solve;
use crate::rules::{Game, Reading, Variant};
use crate::store::{Certificate, Claim, Kind, Store};
use crate::strategy::Seed;

/// The most canonical positions of a game that is solved on the spot: about twice those of `ab`, which takes
/// a second.
const MOST_SOLVED: u128 = 10_000_000;

/// What is proven of the empty board, whoever is to move, by a certificate of another game.
pub(super) struct EmptyBoard {
    /// Whether Black wins.
    pub is_lost: bool,
    /// The certificate's file.
    pub file: String,
    /// Why its claim carries over, in a clause.
    pub why: String,
}

/// What an explanation rests on.
pub(super) struct Basis {
    /// The game that is explained.
    pub game: Game,
    /// The sources, each with its name.
    pub sources: Vec<Source>,
    /// The names of the sources, for people; empty if there is only a search to go by.
    pub names: Vec<String>,
    /// The solution in a file.
    pub file: Option<Arc<AskedFile>>,
    /// What settles the empty board and nothing else of the game.
    pub empty: Option<EmptyBoard>,
}

impl Basis {
    /// Takes the given sources, or without a given certificate or solved file what can be found, which may be nothing. The
    /// game is that of the first given source, unless the arguments name it.
    ///
    /// # Errors
    /// Something given cannot be read or is for another game, or what ships for the game is not at hand.
    pub(super) fn choose(args: &ExplainArgs) -> Result<Basis, Failure> {
        let ab = || args_variant("ab");
        let mut given = Vec::new();
        for path in &args.certificates {
            given.push((shown(path), shipped::given(path)?.0));
        }
        let of_file = |path: &PathBuf| Store::open(path).ok().map(|solved| *solved.game());
        let first = given.first().map(|(_, certificate)| certificate.claim.game);
        let first = first.or_else(|| args.solved.as_ref().and_then(of_file));
        let variant = args.gobblet().or(first.map(|game| game.variant)).map_or_else(ab, Ok)?;
        let reading = args.reading.or(first.map(|game| game.reading)).unwrap_or(Reading::Official);
        let mut basis = Basis {
            game: Game::new(variant, reading),
            sources: Vec::new(),
            names: Vec::new(),
            file: None,
            empty: None,
        };
        if let Some((name, file)) = query::find(&basis.game, args.solved.as_deref(), given.is_empty())? {
            let file = Arc::new(AskedFile::new(file));
            basis.add(name, Source::File(Arc::clone(&file)));
            basis.file = Some(file);
        }
        if given.is_empty() && args.solved.is_none() {
            basis.take_what_is_at_hand(args)?;
        }
        for (name, certificate) in given {
            shipped::speaks_of(&name, &certificate.claim, &basis.game)?;
            basis.add(name, Source::Certificate(certificate));
        }
        Ok(basis)
    }

    fn add(&mut self, name: String, source: Source) {
        self.names.push(name);
        self.sources.push(source);
    }

    /// Adds a cut of the game itself, a solution if the variant is small, and a closure or a refutation. Adds nothing if
    /// nothing is known of the game.
    fn take_what_is_at_hand(&mut self, args: &ExplainArgs) -> Result<(), Failure> {
        let game = self.game;
        let mut elsewhere = Vec::new();
        let cut = at_hand(|claim| claim.kind == Kind::Cut && claim.game == game, &mut elsewhere)?;
        let has_cut = cut.is_some();
        cut.into_iter().for_each(|(name, cut)| self.add(name, cut));
        // A file without plies does not say how Black wins.
        let has_plies = self.file.as_ref().is_some_and(|file| file.has_plies());
        if is_solved_on_the_spot(game.variant) && !has_plies {
            args.asked.read_ahead(args.asked.reader(&game, "explain"))?;
            if args.talk.verbose {
                say(&format!("solving {} {}", game.variant, game.reading));
            }
            let _progress = Progress::new(format!("solving {} {}", game.variant, game.reading), args.talk);
            let never = &mut |_| ControlFlow::Continue(());
            let solution = on_threads(args.threads.count(), || solve(&game, Seed::Rules, None, never))?;
            let solution = Box::new(solution.map_err(Failure::unavailable)?);
            self.add("solved on the spot".to_owned(), Source::Solution(solution));
        } else if !has_cut && self.file.is_none() {
            // What White holds with less material it holds with more.
            let of_less = |claim: &Claim| {
                let is_of_reading = claim.game.reading == game.reading;
                claim.kind == Kind::Cut && is_of_reading && claim.covers(game.variant)
            };
            if let Some((name, cut)) = at_hand(of_less, &mut elsewhere)? {
                self.add(name, cut);
            }
        }
        let closure = |claim: &Claim| claim.kind == Kind::Closure && claim.game.reading == game.reading;
        let own = |claim: &Claim| closure(claim) && claim.game == game;
        let of_less = |claim: &Claim| closure(claim) && claim.covers(game.variant);
        let refutation = |claim: &Claim| claim.kind == Kind::Refutation && claim.game == game;
        for wanted in [&own as &dyn Fn(&Claim) -> bool, &of_less, &refutation] {
            if let Some((name, source)) = at_hand(wanted, &mut elsewhere)? {
                self.add(name, source);
                break;
            }
        }
        if !self.sources.is_empty() {
            return Ok(());
        }
        if !elsewhere.is_empty() {
            return Err(missing(&elsewhere));
        }
        // What White holds against more it holds against less. Without the file, the claim still settles the empty board.
        if let Some(shipped) = settled_by(&game, Some(Kind::Closure))
            && let Some((name, source)) = at_hand(|claim| *claim == shipped.claim(), &mut Vec::new())?
        {
            self.add(name, source);
            return Ok(());
        }
        self.empty = settled_by(&game, None).map(|shipped| EmptyBoard {
            is_lost: shipped.kind == Kind::Refutation,
            file: shipped.file.clone(),
            why: reason(&shipped.claim(), &game),
        });
        Ok(())
    }
}

/// Whether a variant is small enough to be solved on the spot.
pub(in crate::cli::commands) fn is_solved_on_the_spot(variant: Variant) -> bool {
    census::variant(variant).canonical <= MOST_SOLVED
}

fn args_variant(name: &str) -> Result<Variant, Failure> {
    crate::cli::console::args::variant(name).map_err(Failure::usage)
}

/// The first wanted certificate that ships and can be found. Files that cannot be found are added to `elsewhere`.
pub(in crate::cli::commands) fn at_hand(
    wanted: impl Fn(&Claim) -> bool,
    elsewhere: &mut Vec<&'static str>,
) -> Result<Option<(String, Source)>, Failure> {
    for shipped in Shipped::of(wanted) {
        let Some((name, bytes)) = shipped.find()? else {
            // An earlier call may have added it already.
            if !elsewhere.contains(&&*shipped.file) {
                elsewhere.push(&shipped.file);
            }
            continue;
        };
        let certificate = Certificate::decode(&bytes).map_err(|error| no_certificate(&name, &error))?;
        return Ok(Some((name, Source::Certificate(certificate))));
    }
    Ok(None)
}
