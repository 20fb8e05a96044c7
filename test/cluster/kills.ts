import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Traffic } from './traffic.ts'

/** Killed in this order: one process of each kind, and both replicas of service and worker. */
const victims = [
  'service 1',
  'worker 1',
  'gateway 1',
  'service 2',
  'worker 2',
  'audit 1',
  'temporal',
  'postgres',
] as const

/** Downtime in milliseconds. Compose would restart the process sooner. */
const downtime = 3_000
/** Flows that must end between two kills, so that each kill interrupts running flows. */
const flowsBetween = 4

/**
 * Kills the victims one after the other while flows run, and restarts each, as `restart: unless-stopped` does.
 * @param check called after each restart, while flows run
 * @returns the names of the killed processes
 */
export async function killInTurn(
  cluster: Cluster,
  traffic: Traffic,
  check: () => Promise<void>,
  progress: (line: string) => void,
): Promise<readonly string[]> {
  const parts = [...cluster.parts.values()].flat()
  for (const name of victims) {
    const victim = parts.find(part => part.name === name)
    if (victim === undefined)
      throw new Error(`no process named ${name}; the cluster has ${parts.map(({ name }) => name).join(', ')}`)
    await traffic.more(flowsBetween)
    const before = traffic.played.length
    await victim.kill()
    const start = performance.now()
    await pause(downtime)
    const meanwhile = traffic.played.length - before
    await victim.start()
    const seconds = ((performance.now() - start) / 1_000).toFixed(1)
    progress(`${name.padEnd(10)} killed, healthy again after ${seconds} s; ${meanwhile} flows ended meanwhile`)
    await check()
  }
  await traffic.more(flowsBetween)
  return victims
}
