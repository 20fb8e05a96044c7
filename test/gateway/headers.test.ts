import { expect, vi } from 'vitest'
import { commonHeaders } from '#contract'
import { test } from '../support/world/gatewayTest.ts'

test('no response of a gateway is stored, and each has a fixed type', async ({ gateway }) => {
  const requests: [path: string, method: string, status: number][] = [
    ['/callbacks', 'POST', 401],
    ['/health/live', 'GET', 200],
    ['/health/ready', 'GET', 200],
    ['/nowhere', 'GET', 404],
  ]
  for (const [path, method, expected] of requests) {
    // A health check of a busy machine can take longer than its limit.
    const headers = await vi.waitFor(async () => {
      const { status, headers } = await fetch(gateway.address + path, { method })
      expect({ path, status }).toEqual({ path, status: expected })
      return headers
    })
    expect(Object.fromEntries(headers)).toMatchObject(commonHeaders)
    expect(headers.has('server')).toBe(false)
  }
})
