import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface HeldPort {
  /** Called after a server listens at the port again. */
  release(): void
}

/**
 * Holds a port of loopback at which no server listens any more: it refuses connections, and the system gives it to no
 * other process, which the next server at the port would find there. A connection from the port has this effect.
 */
export async function holdPort(port: number): Promise<HeldPort> {
  const host = '127.0.0.1'
  const peer = createServer(socket => void socket.on('error', () => {}).unref()).listen(0, host)
  await once(peer.unref(), 'listening')
  const { port: peerPort } = peer.address() as AddressInfo
  const socket = connect({ host, port: peerPort, localAddress: host, localPort: port })
  await once(socket, 'connect')
  socket.on('error', () => {}).unref()
  return {
    release() {
      socket.destroy()
      peer.close()
    },
  }
}
