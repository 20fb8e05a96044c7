import { expect } from 'vitest'
import type { OperationName } from '#contract'
import { errors } from '#contract/terms'
import type { Answer } from '../../service/harness.ts'
import { type Asked, askedBy, type Step } from '../asks/step.ts'
import { delivered, expectSound, type Facts, readFacts } from '../invariants/index.ts'
import type { Model } from '../model/model.ts'
import { startModel } from '../model/start.ts'
import { tenantOf } from '../places.ts'
import { type Prediction, predict, type Request } from '../rules/predict.ts'
import { choicesIn, compareAll, compareTenant, expectSame } from './compare.ts'
import { send } from './send.ts'
import type { ModelSite } from './site.ts'
import type { Tally } from './tally.ts'

/** Milliseconds between steps, so that moments tell steps apart. */
const tick = 1_000

/** A run of steps against a site, with the model beside it. */
export class Walk {
  readonly #site: ModelSite
  readonly #tally: Tally
  readonly #first = new Map<string, string>()
  readonly #earlier: Request[] = []
  readonly #trace: string[] = []
  #facts: Facts | undefined
  model: Model

  constructor(site: ModelSite, tally: Tally) {
    this.#site = site
    this.#tally = tally
    this.model = startModel(site.now())
  }

  /** Asks the service, and holds its answer and its state against the model's. @throws Error with all steps so far */
  async take(step: Step): Promise<void> {
    const asked = askedBy(step, this.model, this.#earlier)
    try {
      await this.#ask(asked)
    } catch (error) {
      throw this.#told(error as Error)
    }
  }

  /** The error itself, since what was expected goes with it, with all steps in its message. */
  #told(error: Error): Error {
    // pino's number for what an operator has to see.
    const wrong = this.#site.services.flatMap(({ lines }) => lines.filter(line => Number(line.level) >= 50))
    const logged = wrong.map(line => `\nlogged: ${JSON.stringify(line)}`).join('')
    error.message = `${error.message}\n${logged}\nthe steps:\n${this.#trace.join('\n')}\n`
    return error
  }

  async #ask(asked: Asked): Promise<void> {
    const { request, wait } = asked
    const { operation, client } = request
    const [service] = this.#site.services
    this.#site.pass(wait + tick)
    this.model = { ...this.model, now: this.#site.now() }
    this.#trace.push(lineOf(asked))
    // What is on its way goes to the address of before.
    if (operation === 'ConfigureCallback') await delivered(service)
    const answer = await send(service, request, this.#site.names)
    this.#trace.push(`  ${answer.status} ${JSON.stringify(this.#site.names.named(answer.body))}`)

    const facts = await readFacts(service)
    const prediction = predict(this.model, request, choicesIn(answer, facts, this.#site.names))
    this.#expectAnswer(request, prediction, answer)
    this.model = prediction.model
    this.#tally.count(operation, prediction.error)
    if (this.#facts !== undefined && !isChange(operation, prediction)) {
      expectSame(contentOf(facts), contentOf(this.#facts), 'what is not to change')
    } else {
      expectSound(facts)
      await compareTenant(this.#site, this.model, tenantOf[client] ?? '', facts)
    }
    this.#facts = facts
  }

  #expectAnswer(request: Request, { error, answer, kept }: Prediction, { status, body, text }: Answer): void {
    const { client, idempotencyKey } = request
    const key = `${client} ${idempotencyKey}`
    if (kept === 'again') {
      expect(text, 'the first answer again').toBe(this.#first.get(key))
      return
    }
    const { success, message, ...rest } = body
    const expected = { success: error === null, error, ...answer }
    expect({ success, ...this.#learn(answer, rest) }, 'answer').toEqual(expected)
    expect(status, 'status').toBe(error === null ? 200 : errors[error].status)
    if (kept === null) return
    this.#first.set(key, text)
    this.#earlier.push(request)
  }

  #learn(expected: object, actual: object): object {
    return this.#site.names.learn(expected, actual) as object
  }

  /** Holds all that can be read against the model, and the callbacks of all steps. */
  async end(): Promise<void> {
    try {
      await compareAll(this.#site, this.model)
    } catch (error) {
      throw this.#told(error as Error)
    }
  }
}

/** An account stays although its mutation configuration could not be applied. */
function isChange(operation: OperationName, { error, kept }: Prediction): boolean {
  return !operation.startsWith('Get') && kept !== 'again' && (error === null || error === 'MutationConfigFailed')
}

const contentOf = ({ shipments, booked, codes, accounts }: Facts) => [shipments, booked, codes, accounts]

function lineOf({ request, wait }: Asked): string {
  const { operation, client, fields, ...special } = request
  const how = Object.values(special).map(what => `, ${what}`)
  return `${wait ? `${wait / 1_000} s later ` : ''}${client}${how.join('')}: ${operation} ${JSON.stringify(fields)}`
}
