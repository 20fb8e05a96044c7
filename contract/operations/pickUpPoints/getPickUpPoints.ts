import { z } from 'zod'
import { page, pageCount, text, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

const lockerSize = z.object({
  width: z.number(),
  height: z.number(),
  length: z.number(),
  total: z.int(),
  free: z.int(),
})

const pickUpPoint = z.object({
  pupUid: uid,
  name: z.string(),
  timeZone: z.string(),
  streetName: z.string().nullish(),
  streetNo: z.string().nullish(),
  mailbox: z.string().nullish(),
  city: z.string().nullish(),
  countryCode: z.string().nullish(),
  externalReference: z.string().nullish(),
  lockers: z.array(lockerSize).optional(),
})

export const GetPickUpPoints = operation({
  name: 'GetPickUpPoints',
  path: '/v1/PickupPoints/GetPickUpPoints',
  summary: 'Lists the pick up points of the caller, with details their addresses and free lockers by size.',
  section: 'Decisions: GetPickUpPoints',
  effect: 'read',
  request: z.object({
    ...page,
    pupUid: uid.or(z.literal('')).nullish(),
    includeDetails: z.boolean().nullish(),
    searchText: text(100).nullish(),
  }),
  response: z.object({ items: z.array(pickUpPoint), ...pageCount }),
  errors: [],
})
