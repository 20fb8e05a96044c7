export interface Door {
  readonly pupUid: string
  readonly lockerUid: string
  /** The label on the door. */
  readonly lockerName: string
}

/** Locker hardware: a port with one method. An operator's adapter goes into `Settings.hardware`. */
export interface Hardware {
  /**
   * Opens a door.
   * @param signal aborts on the time limit; the adapter must not open the door afterwards
   * @returns whether the door opened; a rejection counts as no
   */
  open(door: Door, signal: AbortSignal): Promise<boolean>
}

/** The sandbox has no doors: every request succeeds. */
export const simulatedHardware: Hardware = { open: async () => true }
