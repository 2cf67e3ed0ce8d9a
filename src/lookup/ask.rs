//! Asks catalogues: stored answers first, then each catalogue in its turn, all of them at once.
use std::sync::{Arc, OnceLock};

use chrono::NaiveDate;
use tokio::task::JoinSet;

use super::fetch::{Allowed, CatalogueClient, Failure, is_one_of};
use super::model::{Answer, Found, Outcome, Question, Source, SourceOutcome, rank};
use super::turns::{Allowances, Kind, TooOften, Turns};
use super::{offline, sources, store};
use crate::config::Config;
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
    sources: Vec<Source>,
    user_agent: String,
    client: OnceLock<CatalogueClient>,
    allowances: Allowances,
    turns: [Turns; Source::ALL.len()],
}

/// Why nothing is looked up.
#[derive(Debug)]
pub enum Refusal {
    /// No catalogue is configured.
    Off,
    /// The account asks too often.
    TooOften(TooOften),
    /// There is no such cover.
    Missing,
    /// The file is not accepted as a cover.
    Unfit(Unfit),
    /// No catalogue answered.
    Unavailable(Vec<SourceOutcome>),
    /// The database failed.
    Storage(Error),
}

impl From<Error> for Refusal {
    fn from(cause: Error) -> Self {
        Self::Storage(cause)
    }
}

/// The catalogues that the settings name, in their order.
pub fn configured(config: &Config) -> Vec<Source> {
    config.lookup.sources.iter().filter_map(|name| Source::from_name(name)).collect()
}

/// What the server calls itself: its address and the operator's contact are what a catalogue knows a well-behaved client by.
fn user_agent(config: &Config) -> String {
    let address = config.own_origin().map(|origin| format!("+{origin}"));
    let about: Vec<String> = address.into_iter().chain(config.lookup.contact.clone()).collect();
    let name = concat!("Shelfwise/", env!("CARGO_PKG_VERSION"));
    if about.is_empty() { name.to_owned() } else { format!("{name} ({})", about.join("; ")) }
}

impl Lookup {
    /// The look-up of these settings.
    pub fn of(config: &Config) -> Self {
        Self(Arc::new(State {
            sources: configured(config),
            user_agent: user_agent(config),
            client: OnceLock::new(),
            allowances: Allowances::default(),
            turns: Source::ALL.map(|source| Turns::every(sources::pause(source))),
        }))
    }

