//! x
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let game = gobprove::rules::Game::new(a[1].parse().unwrap(), a[2].parse().unwrap());
    let t = std::time::Instant::now();
    let s = gobprove::passes::solve(&game, a[3].parse().unwrap(), &mut |_| ());
    println!("{:?} holds {} rounds {} bytes {}", t.elapsed(), s.white_holds(), s.rounds(), s.bytes());
    let t = std::time::Instant::now();
    let c = gobprove::passes::grow(&s, &Default::default()).unwrap();
    println!("grow {} {:?}", c.len(), t.elapsed());
    let set = gobprove::passes::closure(&s, &Default::default()).unwrap();
    let cert = gobprove::certificate::Certificate { game, body: gobprove::certificate::Body::Closure(set) };
    let bytes = cert.encode();
    println!("bytes {}", bytes.len());
    let t = std::time::Instant::now();
    println!(
        "{:?} {:?}",
        gobprove::checker::check(&bytes, std::num::NonZeroUsize::new(2).unwrap(), &|_, _| ()),
        t.elapsed()
    );
    use gobprove::rules::Color;
    let v = game.variant;
    let tiers = gobprove::enumerate::Tiers::new(v);
    let set = |turn| {
        gobprove::certificate::PositionSet::from_ranks(
            tiers.clone(),
            (0..tiers.as_slice().len()).map(|t| s.exceptions(t, turn)).collect(),
        )
        .unwrap()
    };
    let cert = gobprove::certificate::Certificate {
        game,
        body: gobprove::certificate::Body::Cut {
            seed: s.seed(),
            black_to_move: set(Color::Black),
            white_to_move: set(Color::White),
        },
    };
    let bytes = cert.encode();
    println!("cut bytes {}", bytes.len());
    let t = std::time::Instant::now();
    println!(
        "{:?} {:?}",
        gobprove::checker::check(&bytes, std::num::NonZeroUsize::new(2).unwrap(), &|_, _| ()),
        t.elapsed()
    );
}
