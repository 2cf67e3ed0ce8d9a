//! Secrets that must be readable again, such as readers' keys for other servers. They are encrypted with a key in a file beside the
//! database: a copy of the database opens none of them.
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use tempfile::NamedTempFile;

use super::db::data_dir::give_to_owner_of;
use super::error::{Error, Result};
use super::random;

/// The file of the key in the data directory.
const FILE: &str = "secrets.key";
/// The bytes of the key.
const LENGTH: usize = 32;

/// The key of a data directory.
pub struct SealingKey(LessSafeKey);

impl SealingKey {
    /// Reads the key of a data directory, and makes one where there is none. It blocks.
    pub fn of(folder: &Path) -> Result<Self> {
        let failed = |cause: io::Error| Error::internal(format!("{FILE} of the data directory: {cause}"));
        let file = folder.join(FILE);
        let bytes = match fs::read(&file) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => make(folder, &file)?,
            read => read.map_err(failed)?,
        };
        let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes);
        Ok(Self(LessSafeKey::new(key.map_err(|_| failed(io::Error::other("it does not have 32 bytes")))?)))
    }

    /// Encrypts a secret. `whose` says what it belongs to: it can't be opened as anything else's.
    pub fn seal(&self, secret: &str, whose: &str) -> Result<Vec<u8>> {
        let nonce = random::bytes::<NONCE_LEN>()?;
        let mut sealed = secret.as_bytes().to_vec();
        let done = self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(whose), &mut sealed);
        done.map_err(|_| Error::internal("a secret can't be encrypted"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts a secret; `None` for one of another key or of something else.
    pub fn open(&self, sealed: &[u8], whose: &str) -> Option<String> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LEN>()?;
        let mut sealed = sealed.to_vec();
        let opened = self.0.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(whose), &mut sealed).ok()?;
        String::from_utf8(opened.to_vec()).ok()
    }
}

/// Makes the key. Where someone else makes it at the same time, theirs counts.
fn make(folder: &Path, file: &Path) -> Result<Vec<u8>> {
    let failed = |cause: io::Error| Error::internal(format!("{FILE} of the data directory can't be made: {cause}"));
    let key = random::bytes::<LENGTH>()?;
    let mut made = NamedTempFile::new_in(folder).map_err(failed)?;
    made.write_all(&key).and_then(|()| made.as_file().sync_all()).map_err(failed)?;
    give_to_owner_of(folder, made.as_file()).map_err(failed)?;
    match made.persist_noclobber(file) {
        Ok(_) => fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?,
        Err(lost) if lost.error.kind() == io::ErrorKind::AlreadyExists => return fs::read(file).map_err(failed),
        Err(lost) => return Err(failed(lost.error)),
    }
    Ok(key.to_vec())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_secret_is_opened_by_its_key_and_as_what_it_was_sealed_alone() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let sealed = SealingKey::of(folder.path()).unwrap().seal("canary", "1 home").unwrap();
        let again = SealingKey::of(folder.path()).unwrap();
        assert_eq!(again.open(&sealed, "1 home").as_deref(), Some("canary"));
        assert_eq!(again.open(&sealed, "2 home"), None, "a row of someone else");
        assert_eq!(SealingKey::of(other.path()).unwrap().open(&sealed, "1 home"), None);
        for broken in [&sealed[..5], &sealed[..sealed.len() - 1], &[]] {
            assert_eq!(again.open(broken, "1 home"), None);
        }
        assert_ne!(again.seal("canary", "1 home").unwrap(), sealed);
    }

    #[test]
    fn the_file_is_for_its_owner_alone_and_a_damaged_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        SealingKey::of(folder.path()).unwrap();
        let file = folder.path().join(FILE);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&file, "short").unwrap();
        assert!(SealingKey::of(folder.path()).is_err());
    }
}
