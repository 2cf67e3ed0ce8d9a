//! What a start does while the server has no operator.
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use anyhow::bail;

use super::model::{SetupCode, without_passwords};
use super::store;
use crate::access::Role;
use crate::account::events::model::{Actor, EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::model::NewAccount;
use crate::account::{password, store as accounts};
use crate::config::{Config, FirstOperator};
use crate::kit::Error;
use crate::kit::db::pool::Db;

/// The longest first line of the file with the password, in bytes.
const LONGEST_LINE: u64 = 64 * 1024;

/// Prepares the first run of a server without an operator: makes the operator that `[admin]` names, or a new setup code. Returns the
/// line about that for the operator to read; `None` when there is an operator. A server without passwords gets no code, because the
/// account that it makes could not sign in.
///
/// # Errors
/// A sentence about `[admin]`: one of its two settings is missing, its file can't be read or is empty, or the account is refused. The
/// database's.
pub async fn prepare(db: &Db, config: &Config) -> anyhow::Result<Option<String>> {
    if db.read(accounts::has_operator).await? {
        return Ok(None);
    }
    if !config.password_login {
        let how = without_passwords(config);
        if config.admin != FirstOperator::default() {
            bail!(
                "admin.email and admin.password_file make an operator who signs in with a password, but password_login is false: remove \
                 them. {how}"
            );
        }
        return Ok(Some(format!("This server has no operator, and accepts no passwords. {how}")));
    }
    if let Some(account) = named(config)? {
        make(db, account).await?;
        // Without the address: logs name nobody.
        return Ok(Some("Created the first operator from admin.email and admin.password_file.".to_owned()));
    }
    let code = SetupCode::new()?;
    let line = code.line(config);
    match db.write(move |tx| store::replace(tx, &code)).await {
        Ok(()) => Ok(Some(line)),
        // A full disk, for example: people can still read.
        Err(cause) => {
            tracing::warn!(%cause, "storing a setup code failed; shelfwise setup-code makes another");
            Ok(None)
        }
    }
}

/// Refuses a first operator that could not be made, before there is a database.
pub fn check(config: &Config) -> anyhow::Result<()> {
    if config.password_login { named(config).map(drop) } else { Ok(()) }
}

/// The operator that the settings name.
fn named(config: &Config) -> anyhow::Result<Option<NewAccount>> {
    let FirstOperator { email, password_file } = &config.admin;
    let (email, file) = match (email, password_file) {
        (None, None) => return Ok(None),
        (Some(email), Some(file)) => (email, file),
        (Some(_), None) => bail!("admin.email is set, but admin.password_file is not; the first operator needs both"),
        (None, Some(_)) => bail!("admin.password_file is set, but admin.email is not; the first operator needs both"),
    };
    let name = email.split('@').next().unwrap_or(email);
    let account = NewAccount::checked(email, name, first_line(file)?, None, Role::Admin, config.identity().host());
    let refused = |errors: crate::kit::FieldErrors| {
        let sentences: Vec<_> = errors.iter().map(|(_, sentence)| sentence).collect();
        anyhow::anyhow!("the first operator of admin.email and admin.password_file is refused: {}", sentences.join(" "))
    };
    Ok(Some(account.map_err(refused)?))
}

/// The first line of the file with the password.
fn first_line(file: &Path) -> anyhow::Result<String> {
    let shown = file.display();
    let mut line = String::new();
    let read = File::open(file).and_then(|open| BufReader::new(open.take(LONGEST_LINE)).read_line(&mut line));
    read.map_err(|cause| anyhow::anyhow!("admin.password_file {shown} can't be read: {cause}"))?;
    let line = line.trim_end_matches(['\n', '\r']);
    if line.is_empty() {
        bail!("admin.password_file {shown} is empty; its first line must be the password, with at least 8 characters");
    }
    Ok(line.to_owned())
}

async fn make(db: &Db, account: NewAccount) -> anyhow::Result<()> {
    let hash = password::hash_here(&account.password)?;
    let made = db.write(move |tx| {
        // A command may have made an operator meanwhile.
        if accounts::has_operator(tx)? {
            return Ok(());
        }
        let user = accounts::create(tx, &account, Some(&hash))?;
        store::forget(tx)?;
        let source = EventSource::default();
        let (kind, actor) = (EventKind::ServerSetUp, Actor::CommandLine);
        record(tx, &NewEvent { kind, account: Some(user.id), actor, source: &source })
    });
    match made.await {
        Err(Error::Refused(refusal)) => {
            bail!(
                "the address of admin.email can't be the first operator's: {} `shelfwise user promote` makes its account one.",
                refusal.message
            )
        }
        made => Ok(made?),
    }
}
