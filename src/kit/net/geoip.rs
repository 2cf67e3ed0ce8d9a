//! The location of an IP address, from the operator's GeoIP database file.
use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use maxminddb::{PathElement, Reader, path};

/// A country, and a city where it is known, with English names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The country's name, or its two-letter code when it has no name.
    pub country: String,
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

/// The locations of addresses; without a file none is known. Clones share the file's bytes, also after a reload.
#[derive(Clone, Default)]
pub struct GeoIp(Arc<RwLock<Option<Bytes>>>);

type Bytes = Arc<Reader<Vec<u8>>>;

impl GeoIp {
    /// Reads the whole file, if one is configured.
    pub fn open(file: Option<&Path>) -> Result<Self, String> {
        let places = Self::default();
        places.read_again(file)?;
        Ok(places)
    }

    /// Replaces the file by another one, or by none.
    ///
    /// # Errors
    /// A sentence for the operator that names the file; the values read before then stay in force.
    pub fn read_again(&self, file: Option<&Path>) -> Result<(), String> {
        let read = |file: &Path| {
            Reader::open_readfile(file)
                .map_err(|cause| format!("the GeoIP database {} can't be read: {cause}", file.display()))
        };
        let reader = file.map(read).transpose()?.map(Arc::new);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = reader;
        Ok(())
    }

    fn reader(&self) -> Option<Bytes> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether there is a file.
    pub fn available(&self) -> bool {
        self.reader().is_some()
    }

    /// The location of an address; `None` when the file does not contain it.
    pub fn find(&self, ip: IpAddr) -> Option<Place> {
        let reader = self.reader()?;
        let found = reader.lookup(ip).ok()?;
        let text = |at: &[PathElement<'_>]| found.decode_path::<String>(at).ok().flatten();
        let country = text(&path!["country", "names", "en"]).or_else(|| text(&path!["country", "iso_code"]))?;
        Some(Place { country, city: text(&path!["city", "names", "en"]) })
    }
}
