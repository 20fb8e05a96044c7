import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy that connects every caller to one server, as if each name led there. */
export interface TunnelProxy {
  readonly url: string
  /** The addresses that callers asked for. */
  readonly asked: (string | undefined)[]
}

/** @param refusal the status of every response, in place of a tunnel */
export async function startTunnelProxy(target: string, refusal?: number): Promise<TunnelProxy> {
  const [host = '', port] = target.split(':')
  const asked: (string | undefined)[] = []
  const proxy = createServer().on('connect', ({ url }, near) => {
    asked.push(url)
    near.on('error', () => undefined)
    if (refusal !== undefined) return void near.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`)
    const far = connect(Number(port), host, () => near.write('HTTP/1.1 200 OK\r\n\r\n'))
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => [near, far].map(end => end.destroy()))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
}
