import fc from 'fast-check'
import { type BookingOperation, bookings, type FlowDeclaration } from '#flows'
import type { BookStep, CallStep, GoTo, OnTimeout, Source, Step, WaitStep, When } from '#flows/declaration'

const summary = 'A step of a property test.'
const lockers = { PupUid: { from: 'input.pupUid' }, AllowLargerLockers: true, AllowOverflowLockers: false } as const
const parcel = { ...lockers, Dimension: { width: 10, height: 10, length: 10 } }
const user = { from: 'input.userUid' } as const

/** The request of each booking, without the shipment that it follows and what its flags say. */
const requests: Readonly<Record<BookingOperation, { readonly [field: string]: Source }>> = {
  CreateLocalShipment: { ...parcel, FromUserUid: user },
  CreateLocalShipmentAsIssue: { ...parcel, ToUserUid: user },
  CreateLocalShipmentAsIntake: { ...parcel, FromUserUid: user },
  CreateLocalShipmentAsStock: parcel,
  CreateLocalShipmentAsStockAfterSwapIntake: { Dimension: parcel.Dimension },
  CreateLocalShipmentAsIssueAndSwapIntake: { ...parcel, ToUserUid: user },
  CreateLocalShipmentAsIntakeAndCircularStock: { ...parcel, FromUserUid: user },
  CreateLocalShipmentAsIssueFromStock: { ToUserUid: user },
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: { ToUserUid: user },
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: { ToUserUid: user },
  CreateCollectOnlyShipmentAsCollectByUser: { ...parcel, ToUserUid: user },
  CreateCollectOnlyShipmentAsCollectByDispatcher: parcel,
}
const operations = Object.keys(bookings) as BookingOperation[]

/** The field by which a booking follows a shipment. */
const priorFields: { readonly [operation in BookingOperation]?: string } = {
  CreateLocalShipment: 'SwapsShipmentUid',
  CreateLocalShipmentAsStockAfterSwapIntake: 'PriorShipmentUid',
  CreateLocalShipmentAsIssueFromStock: 'PriorShipmentUid',
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: 'PriorShipmentUid',
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: 'PriorShipmentUid',
}
/** They take the locker of the shipment that they follow. */
const operationsThatFollow = new Set(operations.filter(each => priorFields[each] === 'PriorShipmentUid'))
const flagFields: { readonly [operation in BookingOperation]?: string } = {
  CreateLocalShipment: 'IsReceiverDelayed',
  CreateCollectOnlyShipmentAsCollectByUser: 'KeepBookedAfterPickUp',
  CreateCollectOnlyShipmentAsCollectByDispatcher: 'KeepBookedAfterPickUp',
}

const waitedStates = [
  'ReadyForDropOff',
  'WaitForReceiver',
  'ReadyForPickup',
  'ReadyForPickup',
  'Completed',
  'Completed',
] as const

export interface LinkedFlowSizes {
  readonly maxSteps: number
  readonly maxBookings: number
}

/**
 * Declarations that book, link, await, cancel and leave shipments in any order, most of them with faults. Every reference is
 * valid, and every condition reads a flag of the input or an answer.
 */
export function linkedFlow(name: string, sizes: LinkedFlowSizes): fc.Arbitrary<FlowDeclaration> {
  return fc
    .array(fc.nat(2 ** 16 - 1), { minLength: 80, maxLength: 80 })
    .map(numbers => new Writer(numbers, sizes).write(name))
}

/** Writes a flow by numbers. */
class Writer {
  readonly #numbers: readonly number[]
  readonly #sizes: LinkedFlowSizes
  #taken = 0
  readonly #steps: Step[] = []
  /** Every role, with the condition of its booking. */
  readonly #roles = new Map<string, When | undefined>()
  readonly #asks: string[] = []

  constructor(numbers: readonly number[], sizes: LinkedFlowSizes) {
    this.#numbers = numbers
    this.#sizes = sizes
  }

