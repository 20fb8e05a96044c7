import { onTestFinished, test, vi } from 'vitest'
import type { Settings } from '#service'
import { never } from '../../support/service/callbacks.ts'
import { expectFairShare, repeatUntil } from '../../support/service/fairness.ts'
import { insertObjects } from '../../support/service/objects.ts'
import { openSite, type Site } from '../../support/service/site.ts'

// The resolver is no part of the project, and no name of the network is without an answer in every environment.
vi.mock('node:dns', async load => {
  const real = await load<typeof import('node:dns')>()
  const lookup = (host: string, options: object, done: never) =>
    host.endsWith('.dead.example') ? undefined : real.lookup(host, options, done)
  return { ...real, default: real, lookup }
})

/** Starts the load of acme, until the signal aborts. */
type Load = (site: Site, signal: AbortSignal) => Promise<void>

/** Milliseconds: below the wait that each load causes where it shares a resource, and above the noise of a machine. */
const floor = 1_000

const rows: { what: string; settings?: Partial<Settings>; prepare?: (site: Site) => Promise<void>; load: Load }[] = [
  {
    what: 'callback addresses whose names have no answer',
    load(site, signal) {
      let count = 0
      return repeatUntil(signal, 12, () =>
        site.world.call('ConfigureCallback', { url: `http://${count++}.dead.example/`, authType: 'None' }),
      )
    },
  },
  {
    what: 'doors that hang',
    settings: { hardware: { open: () => never }, unlockTimeout: 400, lockTimeout: 400 },
    async prepare(site) {
      for (let count = 0; count < 4; count++) await site.run('Issue')
    },
    load: async (site, signal) => {
      const loops = [...site.uids.keys()].map(letter =>
        repeatUntil(signal, 6, () => site.run(`unlock DropOff ${letter}`)),
      )
      await Promise.all(loops)
    },
  },
  {
    what: 'ten thousand objects',
    async prepare(site) {
      await site.run('Stock')
      // More than the limit of a shipment. Without the limit of a page each response has 11 MB.
      for (let count = 0; count < 10; count++) await insertObjects(site, 'a', 1_000, 'x'.repeat(1_000))
    },
    load: (site, signal) => repeatUntil(signal, 4, () => site.world.call('GetShipments', {})),
  },
]

test.each(rows)('a tenant with $what delays no other tenant', async ({ settings, prepare, load }) => {
  const site = await openSite(settings)
  onTestFinished(site.stop)
  await prepare?.(site)
  await expectFairShare({
    quiet: () => site.world.call('SetSandboxFaults', {}, 'globex'),
    worst: signal => load(site, signal),
    seconds: 0.8,
    floor,
  })
})
