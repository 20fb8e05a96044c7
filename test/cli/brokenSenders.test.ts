import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createApi } from '#contract/client'
import { receive } from '../../cli/callbacks/receive.ts'
import { startNotificationReceiver } from '../../testing/notifications.ts'
import { hardwareKey as key, signed } from '../support/hardware/messages.ts'
import { json, startStandIn, success } from '../support/servers/apiStandIn.ts'

/** A receiver, with a message that it accepts. */
interface Receiver {
  readonly url: string
  readonly key: string
  readonly message: object
}

const callback = {
  messageType: 'ShipmentStatusUpdate',
  message: { shipmentUid: 's-1', stateCode: 'Stored', stateStart: '2026-11-20T10:00:00Z', shipmentType: 'Local' },
}

const receivers: Readonly<Record<string, () => Promise<Receiver>>> = {
  async callbacks() {
    const service = await startStandIn()
    service.operation = json(200, { ...success, changed: true })
    onTestFinished(() => service.stop())
    const api = createApi({ baseUrl: service.url, authUrl: service.url, clientId: 'acme', clientSecret: 'secret' })
    onTestFinished(() => api.close())
    const stop = await receive({ api, key, to: undefined, publicUrl: undefined, onCallback: () => undefined })
    onTestFinished(stop)
    const { url } = JSON.parse(service.at('ConfigureCallback')[0]?.text ?? '')
    return { url, key, message: callback }
  },
  async notifications() {
    const { settings, stop } = await startNotificationReceiver()
    onTestFinished(stop)
    return {
      ...settings,
      message: { type: 'flow.ended', timestamp: '2026-11-20T10:00:00.000Z', data: { caseNo: 'L-1' } },
    }
  },
}

/** Sends the first bytes of a body, once the receiver reads it. */
async function breakOff({ hostname, port, pathname, host }: URL): Promise<void> {
  const socket = connect(Number(port), hostname)
  const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, 'content-length: 100', 'expect: 100-continue', '', '']
  socket.write(head.join('\r\n'))
  await once(socket, 'data')
  socket.write('{"a', () => socket.destroy())
  await once(socket, 'close')
}

// The runner fails for the error of a receiver that nothing handles, which ends a process.
test.each(Object.entries(receivers))(
  'a sender that breaks off does not end a receiver of %s',
  async (_name, startReceiver) => {
    const { url, key, message } = await startReceiver()
    await breakOff(new URL(url))
    const response = await fetch(url, signed(JSON.stringify(message), { keys: [key] }))
    expect(response.ok, `HTTP ${response.status}`).toBe(true)
  },
)
