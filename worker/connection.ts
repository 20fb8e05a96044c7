import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker'

/** Connects to Temporal. The error of one that cannot be reached says which it is, and which variable says so. */
export function connect(temporal: NativeConnectionOptions): Promise<NativeConnection> {
  return NativeConnection.connect(temporal).catch((error: unknown) => {
    throw unreachable(temporal.address, error)
  })
}

/** What is to be said of a Temporal that could not be connected to. */
export function unreachable(address: string | undefined, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(`TEMPORAL_ADDRESS: Temporal cannot be reached at ${address}: ${why}`, { cause })
}
