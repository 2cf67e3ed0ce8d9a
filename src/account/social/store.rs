//! The rows of identities.
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::Serialize;

use super::flow::{Link, VALID};
use super::model::{Person, SignInFailure, TRUSTED_HEADER};
use crate::access::Role;
use crate::account::model::{AccountRefusal, NewAccount, email_key};
use crate::account::store::{create, find, prove_email};
use crate::config::SignupMode;
use crate::kit::db::pool::Tx;
use crate::kit::http::session::store::confirm;
use crate::kit::http::session::{CONFIRMED, TokenHash, is_valid};
use crate::kit::id::UserId;
use crate::kit::mail::address::is_same_mailbox;
use crate::kit::time_zone::Zone;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, ErrorCode, Result};
use crate::teams::invitations::{self, to_server};

/// The account of an identity.
struct Holder {
    user_id: UserId,
    disabled: bool,
}

/// Somebody who was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admitted {
    pub user_id: UserId,
    /// How the identity came to the account.
    pub by: AdmittedBy,
}

/// How an identity came to the account that it signs in to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdmittedBy {
    /// It was connected before.
    Connection,
    /// It was connected now, by its verified address.
    Address,
    /// The account was made for it.
    SignUp,
    /// The account was made for it, with an invitation to the server, which is used up.
    Invitation,
}

impl AdmittedBy {
    /// Whether the account was made now.
    pub fn is_new(self) -> bool {
        matches!(self, Self::SignUp | Self::Invitation)
    }
}

/// What an identity that is not connected to an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Which identities get a new account.
    pub signup: SignupMode,
    /// The invitation with which the person came.
    pub invitation: Option<TokenHash>,
    /// Whether a verified address connects it to the account that has the address.
    pub match_email: bool,
}

/// A connected identity, as the complete export shows it to its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Linked {
    /// The provider's section in the settings.
    pub provider: String,
    /// The issuer that signs the identity.
    pub issuer: String,
    /// The issuer's name for the person (`sub`).
    pub subject: String,
    /// The address that the provider gave last.
    pub email: Option<String>,
    /// RFC 3339, UTC.
    pub linked_at: Timestamp,
}

fn linked(row: &Row<'_>) -> rusqlite::Result<Linked> {
    Ok(Linked {
        provider: row.get("provider")?,
        issuer: row.get("issuer")?,
        subject: row.get("subject")?,
        email: row.get("email")?,
        linked_at: row.get("linked_at")?,
    })
}

