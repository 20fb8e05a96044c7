import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Seconds of one tick in /proc: Linux reports hundredths, independent of its clock. */
const tick = 0.01

export interface ProcessUse {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

/**
 * Processor seconds of this process and of all its running descendants; undefined if the system has no /proc.
 */
export function processorSeconds(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (readUse(name) ?? []) : []))
  const family = new Set([process.pid])
  // A child can have a lower pid than its parent, so the search repeats until it finds no more.
  for (let before = 0; before < family.size; ) {
    before = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  return all.filter(({ pid }) => family.has(pid)).reduce((sum, { seconds }) => sum + seconds, 0)
}

/** Processor seconds of this process while it does work, with its threads for compilation and garbage collection. */
export async function secondsOfWork(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

/** Processor seconds of the processes whose command names a folder, and of their children. Zero without /proc. */
export function readTreeSeconds(folder: string): number {
  if (!existsSync('/proc/self/stat')) return 0
  const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (readUse(name) ?? []) : []))
  const parents = new Set(all.filter(({ pid }) => readCommand(pid).includes(folder)).map(({ pid }) => pid))
  return all
    .filter(({ pid, parent }) => parents.has(pid) || parents.has(parent))
    .reduce((sum, { seconds }) => sum + seconds, 0)
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Undefined if the process has ended, or the system has no /proc. */
export function readUse(pid: string): ProcessUse | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name, in parentheses, can contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
    if (parent === undefined || user === undefined || system === undefined) return undefined
    return { pid: Number(pid), parent, seconds: (user + system) * tick }
  } catch {
    return undefined
  }
}
