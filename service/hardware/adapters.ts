/** An adapter over HTTP (docs/reference/hardware-protocol.md). */
export interface HardwareAdapter {
  /** Undefined for the adapter of LOCKERFLOW_HARDWARE_URL. */
  readonly name: string | undefined
  /** Without a trailing slash. */
  readonly url: string
  /** The keys of both directions, newest first; two while they are rotated. */
  readonly keys: readonly string[]
  /** Undefined: all pick up points that no adapter with a name has. */
  readonly pickUpPoints: readonly string[] | undefined
}

/** The adapter of a pick up point: the one that names it, or else the one without a name. */
export function findAdapter(adapters: readonly HardwareAdapter[], pupUid: string): HardwareAdapter | undefined {
  return (
    adapters.find(({ pickUpPoints }) => pickUpPoints?.includes(pupUid)) ??
    adapters.find(({ pickUpPoints }) => pickUpPoints === undefined)
  )
}
