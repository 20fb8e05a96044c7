import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createApi } from '#contract/client'
import { readDrivenService } from '#platform/settings'
import { createCertificate } from '../../support/servers/certificate.ts'
import { startTunnelProxy } from '../../support/servers/tunnelProxy.ts'
import { faultOf } from '../../support/world/apiTest.ts'

/** The fault of a read at a service whose certificate is not trusted, and the addresses that the proxy was asked for. */
async function readThrough(variables: Record<string, string>, refusal?: number) {
  const { certificate: cert, key } = createCertificate('127.0.0.1')
  const server = createServer({ cert, key }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { url, asked } = await startTunnelProxy(`127.0.0.1:${port}`, refusal)
  const LOCKERFLOW_BASE_URL = `https://localhost:${port}`
  const { api: settings } = readDrivenService({ LOCKERFLOW_BASE_URL, HTTPS_PROXY: url, ...variables })
  const api = createApi({ ...settings, readRetries: 0 })
  onTestFinished(() => api.close())
  const fault = await faultOf(api.call('GetShipments', { pageNo: 1 }))
  return { message: fault.message, outcomeUnknown: fault.outcomeUnknown, through: asked.length > 0 }
}

const untrusted = /self-signed certificate/

test.each([
  [{}, undefined, false, untrusted],
  [{ NODE_USE_ENV_PROXY: '1' }, undefined, true, untrusted],
  [{ NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost' }, undefined, false, untrusted],
  [{ NODE_USE_ENV_PROXY: '1' }, 403, true, /Proxy response \(403\)/],
])('with %j and a proxy that responds with %s: through it %s', async (variables, refusal, through, message) => {
  const outcome = await readThrough(variables, refusal)
  expect(outcome).toEqual({ message: expect.stringMatching(message), outcomeUnknown: false, through })
})

test('the proxies of a service are read with NODE_USE_ENV_PROXY=1, and a wrong one is named', () => {
  const proxy = 'http://user:secret@proxy.example:3128'
  const read = (variables: Record<string, string>) => readDrivenService(variables).api.proxies
  expect(read({ https_proxy: proxy })).toBeUndefined()
  expect(read({ NODE_USE_ENV_PROXY: '1' })).toEqual({})
  expect(read({ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, no_proxy: '' })).toEqual({ httpProxy: `${proxy}/` })
  const wrong = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'user:secret@proxy', LOCKERFLOW_BASE_URL: 'none' }
  expect(() => readDrivenService(wrong)).toThrow(
    /^LOCKERFLOW_BASE_URL: .*\nHTTPS_PROXY: must be the http address of a proxy\. Example: (?!.*secret)/,
  )
})
