// One load against the service that the arguments name: node loadProcess.ts <load> <target as JSON>. It says `ready` after
// its preparation, begins at the first message, and at SIGTERM ends with a message: how often it began its work.
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import type { Target } from '../dispatcher.ts'
import { createScene } from '../scene.ts'
import { countTurns, loads } from './loads.ts'

/** An attacker has processors of its own. Here it shares those of the service, which comes first. */
const niceness = 5

const [name = '', target = '{}'] = process.argv.slice(2)
const load = loads[name]
if (load === undefined) throw new Error(`unknown load ${name}`)
const ending = new AbortController()
process.once('SIGTERM', () => {
  ending.abort()
  process.send?.(countTurns(), () => process.exit())
})
setPriority(getPriority() + niceness)
const scene = await createScene(JSON.parse(target) as Target)
await load.prepare?.(scene)
process.send?.('ready')
await once(process, 'message')
await load.attack(scene, ending.signal)
