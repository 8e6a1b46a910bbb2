// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The machine's files that every program needs to be loaded, and the files that libraries read. Any thread.

import Confinement
import Glibc
import LinuxSystem

/// Files that belong to no plug-in, but that plug-ins need.
enum MachinePaths {
    typealias NamedPath = Confinement.NamedPath

    /// The files that the dynamic loader reads and runs, and four devices that hold no data.
    static let loading: [NamedPath] = LoadingPaths.all + searched("LD_LIBRARY_PATH").map { NamedPath($0, .read) }

    /// Data of libraries, the configuration and cache of fonts, and the C library's files about time, users and processors.
    static let data: [NamedPath] = [
        "/usr/share", "/usr/local/share", "/etc/fonts", "/var/cache/fontconfig", "/etc/passwd", "/etc/group",
        "/etc/nsswitch.conf", "/etc/localtime", "/etc/ladspa", "/sys/devices/system/cpu",
    ].map { NamedPath($0, .read) }

    /// Settings of window toolkits.
    static let windows: [NamedPath] = ["/etc/gtk-2.0", "/etc/X11"].map { NamedPath($0, .read) }

    /// The instruments that the distribution installs for all users.
    static let soundBanks: [NamedPath] = ["/usr/share/sounds/sf2", "/usr/share/sounds/sf3"].map { NamedPath($0, .read) }

    /// The folders in an environment variable, except the root folder.
    static func searched(_ variable: String) -> [String] {
        guard let value = getenv(variable) else { return [] }
        return String(cString: value).split(separator: ":").map { FilePath.absolute(String($0)) }.filter { $0 != "/" }
    }

    /// Bytes of the machine's memory.
    static let memoryByteCount = UInt64(max(0, sysconf(Int32(_SC_PHYS_PAGES)))) * UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
}
