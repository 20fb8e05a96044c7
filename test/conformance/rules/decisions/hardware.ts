import type { Rule } from '../../rule.ts'

const adapter = 'test/service/hardware/adapter.test.ts'
const events = 'test/service/hardware/events.test.ts'

/** The decisions on hardware. */
export const hardwareDecisions: readonly Rule[] = [
  {
    section: 'D-220 No pretended doors in production',
    rule: 'Production without LOCKERFLOW_HARDWARE_URL does not start, and neither does the simulator.',
    heldBy: [
      'test/service/environment.test.ts > production names every setting that is missing',
      'test/hardware/environment.test.ts > production is refused',
    ],
  },
  {
    section: 'D-221 Signatures of both sides',
    rule: 'Requests and events are signed, keys rotate without a refused message, and clocks may differ by ten minutes.',
    heldBy: [
      `${events} > Unauthorized is an event`,
      `${adapter} > clocks may differ by ten minutes, and not by twenty`,
      'test/service/hardware/severalAdapters.test.ts > keys rotate without a refused message: $pupUid, $name',
      'test/service/hardware/keyRotation.test.ts > the hardware key changes under load: every door opens, and every event is accepted',
    ],
  },
  {
    section: 'D-222 An event of a door moves no shipment',
    rule: 'Events record the state of the door, and leave shipments and callbacks alone.',
    heldBy: [`${events} > an event is recorded as the state of the door > and changes no shipment`],
  },
  {
    section: 'D-223 An opening without a response',
    rule: 'A repeated opening opens the door once. An event in time makes it a success, a later one is logged.',
    heldBy: [
      `${adapter} > an opening is repeated with its id, and the door opens once:`,
      `${adapter} > an opening without a success is settled by its event: > an event in time makes it a success`,
      `${adapter} > an opening without a success is settled by its event: > a later event changes no shipment, and is logged`,
    ],
  },
  {
    section: 'D-224 Order of events',
    rule: 'A repeated or older event changes nothing.',
    heldBy: [`${events} > of the events of a door the one with the highest sequence counts`],
  },
  {
    section: 'D-225 Events outside the API',
    rule: 'Events need a signature and no token, and have a limit of their own.',
    heldBy: [
      `${events} > an adapter has a limit of its own, which leaves the API and other adapters alone`,
      `${events} > Unauthorized is an event > to an adapter that does not exist, in the same words`,
      'test/service/hardware/severalAdapters.test.ts > without an adapter the path does not exist',
    ],
  },
  {
    section: 'D-227 A broken door takes its locker out of service',
    rule: 'A locker whose door is broken takes no bookings until an operator returns it.',
    heldBy: [`${events} > a locker whose door is broken`],
  },
  {
    section: 'D-226 One adapter, or several',
    rule: 'A pick up point has the adapter that names it, or else the common one, and an adapter reports its own doors only.',
    heldBy: [
      'test/service/hardware/severalAdapters.test.ts > a door opens through the adapter of its pick up point',
      `${events} > an adapter with a name reports its own doors only`,
      'test/service/hardware/adapterFile.test.ts > a file of adapters',
    ],
  },
  {
    section: 'D-388 An adapter that is unavailable',
    rule: 'The readiness lists an adapter that does not respond, stays 200, and costs the adapter no request for each probe.',
    heldBy: [
      'test/service/hardware/adapterHealth.test.ts > a service whose adapter is away says so and stays ready, with one request for many probes',
      'test/service/hardware/adapterHealth.test.ts > a contact is checked again when it is too old, and not before',
    ],
  },
]
