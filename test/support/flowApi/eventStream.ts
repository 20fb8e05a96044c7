/** An event of a stream. */
export interface ServerEvent {
  readonly id: string | undefined
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: items of any kind, which the tests compare.
  readonly data: any
}

/** An open stream of server-sent events. */
export interface OpenStream {
  readonly status: number
  readonly headers: Headers
  /** Reads up to the first event that fulfils a condition, or to the end. */
  until(isLast: (event: ServerEvent) => boolean): Promise<ServerEvent[]>
  /** Cuts the connection. */
  cut(): void
}

/** Opens a stream as a program does that implements the standard only. */
export async function openStream(url: string, token: string, lastEventId?: string): Promise<OpenStream> {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(280_000)]),
  })
  const chunks = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  let text = ''
  return {
    status: response.status,
    headers: response.headers,
    async until(isLast) {
      const events: ServerEvent[] = []
      for (;;) {
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const event = parse(text.slice(0, end))
          text = text.slice(end + 2)
          if (event === undefined) continue
          events.push(event)
          if (isLast(event)) return events
        }
        const next = await chunks?.next()
        if (next === undefined || next.done) return events
        text += next.value
      }
    },
    cut: () => controller.abort(),
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields = Object.fromEntries(
    block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  if (fields.event === undefined) return undefined
  return { id: fields.id, event: fields.event, data: JSON.parse(fields.data ?? 'null') }
}
