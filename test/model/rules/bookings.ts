import { type Locker, lockersFor, type Wanted } from '../model/lockers.ts'
import { type Making, make } from '../model/make.ts'
import type { Model, Texts } from '../model/model.ts'
import { anyUser, ownPoint, tenantNamed } from '../model/who.ts'
import type { Caller, Rules } from './rule.ts'

interface Details {
  readonly ReferenceNo?: string | null | undefined
  readonly ReferenceCaseNo?: string | null | undefined
  readonly Description?: string | null | undefined
}

export function textsOf(details: Details | null | undefined): Texts {
  const { ReferenceNo = null, ReferenceCaseNo = null, Description = null } = details ?? {}
  return { referenceNo: ReferenceNo, referenceCaseNo: ReferenceCaseNo, description: Description }
}

export const dispatcherOf = (model: Model, { tenant }: Caller) => tenantNamed(model, tenant).dispatcher

interface Booking extends Wanted {
  readonly PupUid: string
  readonly Details?: Details | null | undefined
}

/** Creates a shipment in a free locker. Checks pick up point, users and locker, in this order. */
export function book(
  model: Model,
  caller: Caller,
  wanted: Booking,
  users: { from?: string; to?: string },
  more: Partial<Making> = {},
) {
  const point = ownPoint(caller.tenant, wanted.PupUid)
  for (const user of [users.from, users.to]) if (user !== undefined) anyUser(model, user)
  const among = lockersFor(model, caller.tenant, point, wanted)
  const locker: Locker = caller.choices.locker(among)
  const sender = users.from ?? dispatcherOf(model, caller)
  return make(model, {
    ...{ tenant: caller.tenant, from: sender, to: users.to ?? null, locker },
    ...{ sides: wanted.Dimension, texts: textsOf(wanted.Details) },
    ...more,
  })
}

export const bookings: Rules<
  | 'CreateLocalShipmentAsIssue'
  | 'CreateLocalShipmentAsIssueAndSwapIntake'
  | 'CreateLocalShipmentAsStock'
  | 'CreateLocalShipmentAsIntake'
  | 'CreateLocalShipmentAsIntakeAndCircularStock'
> = {
  CreateLocalShipmentAsIssue(model, request, caller) {
    const issue = book(model, caller, request, { to: request.ToUserUid })
    return { shipmentUids: [issue.name] }
  },

  CreateLocalShipmentAsIssueAndSwapIntake(model, request, caller) {
    const issue = book(model, caller, request, { to: request.ToUserUid })
    const intake = make(model, {
      ...{ tenant: caller.tenant, from: request.ToUserUid, to: dispatcherOf(model, caller), locker: issue },
      ...{ sides: issue.sides, texts: textsOf(request.Return), link: { kind: 'swap', prior: issue.name } },
      senderDerived: true,
    })
    return { shipmentUids: [issue.name, intake.name] }
  },

  CreateLocalShipmentAsStock(model, request, caller) {
    const stock = book(model, caller, request, {}, { stock: true })
    return { shipmentUids: [stock.name] }
  },

  CreateLocalShipmentAsIntake(model, request, caller) {
    const to = dispatcherOf(model, caller)
    const intake = book(model, caller, request, { from: request.FromUserUid }, { to })
    return { shipmentUids: [intake.name] }
  },

  CreateLocalShipmentAsIntakeAndCircularStock(model, request, caller) {
    const to = dispatcherOf(model, caller)
    const intake = book(model, caller, request, { from: request.FromUserUid }, { to })
    const stock = make(model, {
      ...{ tenant: caller.tenant, from: to, to: null, locker: intake, sides: intake.sides, stock: true },
      ...{ texts: textsOf(request.Details), link: { kind: 'circular', prior: intake.name } },
    })
    return { shipmentUids: [intake.name, stock.name] }
  },
}
