import { expect } from 'vitest'
import type { OperationName } from '#contract'
import { errors } from '#contract/terms'
import type { ServiceResponse } from '../../support/service/testService.ts'
import { type Asked, askedBy, type ServiceEvent, type Step } from '../asks/step.ts'
import { delivered, expectInvariants, readStoreState, type StoreState } from '../invariants/index.ts'
import type { Model } from '../model/model.ts'
import { applyServiceEvent } from '../model/serviceEvents.ts'
import { startModel } from '../model/start.ts'
import { tenantOf } from '../places.ts'
import { blank } from '../rules/accounts.ts'
import { type Prediction, predict, type Request } from '../rules/predict.ts'
import { choicesIn, compareAll, compareTenant, expectSame } from './compare.ts'
import { changeService, send } from './send.ts'
import type { ModelSite } from './site.ts'
import type { Tally } from './tally.ts'

/** Milliseconds between steps, so that each step has its own time. */
const tick = 1_000

/** Runs steps on a site and on the model, and compares both after each step. */
export class Walk {
  readonly #site: ModelSite
  readonly #tally: Tally
  readonly #first = new Map<string, string>()
  readonly #earlier: Request[] = []
  readonly #trace: string[] = []
  #stored: StoreState | undefined
  model: Model

  constructor(site: ModelSite, tally: Tally) {
    this.#site = site
    this.#tally = tally
    this.model = startModel(site.now())
  }

  /** Runs one step and compares response and state with the model. @throws Error with all steps so far */
  async run(step: Step): Promise<void> {
    const asked = askedBy(step, this.model, this.#earlier)
    try {
      await this.#ask(asked)
    } catch (error) {
      throw this.#withTrace(error as Error)
    }
  }

  /** Adds all steps to the message of the error, which keeps its expected and actual values. */
  #withTrace(error: Error): Error {
    // pino's level `error` is 50.
    const wrong = this.#site.services.flatMap(({ lines }) => lines.filter(line => Number(line.level) >= 50))
    const logged = wrong.map(line => `\nlogged: ${JSON.stringify(line)}`).join('')
    error.message = `${error.message}\n${logged}\nthe steps:\n${this.#trace.join('\n')}\n`
    return error
  }

  async #ask(asked: Asked): Promise<void> {
    const { request, wait, event } = asked
    const { operation, client } = request
    const [service] = this.#site.services
    this.#site.pass(wait + tick)
    this.model = { ...this.model, now: this.#site.now() }
    this.#trace.push(lineOf(asked))
    if (event !== undefined) await this.#apply(event)
    // Pending callbacks must arrive at the old address first.
    if (operation === 'ConfigureCallback') await delivered(service)
    const answer = await send(service, request, this.#site.names)
    this.#trace.push(`  ${answer.status} ${JSON.stringify(this.#site.names.named(answer.body))}`)

    const stored = await readStoreState(service)
    const prediction = predict(this.model, request, choicesIn(answer, stored, this.#site.names))
    this.#expectAnswer(request, prediction, answer)
    this.model = prediction.model
    this.#tally.count(operation, prediction.error)
    if (this.#stored !== undefined && !isChange(operation, prediction)) {
      expectSame(contentOf(stored), contentOf(this.#stored), 'the store is unchanged')
    } else {
      expectInvariants(stored)
      await compareTenant(this.#site, this.model, tenantOf[client] ?? '', stored)
    }
    this.#stored = stored
  }

  /** Lets the operator's event happen in the service and in the model. */
  async #apply(event: ServiceEvent): Promise<void> {
    const { changed } = await changeService(this.#site, event)
    const after = applyServiceEvent(this.model, event)
    expect(changed, 'the event changes something').toBe(after !== this.model)
    this.model = after
    // The shipments count as changed, so the store differs from that of the last step.
    this.#stored = undefined
  }

  #expectAnswer(request: Request, { error, answer, kept }: Prediction, { status, body, text }: ServiceResponse): void {
    const { client, idempotencyKey } = request
    const key = `${client} ${idempotencyKey}`
    if (kept === 'again') {
      expect(text, 'the stored response').toBe(this.#first.get(key))
      return
    }
    if (kept === 'hidden') {
      expect(body, 'the stored response without the removed account').toEqual({
        ...JSON.parse(this.#first.get(key) ?? ''),
        ...blank,
      })
      return
    }
    const { success, message, ...rest } = body
    const expected = { success: error === null, error, ...answer }
    expect({ success, ...this.#bindAll(answer, rest) }, 'answer').toEqual(expected)
    expect(status, 'status').toBe(error === null ? 200 : errors[error].status)
    if (kept === null) return
    this.#first.set(key, text)
    this.#earlier.push(request)
  }

  #bindAll(expected: object, actual: object): object {
    return this.#site.names.bindAll(expected, actual) as object
  }

  /** Compares everything that can be read, and the callbacks of all steps, with the model. */
  async end(): Promise<void> {
    try {
      await compareAll(this.#site, this.model)
    } catch (error) {
      throw this.#withTrace(error as Error)
    }
  }
}

/** MutationConfigFailed counts as a change, because the account exists nevertheless. */
function isChange(operation: OperationName, { error, kept }: Prediction): boolean {
  return (
    !operation.startsWith('Get') &&
    kept !== 'again' &&
    kept !== 'hidden' &&
    (error === null || error === 'MutationConfigFailed')
  )
}

const contentOf = ({ shipments, booked, codes, accounts }: StoreState) => [shipments, booked, codes, accounts]

function lineOf({ request, wait, event }: Asked): string {
  const { operation, client, fields, ...special } = request
  const how = Object.values(special).map(what => `, ${what}`)
  const before = event === undefined ? '' : `operator: ${JSON.stringify(event)}\n`
  return `${before}${wait ? `${wait / 1_000} s later ` : ''}${client}${how.join('')}: ${operation} ${JSON.stringify(fields)}`
}
