import type { Rule } from '../../rule.ts'

const operations = 'test/service/outOfService/operations.test.ts'

/** The decisions on lockers out of service, and on what leaves the topology. */
export const lockerDecisions: readonly Rule[] = [
  {
    section: 'D-210 Out of service',
    rule: 'A locker or a pick up point is out of service with a reason. Bookings stay, and none is made afterwards.',
    heldBy: [
      `${operations} > a booking at a broken locker stays visible with the reason, and is found as changed`,
      `${operations} > no booking is made after a pick up point was closed, at whichever moment`,
      'test/cli/lockers.test.ts > puts a locker out of service and in service again while the service runs',
    ],
  },
  {
    section: 'D-211 What operations answer then',
    rule: 'Lockers out of service count as booked. A request that names one is refused with LockerOutOfService.',
    heldBy: [
      'test/service/lockers/reserve.test.ts > a booking gets > $what: $gets',
      `${operations} > nothing new is booked at the locker of an earlier shipment, and that shipment is managed as before`,
      'test/service/operations/errorCodes.test.ts > the order of checks > $title: $codes',
    ],
  },
  {
    section: 'D-211 What operations answer then',
    rule: 'No item goes into a locker out of service, and every item comes out.',
    heldBy: [`${operations} > nothing goes into a broken locker, and everything comes out`],
  },
  {
    section: 'D-212 How a dispatcher learns of it',
    rule: 'Listings have the reason and its beginning, the change counts for updatedSince, and no callback is sent.',
    heldBy: [
      `${operations} > a booking at a broken locker stays visible with the reason, and is found as changed`,
      `${operations} > a closed pick up point is listed with the reason and without free lockers; ended shipments have no reason`,
    ],
  },
  {
    section: 'D-213 Flows whose locker breaks',
    rule: 'Each stage declares remind, ask or cancel. The policy applies once for each stage and outage, and a question ends with the outage.',
    heldBy: [
      'test/workflows/stages/outOfService.test.ts > a stage without a policy reminds: one notification for each outage, and the flow waits on',
      'test/workflows/stages/outOfService.test.ts > the policy cancel ends the flow and frees the booking',
      'test/workflows/stages/outOfService.test.ts > the policy ask waits for a decision, and takes the question back when the locker works again',
      'test/workflows/stages/next.test.ts > the next action of a flow > $name',
    ],
  },
  {
    section: 'D-213 Flows whose locker breaks',
    rule: 'A service that does not report lockers out of service changes nothing.',
    heldBy: [
      'test/workflows/stages/shipments.test.ts > a snapshot of the service > tells whether the locker is in service, as long as the service reports it',
    ],
  },
]
