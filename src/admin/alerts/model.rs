//! When operators get an e-mail about a failure, and what it says.
use chrono::{DateTime, TimeDelta, Utc};

use crate::admin::health::Facts;
use crate::config::ServerIdentity;
use crate::kit::mail::message::EmailMessage;
use crate::kit::named::named;

/// A failure lasts this long before operators hear of it: a backup is tried again after ten minutes, and a server that was switched off
/// makes the backup that is due at its start.
const PATIENCE: TimeDelta = TimeDelta::minutes(15);
/// The time between two e-mails about a failure of one kind.
const BETWEEN: TimeDelta = TimeDelta::days(1);
/// The kind of the e-mail, for the log and for the limit of a mailbox.
const ALERT: &str = "operator-alert";

named! {
    /// What operators are alerted about.
    Kind {
        /// A scheduled backup fails or is late.
        Backups = "backups",
        /// The disk is nearly full.
        Disk = "disk",
        /// An e-mail was given up.
        Mail = "mail",
    }
}

/// What is wrong at one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub sentence: String,
    /// When it happened, for a failure that is an event; `None` for one that lasts.
    pub at: Option<DateTime<Utc>>,
}

impl Kind {
    /// What is wrong now.
    pub fn finding(self, facts: &Facts, now: DateTime<Utc>) -> Option<Finding> {
        let lasting = |verdict: Result<String, String>| verdict.err().map(|sentence| Finding { sentence, at: None });
        match self {
            Self::Backups => lasting(facts.backups(now)),
            Self::Disk => lasting(facts.disk()),
            Self::Mail => {
                let record = facts.mail.as_ref()?;
                let (at, reason) = record.last_failure.as_ref()?;
                let sentence =
                    format!("An email could not be sent: {reason}. Failures since the start: {}.", record.failures);
                Some(Finding { sentence, at: Some(*at) })
            }
        }
    }

    /// Whether a failure of which operators were e-mailed is over, when nothing is wrong now. After a start nothing is known of backups
    /// until one is tried, so only one that was made since the e-mail ends their failure.
    pub fn has_recovered(self, facts: &Facts, known: &AlertState) -> bool {
        match self {
            Self::Backups => facts.backups.last_success >= known.mailed_at,
            Self::Disk | Self::Mail => true,
        }
    }

    /// The subject of an e-mail about a failure, and about its end.
    fn subjects(self, server: &ServerIdentity) -> (String, String) {
        let place = server.to_operators();
        let subject = server.name.as_deref().unwrap_or("Your Shelfwise server");
        match self {
            Self::Backups => (format!("A backup of {place} failed"), format!("Backups of {place} work again")),
            Self::Disk => (format!("The disk of {place} is nearly full"), format!("{subject} has room again")),
            Self::Mail => (format!("{subject} could not send an email"), format!("{subject} sends email again")),
        }
    }
}

/// The news of an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Something fails; holds the sentence.
    Fails(String),
    /// It works again.
    Works,
}

impl News {
    /// Whether something fails.
    pub fn is_failing(&self) -> bool {
        matches!(self, Self::Fails(_))
    }
}

/// The e-mails about one kind of failure, and whether it still fails.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlertState {
    /// When operators were last e-mailed about a failure.
    pub mailed_at: Option<DateTime<Utc>>,
    /// Whether that failure was lasting and they have not heard of its end.
    pub failing: bool,
    /// Since when it fails without a pause, as this program has seen it.
    since: Option<DateTime<Utc>>,
}

impl AlertState {
    /// What an earlier run has sent.
    pub fn of(mailed_at: DateTime<Utc>, failing: bool) -> Self {
        Self { mailed_at: Some(mailed_at), failing, since: None }
    }

    /// The news to send now, if any.
    pub fn next(&mut self, finding: Option<Finding>, now: DateTime<Utc>) -> Option<News> {
        let Some(finding) = finding else {
            self.since = None;
            return self.failing.then_some(News::Works);
        };
        let is_due = match finding.at {
            // An event counts once.
            Some(at) => self.mailed_at.is_none_or(|mailed| at > mailed),
            None => now - *self.since.get_or_insert(now) >= PATIENCE,
        };
        let may = self.mailed_at.is_none_or(|mailed| now - mailed >= BETWEEN);
        (is_due && may).then_some(News::Fails(finding.sentence))
    }

    /// Notes that news were sent; `lasts` says whether the end of the failure is news, too.
    pub fn sent(&mut self, news: &News, lasts: bool, now: DateTime<Utc>) {
        match news {
            News::Fails(_) => (self.mailed_at, self.failing) = (Some(now), lasts),
            News::Works => self.failing = false,
        }
    }
}

