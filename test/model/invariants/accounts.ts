import { expect } from 'vitest'
import { type Facts, isActive } from './facts.ts'

/** Addresses, user names and mail codes are unique, and who takes part in an active shipment is there. */
export function expectAccounts({ accounts, shipments }: Facts): void {
  for (const column of ['email_key', 'user_name_key', 'mail_code'] as const) {
    expect(new Set(accounts.map(account => account[column])).size, `each ${column} once`).toBe(accounts.length)
  }
  const there = new Set(accounts.map(({ user_uid }) => user_uid))
  for (const { shipment_uid, from_user_uid, to_user_uid } of shipments.filter(isActive)) {
    for (const uid of [from_user_uid, to_user_uid]) {
      if (uid !== null) expect(there.has(uid), `${uid}, who takes part in ${shipment_uid}, is there`).toBe(true)
    }
  }
}
