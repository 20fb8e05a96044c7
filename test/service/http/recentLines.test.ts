import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createSendRecent } from '../../../service/http/recentLines.ts'
import { createTraffic } from '../../../service/sandbox/traffic.ts'

test('a follower that was admitted just before the stop keeps no connection open', async () => {
  const stopping = new AbortController()
  const traffic = createTraffic(10, Date.now)
  const caller = { clientId: 'acme', tenantId: 'acme' } as never
  const send = createSendRecent({ verifyBearer: async () => caller, stopping: stopping.signal })
  const app = fastify()
  onTestFinished(() => app.close())
  app.get('/requests', async (request, reply) => {
    // The stop begins while the token is checked.
    stopping.abort()
    return send(request, reply, { tenantId: 'acme', recent: traffic.requests })
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${address}/requests?follow=true`, { signal: AbortSignal.timeout(60_000) })
  expect((await response.text()).trim()).toBe('')
})
