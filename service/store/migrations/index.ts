// The migrations by name, in order; a migration that has been released is never changed.
// Only the store imports this.
import { firstTables } from './0001-firstTables.ts'
import { suggestions } from './0002-suggestions.ts'
import { furtherTables } from './0003-furtherTables.ts'
import { signIn } from './0004-signIn.ts'
import { audit } from './0005-audit.ts'
import { shipmentBatches } from './0006-shipmentBatches.ts'
import { shipmentCounts } from './0007-shipmentCounts.ts'
import { derivedSenders } from './0008-derivedSenders.ts'
import { textKeys } from './0009-textKeys.ts'
import type { Up } from './declaration.ts'

export type { StoreKind } from './declaration.ts'

export const migrations: Readonly<Record<string, Up>> = {
  '0001-firstTables': firstTables,
  '0002-suggestions': suggestions,
  '0003-furtherTables': furtherTables,
  '0004-signIn': signIn,
  '0005-audit': audit,
  '0006-shipmentBatches': shipmentBatches,
  '0007-shipmentCounts': shipmentCounts,
  '0008-derivedSenders': derivedSenders,
  '0009-textKeys': textKeys,
  // Replaces the function in stores whose 0006 was without the lock of an access (D-304).
  '0010-accessLocks': shipmentBatches,
}