/// The e-mail to one operator.
pub fn email(to: String, server: &ServerIdentity, kind: Kind, news: &News) -> EmailMessage {
    let (fails, works) = kind.subjects(server);
    let (subject, sentence) = match news {
        News::Fails(sentence) => (fails, sentence.as_str()),
        News::Works => (works, "The failure that this server reported is over."),
    };
    EmailMessage {
        kind: ALERT,
        to,
        subject,
        opening: vec!["Hello,".into(), format!("This is the Shelfwise server at {}. {sentence}", server.host())],
        link: Some(("Open the Admin page", format!("{}/admin", server.url))),
        closing: vec![
            "You get this email because you are an operator of the server: at most one a day about each kind of failure."
                .into(),
        ],
        server: server.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_750_000_000 + 60 * minutes, 0).unwrap()
    }

    const DAY: i64 = 24 * 60;

    /// The minutes, from 0 on and in steps of five, at which a kind leads to e-mails.
    fn mailed(known: &mut AlertState, minutes: i64, finding: impl Fn(i64) -> Option<Finding>) -> Vec<(i64, bool)> {
        let mut sent = Vec::new();
        for minute in (0..minutes).step_by(5) {
            let found = finding(minute);
            let lasts = found.as_ref().is_some_and(|found| found.at.is_none());
            if let Some(news) = known.next(found, at(minute)) {
                known.sent(&news, lasts, at(minute));
                sent.push((minute, news.is_failing()));
            }
        }
        sent
    }

    fn lasting() -> Option<Finding> {
        Some(Finding { sentence: "It fails.".into(), at: None })
    }

    #[test]
    fn subjects_call_the_server_by_its_name() {
        let server =
            |name: Option<&str>| ServerIdentity { name: name.map(str::to_owned), url: "https://b.test".into() };
        let said = |name: Option<&str>, kind: Kind| {
            let mail = |news: &News| email("ada@example.org".into(), &server(name), kind, news).subject;
            (mail(&News::Fails("It fails.".into())), mail(&News::Works))
        };
        let pair = |fails: &str, works: &str| (fails.to_owned(), works.to_owned());
        let shelf = Some("The Okafor shelf");
        assert_eq!(
            said(shelf, Kind::Backups),
            pair("A backup of The Okafor shelf failed", "Backups of The Okafor shelf work again")
        );
        assert_eq!(
            said(shelf, Kind::Disk),
            pair("The disk of The Okafor shelf is nearly full", "The Okafor shelf has room again")
        );
        assert_eq!(
            said(None, Kind::Mail),
            pair("Your Shelfwise server could not send an email", "Your Shelfwise server sends email again")
        );
    }

    #[test]
    fn a_failure_that_lasts_is_mailed_once_a_day_and_its_end_once() {
        let fails = |minute: i64| if minute < 2 * DAY + 60 { lasting() } else { None };
        let sent = mailed(&mut AlertState::default(), 4 * DAY, fails);
        assert_eq!(sent, [(15, true), (DAY + 15, true), (2 * DAY + 15, true), (2 * DAY + 60, false)]);
    }

    #[test]
    fn a_short_failure_is_not_mailed_and_one_that_comes_and_goes_once_a_day() {
        let sent = mailed(&mut AlertState::default(), DAY, |minute| if minute % 20 < 15 { lasting() } else { None });
        assert!(sent.is_empty(), "{sent:?}");
        let sent = mailed(&mut AlertState::default(), DAY, |minute| if minute % 60 < 30 { lasting() } else { None });
        assert_eq!(sent, [(15, true), (30, false)]);
    }

    #[test]
    fn a_restart_does_not_repeat_an_email() {
        let mut known = AlertState::of(at(-60), true);
        assert!(mailed(&mut known, 30, |_| lasting()).is_empty());
        assert_eq!(mailed(&mut AlertState::of(at(-60), true), 30, |_| None), [(0, false)]);
    }

    #[test]
    fn an_event_is_mailed_once_and_has_no_end() {
        let lost = |when: i64| move |_: i64| Some(Finding { sentence: "Lost.".into(), at: Some(at(when)) });
        let mut known = AlertState::default();
        assert_eq!(mailed(&mut known, DAY, lost(-1)), [(0, true)]);
        assert_eq!(mailed(&mut known, 2 * DAY, lost(10)), [(DAY, true)]);
        assert!(mailed(&mut known, 10, |_| None).is_empty());
    }
}
