//! The ground floor: what every room stands on, and what knows none of them.
