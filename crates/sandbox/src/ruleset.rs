//! Landlock: the same view once more, by a mechanism that needs no namespaces, and signals kept inside.

use crate::view::{DEVICES, Layout};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use std::os::fd::OwnedFd;
use std::path::Path;

/// The rights of the own folder, as the kernel numbers them, for a folder that only the child can open.
pub(crate) fn own_rights() -> u64 {
    own_folder().bits()
}

/// The rights of a folder of processes.
pub(crate) fn reading_rights() -> u64 {
    (AccessFs::ReadFile | AccessFs::ReadDir).bits()
}

fn own_folder() -> BitFlags<AccessFs> {
    // Devices cannot be made there, and are not opened there.
    let mut rights = supported();
    rights.remove(AccessFs::MakeChar | AccessFs::MakeBlock);
    rights
}

/// What this kernel knows of files: a rule made by the child itself must not ask for more.
fn supported() -> BitFlags<AccessFs> {
    AccessFs::from_all(version())
}

/// The version this kernel speaks, as far as we make use of it.
pub(crate) fn version() -> ABI {
    // SAFETY: asks for the version; nothing is passed.
    match unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0, 0, 1) } {
        ..=0 => ABI::Unsupported,
        1 => ABI::V1,
        2 => ABI::V2,
        3 => ABI::V3,
        4 => ABI::V4,
        5 => ABI::V5,
        _ => ABI::V6,
    }
}

/// The ruleset of a view. `own` is the writable folder where it is one of the host's.
pub(crate) fn ruleset(layout: &Layout, own: Option<&Path>, shared: &[&Path]) -> Result<OwnedFd, String> {
    let abi = version();
    let build = || -> Result<Option<OwnedFd>, Box<dyn std::error::Error>> {
        let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
        let file = AccessFs::ReadFile | AccessFs::Execute;
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)?
            .scope(Scope::Signal)?
            .scope(Scope::AbstractUnixSocket)?
            .create()?;
        for (path, is_dir) in &layout.shown {
            if let Ok(fd) = PathFd::new(path) {
                let rights = if *is_dir { AccessFs::from_read(abi) } else { file };
                rules = rules.add_rule(PathBeneath::new(fd, rights))?;
            }
        }
        for path in DEVICES {
            if let Ok(fd) = PathFd::new(path) {
                rules = rules.add_rule(PathBeneath::new(fd, device & supported()))?;
            }
        }
        if let Some(own) = own {
            rules = rules.add_rule(PathBeneath::new(PathFd::new(own)?, own_folder()))?;
        }
        for path in shared {
            rules = rules.add_rule(PathBeneath::new(PathFd::new(path)?, device & supported()))?;
        }
        Ok(rules.into())
    };
    match build() {
        Ok(Some(fd)) => Ok(fd),
        Ok(None) => Err("this kernel has no Landlock (Linux 5.13 or later, enabled at boot)".to_string()),
        Err(error) => Err(format!("Landlock could not be set up ({error})")),
    }
}
