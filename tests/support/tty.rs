//! A terminal of a test's own.

use std::fs::{File, OpenOptions};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Opens a terminal of 40 rows with this number of columns: the test's end, and the end for a program.
pub fn terminal(columns: u16) -> (File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("a terminal");
    unlockpt(&ours).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("a plain name");
    let theirs = OpenOptions::new().read(true).write(true).open(name).expect("the other end");
    let size = Winsize { ws_col: columns, ws_row: 40, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size).expect("a size");
    (File::from(ours), theirs)
}
