/** A request ended without a complete response. */
export class TransportError extends Error {
  override readonly name = 'NoResponse'
  /** A part of the request may have left this machine. */
  readonly sent: boolean
  /** The request was sent, and the connection closed before a response began. */
  readonly unanswered: boolean

  constructor(sent: boolean, cause: unknown, unanswered = false) {
    super(toMessage(cause).slice(0, maxMessage), { cause })
    this.sent = sent
    this.unanswered = unanswered
  }
}

/** Returns whether the peer has closed the connection. undici's code has several other meanings. */
export function isClosedByPeer(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'UND_ERR_SOCKET') return error.message === 'other side closed'
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

/** A certificate of a peer can have a hundred names, which are part of the message. Characters. */
const maxMessage = 300

/** A host with several addresses fails with one error for each, and without a message of its own. */
function toMessage(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(toMessage).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** The cause of a `TransportError` when the timeout passed. Milliseconds. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'

  constructor(timeout: number) {
    super(`no response within ${timeout} ms`)
  }
}
