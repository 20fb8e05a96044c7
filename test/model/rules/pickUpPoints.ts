import { describeOutOfService, freeOf, lockersAt, volume } from '../model/lockers.ts'
import type { Model } from '../model/model.ts'
import { managedBy } from '../model/who.ts'
import { pageOf } from './listing.ts'
import type { Rules } from './rule.ts'

/** The lockers of a pick up point by size, the smallest first. */
export function sizesAt(model: Model, pupUid: string) {
  const lockers = lockersAt(pupUid)
  const sizes = [...new Set(lockers.map(volume))].sort((a, b) => a - b)
  return sizes.map(size => {
    const alike = lockers.filter(locker => volume(locker) === size)
    const free = freeOf(model, alike).length
    const { width = 0, height = 0, length = 0 } = alike[0] ?? {}
    return { width, height, length, total: alike.length, free }
  })
}

const noAddress = { streetName: null, streetNo: null, mailbox: null, city: null, countryCode: null }

export const pickUpPoints: Rules<'GetPickUpPoints'> = {
  GetPickUpPoints(model, request, { tenant, choices }) {
    const text = (request.searchText ?? '').trim().toLowerCase()
    const found = managedBy(tenant)
      .filter(({ pupUid, name }) => (request.pupUid || pupUid) === pupUid && name.toLowerCase().includes(text))
      .sort((a, b) => choices.rank(a.pupUid) - choices.rank(b.pupUid))
    const items = found.map(({ pupUid, name, timeZone }) => ({
      ...{ pupUid, name, timeZone, outOfService: describeOutOfService(model.outOfService[pupUid]) },
      ...(request.includeDetails === true && {
        ...{ ...noAddress, externalReference: null, lockers: sizesAt(model, pupUid) },
      }),
    }))
    return pageOf(items, request)
  },
}
