import { expect, inject, test } from 'vitest'
import { bypassProxyOnLoopback } from '../../platform/environment.ts'
import { runProcess } from '../support/command/process.ts'
import { startTunnelProxy } from '../support/servers/tunnelProxy.ts'

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
  const { url, asked } = await startTunnelProxy(address)
  const environment = { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE, https_proxy: url }
  expect(await runProcess(environment, ['flow', 'list', '--user', 'none', '--json'])).toMatchObject({ code: 0 })
  expect(asked).toEqual([environment.TEMPORAL_ADDRESS])
})
