//! The section `[limits]`: what one account, one address, and all callers together may use of the server.
use anyhow::bail;

use super::section::section;

/// Bytes in the unit of the keys that end in `_mib`.
const MIB: usize = 1024 * 1024;

section! {
    /// How much of the server one account, one address, and all callers together may use; docs/decisions/0014-budgets.md has the answer
    /// beyond each limit. Addresses of trusted proxies are not counted as clients.
    #[derive(Copy)]
    LimitSettings {
        /// Calls of one account that run at once, its API tokens included. Further calls wait up to 2 seconds.
        calls_per_account: u32 = 8;
        /// Exports, imports and other expensive calls of one account that run at once.
        heavy_calls_per_account: u32 = 2;
        /// Calls of one address without a session that run at once. An IPv6 address counts as its /64 network.
        calls_per_address: u32 = 16;
        /// Calls of all callers that run at once.
        calls: u32 = 512;
        /// Connections of one address at once, except this machine's own. All addresses together may have half as many as the process may
        /// open files.
        connections_per_address: u32 = 100;
        /// Memory for request bodies that are being read, in MiB.
        request_memory_mib: u32 = 96;
        /// Passwords that wait to be hashed at sign-ins, and as many new passwords.
        password_queue: u32 = 64;
        /// How long one reading call may keep the database busy, in seconds. Exports and imports have a minute.
        statement_seconds: u32 = 5;
        /// Sign-ups of one address an hour; 0 is unlimited.
        sign_ups: u32 = 300;
        /// Books of one account, whatever its plan; 0 is unlimited. Beyond a quota, reading, exporting and deleting go on.
        books: u32 = 100_000, live;
        /// Items on the to-be-read list of one account; 0 is unlimited.
        list_items: u32 = 10_000, live;
        /// Stored texts, imported rows and days of reading logs (32 bytes each) of one account, in MB; 0 is unlimited.
        text_mb: u32 = 200, live;
    }
}

impl LimitSettings {
    /// Refuses values with which the server could not work.
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
