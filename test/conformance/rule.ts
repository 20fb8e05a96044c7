/** One rule of the specification or of a decision, and its tests. */
export interface Rule {
  /** The heading of the rule in the specification, or the decision. */
  readonly section: string
  /** The rule in our own words. */
  readonly rule: string
  /** Tests as `file > describe > test`, with the titles of the source. A file or a describe includes all its tests. */
  readonly heldBy: readonly string[]
  /** The reason why tests do not cover it, or only partly. */
  readonly open?: string
}
