import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever its clock. */
const tick = 0.01

interface ProcessUse {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

/**
 * Processor seconds that this process and all that came of it have used, of those that still run; undefined where the
 * system does not say.
 */
export function secondsOfAll(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (useOf(name) ?? []) : []))
  const family = new Set([process.pid])
  // A child can have a lower number than its parent, so until nobody is found any more.
  for (let before = 0; before < family.size; ) {
    before = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  return all.filter(({ pid }) => family.has(pid)).reduce((sum, { seconds }) => sum + seconds, 0)
}

/** Undefined when it has ended in the meantime. */
function useOf(pid: string): ProcessUse | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the command, in parentheses, can hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
    if (parent === undefined || user === undefined || system === undefined) return undefined
    return { pid: Number(pid), parent, seconds: (user + system) * tick }
  } catch {
    return undefined
  }
}
