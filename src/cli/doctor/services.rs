//! What the server asks of others, and what it does by itself: mail, payments, providers to sign in with, backups.
use std::time::Duration;

use chrono::{TimeDelta, Utc};

use super::Check;
use crate::account::social;
use crate::backups::list::{dated_after, newest};
use crate::backups::schedule::Schedule;
use crate::backups::verify;
use crate::billing::check;
use crate::config::Config;
use crate::kit::db::backup_file;
use crate::kit::mail::mailer::reach;

/// A backup that is dated later than this from now is of a wrong clock.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(5);

/// The mail server answers and takes the password; nothing is sent.
pub fn mail(config: &Config) -> Result<String, String> {
    config.check_serving().map_err(|cause| cause.to_string())?;
    run(reach(config))?
}

/// The payment provider takes the key and knows the prices.
pub fn payments(config: &Config) -> Result<String, String> {
    run(check::check(config))?
}

/// Each provider can be reached, and knows this server.
pub fn providers(config: &Config) -> Vec<Check> {
    match run(social::check::check(config, Utc::now())) {
        Ok(found) => {
            let named = |(name, verdict): (String, Result<String, String>)| {
                Check::of(
                    "sign-in",
                    verdict.map(|said| format!("{name}: {said}")).map_err(|why| format!("{name}: {why}")),
                )
            };
            found.into_iter().map(named).collect()
        }
        Err(cause) => vec![Check::of("sign-in", Err(cause))],
    }
}

fn run<T>(asked: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.map_err(|cause| cause.to_string())?.block_on(asked))
}

/// The newest backup is whole and not older than two rounds: one may be in the making.
pub fn backups(schedule: &Schedule, every: Duration) -> Result<String, String> {
    let (folder, sentence) = (schedule.folder(), |cause: anyhow::Error| format!("{cause:#}"));
    let now = Utc::now();
    if let Some(name) = dated_after(folder, now + CLOCKS_DIFFER).map_err(sentence)?.first() {
        return Err(format!(
            "{name} in {} is dated in the future: a clock was wrong. Move such files away, so that the newest is the last one made",
            folder.display()
        ));
    }
    let Some(at) = newest(folder, now + CLOCKS_DIFFER).map_err(sentence)? else {
        return Err(format!("there is none in {}", folder.display()));
    };
    let age = now - at;
    if age > TimeDelta::from_std(every).unwrap_or(TimeDelta::MAX).checked_mul(2).unwrap_or(TimeDelta::MAX) {
        return Err(format!("the newest in {} is {} hours old", folder.display(), age.num_hours()));
    }
    let file = folder.join(backup_file::name(at));
    verify(&file).map_err(sentence)?;
    Ok(format!("{} is whole", file.display()))
}
