//! `gobprove estimate`.

use super::{gobprove, keys};

#[test]
fn an_estimate_says_what_is_exact_what_is_a_guess_and_from_what() {
    let ran = gobprove(&["estimate", "A3-A3B1", "--memory", "1G"]);
    let text = ran.ok();
    for words in [
        " positions, ",
        " canonical",
        "149,671",
        "A3-A3B1 official is settled already: draw, by ab-official-closure.gobcert: Black can do no more than with",
        "gobprove verify A3-A3B1 --reading official checks that",
        "1024 MiB of memory may be taken, and ",
        " of disk are free here\n",
        "\n~ is a guess, and the time is that of one core\n",
    ] {
        assert!(text.contains(words), "{words:?} in {text}");
    }
    let last = text.lines().last().expect("a line");
    assert!(last.starts_with("a core of this machine solves ab in "), "{text}");
    // What checks it is a command that works.
    assert!(gobprove(&["verify", "A3-A3B1", "--reading", "official"]).ok().contains("s VERIFIED"));
}

#[test]
fn counts_are_the_census_and_memory_is_what_solving_demands() {
    let report = gobprove(&["estimate", "abc", "--json", "--threads", "1"]).json();
    assert_eq!(
        keys(&report),
        [
            "variant",
            "reading",
            "discipline",
            "positions",
            "canonical",
            "memory_bytes",
            "memory_allowed_bytes",
            "disk_free_bytes",
            "settled",
            "computed",
            "commands",
            "closure",
            "divided",
            "measured"
        ]
    );
    assert_eq!(keys(&report["closure"]), ["positions", "bytes"]);
    assert_eq!(keys(&report["measured"]), ["variant", "core_s"]);
    assert_eq!(
        keys(&report["commands"][0]),
        ["command", "memory_bytes", "peak_bytes", "disk_bytes", "core_s"]
    );
    assert_eq!(report["canonical"], 842_077_418_731_u64);
    // A bit for each canonical position and side to move, and something where they do not fill what they take.
    let bytes = report["memory_bytes"].as_u64().expect("a count");
    let bits = 2 * 842_077_418_731_u64;
    assert!((bits..bits * 6 / 5).contains(&(8 * bytes)), "{bytes}");
    assert!(report["commands"][0]["core_s"].as_f64().expect("a number") > 60.0, "{report}");
    let dir = tempfile::tempdir().expect("a directory");
    let place = |name: &str| dir.path().join(name).display().to_string();
    // While a closure grows, a third set is in memory beside the two of the solution.
    let growing = bytes / 2 * 3;
    let needed = format!("abc needs {} GiB of memory", growing.div_ceil(1 << 30));
    let memory = (growing - 1).to_string();
    gobprove(&["generate", "abc", "--out", &place("abc"), "--memory", &memory, "--quiet"])
        .error(4, &[&needed]);
    let least = report["commands"][1]["memory_bytes"].as_u64().expect("a count");
    assert!(8 * least < bits * 3 / 5, "{least} of {bytes}");
}

/// No disk has room for the sets of abcd-full, and any has for those of a small game.
#[test]
fn each_row_says_what_this_machine_lacks() {
    let ends = |arguments: &[&str]| -> Vec<String> {
        let told = gobprove(arguments);
        let rows = told
            .ok()
            .lines()
            .filter(|line| ["solve", "generate", "prove"].iter().any(|word| line.starts_with(word)));
        rows.map(|row| row.rsplit("  ").next().expect("a cell").to_owned()).collect()
    };
    assert_eq!(ends(&["estimate", "A3-A3B1", "--memory", "1G"]), ["fits"; 4]);
    assert_eq!(ends(&["estimate", "A3-A3B1", "--memory", "10M"])[0], "too little memory");
    assert!(
        ends(&["estimate", "abcd-full", "--memory", "16000000T"]).contains(&"too little disk".to_owned())
    );
}

/// What a solve found stands first, and is no certificate.
#[test]
fn what_was_computed_is_said_first() {
    let report = gobprove(&["estimate", "A3B3-A3B3C2", "--json"]).json();
    assert_eq!((report["settled"].is_null(), report["computed"].as_str()), (true, Some("draw")), "{report}");
    let told = gobprove(&["estimate", "A3B3C1-A3B3C2"]);
    let first = told.ok().lines().next().expect("a line");
    assert_eq!(
        first,
        "A3B3C1-A3B3C2 official was computed already, by gobprove solve: draw: White may leave all but A3B3 in hand; no certificate ships"
    );
    gobprove(&["estimate", "abc", "--memory", "100K"])
        .error(4, &["measuring the machine, by solving ab, needs", "give more with --memory"]);
}

/// Nobody has to make a certificate to know the value of a small game.
#[test]
fn a_small_open_game_is_solved_by_explain() {
    let told = gobprove(&["estimate", "A1-A2B2"]);
    let command = "gobprove explain start --variant A1-A2B2 --reading official";
    let first = format!("no certificate settles A1-A2B2 official\n{command} solves it on the spot\n");
    assert!(told.ok().starts_with(&first), "{told:?}");
    let solved = gobprove(&command.split(' ').skip(1).collect::<Vec<_>>());
    assert!(solved.ok().contains("by solved on the spot"), "{solved:?}");
}

