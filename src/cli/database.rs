//! The database for commands that work beside a running server, which sees what they wrote from its next request on.
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use super::exit::{Exit, Outcome};
use crate::config::Config;
use crate::kit::Result;
use crate::kit::data_dir::{HoldError, hold};
use crate::kit::db::Tx;
use crate::kit::open::{needs_migration, open_writer};
use crate::kit::secure_erase;

/// Opens the database of these settings; a command that only reads or changes makes none.
pub fn open(config: &Config) -> Outcome<Connection> {
    there(config)?;
    open_or_make(config)
}

/// Opens the database of these settings, in a data directory that is there, and makes one where there is none. It is not
/// migrated under a server, which may still be the program from before an upgrade.
pub fn open_or_make(config: &Config) -> Outcome<Connection> {
    let path = config.database();
    let _held = match needs_migration(&path) {
        true => Some(hold(&config.data_dir).map_err(|cause| match cause {
            HoldError::Held(_) => {
                Exit::held(format!("{cause}; restart it first, so that it migrates its database to this version"))
            }
            HoldError::Unusable { .. } => cause.into(),
        })?),
        false => None,
    };
    let conn = open_writer(&path)?;
    // The log of a server that was killed is not swept: the next start does that.
    close_with_checkpoint(&conn, false)?;
    Ok(conn)
}

/// Whether the connection makes a checkpoint when it is closed as the last one of its database.
fn close_with_checkpoint(conn: &Connection, makes: bool) -> Outcome<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !makes).map(drop).map_err(Exit::failed)
}

/// The database file of these settings, which must be there.
pub fn there(config: &Config) -> Outcome<PathBuf> {
    let (path, folder) = (config.database(), &config.data_dir);
    if folder.exists() && !folder.is_dir() {
        return Err(Exit::config(format!("{} is no folder", folder.display())));
    }
    let unreadable = |cause| Exit::config(format!("{} can't be read: {cause}", folder.display()));
    if !path.try_exists().map_err(unreadable)? {
        return Err(Exit::failed(format!(
            "there is no database in {} yet; `shelfwise serve` and `shelfwise user create` make one",
            config.data_dir.display()
        )));
    }
    Ok(path)
}

/// Runs a writing call in one transaction; waits for a server's own writes.
pub fn write<T>(conn: &mut Connection, call: impl FnOnce(&Tx<'_>) -> Result<T>) -> Outcome<T> {
    let written = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(crate::kit::Error::from);
    let written = written.and_then(|tx| {
        let answer = call(&Tx::new(&tx, chrono::Utc::now()))?;
        tx.commit()?;
        Ok(answer)
    });
    let answer = written.map_err(Exit::failed)?;
    match secure_erase::sweep_log(conn) {
        Ok(()) => close_with_checkpoint(conn, true)?,
        // The change stands. The next start sweeps the log.
        Err(cause) => {
            tracing::warn!(%cause, "the write-ahead log could not be swept");
            close_with_checkpoint(conn, false)?;
        }
    }
    Ok(answer)
}

/// A list as JSON, one line an entry for other programs' sake.
pub fn print_json(list: &impl serde::Serialize) -> Outcome<()> {
    let text = serde_json::to_string_pretty(list).map_err(Exit::failed)?;
    writeln!(std::io::stdout(), "{text}").map_err(Exit::failed)
}

/// A table of texts: columns as wide as their longest, two spaces between them.
pub fn print_table(rows: &[Vec<String>]) -> Outcome<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let wide = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| wide(column).unwrap_or(0)).collect();
    let mut out = std::io::stdout().lock();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end()).map_err(Exit::failed)?;
    }
    Ok(())
}

/// Asks before something is destroyed. Without a terminal nobody can answer, and only `--yes` goes on.
pub fn confirm(question: &str, yes: bool) -> Outcome<()> {
    if yes {
        return Ok(());
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Err(Exit::failed(format!("{question} Pass --yes to go on without being asked.")));
    }
    let _ = write!(std::io::stderr(), "{question} Type yes to go on: ");
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).map_err(Exit::failed)?;
    if answer.trim().eq_ignore_ascii_case("yes") { Ok(()) } else { Err(Exit::failed("nothing was changed")) }
}

/// A password: the first line of standard input, or asked for at a terminal.
pub fn read_password() -> Outcome<String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let _ = write!(std::io::stderr(), "Password: ");
        return rpassword::read_password().map_err(Exit::failed);
    }
    let mut line = String::new();
    stdin.lock().read_line(&mut line).map_err(Exit::failed)?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
