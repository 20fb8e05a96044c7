import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A name server that receives questions and answers none. */
export interface SilentResolver {
  /** Runs the program in its arguments, with its own process id, so that this server resolves its names. */
  readonly command: readonly string[]
  stop(): Promise<void>
}

/** An address of this machine on which no other name server listens. */
const address = '127.0.0.9'
const port = 53

/** A mount that the processes of the command see, and no other process. */
const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'

/** Needs Linux and its root, for the port and the mount. @throws Error without them */
export async function startSilentResolver(): Promise<SilentResolver> {
  const socket = createSocket('udp4')
  socket.bind(port, address)
  await once(socket, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-resolver-'))
  const file = join(folder, 'resolv.conf')
  await writeFile(file, `nameserver ${address}\n`)
  return {
    command: ['unshare', '--mount', 'sh', '-c', script, file],
    async stop() {
      socket.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
