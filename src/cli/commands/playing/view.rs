//! What a person sees and points at when a game fills the terminal.

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Position as Point, Rect};
use ratatui::style::{Color as Shade, Modifier, Style, Stylize as _};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::drawing::{come_again, left_in_hand};
use super::table::{Spot, Table};
use crate::notation::Setup;
use crate::rules::{Color, Size, Square};

/// The columns and the rows of a square.
const CELL: (u16, u16) = (7, 3);

/// The columns left of the board, for the ranks' names.
const RANKS: u16 = 3;

/// The columns of a size in hand.
const SLOT: u16 = 7;

/// The least columns and rows that the board and what stands beside it need.
const LEAST: (u16, u16) = (60, 20);

const KEYS: &str = "Arrows and Enter, or the mouse, take a piece and put it down. Esc lets it go. Tab hides and shows what is \
     covered. PageUp and PageDown show what was said. Or type a move such as B@c3 or a1-c3, or hint, undo, moves, draw, resign, \
     review, help, quit.";

/// Where the person points, and what was typed and said.
pub(super) struct View {
    cursor: Spot,
    /// What Enter hands over. While a piece is taken it is the beginning of a move: `a1-` or `B@`.
    typed: String,
    said: Vec<String>,
    /// The index in `said` of the first line since the screen was drawn.
    news: Option<usize>,
    /// How many lines of what was said are below the screen.
    below: usize,
    /// How many lines of it the screen showed last.
    room: usize,
    /// Whether pieces under others are shown.
    covered: bool,
    /// Where each spot was drawn last.
    spots: Vec<(Rect, Spot)>,
}

impl View {
    pub(super) fn new() -> View {
        View {
            cursor: Spot::Square(Square::ALL[5]),
            typed: String::new(),
            said: Vec::new(),
            news: None,
            below: 0,
            room: 0,
            covered: true,
            spots: Vec::new(),
        }
    }

    /// Says something below what was said before. What is too long for the screen is shown from its beginning.
    pub(super) fn say(&mut self, text: &str) {
        self.news.get_or_insert(self.said.len());
        self.said.extend(text.lines().map(str::to_owned));
    }

    /// The piece that is taken, if what is typed begins a move.
    fn taken(&self) -> Option<Spot> {
        Spot::read(self.typed.strip_suffix('-').unwrap_or(&self.typed))
    }

    /// Where the piece that is taken can go.
    fn targets(&self, table: &Table) -> Vec<Square> {
        let record = &table.record;
        let targets = |taken: Spot| taken.targets(&record.game, record.position());
        self.taken().into_iter().flat_map(targets).collect()
    }

    /// Does what a key says. Returns the line if the key completes one.
    pub(super) fn press(&mut self, key: KeyEvent, table: &Table) -> Option<String> {
        match key.code {
            _ if is_leaving(key) => return Some("quit".to_owned()),
            KeyCode::Char(letter) => self.typed.push(letter),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Esc => self.typed.clear(),
            KeyCode::Tab => self.covered = !self.covered,
            KeyCode::PageUp => self.below += self.room.div_ceil(2),
            KeyCode::PageDown => self.below = self.below.saturating_sub(self.room.div_ceil(2)),
            KeyCode::F(1) => return Some("help".to_owned()),
            KeyCode::Left => self.go(-1, 0, table),
            KeyCode::Right => self.go(1, 0, table),
            KeyCode::Up => self.go(0, 1, table),
            KeyCode::Down => self.go(0, -1, table),
            KeyCode::Enter => return self.enter(table),
            _ => {}
        }
        None
    }

    /// Chooses what is at a place of the screen. Returns the line if that completes one.
    pub(super) fn click(&mut self, column: u16, row: u16, table: &Table) -> Option<String> {
        let hit = |(area, _): &&(Rect, Spot)| area.contains(Point::new(column, row));
        let (_, spot) = *self.spots.iter().find(hit)?;
        self.cursor = spot;
        let began = self.typed.is_empty() || self.typed.ends_with(['-', '@']);
        if began { self.enter(table) } else { None }
    }

    /// Hands over what is typed. If nothing is typed, or only that a piece is taken, the cursor gives the rest.
    fn enter(&mut self, table: &Table) -> Option<String> {
        let began = self.typed.ends_with(['-', '@']);
        if !self.typed.is_empty() && !began {
            return Some(std::mem::take(&mut self.typed));
        }
        let position = table.record.position();
        let own = |square| matches!(position.top(square), Some((color, _)) if color == position.turn());
        match self.cursor {
            Spot::Hand(size) => self.typed = format!("{size}@"),
            Spot::Square(_) if began && self.taken() == Some(self.cursor) => self.typed.clear(),
            Spot::Square(square) if began => {
                return Some(format!("{}{square}", std::mem::take(&mut self.typed)));
            }
            Spot::Square(square) if own(square) => self.typed = format!("{square}-"),
            Spot::Square(square) => {
                let turn = position.turn();
                self.say(&format!("no piece of {turn}'s is on top on {square}: take one, or one from hand"));
            }
        }
        None
    }

