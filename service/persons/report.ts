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
  /** Keys of the person's fields in histories that this store had, now or before. Without one, histories have the fields. */
  readonly forgottenKeys: number
  readonly stays: readonly Staying[]
}
