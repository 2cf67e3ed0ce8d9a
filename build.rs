//! Writes the user interface to `$OUT_DIR/ui`, each file with its compressed forms, for the binary to embed.
//!
//! A release build builds `ui/` with Node. A debug build uses `ui/dist` if it exists, and otherwise the files that need no build
//! and a page that says so: checking and testing the server needs no Node. `UI_DIST` names another folder.
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

const PLACEHOLDER: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Shelfwise</title></head>\
    <body><p>This debug build has no interface. Run <code>npm run build</code> in <code>ui/</code> and build again, \
    or use <code>make dev</code>.</p></body></html>";

const INPUTS: &[&str] = &[
    "ui/src", "ui/public", "ui/index.html", "ui/package.json", "ui/package-lock.json", "ui/api-types/limits.mjs",
    "ui/bundle.ts", "ui/first-visits.ts", "ui/landing.ts", "ui/vite.config.ts", "ui/tsconfig.json",
];

fn main() -> ExitCode {
    for input in INPUTS.iter().chain(&["migrations", "ui/dist"]).filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={input}");
    }
    println!("cargo::rerun-if-env-changed=UI_DIST");
    println!("cargo::rustc-env=VERSION={}", version());
    match embed() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            println!("cargo::error={reason}");
            ExitCode::FAILURE
        }
    }
}

/// The version that the program says. Until it is released, a release build names the commit, where it is built from a clone. Other
/// builds don't, because each commit would compile everything again.
fn version() -> String {
    let variable = |name| env::var(name).unwrap_or_default();
    let git = |words: &[&str]| {
        let said = Command::new("git").args(words).output().ok().filter(|said| said.status.success())?;
        Some(String::from_utf8_lossy(&said.stdout).trim().to_owned())
    };
    let version = variable("CARGO_PKG_VERSION");
    // The source code may have been unpacked in the clone of something else.
    let is_clone = || {
        let top = fs::canonicalize(git(&["rev-parse", "--show-toplevel"])?).ok()?;
        (top == fs::canonicalize(variable("CARGO_MANIFEST_DIR")).ok()?).then_some(())
    };
    if variable("CARGO_PKG_VERSION_PRE") != "dev" || variable("PROFILE") != "release" || is_clone().is_none() {
        return version;
    }
    // Every commit, and every change of branch, adds a line to this file.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    match git(&["rev-parse", "--short=8", "HEAD"]) {
        Some(commit) => format!("{version}+{commit}"),
        None => version,
    }
}

fn embed() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let target = out.join("ui");
    let _ = fs::remove_dir_all(&target);
    fs::create_dir_all(&target).map_err(said("making the folder of the interface"))?;
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let built = match env::var_os("UI_DIST") {
        Some(folder) => PathBuf::from(folder),
        None if release => build_interface(&out)?,
        None => PathBuf::from("ui/dist"),
    };
    if built.join("index.html").is_file() {
        copy(&built, &target, release).map_err(said("copying the interface"))
    } else if release {
        Err(format!("{} holds no index.html", built.display()))
    } else {
        copy(Path::new("ui/public"), &target, false)
            .and_then(|()| fs::write(target.join("index.html"), PLACEHOLDER))
            .map_err(said("writing the placeholder page"))
    }
}

fn build_interface(out: &Path) -> Result<PathBuf, String> {
    let version = output(Command::new("node").arg("--version")).map_err(|_| node_needed("it was not found"))?;
    if !new_enough(&version) {
        return Err(node_needed(&format!("found {}", version.trim())));
    }
    if is_newer("ui/package-lock.json", "ui/node_modules/.package-lock.json") {
        run(Command::new("npm")
            .args(["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"])
            .current_dir("ui"))?;
    }
    let built = out.join("vite");
    let vite = Path::new("node_modules/vite/bin/vite.js");
    run(Command::new("node")
        .arg(vite)
        .arg("build")
        .arg("--emptyOutDir")
        .arg("--outDir")
        .arg(&built)
        .current_dir("ui"))?;
    Ok(built)
}

fn node_needed(found: &str) -> String {
    format!(
        "Building Shelfwise needs Node.js 20.19 or newer with npm, to build the user interface ({found}). \
         Install it, or name a folder with a built interface in UI_DIST."
    )
}

fn new_enough(version: &str) -> bool {
    let mut numbers = version.trim().trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (20, 19)
}

fn is_newer(file: &str, than: &str) -> bool {
    let modified = |path: &str| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    match (modified(file), modified(than)) {
        (_, None) => true,
        (file, than) => file > than,
    }
}

fn output(command: &mut Command) -> io::Result<String> {
    command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(said("starting npm or node"))?;
    if output.status.success() {
        return Ok(());
    }
    let lines = [output.stdout, output.stderr].concat();
    let lines = String::from_utf8_lossy(&lines);
    Err(format!(
        "building the interface failed: {}",
        lines.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(" | ")
    ))
}

fn said(doing: &'static str) -> impl Fn(io::Error) -> String {
    move |cause| format!("{doing}: {cause}")
}

/// Copies a folder. In a release build a file that becomes smaller is replaced by its `.gz` form, from which clients that do not
/// accept gzip get it uncompressed. Pages are changed for each response and stay uncompressed.
fn copy(from: &Path, to: &Path, compress: bool) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&source, &target, compress)?;
            continue;
        }
        let bytes = fs::read(&source)?;
        let page = target.extension().is_some_and(|ending| ending == "html");
        let zipped = if compress && !page { gzip(&bytes)? } else { Vec::new() };
        if zipped.is_empty() || zipped.len() > bytes.len() * 9 / 10 {
            fs::write(&target, &bytes)?;
        } else {
            fs::write(format!("{}.gz", target.display()), zipped)?;
        }
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(bytes)?;
    writer.finish()
}