/// What is connected to an account, the oldest first.
pub fn all(conn: &Connection, user_id: UserId) -> Result<Vec<Linked>> {
    let mut query = conn.prepare_cached(
        "SELECT provider, issuer, subject, email, linked_at FROM identities WHERE user_id = ?1 ORDER BY linked_at, provider",
    )?;
    let rows = query.query_map([user_id], linked)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether an account has a password.
pub fn has_password(conn: &Connection, user_id: UserId) -> Result<bool> {
    let mut query = conn.prepare_cached("SELECT password_hash IS NOT NULL FROM users WHERE id = ?1")?;
    query.query_row([user_id], |row| row.get(0)).optional()?.ok_or(Error::NotFound)
}

fn holder(conn: &Connection, person: &Person) -> Result<Option<Holder>> {
    let mut query = conn.prepare_cached(
        "SELECT u.id, u.disabled FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = ?1 AND i.subject = ?2",
    )?;
    let found = query.query_row(params![person.issuer, person.subject], |row| {
        Ok(Holder { user_id: row.get("id")?, disabled: row.get("disabled")? })
    });
    Ok(found.optional()?)
}

/// The account that a person signs in to: the one that their identity is connected to; with `match_email` the one that has their
/// verified address, if its own address is proven and it is not an operator's; a new one for a verified address that no account has,
/// where sign-up is open, or by invitation for somebody with an invitation of this address.
pub fn admit(
    tx: &Tx<'_>,
    provider: &str,
    person: &Person,
    rules: Rules,
    timezone: Option<&str>,
) -> Result<std::result::Result<Admitted, SignInFailure>> {
    if let Some(holder) = holder(tx, person)? {
        if holder.disabled {
            return Ok(Err(SignInFailure::Disabled));
        }
        refresh(tx, provider, person)?;
        return Ok(Ok(Admitted { user_id: holder.user_id, by: AdmittedBy::Connection }));
    }
    let Some((email, name)) = person.newcomer() else {
        let has_address = person.email.is_some();
        return Ok(Err(if has_address { SignInFailure::EmailUnverified } else { SignInFailure::EmailMissing }));
    };
    if rules.match_email
        && let Some(holder) = owner_of(tx, email, provider)?
    {
        if holder.disabled {
            return Ok(Err(SignInFailure::Disabled));
        }
        insert(tx, holder.user_id, provider, person)?;
        return Ok(Ok(Admitted { user_id: holder.user_id, by: AdmittedBy::Address }));
    }
    let to_server = match rules.invitation.filter(|_| rules.signup != SignupMode::Closed) {
        Some(token) => to_server::store::invites(tx, token, email, tx.now())?,
        None => false,
    };
    if !may_sign_up(tx, email, rules, to_server)? && !is_taken(tx, email)? {
        return Ok(Err(SignInFailure::SignupClosed));
    }
    let account = NewAccount {
        email: email.to_owned(),
        display_name: name.to_owned(),
        password: String::new(),
        timezone: Zone::or_utc(timezone).name().to_owned(),
        role: Role::User,
    };
    match create(tx, &account, None) {
        Ok(user) => {
            insert(tx, user.id, provider, person)?;
            // Only an address that the provider has confirmed makes an account.
            prove_email(tx, user.id)?;
            let redeemed = match rules.invitation.filter(|_| to_server) {
                Some(token) => to_server::store::redeem(tx, token, email)?,
                None => false,
            };
            let by = if redeemed { AdmittedBy::Invitation } else { AdmittedBy::SignUp };
            Ok(Ok(Admitted { user_id: user.id, by }))
        }
        Err(refusal) if refusal.code() == ErrorCode::EmailTaken => Ok(Err(SignInFailure::EmailTaken)),
        Err(other) => Err(other),
    }
}

/// Whether a person with this verified address gets an account; `to_server` says whether they came with an invitation to the server.
fn may_sign_up(tx: &Tx<'_>, email: &str, rules: Rules, to_server: bool) -> Result<bool> {
    match (rules.signup, rules.invitation) {
        (SignupMode::Open, _) => Ok(true),
        (SignupMode::Invite, Some(_)) if to_server => Ok(true),
        (SignupMode::Invite, Some(token)) => invitations::store::invites(tx, token, email, tx.now()),
        (SignupMode::Invite, None) | (SignupMode::Closed, _) => Ok(false),
    }
}

/// The account to which a verified address connects an identity: it has the same mailbox, its own address is proven, it is not an
/// operator's, and no other identity of the provider is connected to it.
fn owner_of(conn: &Connection, email: &str, provider: &str) -> Result<Option<Holder>> {
    let mut query = conn.prepare_cached(
        "SELECT id, disabled, email FROM users
         WHERE email_key = ?1 AND email_proven_at IS NOT NULL AND role <> 'admin'
            AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = users.id AND i.provider = ?2)",
    )?;
    let found = query.query_row(params![email_key(email), provider], |row| {
        Ok((Holder { user_id: row.get("id")?, disabled: row.get("disabled")? }, row.get::<_, String>("email")?))
    });
    let found = found.optional()?.filter(|(_, stored)| is_same_mailbox(stored, email));
    Ok(found.map(|(holder, _)| holder))
}

