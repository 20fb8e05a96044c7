import type { FastifyInstance } from 'fastify'
import { healthPaths, type Missing, toReadiness } from '#contract'
import type { LogThrottle } from '#platform/logs'
import type { CodecServerSettings } from './settings.ts'

/** Limit of the read, in milliseconds: less than that of a health check. */
const keyStoreTimeout = 2_000

/** Anyone can read the health check, so the address of the store is only in the log. */
const keyStoreMissing = {
  name: 'keyStore',
  reason: 'the store of the keys of persons was not read; the log line codec-key-store-unavailable says why',
} as const satisfies Missing

/** Adds the routes of health probes. */
export function addHealth(
  app: FastifyInstance,
  { keys, log }: Pick<CodecServerSettings, 'keys' | 'log'>,
  throttled: LogThrottle,
): void {
  app.get(healthPaths.live, async () => ({ live: true }))
  app.get(healthPaths.ready, async (_request, reply) => {
    const reason = await findKeyStoreFault(keys)
    if (reason !== undefined)
      throttled('keyStore', suppressed =>
        log.warn({ logId: 'codec-key-store-unavailable', reason, suppressed }, 'store of the keys of persons not read'),
      )
    const body = toReadiness(reason === undefined ? [] : [keyStoreMissing])
    return reply.code(body.ready ? 200 : 503).send(body)
  })
}

/** Reads the store of the keys of persons, without which a codec server decodes no names and addresses. */
async function findKeyStoreFault(keys: CodecServerSettings['keys']): Promise<string | undefined> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, keyStoreTimeout, new Error(`no answer within ${keyStoreTimeout} ms`))
  try {
    await Promise.race([keys?.check(), timedOut])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}
