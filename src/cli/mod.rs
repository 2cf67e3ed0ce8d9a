//! The command line, with one file per command. A failing command writes the reason to standard error and sets its exit status.
/// Defines the parser of a flag whose values are the names of an enum.
macro_rules! names {
    ($kind:ty) => {
        clap::builder::PossibleValuesParser::new(<$kind>::ALL.map(<$kind>::name))
            .try_map(|name| <$kind>::from_name(&name).ok_or("unknown name"))
    };
}

mod backup;
mod catalogue;
mod compact;
mod completions;
mod config;
mod database;
pub mod demo;
mod device;
mod doctor;
mod exit;
mod export;
mod health;
mod import;
mod library_owner;
mod man;
mod openapi;
mod output;
mod plan;
mod refill;
mod restore;
mod serve;
mod settings;
mod setup_code;
mod share;
mod signals;
mod site;
mod stored_settings;
mod user;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::LogFormat;
use crate::kit::VERSION;
use settings::Settings;

const AFTER_HELP: &str = "Example:\n  shelfwise serve --demo\n\nExit status: 0 done; 1 failed or refused; 2 a wrong flag or \
    argument; 75 another server holds the data directory; 78 a bad setting, data directory or database.";

/// A reading tracker that you host yourself.
#[derive(Parser)]
#[command(name = "shelfwise", version = VERSION, after_help = AFTER_HELP, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    settings: Settings,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the interface and the API
    Serve(serve::Serve),
    /// Back up, list and check backups
    #[command(subcommand, after_help = "Example:\n  shelfwise backup create --to /var/backups/shelfwise --keep 14")]
    Backup(backup::Backup),
    Restore(restore::Restore),
    Compact(compact::Compact),
    /// Create, show, change and delete accounts
    #[command(subcommand, after_help = "Example:\n  shelfwise user create ada@example.org --name Ada --admin")]
    User(user::User),
    /// Set and show plans
    #[command(subcommand, after_help = "Example:\n  shelfwise plan set ada@example.org shelfwise_plus")]
    Plan(plan::Plan),
    /// List the secret links of an account, write what they show as files, and take them back
    #[command(subcommand, after_help = "Example:\n  shelfwise share list ada@example.org")]
    Share(share::Share),
    /// Create, list and take back the logins of devices
    #[command(subcommand, after_help = "Example:\n  shelfwise device create ada@example.org --kind koreader")]
    Device(device::Device),
    Import(import::Import),
    Refill(refill::Refill),
    /// Make, check and search the offline catalogue, from which books are looked up without asking anyone
    #[command(subcommand, after_help = "Example:\n  shelfwise catalogue status --data-dir /var/lib/shelfwise")]
    Catalogue(catalogue::Catalogue),
    Export(export::Export),
    Doctor(doctor::Doctor),
    Health(health::Health),
    SetupCode(setup_code::PrintSetupCode),
    /// List and change the settings that can change while the server runs
    #[command(subcommand, after_help = "Example:\n  shelfwise settings set instance private")]
    Settings(stored_settings::StoredSetting),
    /// Show the settings
    #[command(subcommand, after_help = "Example:\n  shelfwise config show")]
    Config(config::Config),
    /// Print the API's OpenAPI description
    #[command(after_help = "Example:\n  shelfwise openapi > openapi.json")]
    Openapi,
    Completions(completions::Completions),
    Man(man::Man),
}

/// Runs the command in the arguments.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let mut format = LogFormat::Text;
    let outcome = match cli.command {
        Command::Serve(serve) => {
            format = cli.settings.log_format();
            serve.run(&cli.settings)
        }
        Command::Backup(backup) => backup.run(&cli.settings),
        Command::Restore(restore) => restore.run(&cli.settings),
        Command::Compact(compact) => compact.run(&cli.settings),
        Command::User(user) => user.run(&cli.settings),
        Command::Plan(plan) => plan.run(&cli.settings),
        Command::Share(share) => share.run(&cli.settings),
        Command::Device(device) => device.run(&cli.settings),
        Command::Import(import) => import.run(&cli.settings),
        Command::Refill(refill) => refill.run(&cli.settings),
        Command::Catalogue(catalogue) => catalogue.run(&cli.settings),
        Command::Export(export) => export.run(&cli.settings),
        Command::SetupCode(print) => print.run(&cli.settings),
        Command::Doctor(doctor) => doctor.run(&cli.settings),
        Command::Health(health) => health.run(&cli.settings),
        Command::Settings(change) => change.run(&cli.settings),
        Command::Config(config) => config.run(&cli.settings),
        Command::Openapi => openapi::run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => {
            exit.report(format);
            exit.code()
        }
    }
}