fn is_taken(conn: &Connection, email: &str) -> Result<bool> {
    let mut query = conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM users WHERE email_key = ?1)")?;
    Ok(query.query_row([email_key(email)], |row| row.get(0))?)
}

/// Connects a person to the account whose session began the sign-in, if that session is still valid and was confirmed within the last ten
/// minutes. Returns the account's address if the person was not connected before. A person who was connected before has just signed in at
/// the provider, which counts as a confirmation of the session.
pub fn link(
    tx: &Tx<'_>,
    link: Link,
    provider: &str,
    person: &Person,
) -> Result<std::result::Result<Option<String>, SignInFailure>> {
    let Some(session) = valid_session(tx, link)? else { return Ok(Err(SignInFailure::SignedOut)) };
    match holder(tx, person)? {
        Some(holder) if holder.user_id == link.user_id => {
            refresh(tx, provider, person)?;
            confirm(tx, link.session_id)?;
            Ok(Ok(None))
        }
        Some(_) => Ok(Err(SignInFailure::LinkedElsewhere)),
        None if all(tx, link.user_id)?.iter().any(|linked| linked.provider == provider) => {
            Ok(Err(SignInFailure::AlreadyLinked))
        }
        None if !session.is_confirmed(tx.now()) => Ok(Err(SignInFailure::Unconfirmed)),
        None => {
            insert(tx, link.user_id, provider, person)?;
            Ok(Ok(Some(find(tx, link.user_id)?.email)))
        }
    }
}

/// A session in which connecting began, and which stands.
struct ValidSession {
    confirmed: Option<DateTime<Utc>>,
}

impl ValidSession {
    /// Whether its person was confirmed when the connecting began, or since.
    fn is_confirmed(&self, now: DateTime<Utc>) -> bool {
        self.confirmed.is_some_and(|at| now - at <= CONFIRMED + VALID)
    }
}

fn valid_session(tx: &Tx<'_>, link: Link) -> Result<Option<ValidSession>> {
    let mut query = tx.prepare_cached(
        "SELECT s.created_at, s.last_seen, s.confirmed_at FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.id = ?2 AND s.user_id = ?1 AND u.disabled = 0",
    )?;
    let times = query
        .query_row((link.user_id, link.session_id), |row| {
            Ok((row.get::<_, Timestamp>(0)?, row.get::<_, Timestamp>(1)?, row.get::<_, Option<Timestamp>>(2)?))
        })
        .optional()?;
    let Some((created, seen, confirmed)) = times else { return Ok(None) };
    if !is_valid(created.utc(), seen.utc(), tx.now()) {
        return Ok(None);
    }
    Ok(Some(ValidSession { confirmed: confirmed.map(Timestamp::utc) }))
}

fn insert(tx: &Tx<'_>, user_id: UserId, provider: &str, person: &Person) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO identities (user_id, provider, issuer, subject, email, linked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![user_id, provider, person.issuer, person.subject, person.email, tx.stamp()])?;
    Ok(())
}

/// Notes the address given now, and the section's name, which the operator may have changed. A second section of the same
/// issuer leaves the row of the first alone.
fn refresh(tx: &Tx<'_>, provider: &str, person: &Person) -> Result<()> {
    tx.prepare_cached("UPDATE OR IGNORE identities SET provider = ?3, email = ?4 WHERE issuer = ?1 AND subject = ?2")?
        .execute(params![person.issuer, person.subject, provider, person.email])?;
    Ok(())
}

/// Disconnects every provider of an account. The name at the operator's proxy stays: its owner can't have connected another one.
pub fn unlink_all(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM identities WHERE user_id = ?1 AND provider <> ?2")?
        .execute(params![user_id, TRUSTED_HEADER])?;
    Ok(())
}

