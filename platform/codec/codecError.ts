import { withReference } from '#contract/terms'

/**
 * A payload that cannot be read or written with the settings of this process. In a worker it fails the workflow task,
 * which Temporal retries, and never the flow.
 */
export class CodecError extends Error {
  override readonly name = 'CodecError'

  /** @param problem for instance `must contain the key 2026-11`, without a full stop */
  constructor(problem: string) {
    super(withReference('InvalidSettings', `LOCKERFLOW_CODEC_KEYS: ${problem}.`))
  }
}
