import type { Api } from '#contract/client'
import type { Shipment } from './requests.ts'
import { type Arrival, findStory } from './stories.ts'

/** Finds when the persons of shipments come. It reads each account once. */
export interface Arrivals {
  /** Undefined for a shipment without a story. */
  find(shipment: Shipment, person: string | null): Promise<Arrival | undefined>
  /** Forgets the accounts that none of these shipments has. */
  forgetOthers(shipments: readonly Shipment[]): void
}

/** @param dispatcher the user name of the tenant's dispatcher, who comes at once */
export function createArrivals(api: Api, dispatcher: string): Arrivals {
  /** The e-mail addresses of users, by uid. */
  const addresses = new Map<string, string>()
  let dispatcherUid: string | null | undefined

  async function storyOf(userUid: string): Promise<Arrival | undefined> {
    const known = addresses.get(userUid)
    if (known !== undefined) return findStory(known)
    const { emailAddress } = await api.call('GetAccount', { userUid })
    addresses.set(userUid, emailAddress ?? '')
    return findStory(emailAddress ?? '')
  }

  async function findDispatcher(): Promise<string | null> {
    dispatcherUid ??= (await api.call('GetAccount', { userName: dispatcher })).userUid
    return dispatcherUid
  }

  return {
    async find({ referenceCaseNo, fromUserUid, toUserUid }, person) {
      const ofUsers = await Promise.all([fromUserUid, toUserUid].map(uid => (uid === null ? undefined : storyOf(uid))))
      const story = findStory(referenceCaseNo ?? '') ?? ofUsers.find(found => found !== undefined)
      if (story === undefined) return undefined
      return person === null || person === (await findDispatcher()) ? 'atOnce' : story
    },
    forgetOthers(shipments) {
      removeOthers(
        addresses,
        shipments.flatMap(({ fromUserUid, toUserUid }) => [fromUserUid, toUserUid]),
      )
    },
  }
}

/** Removes all but the given keys: a player can run for months. */
export function removeOthers(known: Set<string> | Map<string, unknown>, keys: readonly (string | null)[]): void {
  const kept = new Set(keys)
  for (const key of known.keys()) if (!kept.has(key)) known.delete(key)
}
