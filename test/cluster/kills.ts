import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Traffic } from './traffic.ts'

/** Who is killed, one after the other: each kind once, those of ours that there are two of both. */
const victims = ['service 1', 'worker 1', 'gateway 1', 'service 2', 'worker 2', 'temporal', 'postgres'] as const

/** How long each stays away, in milliseconds: compose would start it again sooner. */
const away = 3_000
/** Flows that have to end before the next blow falls, so that it falls on work. */
const between = 4

/**
 * Kills one of each kind while flows go on, and starts it again, as `restart: unless-stopped` does.
 * @param look called after each, with the flows still going on
 * @returns who was killed
 */
export async function strike(
  cluster: Cluster,
  traffic: Traffic,
  look: () => Promise<void>,
  progress: (line: string) => void,
): Promise<readonly string[]> {
  const parts = [...cluster.parts.values()].flat()
  for (const name of victims) {
    const victim = parts.find(part => part.name === name)
    if (victim === undefined) throw new Error(`there is no ${name} to kill; there are ${parts.map(({ name }) => name)}`)
    await traffic.more(between)
    const before = traffic.played.length
    await victim.kill()
    const start = performance.now()
    await pause(away)
    const meanwhile = traffic.played.length - before
    await victim.start()
    const seconds = ((performance.now() - start) / 1_000).toFixed(1)
    progress(`${name.padEnd(10)} killed, back and healthy after ${seconds} s; meanwhile ${meanwhile} flows ended`)
    await look()
  }
  await traffic.more(between)
  return victims
}
