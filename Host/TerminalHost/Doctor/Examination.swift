// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks this machine's features: real-time rights, confinement, the audio server. Main thread.

import Confinement
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// All checks of `bulkhead doctor`.
///
/// It tries each feature instead of guessing.
struct Examination {
    let findings: [DoctorFinding]

    init() {
        let offer = ConfinementOffer.current
        findings =
            Self.realtime(RealtimeRights()) + [Self.steadiness(), Self.handOffs(), Self.landlock(offer), Self.systemCalls(offer)]
            + Namespace.allCases.map { Self.namespace($0, offer) } + [Self.controlGroups(offer), Self.trial(), Self.pipeWire()]
    }

    private static func landlock(_ offer: ConfinementOffer) -> DoctorFinding {
        let advice = "Use a kernel of version 6.12 or newer that has \"landlock\" in its list of security modules (lsm=)."
        guard offer.landlockVersion > 0 else {
            return DoctorFinding(
                "Landlock", .missing, "The kernel has no Landlock: only namespaces keep files from plug-ins.", advice: advice)
        }
        let lacks = Landlock.gaps(ofVersion: offer.landlockVersion)
        guard lacks.isEmpty else {
            return DoctorFinding(
                "Landlock", .partial, "Version \(offer.landlockVersion), which does not restrict \(lacks.joined(separator: ", ")).",
                advice: advice)
        }
        return DoctorFinding("Landlock", .good, "Version \(offer.landlockVersion): plug-ins can open their own files only.")
    }

    private static func systemCalls(_ offer: ConfinementOffer) -> DoctorFinding {
        offer.filtersSystemCalls
            ? DoctorFinding("seccomp", .good, "Plug-ins can make only the system calls that they need.")
            : DoctorFinding(
                "seccomp", .missing, "Plug-ins can make every system call.", advice: "Use a kernel with CONFIG_SECCOMP_FILTER.")
    }

    private static func controlGroups(_ offer: ConfinementOffer) -> DoctorFinding {
        let name = "control group"
        switch offer.groups {
        case .success(let group) where group.controllers.count > 1:
            return DoctorFinding(name, .good, "The kernel limits memory and processes of each plug-in in \(group.path).")
        case .success(let group):
            let missing = group.controllers.contains("memory") ? "processes" : "memory"
            return DoctorFinding(
                name, .partial, "The group \(group.path) has no controller of \(missing).",
                advice: "See that the session's manager delegates the controllers \"memory\" and \"pids\".")
        case .failure(let refusal):
            return DoctorFinding(
                name, .partial, refusal.description,
                advice: "Where systemd runs: systemd-run --user --scope --property=Delegate=yes bulkhead …")
        }
    }

    private static func namespace(_ namespace: Namespace, _ offer: ConfinementOffer) -> DoctorFinding {
        let name = "\(namespace.rawValue) namespace"
        for gap in offer.gaps {
            switch gap {
            case .namespace(namespace, _):
                return DoctorFinding(name, .missing, gap.description, advice: Self.advice(for: namespace))
            case .keeper where namespace == .process:
                return DoctorFinding(name, .missing, gap.description, advice: "Install Bulkhead whole: make install")
            default: continue
            }
        }
        let meaning =
            switch namespace {
            case .user: "Plug-ins run as you, without privileges."
            case .mount: "Plug-ins see their own files only."
            case .process: "Plug-ins see no other process, and their children end with them."
            case .ipc: "Plug-ins share no queues or memory with other programs."
            case .network: "Plug-ins have no network."
            case .names: "Plug-ins cannot rename the machine."
            }
        return DoctorFinding(name, .good, meaning)
    }

    private static func advice(for namespace: Namespace) -> String {
        let kernelName = ["mount": "mnt", "network": "net"][namespace.rawValue] ?? namespace.rawValue
        let limit = "/proc/sys/user/max_\(kernelName)_namespaces"
        guard namespace == .user else { return "See that \(limit) is not 0; most need user namespaces first." }
        return "See that \(limit) is not 0, and that kernel.unprivileged_userns_clone or "
            + "kernel.apparmor_restrict_unprivileged_userns do not forbid them (sysctl)."
    }

    /// Confines a process like a plug-in, to test all restrictions together.
    private static func trial() -> DoctorFinding {
        let name = "trial"
        // A confined process sees the file, but no link to it.
        let program = FilePath.resolved("/bin/true") ?? "/bin/true"
        do throws(SystemError) {
            let (control, peer) = try ControlSocket.pair()
            let confinement = Confinement.standard(executable: program)
            let child = try ChildProcess(
                path: program, arguments: [], environment: [:], control: peer, isQuiet: true, confinement: confinement)
            withExtendedLifetime(control) {}
            guard child.wait(milliseconds: 5000) == .exited(code: 0) else {
                return DoctorFinding(
                    name, .missing, "A confined process did not run.",
                    advice: "This is a fault in Bulkhead; please report it.")
            }
            guard child.gaps.contains(.ownProcessFolder) else { return DoctorFinding(name, .good, "A confined process runs.") }
            return DoctorFinding(
                name, .partial, "A confined process runs, without a /proc of its own.",
                advice: "Some classic plug-ins read it. The kernel refuses it where a container hides parts of /proc.")
        } catch {
            return DoctorFinding(name, .missing, "\(error)", advice: "Until this works, only plug-ins that you unconfine start.")
        }
    }

    private static func pipeWire() -> DoctorFinding {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["PIPEWIRE_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"]
        let remote = environment["PIPEWIRE_REMOTE"] ?? "pipewire-0"
        let advice =
            "Start it: systemctl --user start pipewire wireplumber. Without it use bulkhead render or --driver null."
        guard let folder else {
            return DoctorFinding("PipeWire", .missing, "XDG_RUNTIME_DIR, the folder of its socket, is not set.", advice: advice)
        }
        let path = remote.hasPrefix("/") ? remote : "\(folder)/\(remote)"
        return ControlSocket.isAnswered(path: path)
            ? DoctorFinding("PipeWire", .good, "It answers at \(path).")
            : DoctorFinding("PipeWire", .missing, "PipeWire does not answer at \(path).", advice: advice)
    }
}
