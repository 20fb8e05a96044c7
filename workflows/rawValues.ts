import { RawValue, rawValueTypeInfo, type TypeInfo } from '@temporalio/common'
import { type ActivityProxyOptions, defineWorkflowOptions } from '@temporalio/workflow'
import { getActivator } from '@temporalio/workflow/lib/global-attributes.js'

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

/** False until the SDK has decoded the memo of the workflow, which may be empty. It does so before the workflow runs. */
export function hasMemo(): boolean {
  return getActivator().info.memo !== undefined
}

/** Has the SDK return the result of an activity as a raw value: one of a team can have an encoding of its own (D-512). */
export function rawResult(activity: string): Pick<ActivityProxyOptions, 'activityTypeInfo'> {
  return { activityTypeInfo: { [activity]: { outputType: rawValueTypeInfo } } }
}

/** Undefined for a result whose encoding no worker knows. The simulator and activities without a result return plain values. */
export function decodeResult(result: unknown): unknown {
  return result instanceof RawValue ? decode(result) : result
}
