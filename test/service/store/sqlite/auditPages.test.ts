import { expect, onTestFinished, test } from 'vitest'
import { readEntries } from '../../../../service/audit/entries.ts'
import { openStore, type Store } from '../../../../service/store/index.ts'
import { explainSqlite, recordStatements } from '../../../support/service/queryPlans.ts'

test.each([{ tenantId: 'acme' }, { tenantId: 'acme', since: 1, until: 2 }, { since: 1 }, {}])(
  'a page of the audit log by %j is read in its order, without sorting the entries before it',
  async filter => {
    const store = await openStore('file::memory:')
    onTestFinished(() => store.destroy())
    const [page] = await recordStatements(store, tx => readEntries(tx as Store, filter).next())
    if (page === undefined) throw new Error('no statement')
    expect(await explainSqlite(store, page)).toEqual([
      expect.stringMatching(/^SEARCH audit_log USING INTEGER PRIMARY KEY/),
    ])
  },
)
