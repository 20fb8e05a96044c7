import fc from 'fast-check'
import type { CallStep, Step, WaitStep } from '#flows/declaration'
import { asks, books, breaks, sleeps, waits, work } from './blockFlows.ts'

/** Steps whose names are given later, since names are unique in a flow. */
export type Nameless = (next: () => number) => readonly Step[]

/** `input.flag` is given or not. */
export const flagged = { 'input.flag': { present: true } } as const

const one =
  (make: (count: number) => Step): Nameless =>
  next => [make(next())]

const works = fc.constantFrom({}, {}, {}, { when: flagged }).map(more => one(count => work(`w${count}`, more)))

const failures = fc
  .constantFrom({}, { onError: { Broken: 'continue' as const } }, { onError: { other: { goTo: 'done' } } })
  .map(more => one(count => breaks(`b${count}`, more)))

const questions = fc
  .constantFrom(
    { window: null },
    { window: null, when: flagged },
    { window: '5h', onTimeout: 'cancel' } as const,
    { window: '5h', onTimeout: 'ask' } as const,
    { window: '5h', onTimeout: { goTo: 'done' } } as const,
  )
  .map(more => one(count => asks(`a${count}`, { ask: { yes: {} }, ...more })))

/** Steps that depend on an answer. */
const decisions = fc.constantFrom('yes', 'no').map(
  (answer): Nameless =>
    next => {
      const count = next()
      const when = { [`a${count}.answer`]: answer }
      return [asks(`a${count}`), work(`w${count}`, { when }), work(`w${count}z`)]
    },
)

const pauses = fc.constantFrom('1h' as const, '7h' as const).map(length => one(count => sleeps(`s${count}`, length)))

const waiting = fc.constantFrom<Partial<WaitStep>>(
  {},
  {},
  { window: '5h', onTimeout: 'remind' },
  { window: '5h', onTimeout: 'ask' },
  { window: '5h', onTimeout: 'cancel' },
)

const refusal = fc.constantFrom({}, {}, { onError: { NoLockerAvailable: { goTo: 'done' } } })

/** Books a locker, and lends it, gives up its item, or cancels it. */
const shipments = fc.tuple(waiting, waiting, refusal, fc.constantFrom('lent', 'lent', 'cancelled', 'late')).map(
  ([put, taken, refused, end]): Nameless =>
    next => {
      const count = next()
      const role = `role${count}`
      const first = books(`book${count}`, { as: { issue: role }, ...refused })
      if (end === 'cancelled') return [first, cancels(`cancel${count}`, role)]
      const late = end === 'late' && { window: '5h' as const, onTimeout: { goTo: `cancel${count}` } }
      const steps = [
        first,
        waits(`put${count}`, 'ReadyForPickup', { ...put, ...late, wait: { [role]: 'ReadyForPickup' } }),
      ]
      const last = waits(`taken${count}`, 'Completed', { ...taken, wait: { [role]: 'Completed' } })
      if (end !== 'late') return [...steps, last]
      // Nobody has brought the item in time.
      const inTime = { [`put${count}.ended`]: 'reached' } as const
      const tooLate = { [`put${count}.ended`]: 'timedOut' } as const
      return [...steps, { ...last, when: inTime }, cancels(`cancel${count}`, role, { when: tooLate })]
    },
)

export function cancels(name: string, role: string, more: Partial<CallStep> = {}): CallStep {
  const request = { shipmentUid: { from: `${role}.shipmentUid` as const } }
  const onError = { InvalidShipmentState: 'continue' } as const
  return { name, summary: `Step ${name}.`, call: 'CancelShipment', request, onError, ...more }
}

/** One step, or the steps of one shipment. */
export const randomSteps: fc.Arbitrary<Nameless> = fc.oneof(
  { weight: 4, arbitrary: works },
  { weight: 1, arbitrary: failures },
  { weight: 3, arbitrary: questions },
  { weight: 1, arbitrary: decisions },
  { weight: 1, arbitrary: pauses },
  { weight: 3, arbitrary: shipments },
)