    /// Moves the cursor: White's hand is below the board, and Black's above it. In a hand it stops only at sizes that can
    /// be played.
    fn go(&mut self, right: i8, up: i8, table: &Table) {
        let position = table.record.position();
        let hand = sizes(table);
        let edge = if position.turn() == Color::White { -1 } else { 1 };
        let step = |at: usize, by: i8, of: usize| at.saturating_add_signed(by.into()).min(of - 1);
        self.cursor = match self.cursor {
            Spot::Square(square) => {
                let (file, rank) = (square.index() % 4, square.index() / 4);
                let leaves = up == edge && rank == if up < 0 { 0 } else { 3 };
                match hand.first() {
                    Some(&size) if leaves => Spot::Hand(size),
                    _ => Spot::Square(Square::ALL[4 * step(rank, up, 4) + step(file, right, 4)]),
                }
            }
            Spot::Hand(size) => {
                let at = hand.iter().position(|&one| one == size).unwrap_or(0);
                if up == -edge || hand.is_empty() {
                    Spot::Square(Square::ALL[if edge < 0 { at } else { 12 + at }])
                } else {
                    Spot::Hand(hand[step(at, right, hand.len())])
                }
            }
        };
    }

    /// Forgets a move that was begun. The cursor leaves the hand if its size cannot be played any more.
    pub(super) fn settle(&mut self, table: &Table) {
        self.typed.clear();
        if let Spot::Hand(size) = self.cursor
            && !sizes(table).contains(&size)
        {
            self.cursor = Spot::Square(Square::ALL[5]);
        }
    }

