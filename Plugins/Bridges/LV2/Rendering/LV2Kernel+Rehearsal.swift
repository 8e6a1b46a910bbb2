// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Silent blocks before the first one, from which a plug-in learns its latency and its files. Control thread.

import BridgeSupport
import PluginSDK

extension LV2Kernel {
    /// The number of blocks after the last text, in which a plug-in reports its latency and answers requests.
    private static var rehearsalBlockCount: Int { 4 }

    /// Runs the instances with silence, if they have a latency to report or texts to take, and activates them again.
    ///
    /// Many plug-ins compute their latency only in a block with frames. A worker loads a file once the plug-in has read its
    /// text in a block; this function waits for the worker. The instances are the ones that play, because further ones could
    /// disturb them.
    ///
    /// From then on the plug-in may draw itself, because it has its values.
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
        // Convolvers prepare for the length of a block, and do so again for another length.
        let frameCount = fixedFrameCount > 0 ? fixedFrameCount : audio.frameCapacity
        for block in 0..<session.textCount + Self.rehearsalBlockCount {
            // Its answer now is its final state.
            if block == session.textCount + 1 { messages.askAgain() }
            messages.sendWaiting(atFrame: 0)
            runInstances(frameCount, waits: true)
            messages.finishRehearsal()
        }
    }
}
