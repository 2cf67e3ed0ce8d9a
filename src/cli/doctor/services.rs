//! Checks services: mail, payments, sign-in providers, backups.
use std::path::Path;

use chrono::TimeDelta;

use super::Check;
use crate::account::{emails, social};
use crate::backups::list::{dated_after, newest};
use crate::backups::schedule::Schedule;
use crate::backups::verify;
use crate::billing::check;
use crate::config::Config;
use crate::kit::clock::Clock;
use crate::kit::db::backup_file;
use crate::kit::mail::mailer::{self, reach};

/// Where `shelfwise-backup.timer` keeps its backups.
pub const TIMERS_FOLDER: &str = "/var/lib/shelfwise-backups";
/// A backup dated later than this from now was made with a wrong clock.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(5);

/// Checks that the mail server answers and accepts the password; nothing is sent.
pub fn mail(config: &Config) -> Result<String, String> {
    config.check_serving().map_err(|cause| cause.to_string())?;
    run(reach(config))?
}

/// Sends a test e-mail.
pub fn send_mail(config: &Config, to: String) -> Result<String, String> {
    let email = emails::test(to.clone(), &config.identity());
    match run(mailer::send_now(config, &email))? {
        Ok(true) => Ok(format!("sent to {to}")),
        Ok(false) => Err("not sent: mail.url is not set".to_owned()),
        Err(reason) => Err(format!("not sent: {reason}")),
    }
}

/// Checks that the payment provider accepts the key and knows the prices.
pub fn payments(config: &Config) -> Result<String, String> {
    run(check::check(config))?
}

/// Checks that each provider is reachable and knows this server.
pub fn providers(config: &Config) -> Vec<Check> {
    match run(social::check::check(config, Clock::default().now())) {
        Ok(found) => {
            let named = |(name, verdict): (String, Result<String, String>)| {
                Check::of(
                    "sign-in",
                    verdict.map(|verdict| format!("{name}: {verdict}")).map_err(|why| format!("{name}: {why}")),
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

/// The backups of `shelfwise-backup.timer`, where the server itself makes none.
pub fn backups_elsewhere(folder: &Path) -> Check {
    let now = Clock::default().now();
    match newest(folder, now + CLOCKS_DIFFER).ok().flatten().map(|at| (now - at).num_hours()) {
        Some(hours) if hours < 48 => {
            Check::of("backups", Ok(format!("the newest in {} is {hours} hours old", folder.display())))
        }
        Some(hours) => Check::warning(
            "backups",
            format!("the newest in {} is {hours} hours old: does the timer fail?", folder.display()),
        ),
        None => Check::warning(
            "backups",
            "the server makes none: backup.to is not set, and what cron or another timer does can't be seen",
        ),
    }
}

/// Checks that the newest backup is intact and not late.
pub fn backups(schedule: &Schedule) -> Result<String, String> {
    let (folder, sentence) = (schedule.folder(), |cause: anyhow::Error| format!("{cause:#}"));
    let now = Clock::default().now();
    if let Some(name) = dated_after(folder, now + CLOCKS_DIFFER).map_err(sentence)?.first() {
        return Err(format!(
            "{name} in {} is dated in the future: the clock was wrong. Move such files away, so that the newest is the last one made",
            folder.display()
        ));
    }
    let Some(at) = newest(folder, now + CLOCKS_DIFFER).map_err(sentence)? else {
        return Err(format!("there is none in {}", folder.display()));
    };
    if schedule.is_late(at, now) {
        return Err(format!("the newest in {} is {} hours old", folder.display(), (now - at).num_hours()));
    }
    let file = folder.join(backup_file::name(at));
    verify(&file).map_err(sentence)?;
    Ok(format!("{} is intact", file.display()))
}
