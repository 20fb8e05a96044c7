import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { expectFairShare } from '../../support/service/fairness.ts'
import { booking, medium, topology } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

/** Lockers for more bookings than are open at a time, however slow the machine is. */
const hall = {
  pupUid: 'hall',
  name: 'Hall',
  timeZone: 'UTC',
  tenants: ['globex'],
  lockers: [{ names: '1-400', ...medium }],
}
const withHall = { ...topology, pickUpPoints: [...topology.pickUpPoints, hall] }
/** Milliseconds between two changes of the other tenant's address. */
const changeInterval = 100
/** Shipments of the other tenant, each with two callbacks. */
const shipments = 2_500

test.each([
  { what: 'is away', listens: false },
  { what: 'never responds', listens: true },
])(
  'a backlog for a receiver that $what leaves bookings and callbacks of another tenant as fast as they were',
  async ({ listens }) => {
    const world = await createWorld({ service: { topology: withHall } })
    const receiver = await startReceiver()
    const bad = await startSilentServer(listens)
    onTestFinished(async () => {
      await world.stop()
      await receiver.stop()
      bad.stop()
    })
    await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' }, 'globex')
    await world.call('ConfigureCallback', { url: bad.url, authType: 'HMAC' })
    const received = new Map<string, () => void>()
    receiver.answer(({ message }) => {
      received.get(message.shipmentUid + message.stateCode)?.()
      return { status: 204 }
    })

    /** Books, cancels, and waits for both callbacks. */
    async function bookAndCancel(): Promise<void> {
      const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'hall' }, 'globex')
      const [shipmentUid = ''] = shipmentUids
      const callback = new Promise<void>(resolve => received.set(`${shipmentUid}Cancelled`, resolve))
      expect(await world.call('CancelShipment', { shipmentUid }, 'globex')).toMatchObject({ success: true })
      await callback
    }

    const { calls } = await expectFairShare({
      quiet: bookAndCancel,
      prepare: () => fillOutbox(world.service.store, { tenantId: 'acme', shipments, messages: 2 }),
      // All of the backlog is due again and again, as after changes of the registration.
      worst: async signal => {
        for (let change = 0; !signal.aborted; change++) {
          await world.call('ConfigureCallback', { url: `${bad.url}?${change}`, authType: 'HMAC' })
          await pause(changeInterval)
        }
        await world.service.store.deleteFrom('outbox').where('tenant_id', '=', 'acme').execute()
      },
      seconds: 2,
      floor: 250,
    })
    expect(calls).toBeGreaterThan(50)
  },
)

/** An address that accepts connections and never responds, or that refuses them. */
async function startSilentServer(listens: boolean): Promise<{ url: string; stop(): void }> {
  const server = createServer(socket => sockets.add(socket.on('error', () => undefined)))
  const sockets = new Set<{ destroy(): void }>()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  if (!listens) await new Promise(resolve => server.close(resolve))
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
