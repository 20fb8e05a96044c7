import { type AuditLog, openAuditLog, readDatabaseUrl } from '#service'
import type { VerbCall } from '../command/verb.ts'

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
