import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** Sends lines as they are, and returns the response. `fetch` sends a Host, and only valid bytes. */
export async function sendRaw(port: number, lines: readonly string[]) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(lines.join('\r\n'))
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [, ...headers] = head.split('\r\n').map(line => line.split(': ') as [string, string])
  return {
    status: Number(head.split(' ')[1]),
    headers: new Headers(headers),
    body: body === '' ? undefined : JSON.parse(body),
  }
}
