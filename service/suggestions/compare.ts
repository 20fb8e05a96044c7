import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Store } from '../store/index.ts'
import type { UploadComparison } from './upload.ts'

/** Addresses per statement. */
const sliceRows = 500

/** Compares a staged upload with the active one of its tenant, in slices, so that no transaction is long. */
export async function compareWithActive(
  store: Store,
  tenantId: string,
  uploadId: string,
  pause: () => Promise<void>,
): Promise<UploadComparison> {
  const active = await store
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .executeTakeFirst()
  const previousId = active?.upload_id ?? ''
  return { previousId, existedCount: await countCommon(store, uploadId, previousId, pause) }
}

/**
 * Counts the addresses that are in both uploads.
 * @param pause awaited before each slice
 */
export async function countCommon(
  db: Store,
  uploadId: string,
  previousId: string,
  pause?: () => Promise<void>,
): Promise<number> {
  if (previousId === '') return 0
  let count = 0
  for (let after = ''; ; await yieldToEventLoop()) {
    await pause?.()
    const slice = db
      .selectFrom('suggestions')
      .select('email_key')
      .where('upload_id', '=', uploadId)
      .where('email_key', '>', after)
      .orderBy('email_key')
      .limit(sliceRows)
    const { common, last } = await db
      .selectFrom(slice.as('line'))
      .leftJoin('suggestions as previous', join =>
        join.onRef('previous.email_key', '=', 'line.email_key').on('previous.upload_id', '=', previousId),
      )
      .select(({ fn }) => [fn.count('previous.email_key').as('common'), fn.max('line.email_key').as('last')])
      .executeTakeFirstOrThrow()
    count += Number(common)
    if (last === null) return count
    after = last
  }
}
