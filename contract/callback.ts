import { z } from 'zod'

export const callbackMessageType = 'ShipmentStatusUpdate'

const text = z.string().nullish()

/**
 * The service's only event (specification, Events: ShipmentStatusUpdate), with the values at the time of the change.
 * The user uids and the pick up point are not in the specification, but a deployed service sends them.
 *
 * ```ts
 * const { message } = callback.parse(JSON.parse(body))
 * console.log(message.stateCode)
 * ```
 */
export const callback = z.object({
  messageType: z.literal(callbackMessageType),
  message: z.object({
    shipmentUid: z.string().min(1),
    stateCode: z.string().min(1),
    stateStart: z.string(),
    shipmentType: z.string(),
    referenceNo: text,
    referenceCaseNo: text,
    description: text,
    pupUid: text,
    fromUserUid: text,
    toUserUid: text,
  }),
})

/** The body of a callback. */
export type Callback = z.infer<typeof callback>
