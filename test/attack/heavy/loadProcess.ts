// One load against the service that the arguments name: node loadProcess.ts <load> <target as JSON>. It says `ready` after
// its preparation, begins at the first message, and at SIGTERM ends with a message: what it has done.
import { once } from 'node:events'
import type { Target } from '../dispatcher.ts'
import { createScene } from '../scene.ts'
import type { LoadCounts } from './attacker.ts'
import { countTurns, gatewayLoads, serviceLoads } from './loads.ts'

const [name = '', target = '{}'] = process.argv.slice(2)
const load = serviceLoads[name] ?? gatewayLoads[name]
if (load === undefined) throw new Error(`unknown load ${name}`)
const scene = await createScene(JSON.parse(target) as Target)
await load.prepare?.(scene)
const ending = new AbortController()
let begun: { readonly at: number; readonly used: NodeJS.CpuUsage } | undefined
// Before the load begins, since a busy machine may leave this process no time for that.
process.once('SIGTERM', () => {
  ending.abort()
  const duration = begun === undefined ? Number.POSITIVE_INFINITY : performance.now() - begun.at
  const { user, system } = process.cpuUsage(begun?.used)
  const counts: LoadCounts = {
    rate: (countTurns() / duration) * 1_000,
    processor: (user + system) / 1_000 / duration,
  }
  process.send?.(counts, () => process.disconnect())
})
// The measuring process has ended.
process.once('disconnect', () => process.exit())
process.send?.('ready')
await once(process, 'message')
begun = { at: performance.now(), used: process.cpuUsage() }
await load.attack(scene, ending.signal)
