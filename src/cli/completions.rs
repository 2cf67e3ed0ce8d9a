//! `shelfwise completions`
use std::io::Write as _;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use super::exit::{Exit, Outcome};

/// Print a shell's completions
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise completions bash > /etc/bash_completion.d/shelfwise")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(self) -> Outcome<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "shelfwise", &mut script);
        std::io::stdout().write_all(&script).map_err(Exit::output)
    }
}
