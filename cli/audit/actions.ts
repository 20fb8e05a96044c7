import { type AuditFilter, type AuditLog, openAuditLog, readDatabaseUrl } from '#service'
import { misuse } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import type { VerbAction, VerbCall } from '../command/verb.ts'
import { readFilter } from './arguments.ts'

/** Prints the entries as lines of JSON. Without `--json` too: an audit log is read by programs. */
export const exportEntries: VerbAction = {
  async run(call) {
    const filter = readFilter(call, Date.now())
    await withLog(call, async log => {
      const { tenantId } = filter
      if (tenantId !== undefined && !(await log.hasEntries(tenantId))) await requireTenant(log, tenantId)
      await warnOfPurge(log, filter, call.output)
      for await (const entry of log.read(filter)) call.output.item(entry, () => JSON.stringify(entry))
    })
  },
}

async function warnOfPurge(log: AuditLog, { since = 0 }: AuditFilter, output: Output): Promise<void> {
  const purged = await log.purgedBefore()
  if (purged !== undefined && purged > since)
    output.note(`audit: entries before ${new Date(purged).toISOString()} have been purged.`)
}

/** @throws CommandFailure if the store lacks the tenant */
export async function requireTenant(log: AuditLog, tenantId: string): Promise<void> {
  if (!(await log.hasTenant(tenantId)))
    throw misuse(`--tenant: must be a tenant of the store, which lacks ${tenantId}.`)
}

/** Reads the store directly, so it also works while no service runs. */
export async function withLog<Result>(
  { environment }: VerbCall,
  use: (log: AuditLog) => Promise<Result>,
): Promise<Result> {
  const log = await openAuditLog(readDatabaseUrl(environment))
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}
