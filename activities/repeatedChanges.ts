import { type OperationName, operations, type RequestOf } from '#contract'
import type { Api } from '#contract/client'
import type { ErrorCode } from '#contract/terms'
import { readShipment } from './shipments.ts'

/** A change that the service refuses a second time. */
interface Change<Name extends OperationName> {
  /** The code of that refusal, which can have other causes. */
  readonly code: ErrorCode
  /** Reads whether the change has taken effect. */
  hasEffect(api: Api, request: RequestOf<Name>): Promise<boolean>
}

const changes: { readonly [Name in OperationName]?: Change<Name> } = {
  CancelShipment: {
    code: 'InvalidShipmentState',
    hasEffect: async (api, { shipmentUid }) => (await readShipment(api, shipmentUid))?.stateCode === 'Cancelled',
  },
  SetShipmentReceiver: {
    code: 'InvalidShipmentState',
    hasEffect: async (api, { shipmentUid, toUserUid = null }) =>
      (await readShipment(api, shipmentUid))?.toUserUid === toUserUid,
  },
  RemoveShipmentObject: {
    code: 'InvalidShipmentObject',
    async hasEffect(api, { shipmentUid, shipmentObjectUid }) {
      const shipment = await readShipment(api, shipmentUid)
      return shipment?.objects.every(object => object.shipmentObjectUid !== shipmentObjectUid) === true
    },
  },
  RemoveAccount: {
    code: 'InvalidUserUid',
    hasEffect: async (api, { userUid }) => !(await api.call('GetAccount', { userUid })).isExisting,
  },
}

/**
 * The response to a change whose first response was lost and which the service refuses to repeat; undefined if the change
 * has not taken effect, so that the refusal has another cause.
 * @param request that the service has refused with the code
 */
export async function responseToRepeated<Name extends OperationName>(
  api: Api,
  { operation, request, code }: { readonly operation: Name; readonly request: RequestOf<Name>; readonly code: string },
): Promise<object | undefined> {
  const change: Change<Name> | undefined = changes[operation]
  if (change?.code !== code || !(await change.hasEffect(api, request))) return undefined
  // The fields of these responses are those of the request.
  return operations[operation].response.parse(request)
}
