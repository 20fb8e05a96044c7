/** Rows of a table that an erasure has changed. */
export interface Erased {
  readonly table: string
  readonly rows: number
  readonly done: 'deleted' | 'blanked'
}

/** Something that an erasure leaves, and why. */
export interface Staying {
  readonly what: string
  /** Undefined if the service cannot count it. */
  readonly rows?: number
  readonly reason: string
}

export interface ErasureReport {
  readonly userUid: string
  readonly erased: readonly Erased[]
  readonly stays: readonly Staying[]
}
