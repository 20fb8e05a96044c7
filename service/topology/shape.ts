import { z } from 'zod'
import { crossReferences } from './crossReferences.ts'

const uid = z.string().min(1).max(64)
const name = z.string().trim().min(1).max(100)
/** Centimetres. */
const side = z.number().min(1).max(10_000)

const timeZone = name.refine(isTimeZone, 'has to be an IANA time zone, for example Europe/Amsterdam')

const dispatcher = z.strictObject({
  userName: name,
  emailAddress: z.email().max(254),
  firstName: name,
  lastName: name,
})

const tenant = z.strictObject({
  name: uid,
  /** The main account, used where a shipment needs a user that is not specified. */
  dispatcher,
  clients: z.array(z.strictObject({ clientId: uid, clientSecret: z.string().min(8).max(500) })).min(1),
})

const locker = z.strictObject({
  /** One name, or a range such as 1-8. */
  names: name,
  /** Only where `names` is one name; otherwise, and when left out, `<pupUid>:<name>`. */
  lockerUid: uid.optional(),
  width: side,
  height: side,
  length: side,
})

const pickUpPoint = z.strictObject({
  pupUid: uid,
  name,
  timeZone,
  tenants: z.array(uid),
  overflowPupUid: uid.optional(),
  streetName: name.optional(),
  streetNo: name.optional(),
  mailbox: name.optional(),
  city: name.optional(),
  countryCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  externalReference: name.optional(),
  lockers: z.array(locker),
})

/** A topology file: keys that nobody knows are refused, since they are misspelt ones that would be missed silently. */
export const topology = z
  .strictObject({ tenants: z.array(tenant), pickUpPoints: z.array(pickUpPoint) })
  .superRefine((declared, context) => {
    for (const { path, message } of crossReferences(declared))
      context.addIssue({ code: 'custom', path: [...path], message })
  })

/** Aliases are time zones too, which is why no list is asked. */
function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

export type Topology = z.input<typeof topology>
export type DeclaredTenant = Topology['tenants'][number]
export type DeclaredPickUpPoint = Topology['pickUpPoints'][number]
