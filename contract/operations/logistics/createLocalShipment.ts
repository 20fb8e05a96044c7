import { z } from 'zod'
import { details, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedOne, bookingErrors, lockerBooking } from './booking.ts'

const request = z.object({
  ...lockerBooking,
  ...details.shape,
  /** When only one of the two users is given, the other is the dispatcher's main account. */
  FromUserUid: uid.nullish(),
  ToUserUid: uid.nullish(),
  /** The user that picks up is named later, by SetShipmentReceiver. */
  IsReceiverDelayed: z.boolean().nullish(),
  SwapsShipmentUid: uid.nullish(),
})

type Users = Partial<z.output<typeof request>>

/** Only a swap can do without both: it comes from whoever collects the swapped shipment. */
const isForSomebody = ({ FromUserUid, ToUserUid, SwapsShipmentUid, IsReceiverDelayed }: Users) =>
  FromUserUid != null || ToUserUid != null || (SwapsShipmentUid != null && IsReceiverDelayed === true)

const isDelayedOrNamed = ({ ToUserUid, IsReceiverDelayed }: Users) => IsReceiverDelayed !== true || ToUserUid == null

/** Also when other fields are wrong, since every offending one is named. */
const when = ({ value }: { value: unknown }) => value !== null && typeof value === 'object'

export const CreateLocalShipment = operation({
  name: 'CreateLocalShipment',
  path: '/v1/Logistics/CreateLocalShipment',
  summary: 'Books a locker for an item that goes from one account to another, or takes part in a swap.',
  section: 'CreateLocalShipment',
  effect: 'create',
  request: request
    .refine(isForSomebody, {
      path: ['FromUserUid'],
      error: 'or ToUserUid is needed, unless SwapsShipmentUid is given and IsReceiverDelayed is true',
      when,
    })
    .refine(isDelayedOrNamed, {
      path: ['ToUserUid'],
      error: 'must not be given when IsReceiverDelayed is true',
      when,
    }),
  response: bookedOne,
  errors: [...bookingErrors, 'InvalidShipment', 'InvalidUserUid', 'InvalidShipmentState'],
})
