//! The time-outs of one connection.
