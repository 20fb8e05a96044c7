/** The door of a locker. */
export interface Door {
  readonly pupUid: string
  readonly lockerUid: string
  /** The label on the door. */
  readonly lockerName: string
}

export interface Opening extends Door {
  /** Unique. A door opens once for each id. */
  readonly openId: string
  /** Milliseconds from now after which the door must not open. */
  readonly timeout: number
}

/** Locker hardware: a port with one method. Adapters over HTTP implement it, and the sandbox. */
export interface Hardware {
  /**
   * Opens a door.
   * @param signal aborts on the time limit
   * @returns whether the door opened; a rejection counts as no
   */
  open(opening: Opening, signal: AbortSignal): Promise<boolean>
}

/** The sandbox has no doors: every request succeeds. Production refuses it. */
export const simulatedHardware: Hardware = { open: async () => true }

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
