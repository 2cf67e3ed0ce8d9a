//! The section `[limits]`: what one account, one address, and all callers together may use of the server.
use anyhow::bail;
use serde::Deserialize;

/// Bytes in the unit of the keys that end in `_mib`.
const MIB: usize = 1024 * 1024;

/// Limits and quotas. `docs/operating.md` lists them with the response beyond each limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitSettings {
    /// Simultaneous requests of one account, including its API tokens. Default 8, at least 1.
    pub calls_per_account: u32,
    /// Simultaneous exports, imports and other expensive requests of one account. Default 2, at least 1.
    pub heavy_calls_per_account: u32,
    /// Simultaneous requests of one address without a session. Default 16, at least 1.
    pub calls_per_address: u32,
    /// Simultaneous requests of all callers. Default 512, at least 1.
    pub calls: u32,
    /// Simultaneous connections of one address; those of trusted proxies and of this machine are not counted. Default 100, at
    /// least 1.
    pub connections_per_address: u32,
    /// Memory for request bodies that are being read, in MiB. Default 96, at least 32.
    pub request_memory_mib: u32,
    /// Passwords that may wait to be hashed. Default 64, at least 1.
    pub password_queue: u32,
    /// How long one reading request may use the database, in seconds. Default 5, at least 1.
    pub statement_seconds: u32,
    /// Sign-ups of one address per hour; 0 means unlimited. Default 300.
    pub sign_ups: u32,
    /// Books of one account, on every plan; 0 means unlimited. Default 100,000.
    pub books: u32,
    /// Items on the to-be-read list of one account; 0 means unlimited. Default 10,000.
    pub list_items: u32,
    /// Texts and imported rows of one account, in MB of 1,000,000 bytes; 0 means unlimited. Default 200.
    pub text_mb: u32,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            calls_per_account: 8,
            heavy_calls_per_account: 2,
            calls_per_address: 16,
            calls: 512,
            connections_per_address: 100,
            request_memory_mib: 96,
            password_queue: 64,
            statement_seconds: 5,
            sign_ups: 300,
            books: 100_000,
            list_items: 10_000,
            text_mb: 200,
        }
    }
}

impl LimitSettings {
    /// Refuses values with which the server could not work.
    ///
    /// # Errors
    /// A sentence that names the key and its lowest value.
    pub fn check(&self) -> anyhow::Result<()> {
        for (key, value, lowest) in [
            ("calls_per_account", self.calls_per_account, 1),
            ("heavy_calls_per_account", self.heavy_calls_per_account, 1),
            ("calls_per_address", self.calls_per_address, 1),
            ("calls", self.calls, 1),
            ("connections_per_address", self.connections_per_address, 1),
            ("request_memory_mib", self.request_memory_mib, 32),
            ("password_queue", self.password_queue, 1),
            ("statement_seconds", self.statement_seconds, 1),
        ] {
            if value < lowest {
                bail!("limits.{key} is {value}, but must be at least {lowest}");
            }
        }
        Ok(())
    }

    /// [`request_memory_mib`](Self::request_memory_mib) in bytes.
    pub fn request_bytes(&self) -> usize {
        self.request_memory_mib as usize * MIB
    }

    /// The quotas of an account.
    pub fn quotas(&self) -> Quotas {
        Quotas {
            books: i64::from(self.books),
            list_items: i64::from(self.list_items),
            text_bytes: i64::from(self.text_mb) * 1_000_000,
        }
    }
}

/// The storage that one account may use, on every plan. 0 means unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quotas {
    /// Books of every status.
    pub books: i64,
    /// Items on the to-be-read list.
    pub list_items: i64,
    /// Bytes of texts and imported rows.
    pub text_bytes: i64,
}

impl Default for Quotas {
    fn default() -> Self {
        LimitSettings::default().quotas()
    }
}
