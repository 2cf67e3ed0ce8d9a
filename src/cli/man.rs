//! `shelfwise man`
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};

use super::Cli;
use super::exit::{Exit, Outcome};
use super::output::say;

/// Print the manual page, or write the pages of all commands into a folder
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise man | man -l -\n  shelfwise man --to /usr/local/share/man/man1")]
pub struct Man {
    /// A folder that gets a page for the program and one for each command
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

impl Man {
    /// Runs the command.
    pub fn run(self) -> Outcome<()> {
        let Some(folder) = self.to else {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(Exit::failed)?;
            return std::io::stdout().write_all(&page).map_err(Exit::output);
        };
        let failed = |cause| Exit::failed(format!("{} can't be written: {cause}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        clap_mangen::generate_to(Cli::command(), &folder).map_err(failed)?;
        say(&format!("Wrote the manual pages to {}.", folder.display()))
    }
}
