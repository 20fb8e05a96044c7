import type { Rule } from '../../rule.ts'

/** CreateCollectOnlyShipment and its two variants. */
export const collectOnlyCreation: readonly Rule[] = [
  {
    section: 'CreateCollectOnlyShipment',
    rule: 'CreateCollectOnlyShipment is collected by ToUserUid, and by the dispatcher when it is left out.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > who collects > $step with $fields: $who, and it is ready for pick up',
    ],
  },
  {
    section: 'CreateCollectOnlyShipment',
    rule: 'It is for a single collection, which ends it.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > after a collection by %s > it has ended, and its locker is free',
      'test/service/shipments/createLinkedRefusals.test.ts > a refusal changes nothing: > InvalidShipmentState: %s for a single collection',
    ],
  },
  {
    section: 'CreateCollectOnlyShipment',
    rule: 'With KeepBookedAfterPickUp the locker stays booked without end.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > after a collection by %s > a %s that is kept does not change and sends no callback until it is cancelled',
      'test/machines/links.test.ts > a collection that keeps the locker booked does not change the state',
    ],
  },
  {
    section: 'CreateCollectOnlyShipment',
    rule: 'It returns shipmentUid, pupUid and lockerName.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > the main operation returns the one shipment and its locker',
    ],
  },
  {
    section: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
    rule: 'CreateCollectOnlyShipmentAsCollectByDispatcher is collected by the dispatcher.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > who collects > $step with $fields: $who, and it is ready for pick up',
    ],
  },
  {
    section: 'CreateCollectOnlyShipmentAsCollectByUser',
    rule: 'CreateCollectOnlyShipmentAsCollectByUser is collected by the named user; its LockerUid may be null.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > who collects > $step with $fields: $who, and it is ready for pick up',
    ],
  },
]
