//! What readers request, and how often.
use std::fmt::Write as _;

use shelfwise::library::books::model::Status;

use super::file::{Crowd, PASSWORD};
use crate::client::{Get, PACKED};
use crate::library::{self, Reader};

/// A reader's action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Dashboard,
    Filter,
    Search,
    Add,
    Edit,
    Export,
    Import,
    Login,
}

impl Kind {
    /// Every action with its frequency per thousand, and its name.
    pub const ALL: [(Self, u32, &str); 8] = [
        (Self::Dashboard, 400, "a dashboard (statistics, first books, options)"),
        (Self::Filter, 200, "statistics and first books of a filter"),
        (Self::Search, 200, "a search in the titles"),
        (Self::Add, 90, "a book added"),
        (Self::Edit, 90, "a book changed"),
        (Self::Export, 8, "an export of everything"),
        (Self::Import, 6, "an import of 300 books"),
        (Self::Login, 6, "a login"),
    ];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(.., name)| name)
    }

    /// The action for a number below a thousand.
    pub fn pick(mut number: u32) -> Self {
        for (kind, share, _) in Self::ALL {
            match number.checked_sub(share) {
                Some(rest) => number = rest,
                None => return kind,
            }
        }
        Self::Dashboard
    }

    /// The requests of the action, in order.
    pub fn requests(self, crowd: &Crowd, reader: &Reader, dice: &mut fastrand::Rng) -> Vec<Vec<u8>> {
        match self {
            Self::Dashboard => dashboard(reader).iter().map(Get::bytes).collect(),
            Self::Filter => {
                let filter = format!("genres=Fantasy&minRating=5&startDate={}-01-01", dice.u32(2012..2025));
                both(reader, &filter).iter().map(Get::bytes).collect()
            }
            Self::Search => {
                let word = dice.choice(["winter", "har", "silence", "mou", "the g"]).unwrap_or("winter");
                both(reader, &format!("titleSearch={}", word.replace(' ', "+"))).iter().map(Get::bytes).collect()
            }
            Self::Add => {
                let book = format!(r#"{{"title":"One more {}","author":"A","status":"undated"}}"#, dice.u32(..));
                vec![sent("POST", "/api/books", reader, "application/json", book.as_bytes())]
            }
            Self::Edit => {
                let path = format!("/api/books/{}", reader.id.0 << 24 | dice.i64(1..=crowd.books));
                let change = format!(r#"{{"wordCount":{}}}"#, dice.u32(20_000..180_000));
                vec![sent("PATCH", &path, reader, "application/json", change.as_bytes())]
            }
            Self::Export => vec![get(reader, "/api/account/export").bytes()],
            Self::Import => {
                let first = dice.i64(1_000_000..1_000_000_000);
                vec![upload(reader, &csv(first..first + 300))]
            }
            Self::Login => {
                let form = format!(r#"{{"email":"{}","password":"{PASSWORD}"}}"#, Crowd::email(reader.id.0));
                // From another browser: the signed-in one would get a new session in place of its own.
                let nobody = Reader { id: reader.id, cookie: "none=1".into() };
                vec![sent("POST", "/api/auth/login", &nobody, "application/json", form.as_bytes())]
            }
        }
    }
}

fn get(reader: &Reader, path: &str) -> Get {
    Get::new(path, &reader.cookie).with("Accept-Encoding", PACKED)
}

/// The requests of a dashboard when it is opened, without caches.
pub fn dashboard(reader: &Reader) -> [Get; 3] {
    ["/api/stats", "/api/books?sort=dateCompleted&order=desc&limit=100", "/api/stats/options"]
        .map(|path| get(reader, path).first_sight())
}

fn both(reader: &Reader, filter: &str) -> [Get; 2] {
    [format!("/api/stats?{filter}"), format!("/api/books?{filter}&limit=100")].map(|path| get(reader, &path))
}

/// A file of our own template with the books of these numbers.
pub fn csv(numbers: std::ops::Range<i64>) -> String {
    let mut file = String::from("Title,Author,Word Count,Date Completed,Rating,Format,Reread,Genres\n");
    for book in numbers.map(library::book) {
        let day = book.date_completed.map_or_else(String::new, |day| day.to_string());
        let rating =
            book.rating.filter(|_| book.status == Status::Completed).map_or_else(String::new, |n| n.to_string());
        let (title, author, words, genres) =
            (book.title.clone(), book.author(), book.word_count, book.genres.join(", "));
        let format = book.format.name();
        writeln!(file, "{title},{author},{words},{day},{rating},{format},{},\"{genres}\"", book.reread).unwrap();
    }
    file
}

/// An import of a file.
pub fn upload(reader: &Reader, file: &str) -> Vec<u8> {
    upload_to("/api/books/import", reader, file)
}

/// An import of a file with options in its path.
pub fn upload_to(path: &str, reader: &Reader, file: &str) -> Vec<u8> {
    let part = "--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\"books.csv\"\r\nContent-Type: text/csv\r\n\r\n";
    let body = format!("{part}{file}\r\n--part--\r\n");
    sent("POST", path, reader, "multipart/form-data; boundary=part", body.as_bytes())
}

/// A request with a body.
pub fn sent(method: &str, path: &str, reader: &Reader, kind: &str, body: &[u8]) -> Vec<u8> {
    let (cookie, length) = (&reader.cookie, body.len());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: bench\r\nCookie: {cookie}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}
