//! Accounts and their activity of the last weeks, so that the operator's pages show a busy server. The accounts have no password,
//! so no one can sign in to them.
use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

use super::{add_books, new_password, shelf};
use crate::access::{Plan, Role};
use crate::account;
use crate::account::device::Device;
use crate::account::model::NewAccount;
use crate::admin::analytics;
use crate::admin::counts::{Day, Pending};
use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::library::books::model::{BookDraft, BookStatus};
use crate::library::tbr;

const FIRST_NAMES: [&str; 12] =
    ["Amara", "Bela", "Chen", "Dalia", "Emil", "Farah", "Goran", "Hana", "Ines", "Jonas", "Kofi", "Liv"];
const LAST_NAMES: [&str; 4] = ["Novak", "Haddad", "Moreau", "Silva"];
/// The newest account was created today, each earlier one this much before the next.
const BETWEEN_ACCOUNTS: TimeDelta = TimeDelta::hours(43);
/// The number of days with activity: the period of the statistics.
const DAYS: usize = 30;

/// Devices, the common ones repeated.
const DEVICES: [Device; 8] = [
    Device { device_type: "mobile", browser: "Safari", os: "iOS" },
    Device { device_type: "desktop", browser: "Chrome", os: "Windows" },
    Device { device_type: "mobile", browser: "Chrome", os: "Android" },
    Device { device_type: "mobile", browser: "Safari", os: "iOS" },
    Device { device_type: "desktop", browser: "Firefox", os: "Linux" },
    Device { device_type: "desktop", browser: "Safari", os: "macOS" },
    Device { device_type: "tablet", browser: "Safari", os: "iPadOS" },
    Device { device_type: "desktop", browser: "Chrome", os: "Windows" },
];

/// Creates the accounts, some with a few books, and stores their activity.
pub fn furnish(tx: &Tx<'_>) -> Result<()> {
    let (entries, wishes) = (shelf::entries()?, shelf::wishes()?);
    let mut visits = Pending::new();
    let names = FIRST_NAMES.iter().flat_map(|first| LAST_NAMES.map(|last| (*first, last)));
    for (number, (first, last)) in names.enumerate() {
        let made = tx.now() - BETWEEN_ACCOUNTS * i32::try_from(number).unwrap_or(i32::MAX);
        let email = format!("{}.{}@example.org", first.to_lowercase(), last.to_lowercase());
        let account = NewAccount::checked(&email, &format!("{first} {last}"), new_password()?, None, Role::User, "")?;
        let user_id = account::store::create(&Tx::new(tx, made), &account, None)?.id;
        match number % 8 {
            0 => account::user_list::grant(tx, user_id, Plan::ShelfwisePlus)?,
            // Has no books yet.
            5 => {}
            _ => {
                let read = entries.iter().skip(number * 7).step_by(11).take(6 + number % 5);
                let undated = |entry: &shelf::Entry| BookDraft { status: BookStatus::Undated, ..entry.draft() };
                add_books(tx, user_id, read.map(undated).collect())?;
                let wish = wishes[number % wishes.len()].clone().checked()?;
                tbr::store::append(tx, user_id, &[wish])?;
            }
        }
        for day in (0..DAYS).filter(|day| comes(number, *day)) {
            let at = tx.now() - TimeDelta::days(i64::try_from(day).unwrap_or(i64::MAX)) - minutes(number * 13 % 600);
            if at >= made {
                visits.insert((user_id, at.date_naive()), a_day(number, day, at));
            }
        }
    }
    analytics::store::add(tx, &visits)
}

/// Every sixth account became inactive ten days ago; the others are active every one to five days.
fn comes(number: usize, day: usize) -> bool {
    (number % 6 != 4 || day >= 10) && (day + number).is_multiple_of(1 + number % 5)
}

fn a_day(number: usize, day: usize, last_at: DateTime<Utc>) -> Day {
    let requests = |nth: usize| i64::try_from(6 + (number * 5 + day * 3 + nth) % 40).unwrap_or(6);
    let mut devices = HashMap::from([(DEVICES[number % DEVICES.len()], requests(0))]);
    if number.is_multiple_of(3) {
        devices.insert(DEVICES[(number / 3 + 1) % DEVICES.len()], requests(1));
    }
    Day { requests: devices.values().sum(), last_at, devices, places: HashMap::new() }
}

fn minutes(count: usize) -> TimeDelta {
    TimeDelta::minutes(i64::try_from(count).unwrap_or_default())
}
