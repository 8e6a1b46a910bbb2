// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process of a plug-in: its first unit, and the units that it takes in later. Main thread of the extension.

import AudioUnits
import Glibc
import LinuxSystem

/// A process whose first unit has its control channel on descriptor 3.
///
/// It lives until the host closes that channel.
final class ExtensionProcess {
    private let library: UnitLibrary
    private let first: ExtensionUnit

    init(_ library: UnitLibrary, control: consuming Descriptor) {
        self.library = library
        first = ExtensionUnit(library, control: control)
        first.takeUnit = { [unowned self] path, control in take(path, control) }
    }

    /// Answers until the host hangs up, and then ends the process, even if render threads still run.
    func run() -> Never {
        watchForHangUp()
        _exit(first.answerUntilHungUp())
    }

    /// Ends the process 200 ms after the host has hung up, if the main thread has not.
    ///
    /// The main thread may be waiting for a render thread that never returns, or for a kernel whose `init` never returns.
    private func watchForHangUp() {
        let socket = first.socket
        let watch = try? Thread(name: "hang-up watch") {
            socket.waitUntilHungUp()
            Futex.pause(microseconds: 200_000)
            _exit(0)
        }
        watch?.detach()
    }

    /// Runs one more unit on a thread of its own; returns the reason if that is impossible, else nil.
    ///
    /// The unit is of this library, or of the library at `path`, which brings a Swift runtime of its own.
    private func take(_ path: String, _ control: consuming Descriptor) -> String? {
        do throws(UnitError) {
            let other = path.isEmpty ? nil : try SharingLibrary(path: path)
            // SAFETY: a library is constant once it has been exported.
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
