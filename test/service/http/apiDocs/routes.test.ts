import diagnostics from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../support/service/testService.ts'

/** Routes that the document leaves out, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'GET /openapi.json': 'the document itself',
  'GET /docs': 'the reference page: the document once more, for people',
  'GET /docs/start.js': 'a part of the page',
  'GET /docs/reference.js': 'a part of the page',
}

/** Routes that the applications get which are made meanwhile, as `GET /path`. */
async function watchRoutes<Made>(make: () => Promise<Made>): Promise<{ made: Made; routes: ReadonlySet<string> }> {
  const routes = new Set<string>()
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.add(`${one} ${url}`)
    })
  }
  diagnostics.subscribe('fastify.initialization', watch)
  try {
    return { made: await make(), routes }
  } finally {
    diagnostics.unsubscribe('fastify.initialization', watch)
  }
}

describe.each(['staging', 'production'] as const)('in %s', environment => {
  let service: TestService
  let routes: ReadonlySet<string>
  let documented: readonly string[]

  beforeAll(async () => {
    const allowPrivateNetworks = environment === 'staging'
    const watched = await watchRoutes(() => startTestService({ environment, allowPrivateNetworks }))
    service = watched.made
    routes = watched.routes
    const { paths } = (await service.send('/openapi.json')).body as unknown as { paths: Record<string, object> }
    documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
    )
  })

  afterAll(() => service.stop())

  test('every route is in the document, or left out for a reason', () => {
    // Each GET is a HEAD as well, which has the same response without its body.
    const isHead = (route: string) => route.startsWith('HEAD ') && routes.has(route.replace('HEAD', 'GET'))
    const called = [...routes].filter(route => !isHead(route))
    expect(called.length).toBeGreaterThan(30)
    expect(called.toSorted()).toEqual([...documented, ...Object.keys(leftOut)].toSorted())
  })

  test('everything in the document is there: nothing is unknown, and nothing is called in another way', async () => {
    for (const route of documented) {
      const [method = '', path = ''] = route.split(' ')
      const { status } = await service.send(path, { method })
      expect({ route, isThere: status !== 404 && status !== 405 }).toEqual({ route, isThere: true })
    }
  })

  test('operations with a token are distinguished from those without', async () => {
    const { paths } = (await service.send('/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { security?: [] }>>
    }
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(item)) {
        const { status } = await service.send(path, { method: method.toUpperCase() })
        expect({ path, isClosed: status === 401 }).toEqual({ path, isClosed: security === undefined })
      }
    }
  })
})
