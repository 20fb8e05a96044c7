import { operationAt } from '#contract'
import { type HttpRequest, type HttpResponse, TransportError } from '#contract/client'
import { refusalOf, StoryFaults } from '#testing/story'

/** The faults of a story on the simulator, where no request has a connection. */
export class SimulatedFaults extends StoryFaults {
  /**
   * Sends a request, or fails as the story demands.
   * @throws TransportError
   */
  async send(request: HttpRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const work = this.take(operationAt(request.url.pathname) ?? '')
    if (work === undefined) return send()
    const { code, done, fault } = work
    if (code !== undefined) {
      const { status, body } = refusalOf(code)
      const fields = done ? JSON.parse((await send()).text) : {}
      return { status, headers: {}, text: JSON.stringify({ ...fields, ...body }) }
    }
    if (fault === 'unavailable') return { status: 503, headers: { 'retry-after': '1' }, text: '' }
    if (fault === 'requestLost') throw new TransportError(true, new Error('the story loses the request'))
    await send()
    throw new TransportError(true, new Error('the story loses the response'))
  }
}
