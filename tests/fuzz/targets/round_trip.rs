//! `round_trip`: there is one file for each content. Bytes that are read are those that are written for what was
//! read; content that an input spells out comes back from its file.

use gobprove::enumerate::{Ranking, Tiers};
use gobprove::rules::{Color, Game, Reading};
use gobprove::store::{Certificate, Kind, PositionSet};

use super::decode::forms;
use super::input::Input;

pub fn run(bytes: &[u8]) -> bool {
    let mut met = false;
    for form in forms(bytes) {
        let Ok(certificate) = Certificate::decode(&form) else { continue };
        assert_eq!(certificate.encode(), form, "one file for each content");
        for set in Color::ALL.into_iter().filter_map(|turn| certificate.listed(turn)) {
            let lists = (0..set.tiers().as_slice().len()).map(|tier| set.ranks(tier).to_vec()).collect();
            let again = PositionSet::new(certificate.claim.game.variant, lists);
            assert_eq!(again.as_ref(), Ok(set), "what is read is a set");
        }
        met = true;
    }
    let certificate = content(&mut Input(bytes));
    let decoded = Certificate::decode(&certificate.encode());
    assert_eq!(decoded.as_ref(), Ok(&certificate), "what is written can be read");
    met
}

/// The content that an input spells out, whatever it is.
fn content(input: &mut Input<'_>) -> Certificate {
    let game = Game::new(input.variant(), input.reading());
    let kind = match input.byte() {
        byte if byte & 1 == 0 => Kind::Cut,
        byte if byte & 2 == 0 || game.reading == Reading::Robust => Kind::Closure,
        _ => Kind::Refutation,
    };
    let tiers = Tiers::new(game.variant);
    let mut lists = [(); 2].map(|()| vec![Vec::new(); tiers.as_slice().len()]);
    while !input.is_empty() {
        let tier = input.number(2) as usize % tiers.as_slice().len();
        let how = input.byte();
        let list = &mut lists[usize::from(kind == Kind::Cut && how & 1 == 1)][tier];
        let len = Ranking::new(tiers.as_slice()[tier]).len();
        let mut rank = input.number(u32::from(how >> 1 & 15)) % len;
        // A run of neighbours, seldom so long that a tier fills a block and begins another.
        let doublings = input.byte();
        let doublings = if doublings == 255 { 14 } else { doublings % 5 };
        for _ in 0..=u32::from(how >> 5) << doublings {
            list.push(rank);
            rank = (rank + 1) % len;
        }
    }
    let [first, second] = lists.map(|mut lists| {
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        PositionSet::new(game.variant, lists).expect("sorted ranks of the variant")
    });
    match kind {
        Kind::Cut => Certificate::cut(game, first, second),
        Kind::Closure => Certificate::closure(game, first),
        Kind::Refutation => Certificate::refutation(game, first),
    }
}
