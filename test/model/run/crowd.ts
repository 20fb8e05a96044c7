import { expect } from 'vitest'
import { operations, type ShipmentItem } from '#contract'
import { type ErrorCode, errors } from '#contract/terms'
import type { ServiceResponse, TestService } from '../../support/service/testService.ts'
import { askedBy, type Step } from '../asks/step.ts'
import type { Account } from '../model/model.ts'
import { startModel } from '../model/start.ts'
import { tenantOf } from '../places.ts'
import type { Request } from '../rules/predict.ts'
import { read } from './compare.ts'
import { changeService, send } from './send.ts'
import type { ModelSite } from './site.ts'
import type { Tally } from './tally.ts'
import { viewOf } from './view.ts'

/** Error codes that any operation can return. */
const anywhere: readonly ErrorCode[] = ['InvalidRequest', 'Unauthorized', 'IdempotencyKeyInUse', 'IdempotencyKeyReused']

/** Concurrent clients, each of which chooses requests by the last list it read, and a record of their responses. */
export class Crowd {
  readonly #site: ModelSite
  readonly #tally: Tally
  readonly #listed = new Map<string, readonly ShipmentItem[]>()
  readonly #accounts: Account[]
  /** Uids that responses reported as created. */
  readonly made = { shipments: new Set<string>(), accounts: new Set<string>(), objects: new Set<string>() }
  /** Uids that responses reported as removed. */
  readonly gone = { accounts: new Set<string>(), objects: new Set<string>() }
  readonly cancelled: string[] = []

  constructor(site: ModelSite, tally: Tally) {
    this.#site = site
    this.#tally = tally
    this.#accounts = startModel(site.now()).accounts.map(account => ({
      ...account,
      name: site.names.real(account.name),
    }))
  }

  /** Runs the steps of one client in sequence. Every second request is sent twice at the same time. */
  async walk(planned: readonly Step[], own: TestService): Promise<void> {
    const earlier: Request[] = []
    const other = this.#site.services.find(service => service !== own) ?? own
    for (const [index, step] of planned.entries()) {
      this.#site.pass(1_000)
      // Switching callbacks off would leave gaps in the paths.
      if (step.operation === 'ConfigureCallback') continue
      const { request, event } = askedBy(step, viewOf(this.#site.now(), this.#listed, this.#accounts), earlier)
      const asked = index % 2 === 0 ? [own, other] : [own]
      // Another client may put it in service earlier.
      if (event !== undefined) await changeService(this.#site, event)
      await Promise.all(asked.map(service => this.#ask(service, request)))
      if (event !== undefined) await changeService(this.#site, { ...event, reason: null })
      if (request.idempotencyKey !== undefined) earlier.push(request)
      const tenant = tenantOf[request.client] ?? ''
      const { items } = await read(own, 'GetShipments', { pageSize: 500 }, request.client)
      this.#listed.set(tenant, items as ShipmentItem[])
    }
  }

  async #ask(service: TestService, request: Request): Promise<void> {
    const answer = await send(service, request, this.#site.names)
    this.#expectLegal(request, answer)
    this.#remember(request, answer)
  }

  #expectLegal({ operation }: Request, { status, body }: ServiceResponse): void {
    const error = body.error as ErrorCode | null
    this.#tally.count(operation, error)
    const response = `${operation} answered ${status} ${JSON.stringify(body)}`
    if (error !== null) expect([...operations[operation].errors, ...anywhere], response).toContain(error)
    expect(status, response).toBe(error === null ? 200 : errors[error].status)
  }

  #remember({ operation, fields }: Request, { body }: ServiceResponse): void {
    const { shipmentUid, shipmentUids = [], userUid, isExisting, shipmentObjectUid } = body as Made
    if (operation === 'AddShipmentObject') addTo(this.made.objects, shipmentObjectUid)
    else if (operation === 'RemoveShipmentObject') addTo(this.gone.objects, shipmentObjectUid)
    else if (operation === 'CreateAccount' || operation === 'CreateOrGetAccount') {
      if (userUid && isExisting !== true) this.#register(body as unknown as Account & Made)
    } else if (operation.startsWith('Create')) addTo(this.made.shipments, shipmentUid, ...shipmentUids)
    if (!body.success) return
    if (operation === 'CancelShipment') this.cancelled.push(String(fields.shipmentUid))
    if (operation === 'RemoveAccount') addTo(this.gone.accounts, String(fields.userUid))
  }

  #register({ userUid, ...account }: Account & Made): void {
    addTo(this.made.accounts, userUid)
    if (userUid !== undefined) this.#accounts.push({ ...account, name: userUid })
  }
}

interface Made {
  readonly shipmentUid?: string
  readonly shipmentUids?: readonly string[]
  readonly userUid?: string
  readonly isExisting?: boolean
  readonly shipmentObjectUid?: string
}

function addTo(set: Set<string>, ...uids: (string | undefined)[]): void {
  for (const uid of uids) if (uid !== undefined) set.add(uid)
}