  write(name: string): FlowDeclaration {
    const count = 2 + this.#below(this.#sizes.maxSteps - 1)
    this.#book()
    while (this.#steps.length < count) this.#any()
    const steps = this.#steps.map((step, index) => this.#withTargets(step, index))
    const uids = [...this.#roles.keys()].filter(() => this.#isOneIn(6))
    return {
      name,
      summary,
      input: { pupUid: 'uid', userUid: 'uid', priorUid: 'uid', one: 'boolean', two: 'boolean' },
      steps,
      outputs: Object.fromEntries([
        ['user', 'input.userUid'],
        ...uids.map(role => [`${role}Uid`, `${role}.shipmentUid`]),
      ]),
    }
  }

  #any(): void {
    const kind = this.#below(14)
    const booked = this.#steps.filter(step => 'book' in step)
    if (kind < 4 && booked.length < this.#sizes.maxBookings) this.#book()
    else if (kind < 10) this.#wait()
    else if (kind < 11) this.#ask()
    else if (kind < 13) this.#call()
    else this.#add({ name: this.#name('rest'), summary, sleep: '1h' })
  }

  #book(): void {
    const operation = this.#of(operations)
    const at = this.#steps.length
    const as = Object.fromEntries(Object.keys(bookings[operation]).map(role => [role, `${role}${at}`]))
    const [priorField, flagField] = [priorFields[operation], flagFields[operation]]
    const isLinked = priorField !== undefined && (operation !== 'CreateLocalShipment' || this.#isOneIn(2))
    const prior =
      this.#roles.size > 0 && !this.#isOneIn(4) ? `${this.#of([...this.#roles.keys()])}.shipmentUid` : 'input.priorUid'
    const flag = this.#of<Source>([true, false, false, { from: 'input.one' }, { from: 'input.two' }])
    const code = operationsThatFollow.has(operation) ? 'InvalidShipmentState' : 'NoLockerAvailable'
    const step: BookStep = {
      name: this.#name('book'),
      summary,
      book: operation,
      as,
      request: {
        ...requests[operation],
        ...(isLinked && { [priorField]: { from: prior as 'input.priorUid' } }),
        ...(flagField !== undefined && { [flagField]: flag }),
      },
      ...(this.#isOneIn(5) && { onError: { [code]: this.#errorPath() } }),
    }
    const when = this.#add(step)
    for (const role of Object.values(as)) this.#roles.set(role, when)
  }

  #wait(): void {
    const roles = this.#someRoles(1 + (this.#below(5) % 3))
    const [role = ''] = roles
    const wait = Object.fromEntries(roles.map(each => [each, this.#of(waitedStates)]))
    const step: WaitStep = {
      name: this.#name('wait'),
      summary,
      wait,
      ...this.#window(),
      ...(this.#isOneIn(6) && { onLockerOutOfService: this.#of(['remind', 'ask', 'cancel'] as const) }),
      ...(this.#isOneIn(6) && { keep: [this.#of([...this.#roles.keys()])] }),
    }
    this.#add(step, this.#roles.get(role))
  }

  #ask(): void {
    const name = this.#name('ask')
    this.#add({ name, summary, ask: { yes: {}, no: {} }, who: 'staff', ...this.#window() })
    this.#asks.push(name)
  }

  #call(): void {
    const [role = ''] = this.#someRoles(1)
    const isCancel = !this.#isOneIn(4)
    const uid = { from: `${role}.shipmentUid` as const }
    const step: CallStep = {
      name: this.#name('call'),
      summary,
      call: isCancel ? 'CancelShipment' : 'SetShipmentReceiver',
      request: isCancel ? { shipmentUid: uid } : { shipmentUid: uid, toUserUid: user },
      ...(!this.#isOneIn(3) && { onError: { InvalidShipmentState: this.#errorPath() } }),
    }
    this.#add(step, this.#roles.get(role))
  }

  /** Adds a step, often under a condition; that of the role that it needs if it has one. */
  #add(step: Step, needed?: When): When | undefined {
    const when = needed !== undefined && !this.#isOneIn(6) ? needed : this.#condition()
    this.#steps.push({ ...step, ...(when && { when }) })
    return when
  }

  #condition(): When | undefined {
    if (!this.#isOneIn(4)) return undefined
    const ask = this.#asks.length > 0 && this.#isOneIn(2) ? this.#of(this.#asks) : undefined
    const when: When = ask
      ? { [`${ask}.answer`]: this.#of(['yes', 'no']) }
      : { [this.#of(['input.one', 'input.two'] as const)]: this.#isOneIn(2) }
    return this.#isOneIn(5) ? { not: when } : when
  }

  #window(): { window: '1d' | null; onTimeout?: OnTimeout } {
    const onTimeout = this.#of<OnTimeout | null>([
      'remind',
      'ask',
      'cancel',
      null,
      { goTo: 'later' },
      { goTo: 'later' },
    ])
    return onTimeout === null ? { window: null } : { window: '1d', onTimeout }
  }

  #errorPath(): 'continue' | 'fail' | GoTo {
    return this.#of<'continue' | 'fail' | GoTo>(['continue', 'continue', 'fail', { goTo: 'later' }])
  }

  /** The step with a name in the place of each `later`. */
  #withTargets(step: Step, index: number): Step {
    const later = this.#steps.slice(index + 1).map(({ name }) => name)
    const target = () => (later.length === 0 ? 'end' : this.#of([...later, 'end']))
    return JSON.parse(JSON.stringify(step), (key, value) => (key === 'goTo' ? target() : value)) as Step
  }

  #someRoles(count: number): string[] {
    const roles = [...this.#roles.keys()]
    return [...new Set(Array.from({ length: count }, () => this.#of(roles)))]
  }

  #name(kind: string): string {
    return `${kind}${this.#steps.length}`
  }

  #below(limit: number): number {
    const number = this.#numbers[this.#taken % this.#numbers.length] ?? 0
    this.#taken += 1
    return number % limit
  }

  #isOneIn(count: number): boolean {
    return this.#below(count) === 0
  }

  #of<Value>(values: readonly Value[]): Value {
    return values[this.#below(values.length)] as Value
  }
}
