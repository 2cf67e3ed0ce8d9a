//! `deploy/Containerfile` and `compose.yaml` with Podman, and the commands that the documents print for them.
//!
//! Images, containers and the network are the test's own: the network ends with the process, and a folder holds the rest.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use shelfwise::kit::VERSION;

use crate::support::actors::PASSWORD;
use crate::support::commands::{Place, blocks};
use crate::support::program::{self, Ended};
use crate::support::tools;

/// Starts as root with a network of its own: the loopback device, and bridges for containers.
const ENTER: &str = "ip link set lo up && exec bash -eu \"$STAGE/script\" <\"$STAGE/password\"";

/// A folder with a clone of the repository and everything that Podman stores.
struct Stage(tempfile::TempDir);

impl Stage {
    /// `None` where Podman can't run containers.
    fn new(what: &str) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            tools::skip("podman", what);
            return None;
        }
        for (name, flag) in [("podman", "--version"), ("podman-compose", "--version"), ("ip", "-V")] {
            tools::program(name, flag, what)?;
        }
        let stage = Self(tempfile::tempdir().unwrap());
        for folder in ["bin", "clone/deploy", "networks", "storage", "run"] {
            fs::create_dir_all(stage.path(folder)).unwrap();
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let support = root.join("tests/it/support");
        for stand_in in ["containers/podman", "containers/docker", "machine/make"] {
            let from = support.join(stand_in);
            fs::copy(&from, stage.path("bin").join(from.file_name().unwrap())).unwrap();
        }
        for name in ["Makefile", "compose.yaml", ".dockerignore", "deploy/Containerfile"] {
            fs::copy(root.join(name), stage.path("clone").join(name)).unwrap();
        }
        fs::create_dir_all(stage.path("clone/deploy/volume/data")).unwrap();
        // What a test machine may not raise: the limits of processes. Without systemd there are cgroups without a manager.
        let settings = format!(
            "[containers]\ndefault_ulimits = [\"nofile=1024:1024\", \"nproc=1024:1024\"]\n\
             [engine]\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\nruntime = \"{}\"\n\
             [network]\nnetwork_backend = \"netavark\"\nnetwork_config_dir = \"{}\"\n",
            if Command::new("runc").arg("--version").output().is_ok() { "runc" } else { "crun" },
            stage.path("networks").display(),
        );
        fs::write(stage.path("containers.conf"), settings).unwrap();
        fs::write(stage.path("password"), format!("{PASSWORD}\n").repeat(9)).unwrap();
        // Without what a debugger reads: Podman copies it into every layer.
        let program = env!("CARGO_BIN_EXE_shelfwise");
        let stripped = Command::new("strip").arg(program).arg("-o").arg(stage.path("program")).status();
        if !stripped.is_ok_and(|status| status.success()) {
            fs::copy(program, stage.path("program")).unwrap();
        }
        let built = stage.run("make dist && podman build --format docker -f deploy/Containerfile -t shelfwise .");
        assert_eq!(built.status, 0, "{}{}", built.out, built.err);
        let probe = stage.run("podman run --rm shelfwise --version");
        if probe.status != 0 {
            println!("{}", probe.err);
            tools::skip("podman", what);
            return None;
        }
        assert_eq!(probe.out.trim(), format!("shelfwise {VERSION}"));
        Some(stage)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a script in the clone, and removes its containers and volumes.
    fn run(&self, script: &str) -> Ended {
        let tidy = "trap 'podman rm -af -t 3 >/dev/null 2>&1; podman volume rm -af >/dev/null 2>&1' EXIT";
        fs::write(self.path("script"), format!("{tidy}\ncd \"$STAGE/clone\"\n{script}\n")).unwrap();
        let mut command = Command::new("unshare");
        command.args(["--mount", "--net", "/bin/sh", "-c", ENTER]);
        let path = std::env::var("PATH").unwrap_or_default();
        let podman =
            std::env::split_paths(&path).map(|folder| folder.join("podman")).find(|file| file.exists()).unwrap();
        command
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("PODMAN", podman)
            .env("STAGE", self.0.path())
            .env("PROGRAM", self.path("program"))
            .env("CONTAINERS_CONF", self.path("containers.conf"))
            .env("BUILDAH_LAYERS", "false");
        program::run(command, "")
    }

    #[track_caller]
    fn done(&self, script: &str) -> String {
        let ended = self.run(script);
        assert_eq!(ended.status, 0, "{script}:\n{}{}", ended.out, ended.err);
        ended.out
    }
}

#[test]
fn the_container_commands_of_the_documents_work_as_printed() {
    let Some(stage) = Stage::new("the commands for containers") else { return };
    let mut count = 0;
    for document in ["README.md", "docs/operating.md"] {
        for block in blocks(document).into_iter().filter(|block| block.place == Place::Container) {
            let ended = stage.run(&block.commands);
            assert_eq!(ended.status, 0, "{}:\n{}{}", block.at, ended.out, ended.err);
            count += 1;
        }
    }
    assert!(count >= 3, "{count} blocks");
}

