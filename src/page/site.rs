//! What the explorer's server answers: the page's files, and the values of positions from solved variants on disk.
//!
//! `GET /solved/NAME?position=TEXT` asks the solved variant `NAME` of `/solved.json` for a position. The answer is what
//! `gobprove query --json` prints (`schemas/query.json`): the value, and the value of each move. `TEXT` is a position
//! as `gobprove query` takes it, percent-encoded; a plus is a space. Status 400 comes with what is wrong with it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{File, JSON, Offered, TEXT, files, plain, policy};
use crate::bitbase::is_symmetric;
use crate::explain::solved_file::SolvedFile;
use crate::prelude::*;
use crate::rules::{Color, Game, Reading};
use crate::store::StoreError;

/// A solved variant that the page offers, with the name that it has there.
pub struct Solved {
    name: String,
    game: Game,
    plies: bool,
    file: Mutex<SolvedFile>,
}

impl Solved {
    /// Opens a solved variant, and the plies to each win if they lie beside it.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn open(path: &Path) -> Result<Solved, StoreError> {
        let file = SolvedFile::open(path)?;
        let name = plain(&path.file_name().unwrap_or_default().to_string_lossy());
        Ok(Solved { name, game: *file.game(), plies: file.has_plies(), file: Mutex::new(file) })
    }

    /// What the page calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its entry in `solved.json`: the game, whether the sides are alike, and whether the plies to each win are known.
    fn entry(&self) -> serde_json::Value {
        let Game { variant, reading } = self.game;
        let counts = |color| variant.material(color).counts();
        json!({
            "name": self.name,
            "variant": variant.to_string(),
            "reading": reading.tag(),
            "place": Reading::ALL.iter().position(|&one| one == reading),
            "white": counts(Color::White),
            "black": counts(Color::Black),
            "alike": is_symmetric(&self.game),
            "plies": self.plies,
        })
    }

    /// The answer to a query, the part of an address after the question mark.
    fn answer(&self, query: &str) -> Answer {
        let refused = |status, why: String| Answer { status, media: TEXT, bytes: format!("{why}\n").into() };
        let asked = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "position");
        let Some((_, text)) = asked else {
            return refused(StatusCode::BAD_REQUEST, "ask for ?position=TEXT".to_owned());
        };
        let position = match self.game.parse_written(&text) {
            Ok(position) => position,
            Err(why) => return refused(StatusCode::BAD_REQUEST, why),
        };
        if position.finished().is_some() {
            return refused(StatusCode::BAD_REQUEST, "a line stands: the game is over (R6)".to_owned());
        }
        // If another thread has panicked with the lock, nothing is spoilt: the file is only read.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match file.told(&position, false) {
            Ok(told) => {
                Answer { status: StatusCode::OK, media: JSON, bytes: told.to_string().into_bytes().into() }
            }
            Err(error) => refused(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
        }
    }
}

/// A file of the page, ready to be sent any number of times.
struct Held {
    name: Cow<'static, str>,
    media: &'static str,
    bytes: Bytes,
}

impl From<File> for Held {
    fn from(file: File) -> Held {
        let bytes = match file.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        Held { name: file.name, media: file.media, bytes }
    }
}

/// All that a server of the page answers with.
pub struct Site {
    files: Vec<Held>,
    solved: Vec<Solved>,
}

/// The answer to a request.
struct Answer {
    status: StatusCode,
    media: &'static str,
    bytes: Bytes,
}

impl Answer {
    fn plain(status: StatusCode, text: &'static str) -> Answer {
        Answer { status, media: TEXT, bytes: Bytes::from_static(text.as_bytes()) }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let headers = [
            ("Content-Type", self.media.to_owned()),
            ("Content-Security-Policy", policy()),
            ("X-Content-Type-Options", "nosniff".to_owned()),
            ("Referrer-Policy", "no-referrer".to_owned()),
            ("Cache-Control", "no-cache".to_owned()),
            ("Allow", "GET, HEAD".to_owned()),
        ];
        (self.status, headers, self.bytes).into_response()
    }
}

impl Site {
    /// The page that offers these certificates and solved variants.
    #[must_use]
    pub fn new(offered: Vec<Offered>, solved: Vec<Solved>) -> Site {
        let entries: Vec<_> = solved.iter().map(Solved::entry).collect();
        Site { files: files(offered, &entries).into_iter().map(Held::from).collect(), solved }
    }

    /// The answer to a path and a query. On the disk only the solved variants are read.
    fn answer(&self, path: &str, query: &str) -> Answer {
        let name = match path.strip_prefix('/') {
            Some("") => "index.html",
            Some(name) => name,
            None => path,
        };
        if let Some(file) = self.files.iter().find(|file| file.name == name) {
            return Answer { status: StatusCode::OK, media: file.media, bytes: file.bytes.clone() };
        }
        let solved = name.strip_prefix("solved/");
        match solved.and_then(|name| self.solved.iter().find(|solved| solved.name == name)) {
            Some(solved) => solved.answer(query),
            None => Answer::plain(StatusCode::NOT_FOUND, "there is no such file\n"),
        }
    }
}

/// The server of a site, for any listener.
pub fn router(site: Site) -> Router {
    Router::new().fallback(respond).with_state(Arc::new(site))
}

async fn respond(State(site): State<Arc<Site>>, method: Method, uri: Uri) -> Answer {
    if method != Method::GET && method != Method::HEAD {
        return Answer::plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered\n");
    }
    // A disk may be slow; other requests are answered meanwhile.
    let answered = spawn_blocking(move || site.answer(uri.path(), uri.query().unwrap_or_default())).await;
    answered.unwrap_or_else(|_| Answer::plain(StatusCode::INTERNAL_SERVER_ERROR, "the answer failed\n"))
}
