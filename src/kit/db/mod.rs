//! The database: connections, the single writer, migrations, checkpoints, backups and erasure.
pub mod backup_file;
pub mod batch_insert;
pub mod blocking;
pub(super) mod btree_page;
pub mod change_counter;
#[cfg(test)]
pub(super) mod churn;
pub mod data_dir;
pub mod erasure_notes;
pub mod fault;
pub mod inspect;
pub(super) mod maintenance;
pub mod named_column;
pub mod open;
pub(super) mod page_sweep;
pub mod pool;
pub mod probe;
pub mod readers;
pub mod secure_erase;
pub mod side_file;
pub mod single_file;
pub(super) mod tx;
pub mod upgrade;
pub mod user_locks;
pub mod versioned_cache;
pub(super) mod wal;
pub(super) mod writer;
