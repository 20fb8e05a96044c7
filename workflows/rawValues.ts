import { type Payload, type RawValue, rawValueTypeInfo, type TypeInfo } from '@temporalio/common'
import { defineWorkflowOptions } from '@temporalio/workflow'
import { getActivator } from '@temporalio/workflow/lib/global-attributes.js'
import { Activator } from '@temporalio/workflow/lib/internals.js'

/**
 * The arguments of a message or a start, however many there are, as raw values. The workflow decodes them itself: a failure of
 * the SDK to decode one would fail every workflow task (D-480).
 */
export const rawInputs: TypeInfo[] = new Proxy([], { get: () => rawValueTypeInfo })

/** Has the SDK start a workflow with the raw values of its arguments. */
export function readRawInputs(workflow: (...args: never[]) => Promise<unknown>): void {
  defineWorkflowOptions(workflow, { staticOptions: { typeInfo: { inputTypes: rawInputs } } })
}

/**
 * Undefined for a payload whose encoding no worker knows, and for an argument that is missing: callers check the value, since
 * any client can send one. A codec without its key fails before, and is tried again.
 */
export function decode<Value>(raw: RawValue<Value> | undefined): Value {
  try {
    return (raw && decodeOwn(raw)) as Value
  } catch {
    return undefined as Value
  }
}

/** @throws ValueError for a payload that the workflow cannot have written itself */
export function decodeOwn<Value>({ payload }: RawValue<Value>): Value {
  // A team's worker can have a converter of its own.
  return getActivator().payloadConverter.fromPayload(payload)
}

/**
 * Has the SDK leave out what no worker can decode, in the memo of a start and in the result of an activity, for the workflows
 * that read raw inputs (D-512). It would fail every workflow task. Any client can start a workflow with a memo, and an activity
 * of a team in another language can return a value of its own encoding.
 */
export function omitUndecodable(): void {
  const { initializeWorkflow, resolveActivity } = Activator.prototype
  Object.assign(Activator.prototype, {
    initializeWorkflow(this: Activator, job: Parameters<typeof initializeWorkflow>[0]) {
      const fields = job.memo?.fields ?? {}
      for (const name of Object.keys(fields)) if (isUndecodable(this, fields[name])) delete fields[name]
      initializeWorkflow.call(this, job)
    },
    resolveActivity(this: Activator, job: Parameters<typeof resolveActivity>[0]) {
      const completed = job.result?.completed
      if (completed && isUndecodable(this, completed.result)) completed.result = null
      resolveActivity.call(this, job)
    },
  })
}

function isUndecodable({ payloadConverter, typeInfo }: Activator, payload: Payload | null | undefined): boolean {
  if (!payload || typeInfo?.inputTypes !== rawInputs) return false
  try {
    payloadConverter.fromPayload(payload)
    return false
  } catch {
    return true
  }
}
