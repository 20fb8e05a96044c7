/** One thing that the specification, or a decision about what it leaves open, says, and the tests that hold it. */
export interface Rule {
  /** The heading under which it stands. */
  readonly section: string
  /** What it says, in one sentence of our own. */
  readonly rule: string
  /** Tests as `file > describe > test`, titles as they are written in the file; a file or a describe stands for all its tests. */
  readonly heldBy: readonly string[]
  /** Why no test holds it, or holds it in full. */
  readonly open?: string
}
