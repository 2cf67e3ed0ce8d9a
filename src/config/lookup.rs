//! The settings of the look-up: which catalogues the server asks, and where.
use std::path::PathBuf;

use anyhow::bail;
use serde::Deserialize;
use url::Url;

use super::social::is_reachable;
use super::{Config, Secret};

/// The catalogues that the server can ask, by the names of their sections.
pub const CATALOGUES: [&str; 7] = ["openlibrary", "dnb", "bnf", "loc", "ndl", "hardcover", "google"];

/// The longest contact line, in characters.
const LONGEST_CONTACT: usize = 200;
/// The largest quota of covers, in MiB.
const LARGEST_QUOTA: u32 = 100_000;

/// The look-up of books in catalogues.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lookup {
    /// The catalogues to ask, in the order of their results. Default `["openlibrary"]`; `[]` asks nobody.
    pub sources: Vec<String>,
    /// An e-mail or web address that catalogues may write to; it stands in the User-Agent beside `public_url`.
    pub contact: Option<String>,
    /// Whether covers come with the results. Default true.
    pub covers: bool,
    /// The covers that one account may store, in MiB; 0 is unlimited. Default 100.
    pub cover_quota: u32,
    /// The file of the offline catalogue. Default: `catalogue.db` in the data directory.
    pub catalogue: Option<PathBuf>,
    /// Open Library.
    pub openlibrary: OpenLibrary,
    /// The German National Library.
    pub dnb: Dnb,
    /// The National Library of France.
    pub bnf: Bnf,
    /// The Library of Congress.
    pub loc: Loc,
    /// The National Diet Library of Japan.
    pub ndl: Ndl,
    /// Hardcover, which needs a key.
    pub hardcover: Hardcover,
    /// Google Books, which needs a key.
    pub google: Google,
}

impl Default for Lookup {
    fn default() -> Self {
        Self {
            sources: vec!["openlibrary".to_owned()],
            contact: None,
            covers: true,
            cover_quota: 100,
            catalogue: None,
            openlibrary: OpenLibrary::default(),
            dnb: Dnb::default(),
            bnf: Bnf::default(),
            loc: Loc::default(),
            ndl: Ndl::default(),
            hardcover: Hardcover::default(),
            google: Google::default(),
        }
    }
}

impl Config {
    /// The offline catalogue, which may be missing.
    pub fn catalogue(&self) -> PathBuf {
        self.lookup.catalogue.clone().unwrap_or_else(|| self.data_dir.join("catalogue.db"))
    }
}

/// Defines the section of a catalogue, with the defaults of its texts.
macro_rules! section {
    ($(#[$meta:meta])* $kind:ident { $($(#[$field_meta:meta])* $field:ident = $preset:literal,)+ } $(keyed $key:ident $file:ident)?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $kind {
            $($(#[$field_meta])* pub $field: String,)+
            $(
                /// The key that this server has at the catalogue. Default: none, and it is not asked.
                pub $key: Option<Secret>,
                /// A file that contains the key.
                pub $file: Option<PathBuf>,
            )?
        }

        impl Default for $kind {
            fn default() -> Self {
                Self { $($field: $preset.to_owned(),)+ $($key: None, $file: None,)? }
            }
        }
    };
}

section! {
    /// Open Library.
    OpenLibrary {
        /// The address of its API.
        url = "https://openlibrary.org",
        /// The address of its covers.
        covers_url = "https://covers.openlibrary.org",
    }
}
section! {
    /// The German National Library.
    Dnb {
        /// The address of its SRU service.
        url = "https://services.dnb.de/sru/dnb",
    }
}
section! {
    /// The National Library of France.
    Bnf {
        /// The address of its SRU service.
        url = "https://catalogue.bnf.fr/api/SRU",
    }
}
section! {
    /// The Library of Congress.
    Loc {
        /// The address of its SRU service, which has no https.
        url = "http://lx2.loc.gov:210/lcdb",
    }
}
section! {
    /// The National Diet Library of Japan.
    Ndl {
        /// The address of its SRU service.
        url = "https://ndlsearch.ndl.go.jp/api/sru",
    }
}
section! {
    /// Hardcover.
    Hardcover {
        /// The address of its GraphQL service.
        url = "https://api.hardcover.app/v1/graphql",
    } keyed key key_file
}
section! {
    /// Google Books.
    Google {
        /// The address of its API, without a version.
        url = "https://www.googleapis.com/books",
    } keyed key key_file
}

impl Lookup {
    /// Whether any catalogue is asked.
    pub fn is_on(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Treats empty values as unset.
    pub(super) fn drop_empty(&mut self) {
        self.contact = self.contact.take().filter(|text| !text.trim().is_empty());
        self.catalogue = self.catalogue.take().filter(|file| !file.as_os_str().is_empty());
    }

    /// Reads keys from their files.
    ///
    /// # Errors
    /// A sentence that names the key.
    pub(super) fn read_secrets(&mut self) -> anyhow::Result<()> {
        for (name, key, file) in [
            ("lookup.hardcover.key", &mut self.hardcover.key, &mut self.hardcover.key_file),
            ("lookup.google.key", &mut self.google.key, &mut self.google.key_file),
        ] {
            *key = key.take().filter(|key| !key.expose().trim().is_empty());
            *file = file.take().filter(|file| !file.as_os_str().is_empty());
            Secret::fill(key, name, file.as_deref())?;
        }
        Ok(())
    }

    /// Refuses unknown catalogues, and addresses that can't be asked.
    ///
    /// # Errors
    /// A sentence that names the key.
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

fn is_address(text: &str) -> bool {
    let plain = !text.contains(['?', '#', '@']);
    plain && Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<Lookup, String> {
        let mut lookup: Lookup = toml::from_str(text).map_err(|cause| cause.to_string())?;
        lookup.drop_empty();
        lookup.check().and_then(|()| lookup.read_secrets()).map_err(|cause| cause.to_string())?;
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
            ("[hardcover]\nkey_file = \"/nowhere/at/all\"", "lookup.hardcover.key"),
        ] {
            let error = checked(text).unwrap_err();
            assert!(error.contains(named), "{text}: {error}");
        }
    }

    #[test]
    fn an_empty_key_is_none_and_a_key_is_never_shown() {
        let lookup = checked("contact = \" \"\n[google]\nkey = \"\"\n[hardcover]\nkey = \"hunter2\"").unwrap();
        assert!(lookup.google.key.is_none() && lookup.contact.is_none());
        assert!(!format!("{lookup:?}").contains("hunter2"));
    }
}
