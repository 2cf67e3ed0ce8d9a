//! The books of a link for other programs: Atom and JSON Feed for feed readers, iCalendar for calendars.
use atom_syndication::{Content, Entry, Link, Person};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Datelike as _, Days, NaiveDate, NaiveTime, Utc};
use icalendar::{Calendar, Component as _, Event, EventLike as _};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::model::{Form, Share, SharedBook, plain};
use crate::config::ServerIdentity;
use crate::kit::Result;
use crate::library::rough_date::RoughDate;

/// The books of a link, newest first.
pub struct Feed<'f> {
    /// The address below which its files are.
    pub url: &'f str,
    pub server: &'f ServerIdentity,
    pub share: &'f Share,
    /// The owner's display name, where the link shows it.
    pub name: Option<&'f str>,
    pub books: &'f [SharedBook],
}

impl Feed<'_> {
    /// What the feed is called.
    pub fn title(&self) -> String {
        self.name.map_or_else(|| "Finished books".to_owned(), |name| format!("Books finished by {name}"))
    }

    /// Each form that programs fetch, with its name and its address.
    pub fn addresses(&self) -> impl Iterator<Item = (Form, &'static str, String)> {
        let feeds = self.share.forms().iter().filter_map(|form| Some((*form, form.feed()?)));
        feeds.map(|(form, name)| (form, name, format!("{}/{}", self.url, form.file())))
    }

    /// A tag URI (RFC 4151) of the link or one of its books: the same after every change, and another one behind every other link. It says
    /// nothing about the numbers of accounts and books.
    fn id_of(&self, book: Option<&SharedBook>) -> String {
        let Share { id, created_at, .. } = self.share;
        let book = book.and_then(|book| book.id).map(|id| id.to_string()).unwrap_or_default();
        let hash = Sha256::digest(format!("{id} {created_at} {book}"));
        let host =
            Url::parse(&self.server.url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        format!("tag:{host},{}:{}", created_at.utc().year(), URL_SAFE_NO_PAD.encode(&hash[..15]))
    }

    /// When the newest book was finished.
    fn updated(&self) -> DateTime<Utc> {
        self.books.first().and_then(|book| book.completed).map_or(self.share.created_at.utc(), begin)
    }

    /// The feed as Atom (RFC 4287).
    pub fn atom(&self) -> Result<String> {
        let link = |rel: &str, href: String| Link { rel: rel.to_owned(), href, ..Link::default() };
        let person = |name: &str| Person { name: plain(name), ..Person::default() };
        let entries = self.books.iter().map(|book| {
            let at = begin(book.completed.unwrap_or_default()).fixed_offset();
            let cover = book.cover.as_ref().map(|cover| link("enclosure", cover.url.clone()));
            Entry {
                title: plain(&book.title).into(),
                id: self.id_of(Some(book)),
                updated: at,
                published: Some(at),
                authors: vec![person(&book.author)],
                links: std::iter::once(link("alternate", self.url.to_owned())).chain(cover).collect(),
                content: Some(Content {
                    value: Some(plain(&said(book))),
                    content_type: Some("text".to_owned()),
                    ..Content::default()
                }),
                ..Entry::default()
            }
        });
        let feed = atom_syndication::Feed {
            title: plain(&self.title()).into(),
            id: self.id_of(None),
            updated: self.updated().fixed_offset(),
            authors: vec![person(self.name.unwrap_or(self.server.name()))],
            links: vec![link("self", format!("{}/feed.atom", self.url)), link("alternate", self.url.to_owned())],
            entries: entries.collect(),
            ..atom_syndication::Feed::default()
        };
        Ok(String::from_utf8(feed.write_to(Vec::new()).map_err(anyhow::Error::from)?).map_err(anyhow::Error::from)?)
    }

    /// The feed as JSON Feed 1.1.
    pub fn json(&self) -> Result<String> {
        let items = self.books.iter().map(|book| {
            let mut item = json!({"id": self.id_of(Some(book)), "url": self.url, "title": book.title, "content_text": said(book),
                "authors": [{"name": book.author}], "date_published": begin(book.completed.unwrap_or_default())});
            if let Some(cover) = &book.cover {
                item["image"] = cover.url.as_str().into();
            }
            item
        });
        let feed = json!({"version": "https://jsonfeed.org/version/1.1", "title": self.title(), "home_page_url": self.url,
            "feed_url": format!("{}/feed.json", self.url), "authors": [{"name": self.name.unwrap_or(self.server.name())}],
            "items": items.collect::<Vec<_>>()});
        Ok(feed.to_string())
    }

    /// The days of the books as iCalendar (RFC 5545): from the first to the last day, or on the last day alone.
    pub fn calendar(&self) -> String {
        let mut calendar = Calendar::empty();
        for (name, value) in [("VERSION", "2.0"), ("PRODID", "-//Shelfwise//Shelfwise//EN"), ("CALSCALE", "GREGORIAN")]
        {
            calendar.append_property((name, value));
        }
        // `Calendar::name` also writes NAME, and escapes nothing in it.
        calendar.append_property(("X-WR-CALNAME", plain(&self.title()).as_str()));
        for book in self.books {
            let Some(last) = book.completed else { continue };
            let mut event = Event::with_uid(&self.id_of(Some(book)));
            event.summary(&plain(&book.title)).description(&plain(&said(book)));
            // The end is the first day after the event. Nobody is busy because of a book.
            event.starts(book.started.unwrap_or(last)).ends(last + Days::new(1)).add_property("TRANSP", "TRANSPARENT");
            calendar.push(event.timestamp(begin(last)).done());
        }
        calendar.to_string()
    }
}

/// The beginning of a day: feeds know no days.
fn begin(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// What a link shows of a book besides its title, in lines.
fn said(book: &SharedBook) -> String {
    let finished = book.completed.filter(|_| book.completed_from.is_some());
    let lines = [
        Some(book.author.clone()).filter(|author| !author.is_empty()),
        book.series.as_ref().map(|series| format!("{series}{}", book.number_in_series())),
        book.rating.map(|rating| format!("{rating}/10")),
        finished.map(|to| format!("Finished {}", RoughDate { from: book.completed_from, to }.exported())),
        book.impressions.clone(),
    ];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}
