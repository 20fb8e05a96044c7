import { vi } from 'vitest'

/** Milliseconds that `vi.waitFor` waits at least: its own second is too short for a machine that runs other processes. */
const shortest = 20_000

const { waitFor } = vi

vi.waitFor = (callback, options = {}) => {
  const given = typeof options === 'number' ? { timeout: options } : options
  return waitFor(callback, { ...given, timeout: Math.max(given.timeout ?? 0, shortest) })
}