    /// Draws everything. If a program is to move, `waiting` says what it does.
    pub(super) fn draw(&mut self, frame: &mut Frame, table: &Table, waiting: Option<&str>) {
        let area = frame.area();
        self.spots.clear();
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let text = format!(
                "The window is too small: {} by {} is enough. quit and Enter leaves; gobprove play --plain needs no window.\n> {}",
                LEAST.0, LEAST.1, self.typed
            );
            frame.render_widget(Paragraph::new(broken(&text, area.width)), area);
            return;
        }
        let keys = broken(KEYS, area.width);
        let rows = [
            Constraint::Length(1),
            Constraint::Min(17),
            Constraint::Length(1),
            Constraint::Length(keys.len() as u16),
        ];
        let [title, main, input, below] = Layout::vertical(rows).areas(area);
        frame.render_widget(Line::from(table.greeting()).bold(), title);
        let [board, beside] =
            Layout::horizontal([Constraint::Length(RANKS + 4 * CELL.0 + 2), Constraint::Min(20)]).areas(main);
        self.draw_board(frame, table, board);
        self.draw_beside(frame, table, waiting, beside);
        frame
            .render_widget(Line::from(vec![Span::from("> "), Span::from(self.typed.as_str()).bold()]), input);
        frame.set_cursor_position(Point::new(input.x + 2 + self.typed.chars().count() as u16, input.y));
        frame.render_widget(Paragraph::new(keys).style(Style::new().add_modifier(Modifier::DIM)), below);
    }

    /// Draws the board between the two hands.
    fn draw_board(&mut self, frame: &mut Frame, table: &Table, area: Rect) {
        let position = table.record.position();
        let (setup, targets) = (Setup::from(position), self.targets(table));
        let last = table.record.moves().last().map(ToString::to_string).unwrap_or_default();
        let taken = self.taken();
        let chosen = |spot| taken == Some(spot);
        let row = |number: u16| Rect::new(area.x, area.y + number, area.width, 1);
        let mut spots = Vec::new();
        for (color, line) in [(Color::Black, 0), (Color::White, 15)] {
            let row = row(line);
            let mut words = vec![Span::from(format!("{:<8}", color.to_string()))];
            let hand = left_in_hand(&table.record.game, position, color);
            for (at, (size, count)) in (0..).zip(hand) {
                let spot = Spot::Hand(size);
                let own = color == position.turn();
                let slot = Rect::new(row.x + 8 + at * SLOT, row.y, SLOT, 1);
                let [open, close] = brackets(own && self.cursor == spot, own && chosen(spot));
                let letter =
                    if color == Color::White { size.to_string() } else { size.to_string().to_lowercase() };
                words.push(Span::from(format!("{open}{letter} {count}{close}  ")));
                if own {
                    spots.push((slot, spot));
                }
            }
            frame.render_widget(Line::from(words), row);
        }
        for square in Square::ALL {
            let (file, rank) = ((square.index() % 4) as u16, (square.index() / 4) as u16);
            let cell =
                Rect::new(area.x + RANKS + file * CELL.0, area.y + 2 + (3 - rank) * CELL.1, CELL.0, CELL.1);
            let spot = Spot::Square(square);
            let stack: String = setup.stacks[square.index()].iter().map(|piece| piece.letter()).collect();
            let marks = Marks {
                cursor: self.cursor == spot,
                chosen: chosen(spot),
                target: targets.contains(&square),
                last: last.contains(&square.to_string()),
            };
            let lines = marks.cell(&stack, self.covered);
            let shade = if (file + rank) % 2 == 0 { Shade::DarkGray } else { Shade::Reset };
            frame.render_widget(Paragraph::new(lines).style(Style::new().bg(shade)), cell);
            spots.push((cell, spot));
            if file == 0 {
                let label = Rect::new(area.x, cell.y + 1, RANKS, 1);
                frame.render_widget(Line::from(format!(" {}", rank + 1)), label);
            }
        }
        let files: String =
            ["a", "b", "c", "d"].map(|file| format!("{file:^width$}", width = usize::from(CELL.0))).concat();
        frame.render_widget(Line::from(format!("   {files}")), row(14));
        self.spots = spots;
    }

    /// Draws whose turn it is, the moves, and what was said last.
    fn draw_beside(&mut self, frame: &mut Frame, table: &Table, waiting: Option<&str>, area: Rect) {
        let record = &table.record;
        let turn = record.position().turn();
        let state = match (&record.ending, waiting) {
            (Some(ending), _) => ending.to_string(),
            (None, Some(waiting)) => waiting.to_owned(),
            (None, None) => format!("{turn} to move"),
        };
        let mut lines = vec![Line::from(state).bold()];
        lines.extend(come_again(record).map(Line::from));
        lines.push(Line::default());
        let moves: Vec<String> =
            (1..).zip(record.moves()).map(|(number, mv)| format!("{number}. {mv}")).collect();
        let mut played = broken(&moves.join("  "), area.width);
        // The last moves, and below them what was said last.
        let left = usize::from(area.height).saturating_sub(lines.len());
        played.drain(..played.len().saturating_sub(left / 3));
        lines.extend(played);
        lines.push(Line::default());
        let broken = |said: &[String]| -> Vec<Line> {
            said.iter().flat_map(|text| broken(text, area.width)).collect()
        };
        let mut said = broken(&self.said);
        self.room = usize::from(area.height).saturating_sub(lines.len());
        if let Some(first) = self.news.take() {
            self.below = broken(&self.said[first..]).len().saturating_sub(self.room);
        }
        let above = said.len().saturating_sub(self.room);
        self.below = self.below.min(above);
        said.drain(..above - self.below);
        if self.below > 0 {
            // The last line of the screen says that there is more below.
            said.truncate(self.room.saturating_sub(1));
            said.push(Line::from("… PageDown").add_modifier(Modifier::DIM));
        }
        lines.extend(said);
        frame.render_widget(Paragraph::new(lines), area);
    }
}

/// Whether a key says that the person wants to leave, whatever goes on.
pub(super) fn is_leaving(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'd'))
}

/// How a square is marked.
struct Marks {
    cursor: bool,
    chosen: bool,
    target: bool,
    last: bool,
}

impl Marks {
    /// The three rows of a square. The marks are clear without colours.
    fn cell(&self, stack: &str, covered: bool) -> Vec<Line<'static>> {
        let width = usize::from(CELL.0);
        let mut letters = stack.chars();
        let top = letters.next();
        let [open, close] = brackets(self.cursor, self.chosen);
        let above = if self.target { "+" } else { "" };
        let last = if self.last { "'" } else { " " };
        let piece = match top {
            Some(letter) => Span::styled(format!(" {letter} "), worn(letter)),
            None => Span::from("   "),
        };
        let under: String = if covered { letters.collect() } else { String::new() };
        vec![
            Line::from(format!("{above:^width$}")),
            Line::from(vec![Span::from(format!(" {open}")), piece, Span::from(format!("{close}{last}"))]),
            Line::from(format!("{under:^width$}")),
        ]
    }
}

