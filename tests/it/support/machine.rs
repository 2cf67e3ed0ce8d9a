//! A scratch machine: a root folder with the programs of this machine, and nothing else of it. Its network, mounts and processes
//! are its own. sudo and make are stand-ins (`tests/it/support/machine/`), and so is systemctl unless systemd is booted; everything
//! else is real.
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::actors::PASSWORD;
use super::program::{self, Ended};
use super::tools;

/// What the clone of the repository has that commands in the documents use.
const CLONE: &[&str] = &["Makefile", "compose.yaml", "config.example.toml", "deploy", "README.md"];

/// A scratch machine. `/clone` is a clone of the repository, `/program` the program under test.
pub struct Machine(tempfile::TempDir);

impl Machine {
    /// A machine without anything installed; `None` where none can be made.
    pub fn build() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            tools::skip("root", "the commands of the documents");
            return None;
        }
        tools::program("ip", "-V", "the commands of the documents")?;
        let program = Path::new(env!("CARGO_BIN_EXE_shelfwise"));
        // Beside the program, so that it can be linked instead of copied.
        let machine = Self(tempfile::tempdir_in(program.parent().unwrap()).unwrap());
        // Every user passes through a root folder.
        fs::set_permissions(machine.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let folders = "usr proc dev clone stand-ins local/bin local/sbin local/share/man/man1 root run tmp etc/systemd/system \
            etc/default etc/bash_completion.d var/lib var/backups var/log var/mail srv home";
        for folder in folders.split_whitespace() {
            fs::create_dir_all(machine.path(folder)).unwrap();
        }
        for folder in ["bin", "sbin", "lib", "lib64"] {
            if let Ok(target) = fs::read_link(Path::new("/").join(folder)) {
                symlink(target, machine.path(folder)).unwrap();
            }
        }
        fs::hard_link(program, machine.path("program")).unwrap();
        let root = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/nonexistent:/usr/sbin/nologin\n";
        let files = [
            ("etc/passwd", root),
            ("etc/group", "root:x:0:\nnogroup:x:65534:\n"),
            ("etc/shadow", "root:*:19000:0:99999:7:::\n"),
            ("etc/os-release", "NAME=scratch\nID=scratch\n"),
            ("etc/hosts", "127.0.0.1 localhost\n"),
            (
                "etc/login.defs",
                "SYS_UID_MIN 100\nSYS_UID_MAX 999\nSYS_GID_MIN 100\nSYS_GID_MAX 999\nUSERGROUPS_ENAB yes\n",
            ),
            ("password", PASSWORD),
        ];
        for (name, text) in files {
            fs::write(machine.path(name), text).unwrap();
        }
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        for name in CLONE {
            copy(&repository.join(name), &machine.path("clone").join(name));
        }
        copy(&repository.join("tests/it/support/machine"), &machine.path("stand-ins"));
        Some(machine)
    }

    /// A path inside.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a script of bash as root.
    pub fn run(&self, script: &str) -> Ended {
        fs::write(self.path("script"), script).unwrap();
        let mut command = Command::new("unshare");
        command.args(["--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child"]);
        command.arg(self.path("stand-ins/enter")).arg(self.0.path()).arg("/script");
        program::run(command, PASSWORD)
    }

    /// Boots systemd on the machine, which runs a script of bash as root. `None` where systemd can't be booted.
    pub fn boot(&self, script: &str) -> Option<Ended> {
        tools::program("systemd-nspawn", "--version", "a booted machine")?;
        fs::write(self.path("script"), script).unwrap();
        let mut command = Command::new("unshare");
        command.arg("--mount").arg(self.path("stand-ins/boot")).arg(self.0.path()).arg("/script");
        let ended = program::run(command, "");
        let Ok(out) = fs::read_to_string(self.path("output")) else {
            println!("{}{}", ended.out, ended.err);
            tools::skip("systemd-nspawn", "a booted machine");
            return None;
        };
        Some(Ended { out, ..ended })
    }
}

/// Copies a file or a folder.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        copy(&from.join(&name), &to.join(&name));
    }
}
