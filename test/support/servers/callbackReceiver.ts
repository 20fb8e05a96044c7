import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import type { Callback } from '#contract'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly message: Callback['message']
}

export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
}

/** The response to the `count`-th callback. A promise that never settles leaves the request open. */
export type Answers = (callback: Received, count: number) => Answer | Promise<Answer>

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  answer(answers: Answers): void
  /** Waits for this number of callbacks of a shipment, and returns them. */
  until(count: number, shipmentUid?: string): Promise<readonly Received[]>
  stop(): Promise<void>
}

const accepted: Answers = () => ({ status: 204 })

/** A receiver of callbacks on loopback. */
export async function startReceiver(answers: Answers = accepted, port = 0): Promise<Receiver> {
  const received: Received[] = []
  let current = answers
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const callback = { headers: request.headers, body, message: JSON.parse(body).message }
    received.push(callback)
    const { status, headers } = await current(callback, received.length)
    response.writeHead(status, headers).end()
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.address() as AddressInfo).port

  function of(shipmentUid: string | undefined): readonly Received[] {
    return received.filter(({ message }) => shipmentUid === undefined || message.shipmentUid === shipmentUid)
  }

  return {
    url: `http://127.0.0.1:${bound}/callbacks`,
    port: bound,
    received,
    answer(next) {
      current = next
    },
    async until(count, shipmentUid) {
      await vi.waitFor(
        () => {
          const got = of(shipmentUid).length
          if (got < count) throw new Error(`${got} of ${count} callbacks arrived`)
        },
        { timeout: 60_000, interval: 5 },
      )
      return of(shipmentUid)
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
