//! A catalogue on the loopback in the place of Open Library: honest unless a test changes what a path answers.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use tokio::time::Instant;

/// What is answered instead; `None` answers honestly.
type Turn = Arc<dyn Fn(&Uri) -> Option<Response> + Send + Sync>;

/// A running catalogue.
#[derive(Clone)]
pub struct Catalogue {
    /// Its address, without a slash at the end.
    pub base: String,
    state: Arc<Known>,
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Method, path and query.
    pub line: String,
    /// Path and query.
    pub uri: String,
    pub user_agent: String,
    /// Every other header's name.
    pub headers: Vec<String>,
    pub authorization: String,
    pub body: String,
    pub at: Instant,
}

struct Known {
    turn: Mutex<Turn>,
    asked: Mutex<Vec<Asked>>,
    now: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl Catalogue {
    /// A catalogue that knows one book.
    pub async fn start() -> Self {
        let state = Arc::new(Known {
            turn: Mutex::new(Arc::new(|_| None)),
            asked: Mutex::default(),
            now: AtomicUsize::default(),
            most_at_once: AtomicUsize::default(),
        });
        let router = Router::new().fallback(answer).with_state(state.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { base, state }
    }

    /// Answers otherwise from now on.
    pub fn answer(&self, turn: impl Fn(&Uri) -> Option<Response> + Send + Sync + 'static) {
        *self.state.turn.lock().unwrap() = Arc::new(turn);
    }

    /// Every request so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }

    /// The most requests that ran at once.
    pub fn most_at_once(&self) -> usize {
        self.state.most_at_once.load(Ordering::SeqCst)
    }
}

async fn answer(
    State(state): State<Arc<Known>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: String,
) -> Response {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    let asked = Asked {
        line: format!("{method} {uri}"),
        uri: uri.to_string(),
        authorization: text("authorization").unwrap_or_default(),
        body,
        user_agent: text("user-agent").unwrap_or_default(),
        headers: headers.keys().map(ToString::to_string).collect(),
        at: Instant::now(),
    };
    state.asked.lock().unwrap().push(asked);
    let now = state.now.fetch_add(1, Ordering::SeqCst) + 1;
    state.most_at_once.fetch_max(now, Ordering::SeqCst);
    // Others that would be asked at the same time get their chance.
    tokio::task::yield_now().await;
    let turn = state.turn.lock().unwrap().clone();
    let answer = turn(&uri).unwrap_or_else(|| honest(&uri));
    state.now.fetch_sub(1, Ordering::SeqCst);
    answer
}

/// What Open Library says about Kindred.
pub fn kindred() -> Value {
    json!({
        "key": "/works/OL35707W", "title": "Kindred", "author_name": ["Octavia E. Butler"], "first_publish_year": 1979,
        "number_of_pages_median": 264, "isbn": ["0807083690", "9780807083697"], "cover_i": 240_727,
        "subject": ["Slavery", "Science fiction", "Fiction, historical"], "language": ["eng", "fre"],
        "editions": {"docs": [{"key": "/books/OL1M", "title": "Kindred", "language": ["eng"], "isbn": ["9780807083697"],
            "publisher": ["Beacon Press"], "publish_date": "2003"}]},
    })
}

fn honest(uri: &Uri) -> Response {
    let query: Vec<(String, String)> =
        form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    let value = |key: &str| query.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value.as_str());
    match uri.path() {
        "/search.json" if value("q").to_lowercase().contains("kindred") => {
            axum::Json(json!({"numFound": 1, "start": 0, "docs": [kindred()]})).into_response()
        }
        "/search.json" => axum::Json(json!({"numFound": 0, "start": 0, "docs": []})).into_response(),
        "/api/books" if value("bibkeys") == "ISBN:9780807083697" => axum::Json(json!({"ISBN:9780807083697": {
            "url": "https://openlibrary.org/books/OL1M/Kindred", "key": "/books/OL1M", "title": "Kindred",
            "authors": [{"url": "https://openlibrary.org/authors/OL1A", "name": "Octavia E. Butler"}],
            "number_of_pages": 264, "publishers": [{"name": "Beacon Press"}], "publish_date": "2003",
            "subjects": [{"name": "Science fiction", "url": "https://openlibrary.org/subjects/science_fiction"}],
            "cover": {"large": "https://covers.openlibrary.org/b/id/240727-L.jpg"},
        }}))
        .into_response(),
        "/api/books" => axum::Json(json!({})).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
