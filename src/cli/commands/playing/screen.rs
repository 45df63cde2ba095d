//! A game that fills the terminal.

use std::cell::Cell;
use std::io::{self, stdout};
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;

use super::table::{Heard, Remark, Table, interrupted};
use super::view::{View, is_leaving};
use crate::cli::console::exit::Failure;
use crate::cli::console::signals::{Left, Signals};

/// How long the screen waits for a key before it looks whether it should end.
const PATIENCE: Duration = Duration::from_millis(100);

/// Plays until the person leaves. The end of a game does not stop it, since moves can be taken back then.
///
/// # Errors
/// The terminal cannot be used, or a signal ended it.
pub(super) fn play(table: &mut Table) -> Result<(), Failure> {
    let signals = Signals::catch(Left::Tidy);
    let mut terminal = ratatui::try_init().map_err(|error| broken(&error))?;
    // Where there is no mouse the keys do everything.
    let _ = execute!(stdout(), EnableMouseCapture);
    let ended = Screen { view: View::new(), table, signals: &signals }.run(&mut terminal);
    let _ = execute!(stdout(), DisableMouseCapture);
    ratatui::restore();
    ended
}

fn broken(error: &io::Error) -> Failure {
    Failure::unavailable(format!("cannot use the terminal: {error}")).next("--plain plays line by line")
}

/// Whether the person wants to leave while a program thinks. Other keys are dropped: there was nothing to choose.
fn wants_to_leave() -> bool {
    while let Ok(true) = event::poll(Duration::ZERO) {
        if let Ok(Event::Key(key)) = event::read()
            && is_leaving(key)
        {
            return true;
        }
    }
    false
}

/// The screen while a game is played.
struct Screen<'a> {
    view: View,
    table: &'a mut Table,
    signals: &'a Signals,
}

impl Screen<'_> {
    fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<(), Failure> {
        loop {
            if self.is_programs() {
                let turn = self.table.record.position().turn();
                self.draw(terminal, Some(&format!("{turn} thinks …")))?;
                let left = Cell::new(false);
                let stop = || {
                    left.set(left.get() || wants_to_leave());
                    left.get() || self.signals.came().is_some()
                };
                for remark in self.table.answer(&stop)? {
                    let (Remark::Move(text) | Remark::Note(text)) = remark;
                    self.view.say(&text);
                }
                if left.get() {
                    return Ok(());
                }
                self.view.settle(self.table);
            }
            if self.signals.came().is_some() {
                return Err(interrupted(self.signals));
            }
            self.draw(terminal, None)?;
            if !self.is_programs()
                && let Some(line) = self.next_line().map_err(|error| broken(&error))?
            {
                match self.table.heed(line.trim(), &|| self.signals.came().is_some()) {
                    Heard::Left => return Ok(()),
                    Heard::Said(text) => self.view.say(&text),
                    Heard::Changed => self.view.settle(self.table),
                }
            }
        }
    }

    /// Whether a program is to move.
    fn is_programs(&self) -> bool {
        self.table.record.ending.is_none() && !self.table.is_person(self.table.record.position().turn())
    }

    fn draw(&mut self, terminal: &mut DefaultTerminal, waiting: Option<&str>) -> Result<(), Failure> {
        let drawn = terminal.draw(|frame| self.view.draw(frame, self.table, waiting));
        drawn.map(drop).map_err(|error| broken(&error))
    }

    /// Waits for a key or a click. `None` if it gives no line, or a signal comes first.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        while !event::poll(PATIENCE)? {
            if self.signals.came().is_some() {
                return Ok(None);
            }
        }
        Ok(match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.view.press(key, self.table),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                self.view.click(mouse.column, mouse.row, self.table)
            }
            _ => None,
        })
    }
}
