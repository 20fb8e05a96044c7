import type { Rule } from '../../rule.ts'

const retire = 'test/service/topology/retire.test.ts'
const operations = 'test/service/outOfService/operations.test.ts'

/** The decisions on lockers out of service, and on what leaves the topology. */
export const lockerDecisions: readonly Rule[] = [
  {
    section: 'D-210 Out of service',
    rule: 'A locker or a pick up point is out of service with a reason. Bookings stay, and none is made afterwards.',
    heldBy: [
      `${operations} > a booking at a broken locker stays visible with the reason, and is found as changed`,
      `${operations} > no booking is made after a pick up point was closed, at whichever moment`,
      'test/docs/changeLockers.test.ts > the drill of a broken locker prints the shown output',
    ],
  },
  {
    section: 'D-211 What operations answer then',
    rule: 'Lockers out of service count as booked. A request that names one is refused with LockerOutOfService.',
    heldBy: [
      'test/service/lockers/reserve.test.ts > a booking gets > $what: $gets',
      `${operations} > nothing new is booked at the locker of an earlier shipment, and that shipment is managed as before`,
      `${operations} > stock that has a follower is refused by its state before its broken locker`,
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
    section: 'D-257 Flows learn of an outage within seconds',
    rule: 'The gateway reads the shipments at lockers out of service, and tells their flows of each change once.',
    heldBy: [
      'test/gateway/lockerOutages.test.ts > the gateway reads the lockers out of service > a flow learns of its locker at once, and of its return',
      'test/gateway/lockerOutages.test.ts > the gateway reads the lockers out of service > a second gateway tells a flow what it knows, and the flow reads nothing',
      'test/gateway/lockerOutages.test.ts > the gateway reads the lockers out of service > a service that does not know the filter is asked rarely, and no flow is told',
      'test/workflows/steps/book/serviceProfiles.test.ts > a service without reads > is not read for a locker out of service',
    ],
  },
  {
    section: 'D-213 Flows whose locker breaks',
    rule: 'Each stage declares remind, ask or cancel. The policy applies once for each stage and outage, and a question ends with the outage.',
    heldBy: [
      'test/workflows/steps/wait/outOfService.test.ts > a stage without a policy reminds: one notification for each outage, and the flow waits on',
      'test/workflows/steps/wait/outOfService.test.ts > the policy cancel ends the flow and frees the booking',
      'test/workflows/steps/wait/outOfService.test.ts > the policy ask waits for a decision, and takes the question back when the locker works again',
      'test/workflows/steps/next.test.ts > the next action of a flow > $name',
    ],
  },
  {
    section: 'D-213 Flows whose locker breaks',
    rule: 'A service that does not report lockers out of service changes nothing.',
    heldBy: [
      'test/workflows/steps/wait/shipments.test.ts > a snapshot of the service > tells whether the locker is in service, as long as the service reports it',
    ],
  },
  {
    section: 'D-214 Topology file and command',
    rule: 'A topology file puts lockers and pick up points in and out of service, until the command has changed them.',
    heldBy: [
      'test/service/topology/outOfService.test.ts > a topology file puts lockers out of service and in service, until the command has changed them',
      'test/service/topology/outOfService.test.ts > a locker that is added to a closed pick up point takes no bookings',
    ],
  },
  {
    section: 'D-215 Retiring and removing',
    rule: 'Entries that a file does not declare are retired on command, take no new bookings, and are deleted once they are unused. An older file does not revive them.',
    heldBy: [
      `${retire} > a retired locker takes no bookings, its shipment goes on, and it is removed once no shipment names it`,
      `${retire} > a pick up point that leaves takes no bookings, and is removed after its shipments and accounts`,
      `${retire} > the access of a tenant ends with its last active shipment; the other tenant stays`,
      `${retire} > without retiring, apply adds and changes, and names what it keeps`,
    ],
  },
  {
    section: 'D-215 Retiring and removing',
    rule: 'The removal of an access, and a booking or an account that needs it, wait for each other on PostgreSQL.',
    heldBy: ['test/service/store/postgres/accessRemoval.test.ts'],
  },
  {
    section: 'D-216 Preview',
    rule: 'A preview shows what apply then does, and changes nothing.',
    heldBy: [
      `${retire} > a preview shows what apply then does, and does nothing`,
      `${retire} > a topology that contradicts the store is refused, and changes nothing`,
      'test/docs/changeLockers.test.ts > the drill of a broken locker prints the shown output',
    ],
  },
]
