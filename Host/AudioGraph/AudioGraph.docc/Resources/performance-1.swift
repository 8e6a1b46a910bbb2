// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A step of the tutorial: a whole program. The main thread.

import AudioGraph

let engine = AudioEngine()
_ = engine.mainMixerNode
try engine.start()
print("The engine plays silence.")
try await Task.sleep(for: .seconds(2))
engine.stop()
