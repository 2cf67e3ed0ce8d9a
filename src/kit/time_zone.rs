//! Time zones: which names exist, and the current day in each.
//!
//! Jiff bundles IANA's database in its published, compressed form. An empty chroot has no database of its own, and tables of
//! ready-made values would contain pointers that every start has to relocate, which keeps all of them in memory.

use std::fmt;

use chrono::{DateTime, Datelike as _, NaiveDate, TimeDelta, Utc};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::kit::named::named;

named! {
    /// A half of the earth. It decides the months of a season.
    #[derive(Default)]
    Hemisphere {
        /// Spring begins in March.
        #[default]
        North = "north",
        /// Spring begins in September.
        South = "south",
    }
}

/// A time zone of IANA's database, and the hour at which its reader's days begin.
#[derive(Clone, PartialEq, Eq)]
pub struct Zone {
    zone: TimeZone,
    day_starts_at: u8,
}

impl Zone {
    /// The zone of an IANA name like `Europe/Lisbon`, in any case; `None` for an unknown name.
    pub fn named(name: &str) -> Option<Self> {
        let zone = TimeZone::get(name).ok().filter(|zone| !zone.is_unknown())?;
        Some(Self { zone, day_starts_at: 0 })
    }

    /// The zone of this name; UTC when the name is absent or unknown.
    pub fn or_utc(name: Option<&str>) -> Self {
        name.and_then(Self::named).unwrap_or(Self { zone: TimeZone::UTC, day_starts_at: 0 })
    }

    /// The same zone, whose days begin at this hour: what comes before belongs to the day before.
    #[must_use]
    pub fn starting_at(self, hour: u8) -> Self {
        Self { day_starts_at: hour, ..self }
    }

    /// The name in IANA's database.
    pub fn name(&self) -> &str {
        self.zone.iana_name().unwrap_or("UTC")
    }

    /// The day on which a moment falls in this zone.
    pub fn day_at(&self, moment: DateTime<Utc>) -> NaiveDate {
        let offset =
            Timestamp::from_second(moment.timestamp()).map_or(0, |moment| self.zone.to_offset(moment).seconds());
        (moment.naive_utc() + TimeDelta::seconds(offset.into()) - TimeDelta::hours(self.day_starts_at.into())).date()
    }

    /// The whole seconds until a day is over in this zone; at least one.
    pub fn seconds_until_the_end_of(&self, day: NaiveDate, now: DateTime<Utc>) -> i64 {
        let hour = self.day_starts_at.cast_signed();
        let begin = |day| self.zone.to_timestamp(date(day)?.at(hour, 0, 0, 0)).ok();
        let end = day.succ_opt().and_then(begin).map(Timestamp::as_millisecond);
        let left = end.unwrap_or_default() - now.timestamp_millis();
        // A second that has begun counts.
        (left + 999).div_euclid(1_000).max(1)
    }

    /// The hemisphere in which most people of the zone live; north for zones without a place, like UTC.
    pub fn hemisphere(&self) -> Hemisphere {
        let name = self.name();
        let (area, place) = name.rsplit_once('/').unwrap_or((name, ""));
        let is_southern = SOUTHERN_AREAS.contains(&area)
            || SOUTHERN_PLACES
                .iter()
                .any(|(known, places)| *known == area && places.split(' ').any(|one| one == place));
        if is_southern { Hemisphere::South } else { Hemisphere::North }
    }
}

/// Areas of the IANA database that are wholly south of the equator.
const SOUTHERN_AREAS: [&str; 7] = ["America/Argentina", "Antarctica", "Australia", "Brazil", "Chile", "NZ", "NZ-CHAT"];

