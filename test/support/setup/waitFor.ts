import { vi } from 'vitest'
import { maxWait } from '../eventually.ts'

const { waitFor } = vi

// Its own second is too short for a machine that runs other processes.
vi.waitFor = (callback, options = {}) => {
  const given = typeof options === 'number' ? { timeout: options } : options
  return waitFor(callback, { ...given, timeout: Math.max(given.timeout ?? 0, maxWait) })
}
