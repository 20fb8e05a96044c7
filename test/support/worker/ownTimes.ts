import { fileURLToPath } from 'node:url'

const preload = fileURLToPath(new URL('./ownClock.ts', import.meta.url))

/** Arguments of Node with which a process prints the length of its responses and of its stop. */
export const withOwnClock = ['--import', preload] as const

/** The printed milliseconds of the responses or of the stop. */
export function ownTimes(lines: readonly string[], name: 'response' | 'stop'): readonly number[] {
  const pattern = new RegExp(`^own clock: ${name} after (\\d+) ms$`)
  return lines.flatMap(line => pattern.exec(line)?.[1] ?? []).map(Number)
}
