//! x
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let game = gobprove::rules::Game::new(a[1].parse().unwrap(), a[2].parse().unwrap());
    let t = std::time::Instant::now();
    let s = gobprove::passes::solve(&game, a[3].parse().unwrap(), None, &mut |_| {
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    println!("{:?} holds {} rounds {} bytes {}", t.elapsed(), s.white_holds(), s.rounds(), s.bytes());
    let t = std::time::Instant::now();
    let c = s.closure(&Default::default());
    println!("closure {:?}", t.elapsed());
    for b in [c.map(|c| c.encode()), s.cut().ok().map(|c| c.encode())].into_iter().flatten() {
        let t = std::time::Instant::now();
        println!(
            "{:?} {:?}",
            gobprove::checker::check(&b, std::num::NonZeroUsize::new(2).unwrap(), &|_, _| ())
                .map(|v| v.positions_checked),
            t.elapsed()
        );
    }
}
