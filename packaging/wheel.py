"""A wheel: a zip file with a list of what is in it, the same for the same files."""
import base64
import hashlib
import os
import zipfile

_DATE = (1980, 1, 1, 0, 0, 0)


class Wheel:
    def __init__(self, folder, name, version, tag):
        self.info = f"{name}-{version}.dist-info"
        self.data = f"{name}-{version}.data"  # installed beside Python's own folders: data/share is PREFIX/share
        self.path = os.path.join(folder, f"{name}-{version}-{tag}.whl")
        self.tag = tag
        self.entries = {}

    def add(self, name, content, is_program=False):
        self.entries[name] = (content, is_program)

    def add_file(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read(), os.access(path, os.X_OK))

    def add_tree(self, name, folder, accept=lambda path: True):
        for base, folders, files in os.walk(folder):
            folders[:] = sorted(each for each in folders if each != "__pycache__")
            for each in sorted(files):
                path = os.path.join(base, each)
                relative = os.path.relpath(path, folder)
                if accept(relative):
                    self.add_file(f"{name}/{relative}", path)

    def write(self, metadata, entry_points):
        self.add(f"{self.info}/METADATA", metadata.encode())
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: smec\nRoot-Is-Purelib: false\nTag: {self.tag}\n".encode())
        self.add(f"{self.info}/entry_points.txt", entry_points.encode())
        record = []
        for name, (content, _) in self.entries.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        record.append(f"{self.info}/RECORD,,\n")
        self.add(f"{self.info}/RECORD", "".join(record).encode())
        partial = self.path + ".partial"
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
            for name, (content, is_program) in self.entries.items():
                entry = zipfile.ZipInfo(name, _DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if is_program else 0o100644) << 16
                file.writestr(entry, content)
        os.replace(partial, self.path)
        return self.path
