//! The reader whose library a command changes, with what their preferences say about days.
use chrono::NaiveDate;

use super::database::open;
use super::exit::{Exit, Outcome};
use super::user::find;
use crate::account::user_list::ListedUser;
use crate::config::Effective;
use crate::kit::clock::Clock;
use crate::kit::time_zone::Hemisphere;
use crate::preferences;
use crate::preferences::model::Preferences;

/// The owner of a library.
pub struct LibraryOwner {
    /// The account.
    pub account: ListedUser,
    /// Their preferences.
    pub preferences: Preferences,
    /// The chosen hemisphere, otherwise that of the time zone.
    pub hemisphere: Hemisphere,
    /// Today in their time zone.
    pub today: NaiveDate,
}

impl LibraryOwner {
    /// Finds the account with an address. The database must exist.
    pub fn find(settings: &Effective, email: &str) -> Outcome<Self> {
        let conn = open(settings)?;
        let account = find(&conn, &settings.config, email)?;
        let preferences = preferences::store::find(&conn, account.id).map_err(Exit::failed)?;
        let zone = preferences.zone();
        let hemisphere = preferences.hemisphere.unwrap_or_else(|| zone.hemisphere());
        Ok(Self { account, preferences, hemisphere, today: zone.day_at(Clock::default().now()) })
    }
}
