//! The service that searches catalogues: stored responses first, then every catalogue at once, each within its throttle.
use std::sync::{Arc, Mutex, PoisonError};

use chrono::NaiveDate;
use tokio::task::JoinSet;

use super::fetch::{AllowedHosts, CatalogueClient, FetchError, is_one_of};
use super::model::{FoundBook, LookupOutcome, LookupQuery, LookupResponse, LookupSource, LookupSourceOutcome, rank};
use super::throttle::{AccountLimits, AccountThrottled, RequestKind, SourceThrottle};
use super::{offline, sources, store};
use crate::access::Viewer;
use crate::config::Config;
use crate::kit::db::pool::blocking;
use crate::kit::id::UserId;
use crate::kit::{App, Error};
use crate::library::covers::model::{MOST_BYTES, Unfit};
use crate::library::covers::picture::Picture;

/// The longest answer of a catalogue, in bytes. Twenty popular works with all their subjects and ISBNs have some 500 kB.
const LONGEST: usize = 2 * 1024 * 1024;

/// The look-up's state while the server runs. Clones share it.
#[derive(Clone)]
pub struct Lookup(Arc<State>);

struct State {
    /// The client and the name under which it asks. The settings of both can change.
    client: Mutex<Option<(String, CatalogueClient)>>,
    account_limits: AccountLimits,
    throttles: [SourceThrottle; LookupSource::ALL.len()],
}

/// Who asks, on which day of their time zone: both limit the calls.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    id: UserId,
    today: NaiveDate,
}

impl Reader {
    pub fn of(viewer: &Viewer) -> Self {
        Self { id: viewer.user_id, today: viewer.today }
    }
}

/// Why nothing is looked up.
#[derive(Debug)]
pub enum LookupError {
    NotConfigured,
    Throttled(AccountThrottled),
    /// There is no such cover.
    NotFound,
    /// The file is not accepted as a cover.
    Unfit(Unfit),
    Unavailable(Vec<LookupSourceOutcome>),
    Database(Error),
}

impl From<Error> for LookupError {
    fn from(cause: Error) -> Self {
        Self::Database(cause)
    }
}

/// The catalogues that the settings name, in their order.
pub fn configured(config: &Config) -> Vec<LookupSource> {
    config.lookup.sources.iter().filter_map(|name| LookupSource::from_name(name)).collect()
}

/// Whether any online catalogue is set up.
fn has_online_source(config: &Config) -> bool {
    configured(config).into_iter().any(|source| sources::is_set_up(source, &config.lookup))
}

/// Whether a catalogue is asked for covers.
fn has_covers(config: &Config, source: LookupSource) -> bool {
    let settings = &config.lookup;
    settings.covers && configured(config).contains(&source) && sources::is_set_up(source, settings)
}

/// The `User-Agent`, with the server's address and the operator's contact, by which a catalogue can reach the operator.
fn user_agent(config: &Config) -> String {
    let address = config.public_url.as_ref().map(|url| format!("+{url}"));
    let about: Vec<String> = address.into_iter().chain(config.lookup.contact.clone()).collect();
    let name = concat!("Shelfwise/", env!("CARGO_PKG_VERSION"));
    if about.is_empty() { name.to_owned() } else { format!("{name} ({})", about.join("; ")) }
}

impl Default for Lookup {
    fn default() -> Self {
        Self(Arc::new(State {
            client: Mutex::default(),
            account_limits: AccountLimits::default(),
            throttles: LookupSource::ALL.map(|source| SourceThrottle::with_pause(sources::pause(source))),
        }))
    }
}

impl Lookup {
    /// Whether this server has any catalogue, online or offline.
    pub fn is_configured(app: &App) -> bool {
        app.catalogue.is_there() || has_online_source(&app.current.get())
    }

    /// Searches as [`Self::search_all`]. A result names a cover only where [`Self::cover`] can ask for it.
    pub async fn search(
        &self,
        app: &App,
        reader: Reader,
        query: LookupQuery,
        only_offline: bool,
    ) -> Result<LookupResponse, LookupError> {
        let config = app.current.get();
        let mut answer = self.search_all(app, &config, reader, query, only_offline).await?;
        answer.data = answer.data.into_iter().map(FoundBook::counted).collect();
        for book in &mut answer.data {
            if !offline::cover_source(&book.source).is_some_and(|source| has_covers(&config, source)) {
                book.cover = None;
            }
        }
        Ok(answer)
    }

