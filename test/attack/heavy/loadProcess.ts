// One load against the service that the arguments name: node loadProcess.ts <load> <target as JSON>. It says `ready` after
// its preparation, begins at the first message, and ends at SIGTERM.
import { once } from 'node:events'
import type { Target } from '../dispatcher.ts'
import { createScene } from '../scene.ts'
import { loads } from './loads.ts'

const [name = '', target = '{}'] = process.argv.slice(2)
const load = loads[name]
if (load === undefined) throw new Error(`unknown load ${name}`)
const ending = new AbortController()
process.once('SIGTERM', () => {
  ending.abort()
  process.exit()
})
const scene = await createScene(JSON.parse(target) as Target)
await load.prepare?.(scene)
process.send?.('ready')
await once(process, 'message')
await load.attack(scene, ending.signal)
