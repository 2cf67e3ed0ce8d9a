//! `shelfwise user`
use std::io::{BufRead as _, IsTerminal as _, Write as _};

use clap::Subcommand;

use super::Settings;
use super::exit::{Exit, Outcome};
use crate::access::Role;
use crate::account::model::NewAccount;
use crate::account::{password, store};
use crate::kit::db::{Tx, open_writer};
use crate::kit::{Error, FieldErrors};

#[derive(Subcommand)]
pub enum User {
    /// Make an account; the password is the first line of standard input, or asked for
    #[command(after_help = "Example:\n  shelfwise user create ada@example.org --name Ada --admin")]
    Create {
        /// The address to sign in with
        email: String,
        /// The display name
        #[arg(long)]
        name: String,
        /// Make it an operator of this server
        #[arg(long)]
        admin: bool,
    },
}

impl User {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let Self::Create { email, name, admin } = self;
        let config = settings.load()?;
        let role = if admin { Role::Admin } else { Role::User };
        let account = NewAccount::checked(&email, &name, read_password()?, None, role)
            .map_err(|errors| Exit::failed(sentences(&errors)))?;
        let hash = password::hash_here(&account.password).map_err(Exit::failed)?;
        super::serve::make_data_dir(&config.data_dir)?;
        let conn = open_writer(&config.database())?;
        let made = conn.unchecked_transaction().map_err(Error::from).and_then(|tx| {
            let user = store::create(&Tx::new(&tx, chrono::Utc::now()), &account, Some(&hash))?;
            tx.commit()?;
            Ok(user)
        });
        let user = made.map_err(Exit::failed)?;
        println!(
            "Made {} for {} <{}>.",
            if admin { "an operator's account" } else { "an account" },
            user.display_name,
            user.email
        );
        Ok(())
    }
}

fn sentences(errors: &FieldErrors) -> String {
    errors.iter().map(|(_, sentence)| sentence).collect::<Vec<_>>().join(" ")
}

fn read_password() -> Outcome<String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let _ = write!(std::io::stderr(), "Password: ");
        return rpassword::read_password().map_err(Exit::failed);
    }
    let mut line = String::new();
    stdin.lock().read_line(&mut line).map_err(Exit::failed)?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
