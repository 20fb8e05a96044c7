import type { OrphanedCase } from '#contract/terms'

export interface AdoptOrder {
  orphan: OrphanedCase
  /** Which flow it is, of a case that Temporal does not know. */
  flow?: string
}