/// The brackets around the cursor, and around a piece that is taken.
fn brackets(cursor: bool, chosen: bool) -> [&'static str; 2] {
    match (cursor, chosen) {
        (true, _) => ["[", "]"],
        (false, true) => ["(", ")"],
        (false, false) => [" ", " "],
    }
}

/// The colours of a piece.
fn worn(letter: char) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    if letter.is_uppercase() {
        style.fg(Shade::Black).bg(Shade::White)
    } else {
        style.fg(Shade::White).bg(Shade::Black)
    }
}

/// The sizes of which the side to move can play a piece from hand.
fn sizes(table: &Table) -> Vec<Size> {
    let record = &table.record;
    let can_play = |&size: &Size| Spot::Hand(size).targets(&record.game, record.position()).next().is_some();
    Size::ALL.into_iter().filter(can_play).collect()
}

/// Wraps a text into lines of at most `width` columns.
fn broken(text: &str, width: u16) -> Vec<Line<'static>> {
    let wrapped = textwrap::wrap(text, usize::from(width.max(1)));
    wrapped.into_iter().map(|line| Line::from(line.into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::play::{Record, Sources, Strength};
    use crate::prelude::*;
    use crate::rules::{Game, Move, Position, Reading};

    /// Two people at the board after some moves.
    fn table(moves: &str) -> Table {
        let game = Game::new("ab-full".read().expect("a variant"), Reading::Official);
        let names = ["human".to_owned(), "human".to_owned()];
        let mut record = Record::new(game, Position::empty(Color::White), names, 1);
        for mv in moves.split_whitespace() {
            record.play(mv.read::<Move>().expect("a move")).expect("legal");
        }
        let sources = Sources::new(game, None, Vec::new());
        Table { record, players: [None, None], strength: Strength::nodes(1), sources, help: "", most: 9 }
    }

    /// The screen, row by row.
    fn shown(view: &mut View, table: &Table, columns: u16, rows: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a screen in memory");
        terminal.draw(|frame| view.draw(frame, table, None)).expect("drawn");
        let cells = terminal.backend().buffer().content.chunks(usize::from(columns));
        cells.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
    }

    /// Presses keys one after the other, and returns what the last one gives.
    fn press(view: &mut View, table: &Table, keys: &[KeyCode]) -> Option<String> {
        keys.iter().fold(None, |_, &key| view.press(KeyEvent::from(key), table))
    }

    /// What the square at a file and a rank, both from 0, shows in its three rows.
    fn square(rows: &[String], file: usize, rank: usize) -> Vec<String> {
        let columns = 3 + 7 * file..10 + 7 * file;
        // Below the title and Black's hand comes an empty row.
        (0..3).map(|row| rows[3 + 3 * (3 - rank) + row][columns.clone()].to_owned()).collect()
    }

    #[test]
    fn nothing_changes_the_end_of_a_game_but_a_move_taken_back() {
        let mut table = table("A@a1 A@a4 A@b1 A@b4 A@c1 A@c4 B@d1");
        let ending = table.record.ending.clone();
        assert!(ending.is_some());
        for word in ["draw", "resign"] {
            table.heed(word, &|| false);
            assert_eq!(table.record.ending, ending, "{word}");
        }
        table.heed("undo", &|| false);
        assert_eq!(table.record.ending, None);
    }

    #[test]
    fn a_piece_that_is_taken_shows_where_it_can_go() {
        let (table, mut view) = (table("A@b2 A@c3"), View::new());
        assert_eq!(press(&mut view, &table, &[KeyCode::Enter, KeyCode::Right]), None);
        let rows = shown(&mut view, &table, 80, 24);
        assert_eq!(square(&rows, 1, 1)[1], " ( A ) ");
        assert_eq!(square(&rows, 2, 2)[1], "   a  '", "the last move went there");
        assert_eq!(square(&rows, 2, 1), ["   +   ", " [   ] ", "       "]);
        let targets = (0..16).filter(|at| square(&rows, at % 4, at / 4)[0].contains('+')).count();
        assert_eq!(targets, 14, "neither its own square nor the other A");
        assert!(rows.iter().any(|row| row.starts_with("> b2-")), "{rows:?}");
        assert!(rows[1].starts_with("Black    a 2 ") && rows[16].starts_with("White    A 2 "), "{rows:?}");
        assert!(rows.iter().any(|row| row.contains("1. A@b2  2. A@c3")), "{rows:?}");
        assert_eq!(press(&mut view, &table, &[KeyCode::Enter]).as_deref(), Some("b2-c2"));
        // Enter on the piece's own square lets it go.
        press(&mut view, &table, &[KeyCode::Left, KeyCode::Enter, KeyCode::Enter]);
        assert!(shown(&mut view, &table, 80, 24).iter().any(|row| row.trim_end() == ">"));
    }

    #[test]
    fn pieces_come_from_hand_by_keys_and_by_the_mouse() {
        let (white, mut view) = (table("A@b2 A@c3"), View::new());
        let down = [KeyCode::Down, KeyCode::Down, KeyCode::Right, KeyCode::Enter];
        assert_eq!(press(&mut view, &white, &down), None);
        let rows = shown(&mut view, &white, 80, 24);
        assert!(rows[16].contains("[B 3]"), "{}", rows[16]);
        assert_eq!(press(&mut view, &white, &[KeyCode::Up, KeyCode::Enter]).as_deref(), Some("B@b1"));
        let black = table("A@b2");
        let mut view = View::new();
        shown(&mut view, &black, 80, 24);
        assert_eq!(view.click(9, 1, &black), None, "Black's A, above the board");
        assert_eq!(view.click(5, 4, &black).as_deref(), Some("A@a4"));
        assert_eq!(view.click(9, 16, &black), None, "White's hand is not to move");
        press(&mut view, &black, &[KeyCode::Enter]);
        let rows = shown(&mut view, &black, 80, 24);
        assert!(rows.iter().any(|row| row.contains("no piece of Black's is on top on a4")), "{rows:?}");
    }

    #[test]
    fn what_is_long_is_shown_from_its_beginning_and_pages_go_through_it() {
        let (table, mut view) = (table(""), View::new());
        let text: Vec<String> = (1..=40).map(|number| format!("line {number}.")).collect();
        let has = |rows: &[String], line: &str| rows.iter().any(|row| row.contains(line));
        view.say(&text.join("\n"));
        let rows = shown(&mut view, &table, 80, 24);
        assert!(has(&rows, "line 1.") && has(&rows, "… PageDown") && !has(&rows, "line 40."), "{rows:?}");
        let mut pages = 0;
        while !has(&shown(&mut view, &table, 80, 24), "line 40.") {
            press(&mut view, &table, &[KeyCode::PageDown]);
            pages += 1;
        }
        assert!((2..10).contains(&pages), "{pages}");
        let rows = shown(&mut view, &table, 80, 24);
        assert!(!has(&rows, "… PageDown") && !has(&rows, "line 1."), "{rows:?}");
        press(&mut view, &table, &[KeyCode::PageUp; 20]);
        assert!(has(&shown(&mut view, &table, 80, 24), "line 1."));
        // What is short stands below what was said before.
        view.say("no");
        let rows = shown(&mut view, &table, 80, 24);
        assert!(has(&rows, "line 40.") && rows.iter().any(|row| row.trim_end().ends_with(" no")), "{rows:?}");
    }

    #[test]
    fn what_is_typed_is_given_whole() {
        let (table, mut view) = (table(""), View::new());
        let typed: Vec<KeyCode> = "undoo".chars().map(KeyCode::Char).collect();
        assert_eq!(press(&mut view, &table, &typed), None);
        assert_eq!(press(&mut view, &table, &[KeyCode::Backspace, KeyCode::Enter]).as_deref(), Some("undo"));
        press(&mut view, &table, &[KeyCode::Char('x'), KeyCode::Esc]);
        let leave = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(view.press(leave, &table).as_deref(), Some("quit"));
    }

    #[test]
    fn covered_pieces_are_hidden_as_at_the_table_and_a_window_can_be_too_small() {
        let (table, mut view) = (table("A@a1 A@b1 B@a2 B@d4 a1-a2"), View::new());
        let rows = shown(&mut view, &table, 80, 24);
        assert_eq!((&*square(&rows, 0, 1)[1], &*square(&rows, 0, 1)[2]), ("   A  '", "   B   "));
        press(&mut view, &table, &[KeyCode::Tab]);
        let rows = shown(&mut view, &table, 80, 24);
        assert_eq!(square(&rows, 0, 1)[2], "       ");
        let rows = shown(&mut view, &table, 40, 10);
        assert!(rows.concat().contains("too small"), "{rows:?}");
        // What is beside the board stays inside a window of the least size, however much was said.
        (0..99).for_each(|number| view.say(&format!("line {number}")));
        shown(&mut view, &table, LEAST.0, LEAST.1);
        press(&mut view, &table, &[KeyCode::PageDown; 99]);
        let rows = shown(&mut view, &table, LEAST.0, LEAST.1);
        assert!(rows.iter().any(|row| row.contains("line 98")) && rows[16].starts_with("White"), "{rows:?}");
    }
}
