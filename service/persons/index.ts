// The data of one person: export and erasure, for operators.
// Imported by the service's door for the command.
import { recordAudit } from '../audit/index.ts'
import { openExistingStore } from '../store/index.ts'
import type { PersonSelection } from './account.ts'
import { erasePerson } from './erase.ts'
import { exportPerson, type PersonExport } from './export.ts'
import type { ErasureReport } from './report.ts'

export type { PersonSelection } from './account.ts'
export type { PersonExport } from './export.ts'
export type { Erased, ErasureReport, Staying } from './report.ts'

/** The data of persons in a store that services may have open. */
export interface Persons {
  /** Exports the data of a person, and records that in the audit log. */
  export(selection: PersonSelection): Promise<PersonExport>
  erase(selection: PersonSelection): Promise<ErasureReport>
  close(): Promise<void>
}

/** Time limit of a statement in milliseconds: some read a whole table. */
const statementTimeout = 600_000

/** @throws Error when the store cannot be opened, or has no tables yet */
export async function openPersons(databaseUrl: string): Promise<Persons> {
  const store = await openExistingStore(databaseUrl, { statementTimeout })
  return {
    async export(selection) {
      const found = await exportPerson(store, selection)
      const { userUid: subject, tenantId } = selection
      await recordAudit(store, { action: 'account.exported', actor: 'operator', now: Date.now(), tenantId, subject })
      return found
    },
    erase: selection => erasePerson(store, selection, Date.now()),
    close: () => store.destroy(),
  }
}
