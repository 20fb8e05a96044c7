import { calendarsSchema } from '#activities/calendars'
import type { FlowDeclaration } from '#flows/declaration'
import { parcel } from '../world/apiWorld.ts'

const everyDay = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(day => [day, ['00:00-24:00']]),
)

/** Always open, except for a pick up point that is closed for good. */
export const calendars = calendarsSchema.parse({
  timeZone: 'America/New_York',
  default: { hours: everyDay },
  pickUpPoints: { 'pup-2': { hours: {} } },
})

/** A time of day at the pick up point that is eleven to twelve hours ahead, whenever the tests run. */
export const distantTime = new Date(Date.now() + 12 * 3_600_000)
  .toLocaleTimeString('en', { timeZone: 'Europe/Amsterdam', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  .replace(/\d\d$/, '00') as `${number}:${number}`

/** Questions whose windows end by working time: from the input, from entering the step, and from an output. */
export const officeHours = {
  name: 'officeHours',
  summary: 'A visit is arranged in office hours.',
  input: { pickUpPointUid: 'uid', since: 'instant' },
  steps: [
    {
      name: 'rest',
      summary: 'Working time passes.',
      sleep: { until: { workingTime: '500ms', from: 'input.since' } },
    },
    {
      name: 'visit',
      summary: 'The customer names a time.',
      ask: { at: { visitAt: 'instant' } },
      who: 'customer',
      window: { workingTime: '1s' },
      onTimeout: 'remind',
    },
    {
      name: 'reply',
      summary: 'A person replies.',
      ask: { done: {} },
      who: 'staff',
      window: { workingTime: '1s' },
      onTimeout: 'ask',
    },
    {
      name: 'before',
      summary: 'A person prepares the visit.',
      ask: { done: {} },
      who: 'staff',
      window: { workingTime: '2h', from: 'visit.visitAt' },
      onTimeout: { goTo: 'after' },
    },
    { name: 'after', summary: 'Half a day passes.', sleep: { until: { next: distantTime, from: 'visit.visitAt' } } },
  ],
} as const satisfies FlowDeclaration

/** A locker that is booked until that time of day, which no test comes near. */
export const untilDistantTime = {
  name: 'untilDistantTime',
  summary: 'An item arrives in time.',
  input: { pickUpPointUid: 'uid', customerUid: 'uid' },
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIssue',
      request: {
        ...parcel,
        PupUid: { from: 'input.pickUpPointUid' },
        ToUserUid: { from: 'input.customerUid' },
      },
    },
    {
      name: 'dropOff',
      summary: 'The item arrives in time.',
      wait: { issue: 'ReadyForPickup' },
      window: { next: distantTime, workingDay: true },
      onTimeout: 'cancel',
    },
    {
      name: 'pickUp',
      summary: 'The customer collects the item.',
      wait: { issue: 'Completed' },
      window: '1h',
      onTimeout: 'cancel',
    },
  ],
} as const satisfies FlowDeclaration

/**
 * Code in front of the bundle: everything that depends on the time zone, the locale or the ICU data of the worker throws
 * in a workflow.
 */
export const withoutIntl = `
for (const [holder, names] of [
  [Date.prototype, Object.getOwnPropertyNames(Date.prototype).filter(name => /Locale|^get(?!UTC|Time$)|^set(?!UTC|Time$)|TimezoneOffset|^to(Date|Time)?String$/.test(name))],
  [String.prototype, ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase', 'normalize']],
  [Number.prototype, ['toLocaleString']],
  [Array.prototype, ['toLocaleString']],
  [Intl, Object.getOwnPropertyNames(Intl)],
]) for (const name of names) holder[name] = function () { throw new Error(name + ' must not run in a workflow.') }
`
