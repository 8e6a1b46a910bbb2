// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Silent blocks before the first one, after which a plug-in knows its latency and its files. Control thread.

import BridgeSupport
import PluginSDK

extension LV2Kernel {
    /// Blocks after the last text, in which a plug-in tells its latency and answers what it was asked.
    private static var rehearsalBlockCount: Int { 4 }

    /// Runs the instances with silence, where they have a latency to tell or texts to take, and activates them again.
    ///
    /// Many plug-ins compute their latency in a block with frames, and only there. A worker loads a file once the plug-in has read
    /// of it in a block; its answer is waited for. These are the instances that play: further ones could do harm to them.
    ///
    /// From then on the plug-in may draw itself: it has its values.
    mutating func prepare() {
        defer { session.show() }
        guard hasLatency || session.textCount > 0 else { return }
        rehearse()
        session.confirmTexts { rehearse() }
        mustReactivate = true
        _ = reactivate(waits: true)
        hasRehearsed = true
        messages.askAgain()
        song.forget()
        audio.clear()
    }

    private mutating func rehearse() {
        // Convolvers set themselves up for the length of a block, and do it again for another one.
        let frameCount = fixedFrameCount > 0 ? fixedFrameCount : audio.frameCapacity
        for block in 0..<session.textCount + Self.rehearsalBlockCount {
            // What it answers now is what it has.
            if block == session.textCount + 1 { messages.askAgain() }
            messages.sendWaiting(atFrame: 0)
            runInstances(frameCount, waits: true)
            messages.finishRehearsal()
        }
    }
}
