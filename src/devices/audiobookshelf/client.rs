//! Calls to an Audiobookshelf server: limited in time and size, and to the address of the settings.
use std::time::Duration;

use anyhow::Context as _;
use reqwest::Client;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use url::Url;

use crate::config::Secret;
use crate::config::media_server::MediaServer;
use crate::kit::named::named;
use crate::kit::net::http_client::server_client;

/// The largest answer in bytes: a list of 100 sessions has some 500,000.
const LARGEST: usize = 16 << 20;
/// The time limit of a call. A server collects all sessions of a listener for each page of them.
const LIMIT: Duration = Duration::from_secs(30);
/// The sessions of a page.
pub const PAGE: usize = 100;

named! {
    /// Why a media server could not be asked.
    SourceError {
        /// No answer.
        Unreachable = "unreachable",
        /// An answer with a status of an error.
        Failing = "failing",
        /// An answer that leads to another address.
        Redirects = "redirects",
        /// The key is not one of its.
        KeyRefused = "key-refused",
        /// The stored key can't be decrypted, after a move without the file that opens it.
        KeyLost = "key-lost",
        /// An answer of more than 16 MiB.
        TooLarge = "too-large",
        /// An answer that is not Audiobookshelf's.
        Unreadable = "unreadable",
        /// An answer that could not be stored.
        NotStored = "not-stored",
    }
}

impl SourceError {
    /// A sentence for the reader.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Unreachable => "Audiobookshelf can't be reached right now.",
            Self::Failing => "Audiobookshelf answers with an error right now.",
            Self::Redirects => {
                "Audiobookshelf is at another address now. The operator of this server has to change it."
            }
            Self::KeyRefused => {
                "Audiobookshelf does not accept this key. Make a new one there, under Settings, API Keys."
            }
            Self::KeyLost => "The key can't be read any more. Please enter it again.",
            Self::TooLarge => "Audiobookshelf sends more than can be read.",
            Self::Unreadable => "What answers at this address is not Audiobookshelf.",
            Self::NotStored => "What Audiobookshelf reports could not be stored. It is tried again.",
        }
    }
}

/// A server of the settings.
pub struct Server {
    url: Url,
    client: Client,
}

impl Server {
    /// The server of a section.
    pub fn of(settings: &MediaServer) -> anyhow::Result<Self> {
        let url = settings.url.as_deref().context("there is no url")?;
        let client = server_client(settings.ca.as_deref(), settings.headers()?)?;
        Ok(Self { url: Url::parse(url)?, client })
    }

    /// Checks a key.
    pub async fn check(&self, key: &Secret) -> Result<(), SourceError> {
        self.get::<Me>(key, &["me"], &[]).await.map(drop)
    }

    /// The places of a listener in all books.
    pub async fn progress(&self, key: &Secret) -> Result<Vec<Progress>, SourceError> {
        let listed = match self.get::<ProgressList>(key, &["me", "progress"], &[]).await {
            // Servers of before the summer of 2026 have the list beside the user alone.
            Err(SourceError::Failing | SourceError::Unreadable) => self.get(key, &["me"], &[]).await?,
            listed => listed?,
        };
        Ok(known(listed.media_progress))
    }

    /// A page of what was listened to, the newest change first, and how many pages there are.
    pub async fn sessions(&self, key: &Secret, page: usize) -> Result<(Vec<Session>, usize), SourceError> {
        let query = [("itemsPerPage", PAGE), ("page", page)].map(|(name, number)| (name, number.to_string()));
        let listed: SessionList = self.get(key, &["me", "listening-sessions"], &query).await?;
        Ok((known(listed.sessions), listed.num_pages))
    }

    /// What a book is called; `None` for one that is there no more.
    pub async fn item(&self, key: &Secret, id: &str) -> Result<Option<Item>, SourceError> {
        match self.get(key, &["items", id], &[]).await {
            // Also one that its listener may not see any more.
            Err(SourceError::Failing | SourceError::KeyRefused) => Ok(None),
            item => item.map(Some),
        }
    }

    async fn get<T: DeserializeOwned>(
        &self,
        key: &Secret,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<T, SourceError> {
        let mut url = self.url.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("api").extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let request = self.client.get(url).bearer_auth(key.expose()).timeout(LIMIT);
        let mut answer =
            request.header(ACCEPT_ENCODING, "identity").send().await.map_err(|_| SourceError::Unreachable)?;
        match answer.status().as_u16() {
            200 => {}
            401 | 403 => return Err(SourceError::KeyRefused),
            300..=399 => return Err(SourceError::Redirects),
            _ => return Err(SourceError::Failing),
        }
        // It was asked for plain bytes, and compressed ones may unfold to anything.
        if answer.headers().get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
            return Err(SourceError::Unreadable);
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|_| SourceError::Unreachable)? {
            if body.len() + chunk.len() > LARGEST {
                return Err(SourceError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&body).map_err(|_| SourceError::Unreadable)
    }
}

/// An entry of a list, or one that is not as expected and is left out.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry<T> {
    Known(T),
    Other(IgnoredAny),
}

fn known<T>(entries: Vec<Entry<T>>) -> Vec<T> {
    let known = |entry| match entry {
        Entry::Known(entry) => Some(entry),
        Entry::Other(_) => None,
    };
    entries.into_iter().filter_map(known).collect()
}

/// The user of a key.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only Audiobookshelf answers with both")]
struct Me {
    username: IgnoredAny,
    media_progress: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProgressList {
    media_progress: Vec<Entry<Progress>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionList {
    sessions: Vec<Entry<Session>>,
    num_pages: usize,
}

/// A listener's place in a book. Times are in milliseconds since 1970, other lengths in seconds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Progress {
    pub library_item_id: Option<String>,
    /// That of a podcast.
    pub episode_id: Option<String>,
    pub duration: Option<f64>,
    pub current_time: Option<f64>,
    pub is_finished: bool,
    /// The place in the book's text, 0 to 1.
    pub ebook_progress: Option<f64>,
    pub last_update: f64,
    pub started_at: f64,
    pub finished_at: Option<f64>,
}

/// One sitting of listening, which grows while it is open.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Session {
    pub id: String,
    pub library_item_id: Option<String>,
    pub episode_id: Option<String>,
    pub media_metadata: Option<Metadata>,
    pub display_title: Option<String>,
    pub duration: Option<f64>,
    pub time_listening: Option<f64>,
    pub start_time: f64,
    pub current_time: f64,
    pub started_at: f64,
    pub updated_at: f64,
}

/// A book of the library there.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub media: Media,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Media {
    pub metadata: Metadata,
}

/// What a book is called.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    pub title: Option<String>,
    pub authors: Vec<Author>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Author {
    pub name: String,
}