    /// Searches every catalogue for a reader, on a day of the reader's time zone: the offline catalogue first, and it alone where it
    /// knows an ISBN, or with `only_offline`. It and stored responses need no request and do not count.
    async fn search_all(
        &self,
        app: &App,
        config: &Arc<Config>,
        reader: Reader,
        query: LookupQuery,
        only_offline: bool,
    ) -> Result<LookupResponse, LookupError> {
        let offline = offline::search(app, &query).await;
        match offline {
            None if only_offline => Err(LookupError::NotConfigured),
            None => self.search_online(app, config, reader, query).await,
            Some((_, LookupOutcome::Failed)) if only_offline || !has_online_source(config) => {
                Err(LookupError::Unavailable(vec![offline::outcome(LookupOutcome::Failed)]))
            }
            Some((found, outcome)) => {
                let is_known = matches!(query, LookupQuery::Isbn(_)) && !found.is_empty();
                let none = LookupResponse { data: Vec::new(), sources: Vec::new() };
                let others = match !has_online_source(config) || only_offline || is_known {
                    true => none,
                    false => match self.search_online(app, config, reader, query).await {
                        Err(LookupError::Unavailable(sources)) if outcome.is_answer() => {
                            LookupResponse { sources, ..none }
                        }
                        Err(LookupError::Unavailable(mut sources)) => {
                            sources.insert(0, offline::outcome(outcome));
                            return Err(LookupError::Unavailable(sources));
                        }
                        answer => answer?,
                    },
                };
                Ok(offline::merge(found, outcome, others))
            }
        }
    }

    async fn search_online(
        &self,
        app: &App,
        config: &Arc<Config>,
        reader: Reader,
        query: LookupQuery,
    ) -> Result<LookupResponse, LookupError> {
        if !has_online_source(config) {
            return Err(LookupError::NotConfigured);
        }
        let (settings, sources) = (&config.lookup, configured(config));
        let is_set_up = |source: &LookupSource| sources::is_set_up(*source, settings);
        let now = app.now();
        let (searched, query) = (query.clone(), Arc::new(query));
        let mut stored = app.db.read(move |conn| store::find_responses(conn, &searched, now)).await?;
        let is_needed = |source: &LookupSource| {
            is_set_up(source) && !stored.contains_key(source.name()) && !self.throttle(*source).is_backing_off(now)
        };
        if sources.iter().any(is_needed) {
            self.0
                .account_limits
                .acquire(reader.id, RequestKind::Search, now, reader.today)
                .map_err(LookupError::Throttled)?;
        }
        let mut calls = JoinSet::new();
        for (at, source) in sources.into_iter().enumerate() {
            let known = stored.remove(source.name());
            let (lookup, app, config, query) = (self.clone(), app.clone(), config.clone(), query.clone());
            calls.spawn(async move {
                let answer = match known {
                    Some(found) => Ok(found),
                    None => lookup.search_source(&app, &config, source, &query).await,
                };
                (at, source, answer)
            });
        }
        let mut answers = calls.join_all().await;
        answers.sort_by_key(|(at, ..)| *at);
        let (mut data, mut outcomes) = (Vec::new(), Vec::new());
        for (_, source, answer) in answers {
            let (found, outcome) = match answer {
                Ok(found) if found.is_empty() => (found, LookupOutcome::Empty),
                Ok(found) => (found, LookupOutcome::Found),
                Err(outcome) => (Vec::new(), outcome),
            };
            data.extend(found);
            outcomes.push(LookupSourceOutcome { name: source.name().to_owned(), outcome });
        }
        if !outcomes.iter().any(|source| source.outcome.is_answer()) {
            return Err(LookupError::Unavailable(outcomes));
        }
        rank(&query, &mut data);
        Ok(LookupResponse { data, sources: outcomes })
    }

    /// The picture of a result, by its source and what it has under `cover`.
    ///
    /// # Errors
    /// [`LookupError`]; [`LookupError::NotFound`] when the catalogue has no such cover.
    pub async fn cover(
        &self,
        app: &App,
        reader: Reader,
        source: LookupSource,
        cover: &str,
    ) -> Result<Picture, LookupError> {
        let config = app.current.get();
        let settings = &config.lookup;
        if !has_covers(&config, source) {
            return Err(LookupError::NotConfigured);
        }
        let request = sources::cover_request(source, settings, cover).ok_or(LookupError::NotFound)?;
        let throttle = self.throttle(source);
        let unavailable =
            |outcome| LookupError::Unavailable(vec![LookupSourceOutcome { name: source.name().to_owned(), outcome }]);
        if throttle.is_backing_off(app.now()) {
            return Err(unavailable(LookupOutcome::Limited));
        }
        self.0
            .account_limits
            .acquire(reader.id, RequestKind::Cover, app.now(), reader.today)
            .map_err(LookupError::Throttled)?;
        let mut permit = throttle.acquire().await.ok_or_else(|| unavailable(LookupOutcome::Limited))?;
        permit.begin().await;
        let allowed =
            AllowedHosts { configured: sources::cover_address(source, settings), hosts: sources::hosts(source) };
        match self.client(&config).map_err(unavailable)?.fetch(&request, allowed, MOST_BYTES).await {
            Ok(file) => Picture::read(&file).map_err(LookupError::Unfit),
            Err(FetchError::NotFound) => Err(LookupError::NotFound),
            Err(FetchError::TooLarge) => Err(LookupError::Unfit(Unfit::TooManyBytes)),
            Err(failure) => Err(unavailable(self.failed(app, source, failure))),
        }
    }

