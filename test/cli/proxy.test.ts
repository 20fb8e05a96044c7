import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { bypassProxyOnLoopback } from '../../cli/environment.ts'
import { runProcess } from '../support/command/process.ts'

const loopback = 'localhost,127.0.0.1,::1'
const https_proxy = 'http://proxy.example:3128'

test.each([
  [{}, {}],
  [{ no_proxy: 'intranet.example' }, {}],
  [{ https_proxy }, { no_proxy: loopback }],
  [{ HTTPS_PROXY: https_proxy }, { no_proxy: loopback }],
  [{ https_proxy, no_proxy: '127.0.0.1, intranet.example' }, { no_proxy: '127.0.0.1,intranet.example,localhost,::1' }],
  // Programs that read both prefer small letters.
  [{ https_proxy, NO_PROXY: 'intranet.example' }, { no_proxy: `intranet.example,${loopback}` }],
  [
    { grpc_proxy: https_proxy, no_grpc_proxy: 'temporal.example' },
    { no_grpc_proxy: `temporal.example,${loopback}`, no_proxy: loopback },
  ],
])('%j exempts this machine once: %j', (given, added) => {
  const environment: NodeJS.ProcessEnv = { ...given }
  bypassProxyOnLoopback(environment)
  bypassProxyOnLoopback(environment)
  expect(environment).toEqual({ ...given, ...added })
})

test('a verb reaches a remote Temporal through the proxy', async () => {
  const { address, namespace: TEMPORAL_NAMESPACE } = inject('temporal')
  const [host = '', port] = address.split(':')
  const asked: (string | undefined)[] = []
  const proxy = createServer().on('connect', ({ url }, near) => {
    asked.push(url)
    const far = connect(Number(port), host, () => near.write('HTTP/1.1 200 OK\r\n\r\n'))
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => [near, far].map(end => end.destroy()))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  const environment = {
    TEMPORAL_ADDRESS: 'temporal.example:7233',
    TEMPORAL_NAMESPACE,
    https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  }
  expect(await runProcess(environment, ['flow', 'list', '--user', 'none', '--json'])).toMatchObject({ code: 0 })
  expect(asked).toEqual([environment.TEMPORAL_ADDRESS])
})
