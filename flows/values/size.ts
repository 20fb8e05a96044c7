import type { Json } from '../declaration/sources.ts'

/**
 * The bytes of outputs that a flow keeps: of one step, and of all of them. A run that continues as new passes them on, and
 * Temporal limits a payload to two megabytes.
 */
export const outputLimits = { step: 16 * 1_024, flow: 128 * 1_024 } as const

/** Maximum number of bytes that one step sends. Temporal terminates a flow that starts an activity with more than two megabytes. */
export const sentLimit = 1_024 * 1_024

/** The bytes of a value as JSON in UTF-8. The sandbox of workflows has neither Buffer nor TextEncoder. */
export function jsonBytes(value: Json): number {
  let bytes = 0
  for (const character of JSON.stringify(value)) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
