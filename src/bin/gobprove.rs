//! x
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let game = gobprove::rules::Game::new(a[1].parse().unwrap(), a[2].parse().unwrap());
    let t = std::time::Instant::now();
    let s = gobprove::passes::solve(&game, a[3].parse().unwrap(), &mut |_| ());
    println!("{:?} holds {} rounds {} bytes {}", t.elapsed(), s.white_holds(), s.rounds(), s.bytes());
    for c in gobprove::rules::Color::ALL {
        println!("{c} lost {:?} exc {:?}", s.lost_count(c), s.exception_count(c));
    }
    println!("{:?}", t.elapsed());
}
