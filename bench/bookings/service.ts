// The service of the benchmarks: `node bench/bookings/service.ts [--no-batches]`. It prints the line of a service that is ready.

import { startService } from '#service'
import { readSettings } from '#service/settings'

const service = await startService({
  ...readSettings(),
  batchBookings: !process.argv.includes('--no-batches'),
  // For integrators. Production keeps none.
  recentTraffic: 0,
})
process.once('SIGTERM', () => service.stop())
process.stdout.write(`service ready: ${service.address}\n`)
