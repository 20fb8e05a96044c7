import { Client } from '@temporalio/client'
import { type AuditFilter, type AuditLog, openAuditLog, readDatabaseUrl } from '#service'
import { readTemporalTarget } from '#worker'
import type { Output } from '../command/output.ts'
import type { VerbAction, VerbCall } from '../command/verb.ts'
import { connectTemporal } from '../temporalConnection.ts'
import { readCollection, readFilter } from './arguments.ts'
import { readDecisions } from './decisions.ts'

/** Prints the entries as lines of JSON. Without `--json` too: an audit log is read by programs. */
export const exportEntries: VerbAction = {
  async run(call) {
    const filter = readFilter(call, Date.now())
    await withLog(call, async log => {
      await warnOfPurge(log, filter, call.output)
      for await (const entry of log.read(filter)) call.output.item(entry, () => JSON.stringify(entry))
    })
  },
}

/** Adds the decisions of operators about flows, which Temporal has, to the log. */
export const collect: VerbAction = {
  async run(call) {
    const { tenantId, since } = readCollection(call, Date.now())
    await withLog(call, async log => {
      const { temporal, namespace, dataConverter } = readTemporalTarget(call.environment)
      const connection = await connectTemporal(temporal)
      const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) })
      try {
        const added = await log.addDecisions(tenantId, readDecisions(client, since))
        call.output.result({ added }, () => [`${added} decisions about flows added`])
      } finally {
        await connection.close()
      }
    })
  },
}

/** Reads the store directly, so it also works while no service runs. */
async function withLog({ environment }: VerbCall, use: (log: AuditLog) => Promise<void>): Promise<void> {
  const log = await openAuditLog(readDatabaseUrl(environment))
  try {
    await use(log)
  } finally {
    await log.close()
  }
}

async function warnOfPurge(log: AuditLog, { since = 0 }: AuditFilter, output: Output): Promise<void> {
  const purged = await log.purgedBefore()
  if (purged !== undefined && purged > since)
    output.note(`audit: entries before ${new Date(purged).toISOString()} have been purged.`)
}
