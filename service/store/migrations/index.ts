// The migrations by name, in order; a migration that has been released is never changed.
// Only the store imports this.
import { firstTables } from './0001-firstTables.ts'
import { suggestions } from './0002-suggestions.ts'
import { shipmentObjects } from './0003-shipmentObjects.ts'
import { sandboxFaults } from './0004-sandboxFaults.ts'
import { signIn } from './0005-signIn.ts'
import { personalKeys } from './0006-personalKeys.ts'
import { audit } from './0007-audit.ts'
import { lockerDoors } from './0008-lockerDoors.ts'
import { shipmentBatches } from './0009-shipmentBatches.ts'
import { shipmentCounts } from './0010-shipmentCounts.ts'
import { shipmentRanges } from './0011-shipmentRanges.ts'
import { decisionCollections } from './0012-decisionCollections.ts'
import { shipmentRangeStates } from './0013-shipmentRangeStates.ts'
import { shipmentChangeRanges } from './0014-shipmentChangeRanges.ts'
import type { Up } from './declaration.ts'

export type { StoreKind } from './declaration.ts'

export const migrations: Readonly<Record<string, Up>> = {
  '0001-firstTables': firstTables,
  '0002-suggestions': suggestions,
  '0003-shipmentObjects': shipmentObjects,
  '0004-sandboxFaults': sandboxFaults,
  '0005-signIn': signIn,
  '0006-personalKeys': personalKeys,
  '0007-audit': audit,
  '0008-lockerDoors': lockerDoors,
  '0009-shipmentBatches': shipmentBatches,
  '0010-shipmentCounts': shipmentCounts,
  '0011-shipmentRanges': shipmentRanges,
  '0012-decisionCollections': decisionCollections,
  '0013-shipmentRangeStates': shipmentRangeStates,
  '0014-shipmentChangeRanges': shipmentChangeRanges,
}
