"""What an ELF file of 64 bits asks of the system that loads it: other libraries, and versions of their symbols."""
import struct

_SECTION = struct.Struct("<IIQQQQIIQQ")
_STRINGS, _NEEDED_VERSIONS, _DYNAMIC = 3, 0x6FFFFFFE, 6
_TAG_NEEDED, _TAG_RPATH, _TAG_RUNPATH = 1, 15, 29


class NotElf(ValueError):
    pass


class Elf:
    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise NotElf("no ELF file of 64 bits, least significant byte first")
        self.data = data
        self.machine, = struct.unpack_from("<H", data, 18)
        at, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        self.sections = [_SECTION.unpack_from(data, at + i * size) for i in range(count)]

    def _string(self, section, offset):
        start = self.sections[section][4] + offset
        return self.data[start:self.data.index(b"\0", start)].decode()

    def _dynamic(self, *tags):
        for _, kind, _, _, offset, size, link, *_ in self.sections:
            if kind != _DYNAMIC:
                continue
            for tag, value in struct.iter_unpack("<QQ", self.data[offset:offset + size]):
                if tag in tags:
                    yield self._string(link, value)

    def needed(self):
        """The libraries that are loaded with it."""
        return list(self._dynamic(_TAG_NEEDED))

    def search_path(self):
        return list(self._dynamic(_TAG_RPATH, _TAG_RUNPATH))

    def versions(self):
        """(library, version) of all symbols that it takes from libraries which have versions."""
        result = set()
        for _, kind, _, _, offset, _, link, count, *_ in self.sections:
            if kind != _NEEDED_VERSIONS:
                continue
            at = offset
            for _ in range(count):
                _, entries, file, first, following = struct.unpack_from("<HHIII", self.data, at)
                entry = at + first
                for _ in range(entries):
                    _, _, _, name, behind = struct.unpack_from("<IHHII", self.data, entry)
                    result.add((self._string(link, file), self._string(link, name)))
                    entry += behind
                at += following
        return result


def numbers(version):
    """(2, 28) of GLIBC_2.28."""
    return tuple(int(part) for part in version.rpartition("_")[2].split("."))


SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"}


def problems(data, architecture, own=(), newest=(2, 28)):
    """Why a system of that architecture and glibc, and nothing but it and the libraries `own`, could not load the file."""
    elf = Elf(data)
    if elf.machine != architecture.machine:
        yield f"is for machine {elf.machine}, and {architecture.name} is {architecture.machine}"
    for library in elf.needed():
        if library not in SYSTEM and library != architecture.loader and library not in own:
            yield f"needs {library}"
    for library, version in sorted(elf.versions()):
        if not version.startswith("GLIBC_"):
            yield f"needs {version} of {library}"
        elif version == "GLIBC_PRIVATE" or numbers(version) > newest:
            yield f"needs {version} of {library}, newer than {'.'.join(map(str, newest))}"
    for path in elf.search_path():
        if any(part and not part.startswith("$ORIGIN") for part in path.split(":")):
            yield f"looks for libraries in {path}"
