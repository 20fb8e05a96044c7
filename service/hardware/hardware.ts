/** Which locker's door. */
export interface Door {
  readonly pupUid: string
  readonly lockerUid: string
  /** As it stands on the door. */
  readonly lockerName: string
}

/** Locker hardware, as a port with one method; an operator's adapter goes into `Settings.hardware`. */
export interface Hardware {
  /**
   * Opens a door.
   * @param signal aborts when nobody waits for the door any more; one that opened after that would be a surprise
   * @returns whether it opened; a rejection counts as no
   */
  open(door: Door, signal: AbortSignal): Promise<boolean>
}
