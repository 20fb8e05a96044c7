/** Paths of an adapter, below its address. */
export const adapterPaths = { open: '/open', state: '/state' } as const

/** Path of the service for events of an adapter. An adapter with a name adds `/<name>`. */
export const eventPath = '/hardware/events'

/** Largest body of a request or an event in bytes. Those of this project are below 1 KiB. */
export const maxMessageBytes = 16 * 1_024

/** Milliseconds that an adapter has for the response to a state request, and the service for that to an event. */
export const responseTimeout = 5_000
