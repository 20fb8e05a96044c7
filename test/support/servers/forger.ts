// A thread that posts one request over a few connections, again and again, until it is terminated.
import { connect } from 'node:net'
import { workerData } from 'node:worker_threads'

const { port, head, body, connections } = workerData as {
  readonly port: number
  readonly head: string
  readonly body: string
  readonly connections: number
}
const request = Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

function flood(): void {
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  socket.on('data', () => socket.write(request))
  socket.on('error', () => {})
  socket.on('close', flood)
}

for (let index = 0; index < connections; index++) flood()
