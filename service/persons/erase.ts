import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { hideInStoredResponses } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { inTransaction, type Store } from '../store/index.ts'
import { forUpdate, hasRowLocks } from '../store/locks.ts'
import { assertKnown, assertNoDispatcher, findPersonAccount, type PersonSelection } from './account.ts'
import { createMatcher, type Matches } from './matcher.ts'
import type { Erased, ErasureReport, Staying } from './report.ts'
import { eraseResponses } from './responses.ts'
import { readSlices } from './scan.ts'
import { eraseSuggestions } from './suggestions.ts'
import { eraseTexts } from './texts.ts'

/**
 * Erases a person from every table, in small transactions, and the account last: a run that was interrupted can be repeated.
 * Services may run meanwhile.
 * @throws Error when the uid is unknown, or must not be erased
 */
export async function erasePerson(store: Store, selection: PersonSelection, now: number): Promise<ErasureReport> {
  const { userUid, tenantId } = selection
  await assertNoDispatcher(store, userUid)
  const account = await findPersonAccount(store, selection)
  if (account === undefined) await assertKnown(store, userUid)
  // SQLite overwrites what it deletes on this connection; otherwise the file would keep the bytes.
  if (!hasRowLocks(store)) await sql`pragma secure_delete = on`.execute(store)

  const matches = createMatcher(account)
  const texts = await eraseTexts(store, userUid, matches)
  const suggestions = await eraseSuggestions(store, matches)
  const named = await eraseResponses(store, userUid, matches)
  const removed = await inTransaction(store, async tx => {
    // Waits for requests that have read the account, whose responses are then hidden too.
    await tx
      .selectFrom('accounts')
      .select('email')
      .where('user_uid', '=', userUid)
      .modifyEnd(forUpdate(tx))
      .executeTakeFirst()
    const hidden = await hideInStoredResponses({ tx }, userUid)
    const { numDeletedRows } = await tx.deleteFrom('accounts').where('user_uid', '=', userUid).executeTakeFirst()
    await recordAudit(tx, { action: 'account.erased', actor: 'operator', now, tenantId, subject: userUid })
    return { hidden, accounts: Number(numDeletedRows) }
  })
  const isLogEmpty = hasRowLocks(store) || (await emptyWriteAheadLog(store))

  const erased: Erased[] = [
    { table: 'accounts', rows: removed.accounts, done: 'deleted' },
    { table: 'suggestions', rows: suggestions, done: 'deleted' },
    { table: 'idempotency', rows: named + removed.hidden, done: 'blanked' },
    ...texts.erased,
  ]
  return {
    userUid,
    erased: erased.filter(({ rows }) => rows > 0),
    stays: [...texts.stays, ...(await listRest(store, userUid, matches)), ...(isLogEmpty ? [] : [writeAheadLog])],
  }
}

/** Milliseconds between two tries. SQLite refuses a checkpoint at once while another one runs: the lock timeout is for readers. */
const checkpointInterval = 25

/**
 * Copies the write-ahead log to the file and empties it. Returns false if another process reads from it, or another checkpoint
 * runs, for longer than the lock timeout.
 */
async function emptyWriteAheadLog(store: Store): Promise<boolean> {
  const busyTimeout = await sql<{ timeout: number }>`pragma busy_timeout`.execute(store)
  const until = performance.now() + (busyTimeout.rows[0]?.timeout ?? 0)
  for (;;) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store)
    if (rows[0]?.busy === 0) return true
    if (performance.now() >= until) return false
    await delay(checkpointInterval)
  }
}

const writeAheadLog: Staying = {
  what: 'the write-ahead log of the embedded store',
  reason: 'another process was reading from it; erase again',
}

async function listRest(store: Store, userUid: string, matches: Matches): Promise<Staying[]> {
  const { count } = await store
    .selectFrom('audit_log')
    .select(eb => eb.fn.countAll().as('count'))
    .where('subject', '=', userUid)
    .executeTakeFirstOrThrow()
  const named = await countNamed(store, matches)
  return [
    {
      what: 'entries of the audit log, with the uid',
      rows: Number(count),
      reason: 'they are the proof of what was done, and contain no personal field; LOCKERFLOW_KEEP_AUDIT purges them',
    },
    ...(named > 0
      ? [
          {
            what: 'entries of the audit log about flows, with a case number that names the person',
            rows: named,
            reason: 'they are the proof of what was decided; LOCKERFLOW_KEEP_AUDIT purges them',
          },
        ]
      : []),
    { what: 'backups', reason: 'they are not changed; delete them when they are older than your retention' },
    ...(hasRowLocks(store)
      ? [
          {
            what: 'dead row versions of PostgreSQL',
            reason: 'vacuum removes them; VACUUM FULL frees the space at once',
          },
        ]
      : [
          {
            what: 'free pages in the file of the embedded store',
            reason: 'rows that a service deleted earlier may be in them; VACUUM removes them, while no service runs',
          },
        ]),
  ]
}

/** Counts the copied decisions, which name a flow by its case number. The other entries contain ids and fixed words only. */
async function countNamed(store: Store, matches: Matches): Promise<number> {
  let count = 0
  for await (const slice of readSlices(store, 'audit_log'))
    count += slice.filter(({ subject, detail }) => matches(subject) || matches(detail)).length
  return count
}