/// Where White has C, nothing that ships says how large a closure is.
#[test]
fn a_guess_that_may_be_far_too_low_is_said_to_be_one() {
    for (variant, beyond) in [("A3B3-A3B3C2", false), ("A3B3C1-A3B3C3", true)] {
        let ran = gobprove(&["estimate", variant]);
        let told = ran.ok();
        assert!(told.contains("a closure would have about"), "{told}");
        assert_eq!(told.contains("it may be many times larger"), beyond, "{told}");
    }
}

/// More ranks take less each. What is dealt is even for two, and nearly so for 32.
#[test]
fn ranks_divide_the_memory_and_the_time() {
    let report = gobprove(&["estimate", "A3B1-A3B3C1", "--ranks", "1,2,32", "--json"]).json();
    let divided = report["divided"].as_array().expect("a row for each number");
    let of = |key: &str| divided.iter().map(|row| row[key].as_f64().expect("a number")).collect::<Vec<_>>();
    assert_eq!(of("ranks"), [1.0, 2.0, 32.0]);
    let alone = report["commands"].as_array().expect("rows").iter().find_map(|row| {
        row["command"].as_str().filter(|command| command.contains("--no-file")).and(row["core_s"].as_f64())
    });
    assert_eq!(of("rank_s")[0], alone.expect("a row"));
    let sent = of("sent_bytes");
    assert!(sent[0] == 0.0 && sent[1] > sent[2] && sent[2] > 1e6, "{sent:?}");
    for falling in [of("rank_s"), of("rank_bytes")] {
        assert!(falling.is_sorted_by(|one, next| one > next), "{falling:?}");
    }
    let most = of("most_over_mean");
    assert!(most[0] == 1.0 && most[1] == 1.0 && most[2] > 1.0 && most[2] < 1.1, "{most:?}");
    gobprove(&["estimate", "ab", "--ranks", "0"]).error(2, &["--ranks"]);
    let both = ["estimate", "ab", "--ranks", "2", "--discipline", "a=2"];
    gobprove(&both).error(2, &["--ranks", "cannot be used with", "--discipline"]);
}

#[test]
fn the_memory_that_may_be_taken_is_respected_by_the_measurement_too() {
    gobprove(&["estimate", "ab", "--memory", "1"])
        .error(4, &["of memory, and 1 bytes may be taken", "--memory"]);
    gobprove(&["estimate", "chess"]).error(2, &["is not a variant"]);
}

/// The memory of each row is what the command demands, and no row is for a command that what is proven rules out.
#[test]
fn each_command_has_a_row_that_it_keeps_to() {
    let own = tempfile::tempdir().expect("a directory");
    let of = |variant: &str| {
        let report = gobprove(&["estimate", variant, "--json"]).json();
        let rows = report["commands"].as_array().expect("rows").clone();
        let row = |row: &serde_json::Value| {
            (row["command"].as_str().expect("words").to_owned(), row["memory_bytes"].as_u64().expect("bytes"))
        };
        (report["settled"].clone(), rows.iter().map(row).collect::<Vec<_>>())
    };
    let names = |rows: &[(String, u64)]| {
        rows.iter()
            .map(|(command, _)| command.split(' ').next().expect("a word").to_owned())
            .collect::<Vec<_>>()
    };
    let (settled, rows) = of("ab");
    assert_eq!(settled["value"], "draw");
    assert_eq!(names(&rows), ["solve", "solve", "generate", "prove"]);
    let (settled, rows) = of("A3-A3B3C1");
    assert_eq!(settled["value"], "lost");
    assert_eq!(names(&rows), ["solve", "solve", "refute", "refute"]);
    // Once more with the sets in files. That Black wins was computed.
    let (settled, rows) = of("abc");
    assert!(settled.is_null());
    assert_eq!(names(&rows), ["solve", "solve", "solve", "refute", "refute"]);
    let open = "A3B3C1-A3B3C3";
    let (settled, rows) = of(open);
    assert!(settled.is_null());
    assert_eq!(names(&rows), ["solve", "solve", "solve", "generate", "prove", "refute", "refute"]);
    let dir = own.path().join("work").display().to_string();
    // One of them says itself how much may be taken.
    for (command, bytes) in rows.into_iter().filter(|(command, _)| !command.contains("--memory")) {
        // prove asks for nothing before it begins.
        let memory = bytes.saturating_sub(1).to_string();
        let words: Vec<&str> =
            command.split(' ').map(|word| if word == "DIR" { &dir } else { word }).collect();
        if ["solve", "refute"].contains(&words[0]) {
            let ran = super::Ran::of(
                super::command(&[&words[..], &["--memory", &memory]].concat()).current_dir(own.path()),
            );
            ran.error(4, &[&format!("{open} needs "), " of memory, and "]);
        }
    }
}
