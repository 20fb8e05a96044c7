import type { Client, WorkflowExecutionDescription } from '@temporalio/client'
import { isRecord } from '#contract/terms'

/** An activity whose last attempt failed. Temporal retries it. */
export interface FailingActivity {
  readonly activity: string
  /** The attempts that have failed. */
  readonly attempts: number
  /** The failure of the last one. */
  readonly message: string
}

type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number]

/** The activities of a flow that keep failing. The workflow learns of it only when it gives up the step. */
export function findFailing(client: Client, { raw }: WorkflowExecutionDescription): Promise<FailingActivity[]> {
  const failed = (raw.pendingActivities ?? []).filter(({ lastFailure }) => lastFailure)
  return Promise.all(
    failed.map(async activity => ({
      activity: activity.activityType?.name ?? '',
      attempts: Math.max(1, (activity.attempt ?? 1) - 1),
      message: await readMessage(client, activity),
    })),
  )
}

/** Where histories are encrypted, the message of a failure is among its encoded attributes. */
async function readMessage({ options }: Client, { lastFailure }: PendingActivity): Promise<string> {
  const { payloadConverter, payloadCodecs } = options.loadedDataConverter
  const plain = lastFailure?.message ?? ''
  if (!lastFailure?.encodedAttributes) return plain
  try {
    let payloads = [lastFailure.encodedAttributes]
    for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads)
    const attributes: unknown = payloads[0] && payloadConverter.fromPayload(payloads[0])
    return isRecord(attributes) ? String(attributes.message ?? plain) : plain
  } catch {
    // Without the key of the history, the status says at least that the attempts fail.
    return plain
  }
}
