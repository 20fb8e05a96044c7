import { z } from 'zod'
import { details, isObjectBody, optional, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedOneResponse, bookingErrors, lockerRequest } from './booking.ts'

const request = z.object({
  ...lockerRequest,
  ...details.shape,
  /** If only one of the two users is set, the other is the dispatcher's main account. */
  FromUserUid: optional(uid),
  ToUserUid: optional(uid),
  /** SetShipmentReceiver sets the receiver later. */
  IsReceiverDelayed: z.boolean().nullish(),
  SwapsShipmentUid: optional(uid),
})

type Parties = Partial<z.output<typeof request>>

/** Only a swap may omit both: its sender is the receiver of the swapped shipment. */
const hasParty = ({ FromUserUid, ToUserUid, SwapsShipmentUid, IsReceiverDelayed }: Parties) =>
  FromUserUid != null || ToUserUid != null || (SwapsShipmentUid != null && IsReceiverDelayed === true)

const isReceiverConsistent = ({ ToUserUid, IsReceiverDelayed }: Parties) =>
  IsReceiverDelayed !== true || ToUserUid == null

export const CreateLocalShipment = operation({
  name: 'CreateLocalShipment',
  path: '/v1/Logistics/CreateLocalShipment',
  summary: 'Books a locker for an item that goes from one account to another, on its own or as a swap.',
  effect: 'create',
  request: request
    .refine(hasParty, {
      path: ['FromUserUid'],
      error: 'must be set if ToUserUid is not, unless SwapsShipmentUid is set and IsReceiverDelayed is true',
      when: isObjectBody,
    })
    .refine(isReceiverConsistent, {
      path: ['ToUserUid'],
      error: 'must not be set when IsReceiverDelayed is true',
      when: isObjectBody,
    }),
  response: bookedOneResponse,
  errors: [...bookingErrors, 'InvalidShipment', 'InvalidUserUid', 'InvalidShipmentState', 'ChainTooLong'],
})
