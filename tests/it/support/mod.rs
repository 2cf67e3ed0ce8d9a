//! What the tests share: a server, people, stand-ins for other services, and the programs outside.
pub mod actors;
pub mod audiobookshelf;
pub mod catalogue;
pub mod commands;
pub mod dns;
pub mod dump;
pub mod fault_table;
pub mod harness;
pub mod issuer;
pub mod machine;
pub mod program;
pub mod schema;
pub mod smtp;
pub mod stripe;
pub mod tools;