/// Places south of the equator in the other areas, as the database's coordinates have them, with former names.
const SOUTHERN_PLACES: [(&str, &str); 7] = [
    (
        "Africa",
        "Blantyre Brazzaville Bujumbura Dar_es_Salaam Gaborone Harare Johannesburg Kigali Kinshasa Luanda Lubumbashi Lusaka \
        Maputo Maseru Mbabane Nairobi Windhoek",
    ),
    (
        "America",
        "Araguaina Asuncion Bahia Belem Buenos_Aires Campo_Grande Catamarca Cordoba Coyhaique Cuiaba Eirunepe Fortaleza \
        Guayaquil Jujuy La_Paz Lima Maceio Manaus Mendoza Montevideo Noronha Porto_Acre Porto_Velho Punta_Arenas Recife \
        Rio_Branco Rosario Santarem Santiago Sao_Paulo",
    ),
    ("Asia", "Dili Jakarta Jayapura Makassar Pontianak Ujung_Pandang"),
    ("Atlantic", "South_Georgia St_Helena Stanley"),
    ("Indian", "Antananarivo Chagos Christmas Cocos Comoro Kerguelen Mahe Mauritius Mayotte Reunion"),
    (
        "Pacific",
        "Apia Auckland Bougainville Chatham Easter Efate Enderbury Fakaofo Fiji Funafuti Galapagos Gambier Guadalcanal \
        Kanton Marquesas Nauru Niue Norfolk Noumea Pago_Pago Pitcairn Port_Moresby Rarotonga Samoa Tahiti Tongatapu Wallis",
    ),
    ("US", "Samoa"),
];

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A day of chrono's as one of jiff's, which has those of the years -9999 to 9999.
fn date(day: NaiveDate) -> Option<Date> {
    Date::new(day.year().try_into().ok()?, day.month().try_into().ok()?, day.day().try_into().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_may_begin_at_four() {
        let zone = Zone::named("Europe/Lisbon").unwrap().starting_at(4);
        for (moment, day) in [
            ("2026-11-10T03:59:59Z", "2026-11-09"),
            ("2026-11-10T04:00:00Z", "2026-11-10"),
            ("2026-07-10T02:59:59Z", "2026-07-09"),
        ] {
            assert_eq!(zone.day_at(moment.parse().unwrap()).to_string(), day, "{moment}");
        }
        let moment: DateTime<Utc> = "2026-11-10T01:00:00Z".parse().unwrap();
        assert_eq!(zone.seconds_until_the_end_of(zone.day_at(moment), moment), 3 * 3_600);
    }

    #[test]
    fn today_is_the_readers_own_around_midnight_new_year_and_the_leap_day() {
        for (moment, zone, day) in [
            ("2026-01-01T04:59:59Z", "America/New_York", "2025-12-31"),
            ("2026-01-01T05:00:00Z", "America/New_York", "2026-01-01"),
            ("2025-12-31T15:00:00Z", "Asia/Tokyo", "2026-01-01"),
            ("2028-02-28T18:30:00Z", "Asia/Kolkata", "2028-02-29"),
            ("2028-02-29T10:00:00Z", "Pacific/Kiritimati", "2028-03-01"),
            ("2026-03-29T00:59:59Z", "Europe/Berlin", "2026-03-29"),
            // Summer time, long after the last change that the database lists explicitly.
            ("2050-07-01T22:30:00Z", "Europe/Berlin", "2050-07-02"),
            ("2050-12-01T22:30:00Z", "Europe/Berlin", "2050-12-01"),
            ("1969-12-31T23:59:59.5Z", "UTC", "1969-12-31"),
        ] {
            assert_eq!(
                Zone::named(zone).unwrap().day_at(moment.parse().unwrap()),
                day.parse().unwrap(),
                "{moment} {zone}"
            );
        }
    }

    #[test]
    fn a_day_ends_at_its_own_midnight() {
        for (now, zone, day, seconds) in [
            ("2026-11-24T12:00:00Z", "UTC", "2026-11-24", 43_200),
            ("2026-11-24T23:59:59.5Z", "UTC", "2026-11-24", 1),
            ("2026-11-24T12:00:00Z", "Asia/Tokyo", "2026-11-24", 10_800),
            ("2026-11-24T12:00:00Z", "America/New_York", "2026-11-24", 61_200),
            // The day of a change is an hour shorter or longer.
            ("2026-03-28T23:00:00Z", "Europe/Berlin", "2026-03-29", 23 * 3_600),
            ("2026-10-24T22:00:00Z", "Europe/Berlin", "2026-10-25", 25 * 3_600),
            // The next day begins at one o'clock.
            ("2026-04-23T21:00:00Z", "Africa/Cairo", "2026-04-23", 3_600),
            ("2026-11-24T12:00:00Z", "UTC", "2026-11-25", 129_600),
            ("2026-11-24T12:00:00Z", "UTC", "2026-11-23", 1),
        ] {
            let zone = Zone::named(zone).unwrap();
            assert_eq!(
                zone.seconds_until_the_end_of(day.parse().unwrap(), now.parse().unwrap()),
                seconds,
                "{now} {zone:?}"
            );
        }
    }

    #[test]
    fn a_zone_is_known_by_its_name_and_by_former_ones() {
        let name = |name| Zone::named(name).map(|zone| zone.name().to_owned());
        for known in
            ["UTC", "Europe/Lisbon", "Asia/Calcutta", "US/Eastern", "America/Argentina/Buenos_Aires", "Etc/GMT+3"]
        {
            assert_eq!(name(known).as_deref(), Some(known));
        }
        assert_eq!(name("europe/lisbon").as_deref(), Some("Europe/Lisbon"));
        for unknown in
            ["", "Nowhere", "No/Such_Place", "Etc/Unknown", "+02:00", "Europe/Lisbon ", "../etc/localtime", "local"]
        {
            assert_eq!(name(unknown), None, "{unknown}");
        }
    }
}
