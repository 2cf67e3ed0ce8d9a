//! Where an address lies, by the operator's GeoIP database file.
use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use maxminddb::{PathElement, Reader, path};

/// A country, and a city where it is known; English names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its name, or its two letters where it has none.
    pub country: String,
    /// Its name.
    pub city: Option<String>,
}

/// As people write it: "Lisbon, Portugal".
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.city {
            Some(city) => write!(f, "{city}, {}", self.country),
            None => f.write_str(&self.country),
        }
    }
}

/// The places of addresses; without a file none is known. Clones share the file's bytes.
#[derive(Clone, Default)]
pub struct Places(Option<Arc<Reader<Vec<u8>>>>);

impl Places {
    /// Reads the file whole, where one is named.
    ///
    /// # Errors
    /// A sentence for the operator that names the file.
    pub fn open(file: Option<&Path>) -> Result<Self, String> {
        let Some(file) = file else { return Ok(Self::default()) };
        let reader = Reader::open_readfile(file)
            .map_err(|cause| format!("the GeoIP database {} can't be read: {cause}", file.display()))?;
        Ok(Self(Some(Arc::new(reader))))
    }

    /// Whether there is a file.
    pub fn available(&self) -> bool {
        self.0.is_some()
    }

    /// Where an address lies; nothing when the file does not say.
    pub fn find(&self, ip: IpAddr) -> Option<Place> {
        let found = self.0.as_ref()?.lookup(ip).ok()?;
        let text = |at: &[PathElement<'_>]| found.decode_path::<String>(at).ok().flatten();
        let country = text(&path!["country", "names", "en"]).or_else(|| text(&path!["country", "iso_code"]))?;
        Some(Place { country, city: text(&path!["city", "names", "en"]) })
    }
}
