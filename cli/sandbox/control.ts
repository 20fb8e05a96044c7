import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { toFailure } from '../command/failure.ts'
import type { DevStack } from './devFile.ts'
import type { MovableStack } from './devStack.ts'

/** The changes that other processes may ask of a running stack. */
export interface ControlRequest {
  readonly action: 'time' | 'advance' | 'snapshot' | 'restore'
  /** The name of a snapshot, or the duration of an advance. */
  readonly value?: string
}

const ip = '127.0.0.1'

/** Listens on loopback for verbs of the same user: the token is in a file of mode 600. */
export async function startControl(stack: Pick<MovableStack, 'time' | 'advance' | 'snapshot' | 'restore'>) {
  const token = randomBytes(24).toString('base64url')
  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!isAllowed(request, token)) return void send(401, { code: 'Unauthorized', message: 'The token is invalid.' })
    try {
      send(200, (await perform(JSON.parse(await text(request)))) ?? {})
    } catch (error) {
      const { code, message, exitCode, remedy } = toFailure(error)
      send(400, { code, message, exitCode, remedy })
    }
  })

  async function perform({ action, value = '' }: ControlRequest): Promise<object | undefined> {
    if (action === 'advance') return stack.advance(value as never)
    if (action === 'snapshot') await stack.snapshot(value)
    if (action === 'restore') await stack.restore(value)
    return stack.time()
  }

  server.listen(0, ip)
  await once(server, 'listening')
  const control: DevStack['control'] = { url: `http://${ip}:${(server.address() as AddressInfo).port}`, token }
  return {
    control,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function isAllowed({ headers, method }: IncomingMessage, token: string): boolean {
  const expected = Buffer.from(`Bearer ${token}`)
  const given = Buffer.from(headers.authorization ?? '')
  return method === 'POST' && given.length === expected.length && timingSafeEqual(given, expected)
}
