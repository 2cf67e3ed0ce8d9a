//! Commands that root runs in the folder of the server's user are harmless to root and leave files that the user can use.
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use crate::support::actors::PASSWORD;
use crate::support::program::{self, Ended, shelfwise};
use crate::support::tools::skip;

/// A user that is not root; there need not be an account.
const USER: u32 = 10_001;

fn run(data: &Path, words: &[&str]) -> Ended {
    let mut command = shelfwise();
    command.args(words).arg("--data-dir").arg(data);
    program::run(command, PASSWORD)
}

/// A data directory of another user with a database, and a backup of it that root has elsewhere. Nothing unless root runs this.
fn house(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    if !rustix::process::geteuid().is_root() {
        skip("root", "files of root");
        return None;
    }
    let data = folder.join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
    chown(&data, Some(USER), Some(USER)).unwrap();
    let made = run(&data, &["user", "create", "ada@example.org", "--name", "Ada"]);
    assert_eq!(made.status, 0, "{}", made.err);
    let backup = run(&data, &["backup", "create", "--to", folder.join("backups").to_str().unwrap()]);
    assert_eq!(backup.status, 0, "{}", backup.err);
    Some((data, PathBuf::from(backup.out.trim())))
}

fn owner(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().uid()
}

#[test]
fn a_linked_lock_file_changes_no_file_of_root() {
    let folder = tempfile::tempdir().unwrap();
    let Some((data, backup)) = house(folder.path()) else { return };
    let (secret, lock) = (folder.path().join("secret"), data.join("shelfwise.lock"));
    File::create(&secret).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    type Link = fn(&Path, &Path) -> std::io::Result<()>;
    let links: [(&str, Link); 2] = [
        ("a link", |from, to| symlink(from, to)),
        ("a regular file with one name", |from, to| fs::hard_link(from, to)),
    ];
    for (why, link) in links {
        let _ = fs::remove_file(&lock);
        link(&secret, &lock).unwrap();
        let backup = backup.to_str().unwrap();
        for words in [&["restore", backup, "--yes"][..], &["serve", "--listen", "127.0.0.1:0"]] {
            let refused = run(&data, words);
            assert!(refused.status == 78 && refused.err.contains(why), "{words:?}: {} {}", refused.status, refused.err);
        }
        assert_eq!(owner(&secret), 0);
    }
}

#[test]
fn a_pipe_as_lock_file_is_refused_without_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let Some((data, backup)) = house(folder.path()) else { return };
    let lock = data.join("shelfwise.lock");
    let _ = fs::remove_file(&lock);
    assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success());
    let refused = run(&data, &["restore", backup.to_str().unwrap(), "--yes"]);
    assert_eq!(refused.status, 78, "{}", refused.err);
}

#[test]
fn files_that_root_creates_in_the_servers_folders_belong_to_the_servers_user() {
    let folder = tempfile::tempdir().unwrap();
    let Some((data, backup)) = house(folder.path()) else { return };
    assert_eq!(owner(&data.join("shelfwise.db")), USER, "a database that root made");
    assert_eq!(owner(&backup), 0, "a backup in a folder of root's");
    let restored = run(&data, &["restore", backup.to_str().unwrap(), "--yes"]);
    assert_eq!(restored.status, 0, "{}", restored.err);
    let into = data.join("backups");
    let made = run(&data, &["backup", "create", "--to", into.to_str().unwrap()]);
    assert_eq!(made.status, 0, "{}", made.err);
    let mut names = Vec::new();
    for place in [&data, &into] {
        for entry in fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(owner(&path), USER, "{}", path.display());
            names.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    for ending in [".lock", ".db", ".db.sha256"] {
        assert!(names.iter().any(|name| name.ends_with(ending)), "{ending}: {names:?}");
    }
    let former: Vec<_> = names.iter().filter(|name| name.contains(".before-")).collect();
    assert_eq!(former.len(), 2, "{names:?}");
}

#[test]
fn a_folder_for_backups_that_root_makes_belongs_to_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let Some((data, _)) = house(folder.path()) else { return };
    let (to, present) = (folder.path().join("new"), folder.path().join("present"));
    fs::create_dir(&present).unwrap();
    let stored = run(&data, &["settings", "set", "backup.to", to.to_str().unwrap()]);
    assert_eq!(stored.status, 0, "{}", stored.err);
    assert_eq!(owner(&to), USER, "{}", to.display());
    // Root's own folder stays root's, and the server could not write there.
    let refused = run(&data, &["settings", "set", "backup.to", present.to_str().unwrap()]);
    assert_eq!(refused.status, 1, "{}", refused.err);
    assert!(refused.err.contains("chown"), "{}", refused.err);
    assert_eq!(owner(&present), 0, "{}", present.display());
}

/// The most frequent first failure of a container with a folder.
#[test]
fn a_file_of_another_user_is_named_with_both_users_and_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let Some((data, _)) = house(folder.path()) else { return };
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let as_user = |words: &[&str]| {
        let mut command = shelfwise();
        command.uid(USER).gid(USER).current_dir("/").args(words).arg("--data-dir").arg(&data);
        program::run(command, "")
    };
    let of_root = |file: &Path| {
        fs::write(file, "x").unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
        chown(file, Some(0), Some(0)).unwrap();
    };
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for name in ["shelfwise.db-wal", "shelfwise.lock"] {
        let file = data.join(name);
        of_root(&file);
        let refused = as_user(&serve);
        let place = file.display();
        let said = format!("{place} belongs to user 0 (mode 600), and this program runs as user {USER}");
        let way_out = format!("chown {USER}:{USER} {place}");
        assert!(
            refused.status == 78 && refused.err.contains(&said) && refused.err.contains(&way_out),
            "{}",
            refused.err
        );
        fs::remove_file(&file).unwrap();
    }
    let of_others = folder.path().join("of-others");
    fs::create_dir(&of_others).unwrap();
    for (to, way_out) in [(of_others.clone(), "chown"), (of_others.join("new"), "install -d -m 700 -o")] {
        let refused = as_user(&["backup", "create", "--to", to.to_str().unwrap()]);
        assert!(refused.err.contains(way_out) && refused.err.contains(to.to_str().unwrap()), "{}", refused.err);
    }
    chown(&data, Some(0), Some(0)).unwrap();
    let refused = as_user(&serve);
    assert!(refused.err.contains(&format!("{} belongs to user 0 (mode 700)", data.display())), "{}", refused.err);
}
