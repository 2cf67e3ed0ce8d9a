//! E-mail: addresses, messages, and the queue to the mail server.
pub mod address;
pub mod mailer;
pub mod message;
pub mod smtp;
