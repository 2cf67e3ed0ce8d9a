//! `shelfwise setup-code`
use clap::Args;

use super::database::{open, write};
use super::exit::{Exit, Outcome};
use super::output::say;
use super::settings::Settings;
use crate::account::setup::model::{SetupCode, without_passwords};
use crate::account::setup::store;
use crate::account::store::has_operator;

/// Print a new address to set up a server without an operator; the former one stops working
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise setup-code")]
pub struct PrintSetupCode {}

impl PrintSetupCode {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        if !settings.config.password_login {
            let how = without_passwords(&settings.config);
            return Err(Exit::failed(format!(
                "this server accepts no passwords, and the first run sets one. To have a first operator: {how}"
            )));
        }
        let mut conn = open(&settings)?;
        let code = SetupCode::new().map_err(Exit::failed)?;
        let line = code.line(&settings.config);
        let is_set_up = write(&mut conn, |tx| {
            if has_operator(tx)? {
                return Ok(true);
            }
            store::replace(tx, &code).map(|()| false)
        })?;
        if is_set_up {
            return Err(Exit::failed(
                "this server is set up: it has an operator. `shelfwise user list` shows the accounts, and `shelfwise user \
                 set-password` opens one whose password is forgotten",
            ));
        }
        say(&line)
    }
}
