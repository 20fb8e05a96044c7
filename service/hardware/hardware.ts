/** The door of a locker. */
export interface Door {
  readonly pupUid: string
  readonly lockerUid: string
  /** The label on the door. */
  readonly lockerName: string
}

/** One request to open a door. */
export interface Opening extends Door {
  /** Unique. A door that is asked twice for one id opens once. */
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

/** The sandbox has no doors: every request succeeds. Production refuses it (D-220). */
export const simulatedHardware: Hardware = { open: async () => true }
