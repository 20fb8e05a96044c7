/** Prints how long a service and a whole stack take to start, in milliseconds of the clock and of this process. */
export const starts = `import { startLockers, startService } from '@lockerflow/testing'

async function measure(start) {
  const [clock, before] = [performance.now(), process.cpuUsage()]
  await using started = await start()
  const { user, system } = process.cpuUsage(before)
  return { clock: performance.now() - clock, processor: (user + system) / 1000 }
}
// The first one loads the code.
await measure(startService)
console.log(JSON.stringify({ service: await measure(startService), lockers: await measure(startLockers) }))
`
