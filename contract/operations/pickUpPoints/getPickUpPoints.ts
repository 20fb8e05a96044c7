import { z } from 'zod'
import { optional, outOfService, pageInfo, pageRequest, text, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

const lockerSize = z
  .object({
    width: z.number(),
    height: z.number(),
    length: z.number(),
    total: z.int(),
    /** Lockers of the size that are not booked and not out of service. */
    free: z.int(),
  })
  .meta({ id: 'LockerSize' })

const pickUpPoint = z
  .object({
    pupUid: uid,
    name: z.string(),
    timeZone: z.string(),
    outOfService,
    streetName: z.string().nullish(),
    streetNo: z.string().nullish(),
    mailbox: z.string().nullish(),
    city: z.string().nullish(),
    countryCode: z.string().nullish(),
    externalReference: z.string().nullish(),
    lockers: z.array(lockerSize).optional(),
  })
  .meta({ id: 'PickUpPoint' })

export const GetPickUpPoints = operation({
  name: 'GetPickUpPoints',
  path: '/v1/PickupPoints/GetPickUpPoints',
  summary: 'Lists your pick up points; with details, also their addresses and their free lockers by size.',
  effect: 'read',
  request: z.object({
    ...pageRequest,
    pupUid: optional(uid),
    includeDetails: z.boolean().nullish(),
    searchText: optional(text(100)),
  }),
  response: z.object({ items: z.array(pickUpPoint), ...pageInfo }),
  errors: [],
})
