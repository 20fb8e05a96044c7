import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { type HeldPort, holdPort } from './heldPort.ts'

/** A connection to Temporal that the test can cut and delay. */
export interface Relay {
  readonly address: string
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections again at the same address. */
  mend(): Promise<void>
  /** Holds back all bytes; `stuck` resolves when a call that contains this text waits. */
  hold(text: string): { stuck: Promise<void> }
  release(): void
}

export async function startRelay(target: string): Promise<Relay> {
  const [host = '', port] = target.split(':')
  const open = new Set<Socket>()
  const waiting: (() => void)[] = []
  let held: string | undefined
  let stuck = Promise.withResolvers<void>()

  const pass = (to: Socket) => (chunk: Buffer) => {
    if (held === undefined) return void to.write(chunk)
    waiting.push(() => to.write(chunk))
    if (chunk.includes(held)) stuck.resolve()
  }
  const accept = (near: Socket) => {
    const far = connect(Number(port), host)
    near.on('data', pass(far))
    far.on('data', pass(near))
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  }
  let server = await listen(accept, 0)
  const at = (server.address() as AddressInfo).port
  let refused: HeldPort | undefined
  return {
    address: `127.0.0.1:${at}`,
    async cut() {
      server.close()
      for (const socket of open) socket.destroy()
      if (server.listening) await once(server, 'close')
      refused ??= await holdPort(at)
    },
    async mend() {
      server = await listen(accept, at)
      refused?.release()
      refused = undefined
    },
    hold(text) {
      held = text
      stuck = Promise.withResolvers<void>()
      return { stuck: stuck.promise }
    },
    release() {
      held = undefined
      for (const send of waiting.splice(0)) send()
    },
  }
}

async function listen(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
