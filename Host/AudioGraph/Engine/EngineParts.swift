// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The engine's requests to the system and to the compiler of plans, which may fail. Any thread but the render thread.

import LinuxSystem
import Rendering

/// Makes the parts of an engine whose making may fail; tests put in functions that fail.
struct EngineParts: Sendable {
    /// Makes the event that wakes the engine's thread.
    var event: @Sendable () throws(SystemError) -> EventDescriptor = { () throws(SystemError) in try EventDescriptor() }

    /// Starts a thread with a name.
    var thread: @Sendable (String, @escaping @Sendable () -> Void) throws(SystemError) -> LinuxSystem.Thread = {
        (name, body) throws(SystemError) in try LinuxSystem.Thread(name: name, body)
    }

    /// Compiles a graph into a plan.
    var plan: @Sendable (RenderGraph) throws(RenderGraphError) -> RenderPlan = {
        (graph) throws(RenderGraphError) in try RenderPlan(graph)
    }
}
