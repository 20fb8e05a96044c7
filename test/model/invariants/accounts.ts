import { expect } from 'vitest'
import { isActive, type StoreState } from './storeState.ts'

/** Addresses, user names and mail codes are unique, and the sender and receiver of an active shipment exist. */
export function expectAccounts({ accounts, shipments }: StoreState): void {
  for (const column of ['email_key', 'user_name_key', 'mail_code'] as const) {
    expect(new Set(accounts.map(account => account[column])).size, `each ${column} once`).toBe(accounts.length)
  }
  const there = new Set(accounts.map(({ user_uid }) => user_uid))
  for (const { shipment_uid, from_user_uid, to_user_uid } of shipments.filter(isActive)) {
    for (const uid of [from_user_uid, to_user_uid]) {
      if (uid !== null) expect(there.has(uid), `${uid} of ${shipment_uid} exists`).toBe(true)
    }
  }
}
