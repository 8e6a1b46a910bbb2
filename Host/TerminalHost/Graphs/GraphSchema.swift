// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The JSON schema of graphs, the same as in Host/Manual/graph.schema.json. Any thread.

import GraphDocuments

/// The JSON schema of the format that `GraphDocument` reads.
enum GraphSchema {
    /// The schema, without a line feed at its end.
    static let text = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "A graph of Bulkhead, version 1",
          "type": "object",
          "required": ["bulkheadGraph", "nodes", "connections"],
          "properties": {
            "bulkheadGraph": { "description": "The version of the format.", "const": 1 },
            "sampleRate": { "description": "The rate to render with, in hertz.", "type": "number", "minimum": 8000, "maximum": 768000 },
            "channels": { "description": "The channels to render.", "type": "integer", "minimum": 1, "maximum": 64 },
            "length": { "description": "The seconds to render.", "type": "number", "minimum": 0, "maximum": 1000000 },
            "mainVolume": { "description": "The gain of the main mixer.", "$ref": "#/$defs/volume" },
            "transport": {
              "type": "object",
              "properties": {
                "tempos": {
                  "type": "array", "maxItems": 1000,
                  "items": {
                    "type": "object",
                    "required": ["beat", "beatsPerMinute"],
                    "properties": {
                      "beat": { "$ref": "#/$defs/beat" },
                      "beatsPerMinute": { "type": "number", "minimum": 1, "maximum": 1000 }
                    }
                  }
                },
                "signatures": {
                  "type": "array", "maxItems": 1000,
                  "items": {
                    "type": "object",
                    "required": ["beat", "numerator", "denominator"],
                    "properties": {
                      "beat": { "$ref": "#/$defs/beat" },
                      "numerator": { "type": "integer", "minimum": 1, "maximum": 65535 },
                      "denominator": { "type": "integer", "minimum": 1, "maximum": 65535 }
                    }
                  }
                },
                "loop": {
                  "description": "The beats that are repeated.",
                  "type": "object",
                  "required": ["from", "to"],
                  "properties": { "from": { "$ref": "#/$defs/beat" }, "to": { "$ref": "#/$defs/beat" } }
                }
              }
            },
            "inputBuses": {
              "description": "Buses of the input beside the main one; the first one is its bus 1.",
              "type": "array", "maxItems": 62,
              "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "name": { "description": "What its ports are called.", "type": "string", "pattern": "^[!-9;-~]{1,64}$" },
                  "channels": { "description": "Two without it.", "type": "integer", "minimum": 1, "maximum": 64 }
                }
              }
            },
            "outputBuses": {
              "description": "Buses of the output beside the main one; the first one is its bus 1.",
              "type": "array", "maxItems": 62,
              "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "name": { "description": "What its ports are called.", "type": "string", "pattern": "^[!-9;-~]{1,64}$" },
                  "channels": { "description": "Two without it.", "type": "integer", "minimum": 1, "maximum": 64 }
                }
              }
            },
            "midi": {
              "description": "What plays the instruments.",
              "type": "object",
              "properties": {
                "files": {
                  "type": "array", "maxItems": 256,
                  "items": {
                    "type": "object",
                    "required": ["path", "id"],
                    "properties": {
                      "path": { "description": "Relative to the graph's folder.", "type": "string", "minLength": 1 },
                      "id": { "$ref": "#/$defs/name" }
                    }
                  }
                },
                "ports": {
                  "type": "array", "maxItems": 16,
                  "items": {
                    "type": "object",
                    "required": ["id"],
                    "properties": { "id": { "$ref": "#/$defs/name" }, "name": { "$ref": "#/$defs/name" } }
                  }
                },
                "routes": {
                  "description": "Without any, everything reaches every instrument.",
                  "type": "array", "maxItems": 4096,
                  "items": {
                    "type": "object",
                    "required": ["to"],
                    "properties": {
                      "from": { "description": "A file or a port; without it, all of them.", "$ref": "#/$defs/name" },
                      "channels": {
                        "type": "array", "minItems": 1, "items": { "type": "integer", "minimum": 1, "maximum": 16 }
                      },
                      "keys": {
                        "description": "The lowest and the highest key.",
                        "type": "array", "minItems": 2, "maxItems": 2,
                        "items": { "type": "integer", "minimum": 0, "maximum": 127 }
                      },
                      "track": { "description": "A track of the file, from 1 on.", "type": "integer", "minimum": 1 },
                      "port": { "description": "A port of the file, from 1 on.", "type": "integer", "minimum": 1, "maximum": 256 },
                      "transpose": { "description": "Semitones.", "type": "integer", "minimum": -127, "maximum": 127 },
                      "toChannel": { "type": "integer", "minimum": 1, "maximum": 16 },
                      "cable": { "type": "integer", "minimum": 0, "maximum": 255 },
                      "to": { "description": "The node of an instrument.", "type": "string", "minLength": 1 }
                    }
                  }
                }
              }
            },
            "nodes": {
              "type": "array",
              "maxItems": 10000,
              "items": {
                "type": "object",
                "required": ["id", "kind"],
                "properties": {
                  "id": {
                    "type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^:]*$",
                    "not": { "enum": ["main", "output"] }
                  },
                  "kind": { "enum": ["player", "mixer", "environment", "unit", "input"] },
                  "volume": { "$ref": "#/$defs/volume" },
                  "pan": { "$ref": "#/$defs/pan" },
                  "position": { "$ref": "#/$defs/place" },
                  "path": { "description": "A way in place of a position.", "$ref": "#/$defs/path" },
                  "algorithm": {
                    "enum": ["equalPower", "sphericalHead", "HRTF", "HRTFHQ", "soundField", "stereoPassThrough", "auto"]
                  },
                  "sourceMode": { "enum": ["spatializeIfMono", "bypass", "pointSource", "ambienceBed"] },
                  "inHeadMode": { "enum": ["mono", "bypass"] },
                  "obstruction": { "$ref": "#/$defs/damping" },
                  "occlusion": { "$ref": "#/$defs/damping" },
                  "reverbBlend": {
                    "description": "The share that the rooms of environments hear.",
                    "type": "number", "minimum": 0, "maximum": 1
                  }
                },
                "allOf": [
                  {
                    "if": { "properties": { "kind": { "const": "player" } } },
                    "then": {
                      "required": ["files"],
                      "properties": {
                        "files": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/file" } },
                        "channels": { "type": "integer", "minimum": 1, "maximum": 64 }
                      }
                    }
                  },
                  {
                    "if": { "properties": { "kind": { "const": "mixer" } } },
                    "then": { "properties": { "outputVolume": { "$ref": "#/$defs/volume" } } }
                  },
                  {
                    "if": { "properties": { "kind": { "const": "environment" } } },
                    "then": {
                      "properties": {
                        "outputVolume": { "$ref": "#/$defs/volume" },
                        "listener": { "$ref": "#/$defs/place" },
                        "yaw": { "$ref": "#/$defs/degrees" },
                        "pitch": { "$ref": "#/$defs/degrees" },
                        "roll": { "$ref": "#/$defs/degrees" },
                        "listenerPath": { "description": "A way in place of a place.", "$ref": "#/$defs/path" },
                        "headPoses": {
                          "description": "Turns of the head in place of the three angles.",
                          "type": "object",
                          "required": ["path"],
                          "properties": {
                            "path": { "description": "A text file, relative to the graph's folder.", "type": "string", "minLength": 1 },
                            "shape": { "enum": ["lines", "spline"] }
                          }
                        },
                        "head": { "description": "A file in the format SOFA, relative to the graph's folder.", "type": "string", "minLength": 1 },
                        "outputType": { "enum": ["auto", "headphones", "builtInSpeakers", "externalSpeakers"] },
                        "distance": {
                          "type": "object",
                          "properties": {
                            "model": { "enum": ["exponential", "inverse", "linear"] },
                            "reference": { "description": "Metres without a loss.", "type": "number", "minimum": 0.001, "maximum": 1000000 },
                            "maximum": { "description": "Metres beyond which the loss stays.", "type": "number", "minimum": 0.001, "maximum": 1000000 },
                            "rolloff": { "type": "number", "minimum": 0, "maximum": 1000 }
                          }
                        },
                        "air": {
                          "description": "Air that takes treble; without it there is none.",
                          "type": "object",
                          "properties": {
                            "temperature": { "description": "Degrees Celsius.", "type": "number", "minimum": -50, "maximum": 60 },
                            "humidity": { "description": "Per cent.", "type": "number", "minimum": 0, "maximum": 100 }
                          }
                        },
                        "doppler": { "description": "Whether motion changes the pitch.", "type": "boolean" },
                        "reverb": {
                          "description": "The room around the listener; without it there is none.",
                          "type": "object",
                          "properties": {
                            "preset": {
                              "enum": [
                                "smallRoom", "mediumRoom", "largeRoom", "largeRoom2", "mediumHall", "mediumHall2", "mediumHall3", "largeHall",
                                "largeHall2", "plate", "mediumChamber", "largeChamber", "cathedral"
                              ]
                            },
                            "level": { "description": "Decibels.", "type": "number", "minimum": -40, "maximum": 40 },
                            "filter": {
                              "type": "object",
                              "required": ["frequency"],
                              "properties": {
                                "type": {
                                  "enum": [
                                    "parametric", "lowPass", "highPass", "resonantLowPass", "resonantHighPass", "bandPass", "bandStop",
                                    "lowShelf", "highShelf", "resonantLowShelf", "resonantHighShelf"
                                  ]
                                },
                                "frequency": { "description": "Hertz.", "type": "number", "minimum": 20, "maximum": 22000 },
                                "bandwidth": { "description": "Octaves.", "type": "number", "minimum": 0.05, "maximum": 5 },
                                "gain": { "description": "Decibels.", "type": "number", "minimum": -96, "maximum": 24 }
                              }
                            }
                          }
                        }
                      }
                    }
                  },
                  {
                    "if": { "properties": { "kind": { "const": "unit" } } },
                    "then": { "required": ["unit"], "properties": { "unit": { "$ref": "#/$defs/unit" } } }
                  }
                ]
              }
            },
            "connections": {
              "type": "array",
              "maxItems": 100000,
              "items": {
                "type": "object",
                "required": ["from", "to"],
                "properties": {
                  "from": { "$ref": "#/$defs/end" },
                  "to": { "$ref": "#/$defs/end" },
                  "volume": { "$ref": "#/$defs/volume" },
                  "pan": { "$ref": "#/$defs/pan" }
                }
              }
            }
          },
          "$defs": {
            "name": { "type": "string", "minLength": 1, "maxLength": 200 },
            "volume": { "type": "number", "minimum": 0, "maximum": 1000 },
            "pan": { "type": "number", "minimum": -1, "maximum": 1 },
            "damping": { "description": "Decibels.", "type": "number", "minimum": -100, "maximum": 0 },
            "path": {
              "type": "object",
              "required": ["points"],
              "properties": {
                "points": {
                  "type": "array", "minItems": 1, "maxItems": 100000,
                  "items": {
                    "type": "object",
                    "required": ["at", "position"],
                    "properties": {
                      "at": { "description": "Seconds from the start.", "$ref": "#/$defs/seconds" },
                      "position": { "$ref": "#/$defs/place" }
                    }
                  }
                },
                "shape": { "enum": ["lines", "spline"] },
                "repeats": { "type": "integer", "minimum": 1, "maximum": 100000 }
              }
            },
            "degrees": { "type": "number", "minimum": -360, "maximum": 360 },
            "place": {
              "description": "Metres to the right, upwards and to the back.",
              "type": "array", "minItems": 3, "maxItems": 3,
              "items": { "type": "number", "minimum": -1000000, "maximum": 1000000 }
            },
            "beat": { "type": "number", "minimum": -1000000, "maximum": 1000000 },
            "seconds": { "type": "number", "minimum": 0, "maximum": 1000000 },
            "end": { "description": "A node, or a node and a bus.", "type": "string", "pattern": "^[^:]+(:[0-9]{1,5})?$" },
            "file": {
              "type": "object",
              "required": ["path"],
              "properties": {
                "path": { "description": "Relative to the graph's folder.", "type": "string", "minLength": 1 },
                "at": { "description": "Seconds from the start.", "$ref": "#/$defs/seconds" },
                "from": { "description": "Seconds of the file to leave out.", "$ref": "#/$defs/seconds" },
                "length": { "description": "Seconds of the file to play.", "$ref": "#/$defs/seconds" },
                "repeats": { "type": "integer", "minimum": 1, "maximum": 10000 },
                "loops": { "description": "Whether it is played for ever.", "type": "boolean" }
              }
            },
            "unit": {
              "description": "A unit as a saved chain holds it; all but the id may be left out.",
              "type": "object",
              "required": ["id"],
              "properties": {
                "id": { "description": "The ID or the name of a plug-in.", "type": "string", "minLength": 1 },
                "name": { "type": "string", "minLength": 1 },
                "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$" },
                "isolation": {
                  "enum": ["out-of-process", "individually", "by-plugin", "by-manufacturer", "together", "in-process"]
                },
                "preset": { "description": "A factory preset or the user's.", "type": "string", "minLength": 1 },
                "parameters": { "type": "object", "additionalProperties": { "type": "number" } },
                "texts": { "type": "object", "additionalProperties": { "type": "string" } },
                "custom": { "type": "string", "contentEncoding": "base64" },
                "midi": {
                  "description": "The messages that set an instrument as MIDI has set it, as hexadecimal bytes: programs, controllers, tunings.",
                  "type": "array",
                  "maxItems": 6144,
                  "items": { "type": "string", "pattern": "^([0-9]+:)?([0-9A-Fa-f]{2}( [0-9A-Fa-f]{2}){1,2}|[Ff]0( [0-7][0-9A-Fa-f])+ [Ff]7)$" }
                },
                "fallback": { "enum": ["dry", "last", "silence"] },
                "isBypassed": { "type": "boolean" },
                "automation": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["parameter", "points"],
                    "properties": {
                      "parameter": { "type": "string", "minLength": 1 },
                      "points": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                          "type": "object",
                          "required": ["seconds", "value"],
                          "properties": { "seconds": { "$ref": "#/$defs/seconds" }, "value": { "type": "number" } }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
        """#
}
