import { createRequire } from 'node:module'
import protos from '@temporalio/proto'
import type { History } from '@temporalio/worker'

/** The type of a message in protobufjs. */
interface MessageType {
  readonly fields: Readonly<Record<string, MessageField>>
}

interface MessageField {
  /** Finds the type, which is null for texts, numbers and bytes. */
  resolve(): { readonly resolvedType: MessageType | EnumType | null }
}

interface EnumType {
  readonly values: Readonly<Record<string, number>>
  readonly valuesById: Readonly<Record<number, string>>
}

/** The conversion of protobufjs between messages and Temporal's JSON. */
interface ProtoJson {
  fromJson(type: MessageType, json: unknown, options: { readonly ignoreUnknownFields: boolean }): History
  toJson(type: MessageType, message: object): unknown
}

/**
 * Loads the packages that belong to Temporal's messages. npm installs protobufjs once for each package of Temporal, and a
 * copy rejects the types of another one. The SDK converts with another copy than its messages have.
 */
const requireOfMessages = createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'))

const historyName = 'temporal.api.history.v1.History'

/** Returns the history of a flow in the JSON of Temporal's command and Web UI. */
export function historyToJson(history: History): string {
  const { type, protoJson } = loadConversion()
  const message = protos.temporal.api.history.v1.History.fromObject(history)
  return JSON.stringify(protoJson.toJson(type, message), undefined, 2)
}

/**
 * Returns the history of a flow, from JSON or as a client fetched it.
 * @throws Error for JSON that is not a history
 */
export function toHistory(history: unknown): History {
  const { events } = history as History
  // In a message it is a `Long`.
  if (typeof events?.[0]?.eventId !== 'string') return history as History
  const { type, protoJson } = loadConversion()
  // A newer server or SDK may have written fields that this version does not have.
  return protoJson.fromJson(type, nameConstants(type, history), { ignoreUnknownFields: true })
}

function loadConversion(): { readonly type: MessageType; readonly protoJson: ProtoJson } {
  const { lookupType } = protos as unknown as { lookupType: (name: string) => MessageType }
  return { type: lookupType.call(protos, historyName), protoJson: requireOfMessages('protobufjs/ext/protojson') }
}

/** Replaces the names that older tools write by those of Temporal's messages. No map of a history has constants. */
function nameConstants(type: MessageType | EnumType | null, value: unknown): unknown {
  if (type === null || value === null) return value
  if ('values' in type) return typeof value === 'string' ? toConstant(type, value) : value
  if (typeof value !== 'object') return value
  return mapValues(value, (each, name) => {
    const field = type.fields[name]
    if (field === undefined) return each
    const { resolvedType } = field.resolve()
    if (Array.isArray(each)) return each.map(single => nameConstants(resolvedType, single))
    return nameConstants(resolvedType, each)
  })
}

/** `EVENT_TYPE_WORKFLOW_EXECUTION_STARTED` of `WorkflowExecutionStarted`. The constant 0 has the prefix of all. */
function toConstant({ values, valuesById }: EnumType, name: string): string {
  if (Object.hasOwn(values, name)) return name
  const prefix = valuesById[0]?.replace('UNSPECIFIED', '') ?? ''
  return Object.keys(values).find(constant => fold(constant) === fold(prefix + name)) ?? name
}

function fold(name: string): string {
  return name.replaceAll('_', '').toUpperCase()
}

function mapValues(object: object, change: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}
