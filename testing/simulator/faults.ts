import { operationAt } from '#contract'
import { type HttpRequest, type HttpResponse, TransportError } from '#contract/client'
import { type ErrorCode, errors, isErrorCode } from '#contract/terms'
import type { FailingWork } from './story.ts'

/** Work that fails, by its operation or activity. */
interface Failing {
  readonly work: FailingWork
  /** Attempts that still fail. */
  left: number
}

/** The faults that a story has put in force. */
export class SimulatedFaults {
  readonly #failing = new Map<string, Failing>()

  fail(work: FailingWork): void {
    const name = work.book ?? work.call ?? work.run ?? ''
    this.#failing.set(name, { work, left: work.times ?? Number.POSITIVE_INFINITY })
  }

  recover(name: string): void {
    this.#failing.delete(name)
  }

  /** The fault of the next attempt, which it uses up; undefined without one. */
  take(name: string): FailingWork | undefined {
    const failing = this.#failing.get(name)
    if (failing === undefined || failing.left <= 0) return undefined
    failing.left--
    return failing.work
  }

  /**
   * Sends a request, or fails as the story demands.
   * @throws TransportError
   */
  async send(request: HttpRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const fault = this.take(operationAt(request.url.pathname) ?? '')
    if (fault === undefined) return send()
    if (fault.code !== undefined) return refusal(fault.code, fault.done ? JSON.parse((await send()).text) : {})
    if (fault.fault === 'unavailable') return { status: 503, headers: { 'retry-after': '1' }, text: '' }
    if (fault.fault === 'requestLost') throw new TransportError(true, new Error('the story loses the request'))
    await send()
    throw new TransportError(true, new Error('the story loses the response'))
  }
}

function refusal(code: string, fields: object): HttpResponse {
  const status = isErrorCode(code) ? errors[code as ErrorCode].status : 200
  const text = JSON.stringify({ ...fields, success: false, error: code, message: 'The story refuses it.' })
  return { status, headers: {}, text }
}
