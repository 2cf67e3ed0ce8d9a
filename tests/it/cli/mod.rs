//! The command line.
pub mod accounts;
pub mod commands;
pub mod doctor;
pub mod every_command;
mod health;
pub mod operating;
mod ping;
pub mod root_files;
pub mod settings;
pub mod stored_settings;
mod streams;
