// The migrations by name, in order; a migration that has been released is never changed.
// Only the store imports this.
import { firstTables } from './0001-firstTables.ts'
import { suggestions } from './0002-suggestions.ts'
import { furtherTables } from './0003-furtherTables.ts'
import { signIn } from './0004-signIn.ts'
import { audit } from './0005-audit.ts'
import { shipmentCounts } from './0006-shipmentCounts.ts'
import { derivedSenders } from './0007-derivedSenders.ts'
import { textKeys } from './0008-textKeys.ts'
import type { Up } from './declaration.ts'

export type { StoreKind } from './declaration.ts'

export const migrations: Readonly<Record<string, Up>> = {
  '0001-firstTables': firstTables,
  '0002-suggestions': suggestions,
  '0003-furtherTables': furtherTables,
  '0004-signIn': signIn,
  '0005-audit': audit,
  '0006-shipmentCounts': shipmentCounts,
  '0007-derivedSenders': derivedSenders,
  '0008-textKeys': textKeys,
}