#[test]
fn the_image_has_a_health_check_and_runs_as_any_user_with_a_folder_of_that_user() {
    let Some(stage) = Stage::new("the image") else { return };
    let shown =
        stage.done("podman image inspect shelfwise --format '{{.User}} {{.Config.Entrypoint}} {{.HealthCheck}}'");
    assert!(shown.starts_with("10001:10001 [/shelfwise]") && shown.contains("/shelfwise health"), "{shown}");
    let script = "install -d -m 700 -o 4321 -g 4322 ../library\n\
        printf '%s\\n' \"DATA=$STAGE/library\" RUN_AS=4321:4322 PORT=18080 BIND=0.0.0.0 SHELFWISE_TRUSTED_PROXIES=127.0.0.1 \
        SHELFWISE_PUBLIC_URL=https://books.example.org SHELFWISE_SIGNUP=invite >.env\n\
        docker compose up -d\n\
        name=$(podman ps --format '{{.Names}}')\n\
        podman exec \"$name\" /shelfwise health\n\
        podman healthcheck run \"$name\"\n\
        podman port \"$name\" >../port\n\
        \"$PROGRAM\" health --url http://127.0.0.1:18080\n\
        podman exec \"$name\" /shelfwise config show --json >../settings\n\
        docker compose exec shelfwise /shelfwise backup create --to /data/backups\n\
        podman stop \"$name\"\n\
        podman inspect \"$name\" --format '{{.State.ExitCode}}' >../exit\n\
        stat -c %u:%g ../library/shelfwise.db ../library/backups/*.db >../owners\n\
        rm .env";
    stage.done(script);
    assert_eq!(fs::read_to_string(stage.path("exit")).unwrap().trim(), "0");
    let owners = fs::read_to_string(stage.path("owners")).unwrap();
    assert!(owners.lines().count() >= 2 && owners.lines().all(|owner| owner == "4321:4322"), "{owners}");
    let settings: serde_json::Value = serde_json::from_slice(&fs::read(stage.path("settings")).unwrap()).unwrap();
    let settings = settings["settings"].as_array().unwrap();
    let value = |key: &str| settings.iter().find(|setting| setting["key"] == key).unwrap()["value"].clone();
    assert_eq!(value("public_url"), "https://books.example.org");
    assert_eq!(value("backup.to"), "/data/backups");
    assert_eq!(value("signup"), "invite");
    assert_eq!(value("trusted_proxies"), serde_json::json!(["127.0.0.1"]));
    assert_eq!(fs::read_to_string(stage.path("port")).unwrap().trim(), "18080/tcp -> 0.0.0.0:18080");
}

/// What an operator has of a release: this file, and the name of an image that is not on the machine yet.
#[test]
fn the_compose_file_of_a_release_needs_no_other_file() {
    let Some(stage) = Stage::new("the compose file alone") else { return };
    let alone = "mkdir ../alone && cp compose.yaml ../alone && cd ../alone\n\
        echo IMAGE=registry.invalid/shelfwise:1 >.env\n\
        echo PORT=18081 >>.env\n";
    let pulled = stage.run(&format!("{alone}docker compose up -d"));
    let said = format!("{}{}", pulled.out, pulled.err);
    assert!(said.contains("registry.invalid") && !said.contains("file not found in"), "{said}");
    let printed = stage.done(
        "cd ../alone\n\
        podman tag shelfwise registry.invalid/shelfwise:1\n\
        docker compose up -d\n\
        docker compose exec shelfwise /shelfwise health\n\
        docker compose exec shelfwise /shelfwise user create you@example.org --name You --admin <../password\n\
        docker compose exec shelfwise /shelfwise backup create --to /data/backups >../backup\n\
        docker compose logs\n\
        docker compose stop\n\
        docker compose run --rm shelfwise restore \"$(tail -n 1 ../backup | tr -d '\\r')\" --yes",
    );
    assert!(printed.contains("Set up this server: http://localhost:18081/setup/"), "{printed}");
    assert!(!printed.contains("on another machine"), "{printed}");
}

/// Without Podman: the settings that `compose.yaml` names exist, its defaults are valid, and it publishes the port at loopback unless
/// `BIND` says otherwise.
#[test]
fn the_settings_in_the_compose_file_exist() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("compose.yaml")).unwrap();
    let entries = text.lines().filter_map(|line| line.strip_prefix("      SHELFWISE_")?.split_once(':'));
    let mut variables = BTreeMap::new();
    for (name, value) in entries {
        let fallback = value.split_once(":-").map_or("", |(_, rest)| rest.trim_end_matches('}'));
        let value = match name {
            "PUBLIC_URL" => "https://books.example.org",
            "NAME" => "The Okafor shelf",
            "LISTEN" => "0.0.0.0:8080",
            "INSTANCE" => "private",
            "SIGNUP" => "invite",
            "MAIL_URL" => "smtps://mail.example.org",
            "MAIL_FROM" => "books@example.org",
            _ => fallback,
        };
        variables.insert(format!("SHELFWISE_{name}"), value.to_owned());
    }
    assert!(variables.len() >= 8, "{variables:?}");
    assert!(text.contains("- \"${BIND:-127.0.0.1}:${PORT:-8080}:${PORT:-8080}\"\n"), "{text}");
    let config = shelfwise::config::Config::load(None, variables.into_iter()).unwrap();
    assert!(config.trusts("172.18.0.1".parse().unwrap()) && !config.trusts("203.0.113.1".parse().unwrap()));
}
