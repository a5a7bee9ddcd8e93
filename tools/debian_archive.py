"""Packages of Debian, from the archive that this machine's apt is set up with, through an apt configuration of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path


def mirror():
    """The address of the archive; DEBIAN_MIRROR in the environment says another."""
    given = os.environ.get("DEBIAN_MIRROR")
    if given:
        return given
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    for address in listed:
        if "security" not in address:
            return address.rstrip("/")
    raise SystemExit("apt knows no archive of Debian; DEBIAN_MIRROR names one")


def options(folder, lines):
    """The options that make apt-get work in a folder of its own, with these lines for its sources."""
    home = folder / "apt"
    for part in ["lists/partial", "parts", "cache/archives/partial"]:
        (home / part).mkdir(parents=True, exist_ok=True)
    (home / "parts" / "source.list").write_text(lines)
    given = []
    for key, value in {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": home / "parts",
        "Dir::State::lists": home / "lists",
        "Dir::Cache": home / "cache",
        "APT::Sandbox::User": "root",
    }.items():
        given += ["-o", f"{key}={value}"]
    return given


def fetch(folder, archive, packages, all_needed=True):
    """Downloads and unpacks the source packages that are not there yet; those that cannot be had may be left out."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in packages if not list(folder.glob(name + "-[0-9]*"))]
    if not missing:
        return
    release = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())
    suite = release.group(1) if release else "bookworm"
    given = options(folder, f"deb-src {archive} {suite} main\n")
    subprocess.run(["apt-get", *given, "update", "-qq"], check=True)
    for name in missing:
        command = ["apt-get", *given, "source", "-qq", name]
        if all_needed:
            subprocess.run(command, cwd=folder, check=True)
            continue
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name}: no source package ({done.stderr.strip().splitlines()[-1:]})", file=sys.stderr)


def package(folder, name):
    """The folder of a source package that was fetched."""
    found = sorted(path for path in folder.glob(name + "-[0-9]*") if path.is_dir())
    if not found:
        sys.exit(f"the sources of {name} are not in {folder}")
    return found[-1]
