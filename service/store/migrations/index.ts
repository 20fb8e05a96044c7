// The migrations by name, in order; a migration that has been released is never changed.
// Only the store imports this.
import { firstTables } from './0001-firstTables.ts'
import type { Up } from './declaration.ts'

export type { StoreKind } from './declaration.ts'

export const migrations: Readonly<Record<string, Up>> = {
  '0001-firstTables': firstTables,
}
