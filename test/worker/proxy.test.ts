import { expect, inject, test } from 'vitest'
import { connectWorker, ensureRuntime } from '#worker'
import { readPreparation, readSettings } from '../../worker/settings.ts'
import { startTunnelProxy } from '../support/servers/tunnelProxy.ts'

const https_proxy = 'http://proxy.example:3128'
const temporal = 'temporal.example:7233'
const proxy = { type: 'http-connect', targetHost: 'proxy.example:3128' }

test.each<[NodeJS.ProcessEnv, string, unknown]>([
  [{}, temporal, undefined],
  [{ https_proxy }, temporal, proxy],
  [{ http_proxy: 'http://proxy.example' }, temporal, { ...proxy, targetHost: 'proxy.example:80' }],
  [{ grpc_proxy: https_proxy, https_proxy: 'http://other.example:1' }, temporal, proxy],
  // gRPC for Node reads small letters only.
  [{ HTTPS_PROXY: https_proxy }, temporal, undefined],
  [
    { https_proxy: 'http://acme:a%23b@proxy.example:3128' },
    temporal,
    { ...proxy, basicAuth: { username: 'acme', password: 'a#b' } },
  ],
  [{ https_proxy, no_proxy: 'other.example, .example' }, temporal, undefined],
  [{ https_proxy, no_proxy: 'other.example' }, temporal, proxy],
  [{ https_proxy, no_grpc_proxy: 'other.example', no_proxy: temporal.replace(/:.*/, '') }, temporal, proxy],
  [{ https_proxy }, '127.0.0.1:7233', undefined],
  [{ https_proxy }, '[::1]:7233', undefined],
])('%j at %s connects through %j', (environment, TEMPORAL_ADDRESS, expected) => {
  expect(readSettings({ ...environment, TEMPORAL_ADDRESS }).temporal.proxy).toEqual(expected)
  expect(readPreparation({ ...environment, TEMPORAL_ADDRESS }).temporal.proxy).toEqual(expected)
})

test.each(['proxy.example:3128', 'https://proxy.example:3128', 'none'])(
  '%s is no proxy: its variable is named',
  value => {
    const wrong = { https_proxy: value, TEMPORAL_ADDRESS: temporal, LOCKERFLOW_LOG_LEVEL: 'loud' }
    expect(() => readSettings(wrong)).toThrow(
      /^https_proxy: must be the http address of a proxy\. Example: .*\nLOCKERFLOW_LOG_LEVEL: /,
    )
  },
)

test('a worker connects to a remote Temporal through the proxy', async () => {
  ensureRuntime('ERROR')
  const { url, asked } = await startTunnelProxy(inject('temporal').address)
  const connection = await connectWorker(readSettings({ grpc_proxy: url, TEMPORAL_ADDRESS: temporal }).temporal)
  await connection.close()
  expect(asked).toEqual([temporal])
})

test('a proxy that refuses the connection is named', async () => {
  ensureRuntime('ERROR')
  const { url } = await startTunnelProxy(inject('temporal').address, 407)
  const settings = readSettings({ grpc_proxy: url, TEMPORAL_ADDRESS: temporal })
  await expect(connectWorker(settings.temporal)).rejects.toThrow(
    /^TEMPORAL_ADDRESS: Temporal cannot be reached at temporal\.example:7233: [^\n]*CONNECT call failed with status: 407[^\n]*$/,
  )
})
