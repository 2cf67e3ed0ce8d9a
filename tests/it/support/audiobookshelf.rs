//! A stand-in for Audiobookshelf, with the calls and shapes of version 2.36.
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::{Value, json};
use shelfwise::config::Config;
use shelfwise::config::media_server::MediaServer;

/// The key of the stand-in's listener.
pub const KEY: &str = "eyJhbGciOiJIUzI1NiJ9.canary-of-a-listener.c2lnbmF0dXJl";

/// How it answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mood {
    #[default]
    Fine,
    /// A version without `/api/me/progress`.
    Old,
    /// 500.
    Broken,
    /// To another address.
    Moved,
    /// A page of a proxy.
    Page,
    /// JSON without end.
    Endless,
}

#[derive(Debug, Default)]
pub struct World {
    pub mood: Mood,
    /// By the item.
    pub progress: BTreeMap<String, Value>,
    pub sessions: Vec<Value>,
    pub items: BTreeMap<String, Value>,
    /// The calls that came: path and query.
    pub calls: Vec<String>,
    /// The headers of the last one.
    pub headers: HeaderMap,
}

/// A listening server.
#[derive(Clone)]
pub struct FakeAudiobookshelf {
    pub url: String,
    world: Arc<Mutex<World>>,
}

impl FakeAudiobookshelf {
    pub async fn start() -> Self {
        let world = Arc::<Mutex<World>>::default();
        let router = Router::new()
            .route("/shelf/api/me", get(me))
            .route("/shelf/api/me/progress", get(progress))
            .route("/shelf/api/me/listening-sessions", get(sessions))
            .route("/shelf/api/items/{id}", get(item))
            .layer(middleware::from_fn_with_state(world.clone(), admit))
            .with_state(world.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/shelf", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, world }
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    /// Puts it into the settings, as `home`.
    pub fn listed(&self) -> impl FnOnce(&mut Config) {
        let server = MediaServer {
            url: Some(self.url.clone()),
            label: Some("At home".into()),
            headers: vec!["X-Guard: canary-of-a-guard".to_owned().into()],
            ..MediaServer::default()
        };
        move |config| drop(config.sources.insert("home".into(), server))
    }
}

type Shared = State<Arc<Mutex<World>>>;

async fn admit(State(world): Shared, request: Request, next: Next) -> Response {
    let mood = {
        let mut world = world.lock().unwrap();
        world.calls.push(request.uri().path_and_query().unwrap().to_string());
        world.headers = request.headers().clone();
        world.mood
    };
    match mood {
        Mood::Fine | Mood::Old => {}
        Mood::Broken => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Mood::Moved => return (StatusCode::FOUND, [(header::LOCATION, "/elsewhere")]).into_response(),
        Mood::Page => return "<!doctype html><title>Log in</title>".into_response(),
        Mood::Endless => {
            let chunk = || Some((Ok::<_, std::io::Error>("[".repeat(1 << 16)), ()));
            let body = futures_util::stream::unfold((), move |()| std::future::ready(chunk()));
            return axum::body::Body::from_stream(body).into_response();
        }
    }
    let bearer = format!("Bearer {KEY}");
    let is_right = request.headers().get("authorization").is_some_and(|sent| sent.as_bytes() == bearer.as_bytes());
    if is_right { next.run(request).await } else { (StatusCode::UNAUTHORIZED, "Unauthorized").into_response() }
}

fn listed(world: &World) -> Vec<Value> {
    world.progress.values().cloned().collect()
}

async fn me(State(world): Shared) -> axum::Json<Value> {
    axum::Json(json!({"id": "u1", "username": "nora", "type": "user", "token": "x", "isOldToken": false,
        "mediaProgress": listed(&world.lock().unwrap()), "bookmarks": [], "isActive": true}))
}

async fn progress(State(world): Shared) -> Response {
    let world = world.lock().unwrap();
    if world.mood == Mood::Old {
        return (StatusCode::NOT_FOUND, "Cannot GET /api/me/progress").into_response();
    }
    axum::Json(json!({"mediaProgress": listed(&world)})).into_response()
}

async fn sessions(State(world): Shared, Query(query): Query<BTreeMap<String, usize>>) -> axum::Json<Value> {
    let mut all = world.lock().unwrap().sessions.clone();
    all.sort_by_key(|session| std::cmp::Reverse(session["updatedAt"].as_i64()));
    let (size, page) = (query["itemsPerPage"], query["page"]);
    let shown: Vec<_> = all.iter().skip(page * size).take(size).collect();
    axum::Json(json!({"total": all.len(), "numPages": all.len().div_ceil(size), "page": page, "itemsPerPage": size,
        "sessions": shown}))
}

async fn item(State(world): Shared, Path(id): Path<String>) -> Response {
    match world.lock().unwrap().items.get(&id) {
        Some(item) => axum::Json(item).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
