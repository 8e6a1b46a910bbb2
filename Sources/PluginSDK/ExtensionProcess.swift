// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in as a process of its own, and the units that it takes in beside its first. Main thread of the extension.

import AudioUnits
import Glibc
import LinuxSystem

/// A process whose first unit has the control channel on descriptor 3. It lives as long as that is open.
final class ExtensionProcess {
    private let library: UnitLibrary
    private let first: ExtensionUnit

    init(_ library: UnitLibrary, control: consuming Descriptor) {
        self.library = library
        first = ExtensionUnit(library, control: control)
        first.takeUnit = { [unowned self] path, control in take(path, control) }
    }

    /// Answers until the host hangs up, and ends the process then, whatever the render threads do.
    func run() -> Never {
        watchForHangUp()
        _exit(first.answerUntilHungUp())
    }

    /// Ends the process some time after the host has gone, should the main thread not have noticed: it may be waiting
    /// for a render thread that never comes back, or be inside a kernel that makes itself without end.
    private func watchForHangUp() {
        let socket = first.socket
        let watch = try? Thread(name: "hang-up watch") {
            socket.waitUntilHungUp()
            Futex.pause(microseconds: 200_000)
            _exit(0)
        }
        watch?.detach()
    }

    /// Runs one more unit on a thread of its own: of this library, or of the one at `path`, whose runtime is another. The
    /// reason when that cannot be done.
    private func take(_ path: String, _ control: consuming Descriptor) -> String? {
        do throws(UnitError) {
            let other = path.isEmpty ? nil : try SharingLibrary(path: path)
            // SAFETY: what a library holds is constant once it has been exported.
            nonisolated(unsafe) let own = library
            let descriptor = control.release()
            let thread = try? Thread(name: "unit") {
                if let other {
                    other.runUnit(descriptor)
                } else {
                    ExtensionUnit(own, control: Descriptor(owning: descriptor)).run()
                }
            }
            guard let thread else {
                close(descriptor)
                return "there is no thread to be had for it"
            }
            thread.detach()
            return nil
        } catch {
            return error.description
        }
    }
}
