import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { readUse } from '../processors.ts'

/** Milliseconds between two samples of the process that reads a file. */
const interval = 20

/** Resident memory in megabytes. */
export interface UploadMemory {
  /** The growth of the service during the upload, at its peak. */
  readonly service: number
  /** The peak of the process that reads the file. */
  readonly reader: number
}

/** Measures the memory of a service and of its child during some work; undefined if the system has no /proc. */
export async function measureMemory(service: number, work: () => Promise<void>): Promise<UploadMemory | undefined> {
  if (!existsSync(`/proc/${service}/clear_refs`)) {
    await work()
    return undefined
  }
  // Resets the peak to the present value.
  writeFileSync(`/proc/${service}/clear_refs`, '5')
  const idle = readPeak(service)
  let isWorking = true
  let reader = 0
  const watching = (async () => {
    while (isWorking) {
      for (const pid of childrenOf(service)) reader = Math.max(reader, readPeak(pid))
      await pause(interval)
    }
  })()
  try {
    await work()
  } finally {
    isWorking = false
    await watching
  }
  return { service: readPeak(service) - idle, reader }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap(name => {
    const use = /^\d+$/.test(name) ? readUse(name) : undefined
    return use?.parent === parent ? [use.pid] : []
  })
}

/** Zero for a process that has ended. */
function readPeak(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
