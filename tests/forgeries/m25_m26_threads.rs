//! M25, M26: the verdict does not depend on the number of threads, and a run that breaks off says nothing.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use gobcheck::check as checker;
use gobprove::rules::{Color, Reading};
use gobprove::store::{Certificate, PositionSet, read_certificate};

use super::forge::{check, check_on, closure, cut, game, refutation};
use super::oracle::{Oracle, Spot};
use super::world::{honest_closure, rest_of};

/// Certificates good and bad, with several pieces of work and several breaches.
static CERTIFICATES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let game = oracle.game;
    let spots = honest_closure(&mut oracle);
    let [black, white] = rest_of(&mut oracle, &spots);
    let every = oracle.every_spot(false);
    let thinned = |spots: &[Spot], step: usize| -> Vec<Spot> {
        spots
            .iter()
            .copied()
            .enumerate()
            .filter(|(i, _)| i % step != step - 1)
            .map(|(_, spot)| spot)
            .collect()
    };
    // Several pieces of work in a tier.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates/A3-A3B2C2-official-refutation.gobcert");
    let (large, _) = read_certificate(path.as_ref()).expect("what ships");
    let without = |step: usize| {
        let some =
            large.white_to_move.positions(Color::White).enumerate().filter(|(i, _)| i % step != step - 1);
        let body = PositionSet::from_positions(large.claim.game.variant, some.map(|(_, position)| position));
        Certificate::refutation(large.claim.game, body).encode()
    };
    vec![
        closure(&game, &spots),
        closure(&game, &thinned(&spots, 7)),
        closure(&game, &thinned(&spots, 400)),
        closure(&game, &every),
        closure(&game, &[]),
        cut(&game, [&black, &white]),
        cut(&game, [&thinned(&black, 100), &white]),
        cut(&game, [&black, &thinned(&white, 50)]),
        cut(&game, [&[], &[]]),
        refutation(&game, &oracle.every_spot(true)),
        refutation(&game, &[]),
        large.encode(),
        without(2),
        without(300),
    ]
});

#[test]
fn m25_the_same_verdict_whatever_the_threads() {
    let (mut accepted, mut refused) = (0, 0);
    for bytes in CERTIFICATES.iter() {
        let one = check(bytes);
        for threads in [2, 8, 8, 8] {
            assert_eq!(check_on(bytes, threads), one, "{threads} threads");
        }
        *(if one.is_ok() { &mut accepted } else { &mut refused }) += 1;
    }
    println!("m25: {accepted} accepted and {refused} refused, alike on 1, 2 and 8 threads");
    assert!(accepted >= 3 && refused >= 9);
}

#[test]
fn m25_more_threads_than_there_can_be() {
    for bytes in CERTIFICATES.iter() {
        assert_eq!(check_on(bytes, usize::MAX), check(bytes));
    }
}

#[test]
fn m26_a_panic_while_checking_is_no_verdict() {
    for bytes in CERTIFICATES.iter() {
        // How many pieces a whole run has; progress is heard after each.
        let heard = AtomicU64::new(0);
        let count = |_, _| {
            heard.fetch_add(1, Ordering::Relaxed);
        };
        let accepted = checker::check(bytes, NonZeroUsize::MIN, &count).is_ok();
        let pieces = heard.into_inner();
        for threads in [1, 2, 8] {
            for at in [1, pieces.div_ceil(2), pieces] {
                let done = AtomicU64::new(0);
                let progress = |_, _| {
                    if done.fetch_add(1, Ordering::Relaxed) + 1 == at {
                        // A panic without its message on the terminal.
                        resume_unwind(Box::new("on purpose"));
                    }
                };
                let threads = NonZeroUsize::new(threads).expect("not 0");
                let run = catch_unwind(AssertUnwindSafe(|| checker::check(bytes, threads, &progress)));
                match run {
                    Ok(verdict) => assert!(verdict.is_err(), "verified in spite of a panic"),
                    Err(_) => assert!(pieces > 0),
                }
            }
        }
        assert!(!accepted || pieces > 0, "an accepted certificate has been worked on");
    }
}
