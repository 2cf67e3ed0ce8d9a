//! E-mails to the operators about a failing backup, a full disk and e-mails that were given up: at most one a day for each kind, and
//! one when it works again.
//!
//! Table: `operator_alerts`. [`model`] decides, [`store`] remembers what was sent. A database that can't be written must not lead to an
//! e-mail at each look, so the program remembers it, too.
pub mod model;
mod store;

use chrono::{DateTime, Utc};

use self::model::{AlertState, Kind};
use super::health::Facts;
use crate::account::store::operator_addresses;
use crate::kit::App;

/// What this program knows about its e-mails to operators.
#[derive(Debug, Default)]
pub struct Alerts {
    /// By kind; `None` before the first look.
    known: Option<Vec<(Kind, AlertState)>>,
}

impl Alerts {
    /// Sends the e-mails that are due. Does nothing when mail is off. A database that can't be read is tried at the next look.
    pub async fn look(&mut self, app: &App, facts: &Facts, now: DateTime<Utc>) {
        if facts.mail.is_none() {
            return;
        }
        let known = match &mut self.known {
            Some(known) => known,
            None => match app.db.read(store::find).await {
                Ok(found) => self.known.insert(found),
                Err(cause) => return tracing::debug!(%cause, "reading the alerts failed"),
            },
        };
        for (kind, known) in known.iter_mut() {
            let finding = kind.finding(facts, now);
            let lasts = finding.as_ref().is_some_and(|finding| finding.at.is_none());
            let Some(news) = known.next(finding, now) else { continue };
            if !news.is_failing() && !kind.has_recovered(facts, known) {
                continue;
            }
            tracing::info!(kind = kind.name(), failing = news.is_failing(), "alerting the operators");
            let addresses = match app.db.read(operator_addresses).await {
                Ok(addresses) => addresses,
                Err(cause) => return tracing::warn!(%cause, "finding the operators' addresses failed"),
            };
            let server = app.current.get().identity();
            for to in addresses {
                app.mail.post(model::email(to, &server, *kind, &news));
            }
            known.sent(&news, lasts, now);
            let (kind, known) = (*kind, known.clone());
            if let Err(cause) = app.db.write(move |tx| store::record(tx, kind, &known)).await {
                tracing::warn!(%cause, "recording an alert failed");
            }
        }
    }
}
