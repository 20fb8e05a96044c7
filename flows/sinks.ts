/** The calls of flows to their worker. They are no events of a history. A type alias, since the SDK wants an index signature. */
export type CallbackSinks = {
  readonly callbacks: {
    /** The service has called back. */
    arrived(): void
  }
}