    /// Asks as [`Self::ask_all`]. A result names a cover only where [`Self::cover`] can ask for it.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn ask(
        &self,
        app: &App,
        reader: (UserId, NaiveDate),
        question: Question,
        only_offline: bool,
    ) -> Result<Answer, Refusal> {
        let mut answer = self.ask_all(app, reader, question, only_offline).await?;
        for book in &mut answer.data {
            if !offline::cover_source(&book.source).is_some_and(|source| self.has_covers(app, source)) {
                book.cover = None;
            }
        }
        Ok(answer)
    }

    /// Asks every catalogue for a reader, on a day of the reader's time zone: the offline catalogue first, and it alone where it
    /// knows an ISBN, or with `only_offline`. It and stored answers ask nobody and do not count.
    ///
    /// # Errors
    /// [`Refusal`].
    async fn ask_all(
        &self,
        app: &App,
        (user, today): (UserId, NaiveDate),
        question: Question,
        only_offline: bool,
    ) -> Result<Answer, Refusal> {
        let offline = offline::ask(app, &question).await;
        match offline {
            None if only_offline => Err(Refusal::Off),
            None => self.ask_outside(app, (user, today), question).await,
            Some((_, Outcome::Failed)) if only_offline => {
                Err(Refusal::Unavailable(vec![offline::outcome(Outcome::Failed)]))
            }
            Some(answer) => {
                let is_known = matches!(question, Question::Isbn(_)) && !answer.0.is_empty();
                let nobody = Answer { data: Vec::new(), sources: Vec::new() };
                let others = match !self.asks_outside(app) || only_offline || is_known {
                    true => nobody,
                    false => match self.ask_outside(app, (user, today), question).await {
                        Err(Refusal::Unavailable(sources)) if answer.1.is_answer() => Answer { sources, ..nobody },
                        asked => asked?,
                    },
                };
                Ok(offline::first(answer, others))
            }
        }
    }

    /// Whether any catalogue of the outside is set up.
    fn asks_outside(&self, app: &App) -> bool {
        self.0.sources.iter().any(|source| sources::is_set_up(*source, &app.config.lookup))
    }

    /// Whether a catalogue is asked for covers.
    fn has_covers(&self, app: &App, source: Source) -> bool {
        let settings = &app.config.lookup;
        settings.covers && self.0.sources.contains(&source) && sources::is_set_up(source, settings)
    }

    async fn ask_outside(
        &self,
        app: &App,
        (user, today): (UserId, NaiveDate),
        question: Question,
    ) -> Result<Answer, Refusal> {
        if !self.asks_outside(app) {
            return Err(Refusal::Off);
        }
        let settings = &app.config.lookup;
        let is_set_up = |source: &Source| sources::is_set_up(*source, settings);
        let now = app.now();
        let (asked, question) = (question.clone(), Arc::new(question));
        let mut stored = app.db.read(move |conn| store::answers(conn, &asked, now)).await?;
        let is_asked = |source: &Source| {
            is_set_up(source) && !stored.contains_key(source.name()) && !self.turns(*source).rests(now)
        };
        if self.0.sources.iter().any(is_asked) {
            self.0.allowances.take(user, Kind::Question, now, today).map_err(Refusal::TooOften)?;
        }
        let mut calls = JoinSet::new();
        for (at, source) in self.0.sources.iter().copied().enumerate() {
            let known = stored.remove(source.name());
            let (lookup, app, question) = (self.clone(), app.clone(), question.clone());
            calls.spawn(async move {
                let answer = match known {
                    Some(found) => Ok(found),
                    None => lookup.ask_one(&app, source, &question).await,
                };
                (at, source, answer)
            });
        }
        let mut answers = calls.join_all().await;
        answers.sort_by_key(|(at, ..)| *at);
        let (mut data, mut outcomes) = (Vec::new(), Vec::new());
        for (_, source, answer) in answers {
            let (found, outcome) = match answer {
                Ok(found) if found.is_empty() => (found, Outcome::Empty),
                Ok(found) => (found, Outcome::Found),
                Err(outcome) => (Vec::new(), outcome),
            };
            data.extend(found);
            outcomes.push(SourceOutcome { name: source.name().to_owned(), outcome });
        }
        if !outcomes.iter().any(|source| source.outcome.is_answer()) {
            return Err(Refusal::Unavailable(outcomes));
        }
        rank(&question, &mut data);
        Ok(Answer { data, sources: outcomes })
    }

    /// The picture of a result, by its source and what it has under `cover`.
    ///
    /// # Errors
    /// [`Refusal`]; [`Refusal::Missing`] when the catalogue has no such cover.
    pub async fn cover(
        &self,
        app: &App,
        (user, today): (UserId, NaiveDate),
        (source, cover): (Source, &str),
    ) -> Result<Picture, Refusal> {
        let settings = &app.config.lookup;
        if !self.has_covers(app, source) {
            return Err(Refusal::Off);
        }
        let call = sources::cover(source, settings, cover).ok_or(Refusal::Missing)?;
        let turns = self.turns(source);
        let unavailable =
            |outcome| Refusal::Unavailable(vec![SourceOutcome { name: source.name().to_owned(), outcome }]);
        if turns.rests(app.now()) {
            return Err(unavailable(Outcome::Limited));
        }
        self.0.allowances.take(user, Kind::Cover, app.now(), today).map_err(Refusal::TooOften)?;
        let mut turn = turns.take().await.ok_or_else(|| unavailable(Outcome::Limited))?;
        turn.begin().await;
        let allowed = Allowed { configured: sources::cover_address(source, settings), hosts: sources::hosts(source) };
        match self.client().map_err(unavailable)?.fetch(&call, allowed, MOST_BYTES).await {
            Ok(file) => Picture::read(&file).map_err(Refusal::Unfit),
            Err(Failure::Missing) => Err(Refusal::Missing),
            Err(Failure::TooLarge) => Err(Refusal::Unfit(Unfit::TooManyBytes)),
            Err(failure) => Err(unavailable(self.failed(app, source, failure))),
        }
    }

    fn turns(&self, source: Source) -> &Turns {
        &self.0.turns[source as usize]
    }

    /// Asks one catalogue in its turn, and stores what it answered.
    async fn ask_one(&self, app: &App, source: Source, question: &Arc<Question>) -> Result<Vec<Found>, Outcome> {
        let settings = &app.config.lookup;
        if !sources::is_set_up(source, settings) {
            return Err(Outcome::Off);
        }
        let Some(call) = sources::call(source, settings, question) else { return Ok(Vec::new()) };
        let turns = self.turns(source);
        if turns.rests(app.now()) {
            return Err(Outcome::Limited);
        }
        let mut turn = turns.take().await.ok_or(Outcome::Limited)?;
        // Another reader may have asked the same meanwhile, or the catalogue may have asked for a rest.
        let (asked, now) = (question.clone(), app.now());
        let stored = app.db.read(move |conn| store::answers(conn, &asked, now)).await;
        if let Some(found) = stored.ok().and_then(|mut stored| stored.remove(source.name())) {
            return Ok(found);
        }
        if turns.rests(app.now()) {
            return Err(Outcome::Limited);
        }
        turn.begin().await;
        let allowed = Allowed { configured: sources::address(source, settings), hosts: sources::hosts(source) };
        let client = self.client()?;
        let found = match client.fetch(&call, allowed, LONGEST).await {
            Ok(body) => sources::read(source, question, &body).ok_or(Failure::Failed("its answer can't be read")),
            Err(failure) => Err(failure),
        };
        match found {
            Ok(found) => {
                // Within the turn, so that the next reader with this question finds the answer.
                let (kept, asked) = (found.clone(), question.clone());
                if let Err(cause) = app.db.write(move |tx| store::keep(tx, source, &asked, &kept)).await {
                    tracing::warn!(%cause, "storing a catalogue's answer failed");
                }
                Ok(found)
            }
            Err(failure) => Err(self.failed(app, source, failure)),
        }
    }

    /// The outcome of a failure, which the log names.
    fn failed(&self, app: &App, source: Source, failure: Failure) -> Outcome {
        let (outcome, reason) = match failure {
            Failure::Limited(seconds) => {
                self.turns(source).rest(seconds, app.now());
                (Outcome::Limited, "it takes no more questions for the moment")
            }
            Failure::Timeout => (Outcome::Timeout, "it did not answer in time"),
            Failure::Missing => (Outcome::Failed, "there is nothing at its address"),
            Failure::TooLarge => (Outcome::Failed, "its answer is too long"),
            Failure::Failed(reason) => (Outcome::Failed, reason),
        };
        tracing::warn!(source = source.name(), reason, "asking a catalogue failed");
        outcome
    }

    fn client(&self) -> Result<&CatalogueClient, Outcome> {
        if let Some(client) = self.0.client.get() {
            return Ok(client);
        }
        let is_outside = |host: &str| Source::ALL.iter().any(|source| is_one_of(sources::hosts(*source), host));
        let made = CatalogueClient::new(&self.0.user_agent, is_outside).map_err(|cause| {
            tracing::error!(%cause, "setting up TLS failed");
            Outcome::Failed
        })?;
        Ok(self.0.client.get_or_init(|| made))
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
