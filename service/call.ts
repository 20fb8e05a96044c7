import type { Selectable } from 'kysely'
import type { Secrets } from './encryption/index.ts'
import type { StoreTransaction } from './store/store.ts'
import type { TenantRow } from './store/tables.ts'

/** The context of one call: caller, time, and the transaction of all its changes. */
export interface Call {
  readonly tx: StoreTransaction
  readonly tenantId: string
  readonly clientId: string
  /** Reads the caller's tenant, once per transaction. */
  readonly tenant: () => Promise<Pick<Selectable<TenantRow>, 'dispatcher_user_uid' | 'callback_url'>>
  /** Encrypts columns of the store. */
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt' | 'hashCodes' | 'hashReleasedCodes'>
  /** Milliseconds since 1970, the same for the whole call. */
  readonly now: number
  /** True if sandbox faults are available; false in production. */
  readonly sandbox: boolean
  /** `hasCallback`: the outbox must be woken when the call has ended. */
  readonly effects?: { hasCallback: boolean }
}
