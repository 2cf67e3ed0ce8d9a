//! The settings of the look-up: which catalogues the server asks, and where.
use std::path::PathBuf;

use anyhow::bail;
use url::Url;

use super::section::section;
use super::social::is_reachable;
use super::{Config, Secret};

/// The catalogues that the server can ask, by the names of their sections.
pub const CATALOGUES: [&str; 7] = ["openlibrary", "dnb", "bnf", "loc", "ndl", "hardcover", "google"];

/// The longest contact line, in characters.
const LONGEST_CONTACT: usize = 200;
/// The largest quota of covers, in MiB.
const LARGEST_QUOTA: u32 = 100_000;

section! {
    /// The look-up: a reader who adds a book asks catalogues by ISBN, title or barcode. This server asks them, and only when the reader
    /// presses "Look up"; a catalogue learns the question and not who asks.
    Lookup {
        /// The catalogues, in the order of their results: openlibrary, dnb (German National Library), bnf (National Library of France),
        /// loc (Library of Congress), ndl (National Diet Library of Japan), hardcover, google. [] asks no one.
        sources: Vec<String> = vec!["openlibrary".to_owned()], live;
        /// An e-mail or web address that a catalogue may write to. It is sent with every question beside public_url; Open Library answers
        /// servers that name both more readily.
        contact: Option<String> = None, live, example "ada@example.org";
        /// Whether covers come with the results.
        covers: bool = true, live;
        /// The covers that one account may store, in MiB; 0 is unlimited.
        cover_quota: u32 = 100, live;
        /// The file of the offline catalogue, if it is not catalogue.db in the data directory.
        catalogue: Option<PathBuf> = None, example "/var/lib/shelfwise/catalogue.db";
        section openlibrary: OpenLibrary;
        section dnb: Dnb;
        section bnf: Bnf;
        section loc: Loc;
        section ndl: Ndl;
        section hardcover: Hardcover;
        section google: Google;
    }
}

section! {
    /// Open Library.
    OpenLibrary {
        /// The address of its API.
        url: String = "https://openlibrary.org".to_owned();
        /// The address of its covers.
        covers_url: String = "https://covers.openlibrary.org".to_owned();
    }
}
section! {
    /// The German National Library.
    Dnb {
        /// The address of its SRU service.
        url: String = "https://services.dnb.de/sru/dnb".to_owned();
    }
}
section! {
    /// The National Library of France.
    Bnf {
        /// The address of its SRU service.
        url: String = "https://catalogue.bnf.fr/api/SRU".to_owned();
    }
}
section! {
    /// The Library of Congress.
    Loc {
        /// The address of its SRU service, which has no https.
        url: String = "http://lx2.loc.gov:210/lcdb".to_owned();
    }
}
section! {
    /// The National Diet Library of Japan.
    Ndl {
        /// The address of its SRU service.
        url: String = "https://ndlsearch.ndl.go.jp/api/sru".to_owned();
    }
}
section! {
    /// Hardcover, which needs a key.
    Hardcover {
        /// The address of its GraphQL service.
        url: String = "https://api.hardcover.app/v1/graphql".to_owned();
        /// The key that this server has there. Without one it is not asked.
        key: Option<Secret> = None, example "eyJ...";
        /// A file with the key, instead.
        key_file: Option<PathBuf> = None, example "/run/secrets/hardcover_key";
    }
}
section! {
    /// Google Books, which needs a key.
    Google {
        /// The address of its API, without a version.
        url: String = "https://www.googleapis.com/books".to_owned();
        /// The key that this server has there. Without one it is not asked.
        key: Option<Secret> = None, example "AIza...";
        /// A file with the key, instead.
        key_file: Option<PathBuf> = None, example "/run/secrets/google_books_key";
    }
}

impl Config {
    /// The offline catalogue, which may be missing.
    pub fn catalogue(&self) -> PathBuf {
        self.lookup.catalogue.clone().unwrap_or_else(|| self.data_dir.join("catalogue.db"))
    }
}

impl Lookup {
    /// Whether any catalogue is asked.
    pub fn is_on(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Refuses unknown catalogues, and addresses that can't be asked.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        for (at, name) in self.sources.iter().enumerate() {
            if !CATALOGUES.contains(&name.as_str()) {
                bail!("lookup.sources names `{name}`, but the catalogues are {}", CATALOGUES.join(", "));
            }
            if self.sources[..at].contains(name) {
                bail!("lookup.sources names `{name}` twice");
            }
        }
        if let Some(contact) = &self.contact
            && (contact.chars().count() > LONGEST_CONTACT || !contact.chars().all(|c| c.is_ascii_graphic() || c == ' '))
        {
            bail!("lookup.contact must be an e-mail or web address of at most {LONGEST_CONTACT} ASCII characters");
        }
        if self.cover_quota > LARGEST_QUOTA {
            bail!("lookup.cover_quota is {}, but must be at most {LARGEST_QUOTA}", self.cover_quota);
        }
        for (key, url) in self.addresses() {
            if !is_address(url) {
                bail!("lookup.{key} is `{url}`, but must be http:// or https:// and a host, without ? and #");
            }
        }
        for (key, url) in [("hardcover.url", &self.hardcover.url), ("google.url", &self.google.url)] {
            // The key is sent there with every request.
            if !is_reachable(url) {
                bail!("lookup.{key} is `{url}`, but must be https:// (http:// on this machine only)");
            }
        }
        Ok(())
    }

    fn addresses(&self) -> [(&'static str, &str); 8] {
        [
            ("openlibrary.url", &self.openlibrary.url),
            ("openlibrary.covers_url", &self.openlibrary.covers_url),
            ("dnb.url", &self.dnb.url),
            ("bnf.url", &self.bnf.url),
            ("loc.url", &self.loc.url),
            ("ndl.url", &self.ndl.url),
            ("hardcover.url", &self.hardcover.url),
            ("google.url", &self.google.url),
        ]
    }
}

/// Whether a text is an address of the web, without a login, a query and a fragment.
pub(super) fn is_address(text: &str) -> bool {
    let plain = !text.contains(['?', '#', '@']);
    plain && Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<Lookup, String> {
        let lookup: Lookup = toml::from_str(text).map_err(|cause| cause.to_string())?;
        lookup.check().map_err(|cause| cause.to_string())?;
        Ok(lookup)
    }

    #[test]
    fn open_library_is_asked_by_default_and_an_empty_list_switches_the_look_up_off() {
        let preset = checked("").unwrap();
        assert_eq!(preset, Lookup::default());
        assert!(preset.is_on() && preset.sources == ["openlibrary"]);
        assert!(!checked("sources = []").unwrap().is_on());
    }

    #[test]
    fn a_wrong_setting_is_named_with_its_key() {
        for (text, named) in [
            ("sources = [\"amazon\"]", "lookup.sources names `amazon`"),
            ("sources = [\"dnb\", \"dnb\"]", "twice"),
            ("contact = \"a\\nb\"", "lookup.contact"),
            ("cover_quota = 100001", "lookup.cover_quota"),
            ("[openlibrary]\nurl = \"ftp://x\"", "lookup.openlibrary.url"),
            ("[openlibrary]\ncovers_url = \"https://x?y\"", "lookup.openlibrary.covers_url"),
            ("[dnb]\nurl = \"services.dnb.de\"", "lookup.dnb.url"),
            ("[google]\nurl = \"http://example.org\"", "lookup.google.url"),
        ] {
            let error = checked(text).unwrap_err();
            assert!(error.contains(named), "{text}: {error}");
        }
    }
}
