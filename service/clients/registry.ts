import { existsSync } from 'node:fs'
import { revokeSigningKey } from '../auth/index.ts'
import { inTransaction, openStore, type StoreTransaction } from '../store/index.ts'
import { toPath } from '../store/sqlite/open.ts'
import { disable, enable, revokeTokens, type Target } from './access.ts'
import { type Listing, listClients } from './list.ts'
import { removeClient, removeTenant } from './remove.ts'
import {
  type AddOptions,
  addClient,
  expireSecret,
  type NewSecret,
  type RotateOptions,
  rotateSecret,
} from './secrets.ts'

export type { NewSecret } from './secrets.ts'

/** Time limit of a statement in milliseconds: the shipments of a removed tenant may be many. */
const statementTimeout = 600_000

/**
 * Changes clients, tenants and signing keys in a store that services may have open. Each method is one transaction, and
 * throws an Error that begins with the argument that is wrong. Services see a change within a second (D-152).
 */
export interface ClientRegistry {
  list(): Promise<Listing>
  add(options: Omit<AddOptions, 'now'>): Promise<NewSecret>
  rotate(options: Omit<RotateOptions, 'now'>): Promise<NewSecret>
  /** Ends the older of two secrets. @param delay milliseconds */
  expire(clientId: string, delay?: number): Promise<void>
  /** Ends all tokens of a client. It can sign in for new ones. */
  revokeTokens(clientId: string): Promise<void>
  /** Ends all tokens that a key has signed. */
  revokeKey(kid: string): Promise<void>
  disable(target: Target): Promise<void>
  enable(target: Target): Promise<void>
  remove(target: Target): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the store at a `file:` or `postgres://` URL.
 * @throws Error when it cannot be opened, or is a file that does not exist
 */
export async function openClientRegistry(
  databaseUrl: string,
  { clock = Date.now }: { clock?: () => number } = {},
): Promise<ClientRegistry> {
  // Opening would create the file.
  if (databaseUrl.startsWith('file:') && !existsSync(toPath(databaseUrl))) {
    throw new Error(`LOCKERFLOW_DATABASE_URL: must be an existing store, and there is no file ${toPath(databaseUrl)}.`)
  }
  const store = await openStore(databaseUrl, { statementTimeout })
  const change = <Result>(work: (tx: StoreTransaction, now: number) => Promise<Result>): Promise<Result> =>
    inTransaction(store, tx => work(tx, clock()))
  return {
    list: () => listClients(store, clock()),
    add: options => change((tx, now) => addClient(tx, { ...options, now })),
    rotate: options => change((tx, now) => rotateSecret(tx, { ...options, now })),
    expire: (clientId, delay = 0) => change((tx, now) => expireSecret(tx, { clientId, now, expiresAt: now + delay })),
    revokeTokens: clientId => change((tx, now) => revokeTokens(tx, clientId, now)),
    revokeKey: kid => change((tx, now) => revokeSigningKey(tx, kid, now)),
    disable: target => change((tx, now) => disable(tx, target, now)),
    enable: target => change(tx => enable(tx, target)),
    remove: target =>
      change((tx, now) =>
        'clientId' in target ? removeClient(tx, target.clientId, now) : removeTenant(tx, target.tenantId, now),
      ),
    close: () => store.destroy(),
  }
}