    fn throttle(&self, source: LookupSource) -> &SourceThrottle {
        &self.0.throttles[source as usize]
    }

    /// Searches one catalogue within its throttle, and stores the response.
    async fn search_source(
        &self,
        app: &App,
        config: &Config,
        source: LookupSource,
        query: &Arc<LookupQuery>,
    ) -> Result<Vec<FoundBook>, LookupOutcome> {
        let settings = &config.lookup;
        if !sources::is_set_up(source, settings) {
            return Err(LookupOutcome::Off);
        }
        let Some(request) = sources::request(source, settings, query) else { return Ok(Vec::new()) };
        let throttle = self.throttle(source);
        if throttle.is_backing_off(app.now()) {
            return Err(LookupOutcome::Limited);
        }
        let mut permit = throttle.acquire().await.ok_or(LookupOutcome::Limited)?;
        // Another reader may have searched for the same meanwhile, or the catalogue may have asked for a pause.
        let (searched, now) = (query.clone(), app.now());
        let stored = app.db.read(move |conn| store::find_responses(conn, &searched, now)).await;
        if let Some(found) = stored.ok().and_then(|mut stored| stored.remove(source.name())) {
            return Ok(found);
        }
        if throttle.is_backing_off(app.now()) {
            return Err(LookupOutcome::Limited);
        }
        permit.begin().await;
        let allowed = AllowedHosts { configured: sources::address(source, settings), hosts: sources::hosts(source) };
        let client = self.client(config)?;
        let found = match client.fetch(&request, allowed, LONGEST).await {
            Ok(body) => {
                let asked = query.clone();
                let parsed = blocking(move || Ok(sources::parse_response(source, &asked, &body))).await;
                parsed.ok().flatten().ok_or(FetchError::Failed("its answer can't be read"))
            }
            Err(failure) => Err(failure),
        };
        match found {
            Ok(found) => {
                // Before the permit is dropped, so that the next reader with this query finds the response.
                let (kept, searched) = (found.clone(), query.clone());
                if let Err(cause) = app.db.write(move |tx| store::store_response(tx, source, &searched, &kept)).await {
                    tracing::warn!(%cause, "storing a catalogue's answer failed");
                }
                Ok(found)
            }
            Err(failure) => Err(self.failed(app, source, failure)),
        }
    }

    /// The outcome of a failure, which the log names.
    fn failed(&self, app: &App, source: LookupSource, failure: FetchError) -> LookupOutcome {
        let (outcome, reason) = match failure {
            FetchError::Limited(seconds) => {
                self.throttle(source).back_off(seconds, app.now());
                (LookupOutcome::Limited, "it accepts no more requests for the moment")
            }
            FetchError::Timeout => (LookupOutcome::Timeout, "it did not answer in time"),
            FetchError::NotFound => (LookupOutcome::Failed, "there is nothing at its address"),
            FetchError::TooLarge => (LookupOutcome::Failed, "its answer is too long"),
            FetchError::Failed(reason) => (LookupOutcome::Failed, reason),
        };
        tracing::warn!(source = source.name(), reason, "asking a catalogue failed");
        outcome
    }

    /// The client that asks under the server's present name.
    fn client(&self, config: &Config) -> Result<CatalogueClient, LookupOutcome> {
        let name = user_agent(config);
        let mut kept = self.0.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, client)) = kept.as_ref().filter(|(known, _)| *known == name) {
            return Ok(client.clone());
        }
        let is_outside = |host: &str| LookupSource::ALL.iter().any(|source| is_one_of(sources::hosts(*source), host));
        let made = CatalogueClient::new(&name, is_outside).map_err(|cause| {
            tracing::error!(%cause, "setting up TLS failed");
            LookupOutcome::Failed
        })?;
        *kept = Some((name, made.clone()));
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_introduces_itself_with_its_address_and_contact() {
        let mut config = Config::default();
        assert_eq!(user_agent(&config), concat!("Shelfwise/", env!("CARGO_PKG_VERSION")));
        config.public_url = Some("https://books.test".to_owned().try_into().unwrap());
        config.lookup.contact = Some("ada@example.org".into());
        assert!(user_agent(&config).ends_with(" (+https://books.test; ada@example.org)"));
    }
}
