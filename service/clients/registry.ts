import { type AuditAction, recordAudit } from '../audit/index.ts'
import { revokeSigningKey } from '../auth/index.ts'
import { type KeyEncryption, openSecrets, openStagingKeys } from '../encryption/index.ts'
import { inTransaction, openExistingStore, type StoreTransaction } from '../store/index.ts'
import { disable, enable, revokeTokens, type Target } from './access.ts'
import { type Listing, listClients } from './list.ts'
import { removeClient, removeRows, removeTenant } from './remove.ts'
import { type AddOptions, addClient, type NewSecret, type RotateOptions, rotateSecret } from './secrets.ts'

export type { NewSecret } from './secrets.ts'

/** Time limit of a statement in milliseconds: callbacks of a removed tenant are searched for among those of all. */
const statementTimeout = 600_000

/**
 * Changes clients, tenants and signing keys in a store that services may have open. Each method is one transaction, except for
 * `remove`, which deletes many rows in small ones first. It throws an Error that begins with the argument that is wrong. Services
 * see a change within a second.
 */
export interface ClientRegistry {
  list(): Promise<Listing>
  add(options: Omit<AddOptions, 'now'>): Promise<NewSecret>
  rotate(options: Omit<RotateOptions, 'now'>): Promise<NewSecret>
  /** Ends all tokens of a client. It can sign in for new ones. */
  revokeTokens(clientId: string): Promise<void>
  /** Ends all tokens that a key has signed. */
  revokeKey(kid: string): Promise<void>
  disable(target: Target): Promise<void>
  enable(target: Target): Promise<void>
  remove(target: Target): Promise<void>
  close(): Promise<void>
}

export interface ClientRegistryOptions {
  readonly clock?: () => number
  /** Encrypts a signing key that replaces a revoked one. Default: that of staging. */
  readonly keyEncryption?: KeyEncryption | undefined
}

/**
 * Opens the store at a `file:` or `postgres://` URL.
 * @throws Error when it cannot be opened, or is a file that does not exist
 */
export async function openClientRegistry(
  databaseUrl: string,
  { clock = Date.now, keyEncryption }: ClientRegistryOptions = {},
): Promise<ClientRegistry> {
  const store = await openExistingStore(databaseUrl, { statementTimeout })
  /** Records the change in its transaction. */
  const change = <Result>(
    { subject, ...entry }: Change,
    work: (tx: StoreTransaction, now: number) => Promise<Result>,
  ): Promise<Result> =>
    inTransaction(store, async tx => {
      const now = clock()
      // Before the change, which may remove the client, and after it, since it may add the client.
      const before = await findTenantId(tx, subject)
      const result = await work(tx, now)
      const tenantId = before ?? (await findTenantId(tx, subject))
      await recordAudit(tx, { ...entry, actor: 'operator', now, tenantId, subject: Object.values(subject)[0] })
      return result
    })
  return {
    list: () => listClients(store, clock()),
    add: options => change(toChange('secret.added', options), (tx, now) => addClient(tx, { ...options, now })),
    rotate: options => change(toChange('secret.rotated', options), (tx, now) => rotateSecret(tx, { ...options, now })),
    revokeTokens: clientId =>
      change(toChange('tokens.revoked', { clientId }), (tx, now) => revokeTokens(tx, clientId, now)),
    async revokeKey(kid) {
      const secrets = await openSecrets({
        store,
        keyEncryption: keyEncryption ?? (await openStagingKeys(store, databaseUrl)),
        actor: 'operator',
      })
      await change({ action: 'key.revoked', detail: 'signing', subject: { kid } }, (tx, now) =>
        revokeSigningKey(tx, { kid, secrets, now }),
      )
    },
    disable: target => change(toTargetChange('disabled', target), (tx, now) => disable(tx, target, now)),
    enable: target => change(toTargetChange('enabled', target), tx => enable(tx, target)),
    async remove(target) {
      await removeRows(store, target)
      await change(toTargetChange('removed', target), (tx, now) =>
        'clientId' in target ? removeClient(tx, target.clientId, now) : removeTenant(tx, target.tenantId, now),
      )
    },
    close: () => store.destroy(),
  }
}

type Subject = Target | { readonly kid: string }

/** A change as the audit log records it. */
interface Change {
  readonly action: AuditAction
  readonly subject: Subject
  readonly detail?: string
}

function toChange(action: AuditAction, { clientId }: { readonly clientId: string }): Change {
  return { action, subject: { clientId } }
}

function toTargetChange(verb: 'disabled' | 'enabled' | 'removed', target: Target): Change {
  return 'clientId' in target
    ? { action: `client.${verb}`, subject: { clientId: target.clientId } }
    : { action: `tenant.${verb}`, subject: { tenantId: target.tenantId } }
}

async function findTenantId(tx: StoreTransaction, subject: Subject): Promise<string | undefined> {
  if ('tenantId' in subject) return subject.tenantId
  if ('kid' in subject) return undefined
  const row = await tx
    .selectFrom('clients')
    .select('tenant_id')
    .where('client_id', '=', subject.clientId)
    .executeTakeFirst()
  return row?.tenant_id
}
