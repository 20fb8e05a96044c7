import type { PersonalKeys } from '#codec'
import type { Missing } from '#contract'

/** Limit of the read, in milliseconds: less than that of a health check. */
const timeout = 2_000

/** Finds what a codec server lacks: the store of the keys of persons, without which it decodes no names and addresses. */
export async function findMissing(keys: Pick<PersonalKeys, 'check'> | undefined): Promise<readonly Missing[]> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, timeout, new Error(`no answer within ${timeout} ms`))
  try {
    await Promise.race([keys?.check(), timedOut])
    return []
  } catch (error) {
    return [{ name: 'keyStore', reason: error instanceof Error ? error.message : String(error) }]
  } finally {
    clearTimeout(timer)
  }
}
