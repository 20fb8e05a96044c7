import { z } from 'zod'
import { emailAddress, userName } from '#contract'

const uid = z.string().min(1).max(64)
const name = z.string().trim().min(1).max(100)
/** Centimetres. */
const side = z.number().min(1).max(10_000)

const timeZone = name.refine(isTimeZone, 'must be an IANA time zone such as Europe/Amsterdam')

const dispatcher = z.strictObject({
  userName,
  emailAddress,
  firstName: name,
  lastName: name,
})

const client = z.strictObject({
  clientId: uid,
  clientSecret: z.string().min(8).max(500),
})

const tenant = z.strictObject({
  name: uid,
  /** The main account; the default where a request names no user. */
  dispatcher,
  clients: z.array(client).min(1),
})

/** Shown to dispatchers. */
const reason = z.string().trim().min(1).max(200)

const locker = z.strictObject({
  /** One name, or a range such as 1-8. */
  names: name,
  /** Defaults to `<pupUid>:<name>`. Not allowed with a range. */
  lockerUid: uid.optional(),
  width: side,
  height: side,
  length: side,
  /** Why these lockers are out of service. */
  outOfService: reason.optional(),
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
  /** Why the pick up point is out of service. */
  outOfService: reason.optional(),
  lockers: z.array(locker),
})

/** A topology file. Unknown keys are rejected: a misspelled key would otherwise be ignored silently. */
export const topology = z.strictObject({ tenants: z.array(tenant), pickUpPoints: z.array(pickUpPoint) })

/** Asks `Intl` instead of a list, because aliases are valid too. */
function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Tenants with their API clients, pick up points and lockers, as in a topology file. */
export type Topology = z.input<typeof topology>
export type DeclaredTenant = Topology['tenants'][number]
export type DeclaredClient = DeclaredTenant['clients'][number]
export type DeclaredPickUpPoint = Topology['pickUpPoints'][number]
