//! The folder into which a secret link's page is written, which may be served while it is written again.
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::exit::{Exit, Outcome};
use super::output::replace;
use crate::sharing::model::Form;
use crate::sharing::rendering::{is_file_of_link, is_page_of_link};

/// The web server that reads the files is another user: they are readable for all, unless the umask says otherwise.
const READABLE: u32 = 0o644;

/// Writes the files in their order, each complete or not at all, and then deletes those of the page before: without files, all of it. A folder
/// with anything else is refused. Returns whether there was a page before.
pub fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Outcome<bool> {
    let failed = |cause: io::Error| Exit::failed(format!("{} can't be written: {cause}", folder.display()));
    let foreign = |name: &str| {
        let folder = folder.display();
        Exit::failed(format!(
            "{folder} has {name}, which is not of a secret link's page. Name a new folder, or an empty one"
        ))
    };
    let mut former = BTreeSet::new();
    if folder.try_exists().map_err(failed)? {
        list(folder, "", &mut former).map_err(failed)?;
    }
    let page = Form::Page.file();
    let had_page = former.contains(page);
    // The page is written last: without it, the other names may be those of anybody's files.
    let is_ours = |name: &str| had_page && is_file_of_link(name) || is_unfinished(name);
    if let Some(name) = former.iter().find(|name| !is_ours(name)) {
        return Err(foreign(name));
    }
    if had_page && !is_page_of_link(&fs::read(folder.join(page)).map_err(failed)?) {
        return Err(foreign(page));
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        replace(&path, bytes, READABLE).map_err(failed)?;
    }
    let written: BTreeSet<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    former
        .iter()
        .filter(|name| !written.contains(name.as_str()))
        .try_for_each(|name| fs::remove_file(folder.join(name)).map_err(failed))?;
    Ok(had_page)
}

/// Whether a file is one that a killed command left behind.
fn is_unfinished(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    file.starts_with(".shelfwise-") && file.ends_with(".tmp")
}

/// Collects the names of what is in a folder. Folders have no entry of their own unless they are none of a page's.
fn list(folder: &Path, below: &str, found: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() && ["assets", "covers"].contains(&name.as_str()) {
            list(folder, &format!("{name}/"), found)?;
        } else {
            // A link to a file elsewhere is not a page's.
            found.insert(if kind.is_file() { name } else { name + "/" });
        }
    }
    Ok(())
}
