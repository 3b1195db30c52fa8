"""Debian packages of folders, by dpkg-deb."""
import gzip
import hashlib
import os
import re
import shutil
import subprocess

CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Section: electronics
Priority: optional
{relations}Description: {title}
{text}
"""


def files_below(folder):
    for base, folders, files in os.walk(folder):
        folders.sort()
        for each in sorted(files):
            yield os.path.join(base, each)


def maintainer():
    """As Debian's own tools are told: by DEBFULLNAME and DEBEMAIL."""
    name, address = os.environ.get("DEBFULLNAME", "The authors of smec"), os.environ.get("DEBEMAIL", "smec@localhost")
    if not re.fullmatch(r"[^<>\n]+", name) or not re.fullmatch(r"[^\s<>@]+@[^\s<>@]+", address):
        raise ValueError(f"DEBFULLNAME and DEBEMAIL are a name and an address, not '{name}' and '{address}'")
    return f"{name} <{address}>"


class Package:
    """`folder` is filled as the system's root will be."""

    def __init__(self, folder, name, version, architecture):
        self.folder, self.name, self.version, self.architecture = os.path.join(folder, name), name, version, architecture
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def compress_manual(self):
        for path in list(files_below(self.path("usr", "share", "man"))):
            with open(path, "rb") as plain, gzip.GzipFile(path + ".gz", "wb", 9, mtime=0) as packed:
                packed.write(plain.read())
            os.remove(path)

    def write(self, target, relations, title, text, scripts=None):
        os.makedirs(self.path("DEBIAN"))
        files = [path for path in files_below(self.folder) if not path.startswith(self.path("DEBIAN"))]
        size = sum((os.path.getsize(path) + 1023) // 1024 for path in files)
        fields = "".join(f"{field}: {value}\n" for field, value in relations.items())
        shown = "\n".join(f" {line}" if line else " ." for line in text.splitlines())
        with open(self.path("DEBIAN", "control"), "w", encoding="utf-8") as file:
            file.write(CONTROL.format(name=self.name, architecture=self.architecture, maintainer=maintainer(), version=self.version, size=size, relations=fields, title=title, text=shown))
        with open(self.path("DEBIAN", "md5sums"), "w", encoding="utf-8") as file:
            for path in files:
                with open(path, "rb") as content:
                    file.write(f"{hashlib.md5(content.read()).hexdigest()}  {os.path.relpath(path, self.folder)}\n")
        for name, script in (scripts or {}).items():
            with open(self.path("DEBIAN", name), "w", encoding="utf-8") as file:
                file.write(script)
            os.chmod(self.path("DEBIAN", name), 0o755)
        for base, folders, names in os.walk(self.folder):
            os.chmod(base, 0o755)
            for each in names:
                path = os.path.join(base, each)
                if not os.path.islink(path):
                    os.chmod(path, 0o755 if os.access(path, os.X_OK) else 0o644)
        path = os.path.join(target, f"{self.name}_{self.version}_{self.architecture}.deb")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", self.folder, path], check=True, stdout=subprocess.DEVNULL)
        return path
