//! What a link shows in each of its forms, for the server and as the files of a folder.
use std::collections::BTreeSet;

use rusqlite::Connection;

use super::content::Content;
use super::feed::Feed;
use super::model::{Form, Share, ShareKind, SharePart, SharedBook};
use super::{card, page};
use crate::access::Owner;
use crate::config::ServerIdentity;
use crate::kit::http::assets;
use crate::kit::{Error, Result};
use crate::library::covers;

/// A link that is opened.
pub struct Opened<'o> {
    pub conn: &'o Connection,
    pub share: &'o Share,
    pub owner: &'o Owner,
    pub server: &'o ServerIdentity,
}

/// Where the files of a link are.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    /// For its page.
    pub path: &'p str,
    /// For programs elsewhere.
    pub url: &'p str,
    pub is_folder: bool,
}

/// A folder that any web server shows below any address. Feed readers know from where they have a feed.
const FOLDER: Place<'static> = Place { path: ".", url: ".", is_folder: true };

impl<'o> Opened<'o> {
    fn content(&self, path: &'o str, is_folder: bool) -> Content<'o> {
        Content { conn: self.conn, share: self.share, owner: &self.owner.viewer, path, is_folder }
    }

    /// What the link shows in one of its forms.
    pub fn render(&self, form: Form, place: Place<'o>) -> Result<String> {
        let name = Some(self.owner.display_name.as_str()).filter(|_| self.share.parts.has(SharePart::Name));
        let feed = |books| Feed { url: place.url, server: self.server, share: self.share, name, books };
        let (shown, sent) = (self.content(place.path, place.is_folder), self.content(place.url, place.is_folder));
        let review = || shown.review(self.owner.display_name.clone());
        match (form, self.share.kind) {
            (Form::Page, ShareKind::Feed | ShareKind::Calendar) => Ok(page::addresses(&feed(&[]))),
            (Form::Page, ShareKind::Public) => Ok(page::public(&feed(&shown.books()?), &review()?)),
            (Form::Page, ShareKind::List | ShareKind::Tag) => Ok(page::books(&feed(&shown.books()?))),
            (Form::Page, ShareKind::Review) => Ok(page::review(self.server.name(), &review()?)),
            (Form::Card, _) => Ok(card::draw(self.server.name(), shown.books()?.first(), &review()?)),
            (Form::Review, _) => Ok(serde_json::to_string(&review()?)?),
            (Form::Atom, _) => feed(&sent.entries()?).atom(),
            (Form::JsonFeed, _) => feed(&sent.entries()?).json(),
            (Form::Calendar, _) => Ok(feed(&sent.books()?).calendar()),
        }
    }

    /// The files with which a folder shows what the link shows, each with its name; the page is the last.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a feed and a calendar, which are no pages.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>> {
        if matches!(self.share.kind, ShareKind::Feed | ShareKind::Calendar) {
            return Err(Error::NotFound);
        }
        let page = self.render(Form::Page, FOLDER)?;
        // What readers typed has no quotation marks in HTML.
        let page = page.replace("\"../", "\"./");
        let mut files = Vec::new();
        for path in page::assets().filter(|path| page.contains(&format!("\"./{path}\""))) {
            files.push((path.clone(), assets::bytes(&path)?));
        }
        files.extend(self.covers()?);
        for form in self.share.forms().iter().filter(|form| **form != Form::Page) {
            files.push((form.file().to_owned(), self.render(*form, FOLDER)?.into_bytes()));
        }
        files.push((Form::Page.file().to_owned(), page.into_bytes()));
        Ok(files)
    }

    /// The covers that the link shows, in any of its forms.
    fn covers(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let (content, mut covers) = (self.content("", true), Vec::new());
        if !self.share.parts.has(SharePart::Covers) {
            return Ok(covers);
        }
        let mut books = content.books()?;
        if self.share.forms().contains(&Form::Card) {
            books.extend(content.review(String::new())?.shelf);
        }
        if self.share.forms().contains(&Form::Atom) {
            books.extend(content.entries()?);
        }
        let shown: BTreeSet<_> = books.iter().filter_map(SharedBook::cover_url).collect();
        covers::store::each(self.conn, self.owner.viewer.user_id, |cover, _| {
            let address = content.address_of(cover.id, cover.kind);
            if shown.contains(address.as_str()) {
                covers.push((address.trim_start_matches('/').to_owned(), cover.bytes));
            }
            Ok(())
        })?;
        Ok(covers)
    }
}

/// Whether a folder's file has a name that [`Opened::files`] gives.
pub fn is_file_of_link(name: &str) -> bool {
    let is_cover = |file: &str| file.split_once('.').is_some_and(|(id, _)| id.parse::<i64>().is_ok());
    match name.split_once('/') {
        None => name == page::ICON_FILE || Form::ALL.iter().any(|form| form.file() == name),
        Some((folder, file)) => folder == "covers" && is_cover(file) || page::is_font(name),
    }
}

/// Whether a page is one that [`Opened::files`] made.
pub fn is_page_of_link(page: &[u8]) -> bool {
    page.windows(page::FOOTER.len()).any(|part| part == page::FOOTER.as_bytes())
}
