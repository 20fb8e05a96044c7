/**
 * Prints how long a service and a whole stack take to start, in milliseconds of the clock and of this process. A start that
 * misses its bar on a busy machine is repeated, and the best one counts.
 */
export const starts = `import { startLockers, startService } from '@lockerflow/testing'

const attempts = 4

async function measure(start) {
  const [clock, before] = [performance.now(), process.cpuUsage()]
  await using started = await start()
  const { user, system } = process.cpuUsage(before)
  return { clock: performance.now() - clock, processor: (user + system) / 1000 }
}
async function best(start, bar) {
  const all = []
  while (all.length < attempts && !all.some(({ clock }) => clock < bar)) all.push(await measure(start))
  const least = name => Math.min(...all.map(each => each[name]))
  return { clock: least('clock'), processor: least('processor') }
}
// The first one loads the code.
await measure(startService)
console.log(JSON.stringify({ service: await best(startService, 500), lockers: await best(startLockers, 5_000) }))
`
