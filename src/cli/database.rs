//! The database for commands that work beside a running server. The server sees their changes from its next request on.
use std::io::{BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;

use rusqlite::{Connection, TransactionBehavior};

use super::exit::{Exit, Outcome};
use super::settings::describe;
use crate::config::{Config, Effective};
use crate::kit::Result;
use crate::kit::clock::Clock;
use crate::kit::db::data_dir::{HoldError, hold};
use crate::kit::db::inspect::{open_reader, pending_upgrade};
use crate::kit::db::open::open_writer;
use crate::kit::db::pool::Tx;

/// Opens the database of the settings for writing. It must exist.
pub fn open(settings: &Effective) -> Outcome<Connection> {
    there(settings)?;
    open_or_make(&settings.config)
}

/// Opens the database of the settings read-only. It must exist. An older database is migrated first.
pub fn open_to_read(settings: &Effective) -> Outcome<Connection> {
    let path = there(settings)?;
    if pending_upgrade(&path).is_some() {
        drop(open_or_make(&settings.config)?);
    }
    Ok(open_reader(&path)?)
}

/// Opens the database of the settings, and creates it if it is missing. While a server runs, an older database is not migrated,
/// because the server may still be the program from before an upgrade; otherwise it is, with a message.
pub fn open_or_make(config: &Config) -> Outcome<Connection> {
    let path = config.database();
    let _held = match pending_upgrade(&path) {
        Some((found, known)) => {
            let held = hold(&config.data_dir).map_err(|cause| match cause {
                HoldError::Held(_) => {
                    Exit::held(format!("{cause}; restart it first, so that it upgrades its database to this version"))
                }
                HoldError::Unusable { .. } => cause.into(),
            })?;
            let _ = writeln!(
                std::io::stderr(),
                "Upgrading the database from schema {found} to {known}; a backup of it goes to {} first. This may take minutes.",
                config.data_dir.join("backups").display()
            );
            Some(held)
        }
        None => None,
    };
    Ok(open_writer(&path)?)
}

/// The path of the database of the settings, which must exist.
pub fn there(settings: &Effective) -> Outcome<PathBuf> {
    let config = &settings.config;
    let (path, folder) = (config.database(), &config.data_dir);
    if folder.exists() && !folder.is_dir() {
        return Err(Exit::config(format!("{} is not a folder", folder.display())));
    }
    let unreadable = |cause| Exit::config(format!("{} can't be read: {cause}", folder.display()));
    if !path.try_exists().map_err(unreadable)? {
        return Err(Exit::failed(missing(settings)));
    }
    Ok(path)
}

/// A sentence that says where the database was expected, and how to name another folder.
pub fn missing(settings: &Effective) -> String {
    let folder = &settings.config.data_dir;
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
    let source = describe(&settings.source("data_dir"));
    format!(
        "there is no database in {} ({source}). Name the server's data directory with --data-dir, SHELFWISE_DATA_DIR or data_dir \
         in the config file; `shelfwise serve` and `shelfwise user create --new` make a new one",
        folder.display()
    )
}

/// Runs a writing call in one transaction, waiting for a server's own writes.
pub fn write<T>(conn: &mut Connection, call: impl FnOnce(&Tx<'_>) -> Result<T>) -> Outcome<T> {
    let written = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(crate::kit::Error::from);
    let written = written.and_then(|tx| {
        let view = Tx::new(&tx, Clock::default().now());
        let (answer, then) = (call(&view)?, view.then());
        tx.commit()?;
        then();
        Ok(answer)
    });
    written.map_err(Exit::failed)
}

/// Asks before something is destroyed. Without a terminal only `--yes` continues.
pub fn confirm(question: &str, yes: bool) -> Outcome<()> {
    if yes {
        return Ok(());
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Err(Exit::failed(format!("{question} Pass --yes to skip this question.")));
    }
    let _ = write!(std::io::stderr(), "{question} Type yes to continue: ");
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).map_err(Exit::failed)?;
    if answer.trim().eq_ignore_ascii_case("yes") { Ok(()) } else { Err(Exit::failed("nothing was changed")) }
}

/// The longest line of a password that is read, in bytes.
const LONGEST_LINE: u64 = 64 * 1024;

/// Reads a password: the first line of standard input, or entered twice at a terminal.
pub fn read_password() -> Outcome<String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let first = ask("Password: ")?;
        if ask("The same password again: ")? != first {
            return Err(Exit::failed("the two passwords differ; nothing was changed"));
        }
        return Ok(first);
    }
    let mut line = String::new();
    stdin.lock().take(LONGEST_LINE).read_line(&mut line).map_err(Exit::failed)?;
    if line.is_empty() {
        return Err(Exit::failed(
            "standard input is empty; its first line must be the password, with at least 8 characters",
        ));
    }
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

fn ask(question: &str) -> Outcome<String> {
    let _ = write!(std::io::stderr(), "{question}");
    rpassword::read_password().map_err(Exit::failed)
}
