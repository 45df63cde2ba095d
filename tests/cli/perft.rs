//! `gobprove perft`.

use super::{gobprove, keys};

#[test]
fn defaults_are_ab_official_and_white_first() {
    let report = gobprove(&["perft", "4", "--json"]).json();
    assert_eq!(keys(&report), ["variant", "reading", "first", "depth", "nodes"]);
    assert_eq!(
        report.to_string(),
        r#"{"variant":"ab","reading":"official","first":"white","depth":4,"nodes":272160}"#
    );
    let line = gobprove(&["perft", "4"]);
    assert_eq!(line.ok(), "272,160 moves at depth 4 (ab, official, White first)\n");
    assert_eq!(line.stderr, "");
}

#[test]
fn depth_0_is_one() {
    assert_eq!(gobprove(&["perft", "0", "--json"]).json()["nodes"], 1);
}

#[test]
fn each_option_changes_the_count() {
    let nodes = |arguments: &[&str]| {
        gobprove(&[&["perft", "3", "--json"], arguments].concat()).json()["nodes"].to_string()
    };
    assert_eq!(nodes(&[]), "6720");
    assert_eq!(nodes(&["--first", "black"]), "10080");
    // White has a B to bring in as well.
    assert_eq!(nodes(&["--variant", "ab-full"]), "10080");
    let three = ["--position", "a,b,a,./b,.,.,./.,.,.,A/.,.,.,. w"];
    let with_cover = nodes(&three);
    assert_ne!(nodes(&[&three[..], &["--reading", "no-entry-cover"]].concat()), with_cover);
    assert_eq!(nodes(&[&three[..], &["--threads", "1"]].concat()), with_cover);
}

#[test]
fn a_position_is_said_with_its_side_to_move() {
    let position = "Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. b";
    let report = gobprove(&["perft", "1", "--position", position, "--json"]).json();
    assert_eq!(keys(&report), ["variant", "reading", "first", "position", "depth", "nodes"]);
    assert_eq!(report["position"], position);
    assert_eq!(report["first"], "black");
    let finished = "a,b,a,b/.,.,.,./.,.,.,./.,.,.,. w";
    assert_eq!(gobprove(&["perft", "1", "--position", finished, "--json"]).json()["nodes"], 0);
}

#[test]
fn a_bad_position_says_which_square_and_why() {
    for (position, says) in [
        ("A,.,.,./.,.,x,./.,.,.,./.,.,.,. w", "'x' on c3 is no piece"),
        ("A,,.,./.,.,.,./.,.,.,./.,.,.,. w", "b4"),
        ("Aa,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "a4 holds two pieces of one size"),
        ("A,.,.,./.,.,.,./.,.,.,./.,.,.,bA w", "on d1, White A lies under Black B"),
        ("A,A,A,A/.,.,.,./.,.,.,./.,.,.,. w", "4 White A on the board"),
        ("B,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "1 White B on the board"),
        (".,.,.,./.,.,.,./.,.,.,. w", "4 ranks"),
        (".,.,.,./.,.,./.,.,.,./.,.,.,. w", "rank 3 must have 4 squares"),
        (".,.,.,./.,.,.,./.,.,.,./.,.,.,.", "side to move"),
        ("", "side to move"),
    ] {
        gobprove(&["perft", "1", "--position", position]).error(2, &["--position", says, "next: "]);
    }
}

#[test]
fn what_makes_no_sense_is_a_usage_error() {
    let start = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";
    gobprove(&["perft", "1", "--first", "white", "--position", start])
        .error(2, &["--first", "--position", "cannot be used with"]);
    gobprove(&["perft", "20000"]).error(2, &["20000", "64"]);
    gobprove(&["perft", "1", "--first", "red"]).error(2, &["--first", "white, black"]);
    gobprove(&["perft", "1", "--reading", "Official"]).error(2, &["official", "strict-lift"]);
    gobprove(&["perft", "-1"]).error(2, &["-1"]);
    gobprove(&["perft", "1.5"]).error(2, &["1.5"]);
    gobprove(&["perft"]).error(2, &["<N>"]);
    gobprove(&["perft", "1", "--threads", "0"]).error(2, &["--threads", "from 1 to"]);
    gobprove(&["perft", "1", "--quiet", "--verbose"]).error(2, &["--quiet", "--verbose"]);
    gobprove(&["perft", "1", "--variant", "abx"]).error(2, &["--variant", "did you mean \"ab\""]);
}
