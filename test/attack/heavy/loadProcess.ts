// One load against the service that the arguments name, until SIGTERM: node loadProcess.ts <load> <target as JSON>.
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
await load(await createScene(JSON.parse(target) as Target), ending.signal)