/// Connects an account to a name at the trusted proxy, instead of the former one.
///
/// # Errors
/// [`AccountRefusal::HeaderUserTaken`] when the name is connected to another account.
pub fn connect_header_user(tx: &Tx<'_>, user_id: UserId, header_user: &str, email: &str) -> Result<()> {
    let person = Person::new(TRUSTED_HEADER.into(), header_user.into(), Some(email.into()), true)
        .map_err(|_| AccountRefusal::HeaderUserInvalid)?;
    if holder(tx, &person)?.is_some_and(|holder| holder.user_id != user_id) {
        return Err(AccountRefusal::HeaderUserTaken.into());
    }
    tx.prepare_cached("DELETE FROM identities WHERE user_id = ?1 AND provider = ?2")?
        .execute(params![user_id, TRUSTED_HEADER])?;
    insert(tx, user_id, TRUSTED_HEADER, &person)
}

/// Connects an account to a person at a provider, instead of the former one. `issuer` counts for an account that the provider is not
/// connected to yet.
///
/// # Errors
/// A refusal without any issuer, for a subject that is not valid, or when the person is connected to another account.
pub fn connect_person(tx: &Tx<'_>, user_id: UserId, provider: &str, subject: &str, issuer: Option<&str>) -> Result<()> {
    let former = tx
        .prepare_cached("SELECT issuer FROM identities WHERE user_id = ?1 AND provider = ?2")?
        .query_row(params![user_id, provider], |row| row.get::<_, String>(0))
        .optional()?;
    let Some(issuer) = former.or(issuer.map(str::to_owned)) else {
        let sentence = format!("This account is not connected to {provider}, and the settings name no issuer of it.");
        return Err(Error::refused(ErrorCode::NotFound, sentence));
    };
    let invalid = "A person's id at a provider has 1 to 255 characters, without control characters.";
    let person =
        Person::new(issuer, subject.into(), None, false).map_err(|_| Error::refused(ErrorCode::Invalid, invalid))?;
    if holder(tx, &person)?.is_some_and(|holder| holder.user_id != user_id) {
        return Err(Error::refused(ErrorCode::LinkedElsewhere, "This person is connected to another account."));
    }
    tx.prepare_cached("DELETE FROM identities WHERE user_id = ?1 AND provider = ?2")?
        .execute(params![user_id, provider])?;
    insert(tx, user_id, provider, &person)
}

/// Whether an operator who is not disabled is connected to one of these providers.
pub fn has_connected_operator(conn: &Connection, providers: &[String]) -> Result<bool> {
    let mut query = conn.prepare_cached(
        "SELECT i.provider FROM identities i JOIN users u ON u.id = i.user_id WHERE u.role = 'admin' AND u.disabled = 0",
    )?;
    for provider in query.query_map([], |row| row.get::<_, String>(0))? {
        if providers.contains(&provider?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a provider is connected to an account.
pub fn is_linked(conn: &Connection, user_id: UserId, provider: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM identities WHERE user_id = ?1 AND provider = ?2)";
    Ok(conn.prepare_cached(sql)?.query_row(params![user_id, provider], |row| row.get(0))?)
}

/// Disconnects a provider; `usable` are the providers that are set up now, and `passwords` says whether the server accepts passwords.
///
/// # Errors
/// [`Error::NotFound`] when it is not connected; [`AccountRefusal::LastWayIn`] when nothing else would open the account.
pub fn unlink(tx: &Tx<'_>, user_id: UserId, provider: &str, usable: &[String], passwords: bool) -> Result<()> {
    let linked = all(tx, user_id)?;
    if !linked.iter().any(|linked| linked.provider == provider) {
        return Err(Error::NotFound);
    }
    let another = linked.iter().any(|linked| linked.provider != provider && usable.contains(&linked.provider));
    let by_password = passwords && has_password(tx, user_id)?;
    if !another && !by_password {
        return Err(AccountRefusal::LastWayIn.into());
    }
    tx.prepare_cached("DELETE FROM identities WHERE user_id = ?1 AND provider = ?2")?
        .execute(params![user_id, provider])?;
    Ok(())
}
