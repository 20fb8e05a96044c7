import type { NativeConnection } from '@temporalio/worker'
import { grpcStatuses, LinesError } from '#contract/terms'
import { searchAttributes } from '#flows'
import { grpcStatusOf } from './temporalErrors.ts'

/** Temporal's numbers of the types in use (temporal.api.enums.v1.IndexedValueType). */
const indexedValueTypes = { Keyword: 2, Bool: 5, KeywordList: 7 } as const satisfies Record<
  (typeof searchAttributes)[keyof typeof searchAttributes]['type'],
  number
>

/** Limit and interval of the checks after a registration, in milliseconds: a new attribute is not usable immediately. */
const usable = { within: 30_000, every: 100 }

/**
 * Checks that every search attribute is registered with its type: a single missing one stops every flow. Registering an
 * existing one with another type returns OK and changes nothing, so the types are compared first.
 * @param register registers missing ones; in production an operator does that
 * @throws Error with the commands for missing attributes, or for a missing namespace
 */
export async function ensureSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  { register }: { register: boolean },
): Promise<void> {
  const { missing, wrong } = await compare(connection, namespace).catch(error => {
    if (!isNotFound(error)) throw error
    throw new Error(
      `${noNamespace(namespace)}. Set an existing one, or create it: temporal operator namespace create --namespace ${namespace}.`,
    )
  })
  if (wrong.length > 0)
    throw new Error(`Search attributes of namespace ${namespace} have another type: ${wrong.join(', ')}.`)
  if (missing.length === 0) return
  if (!register) throw new LinesError(missingText(namespace, missing))
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, indexedValueTypes[type]])),
  })
  for (const start = Date.now(); !(await areUsable(connection, namespace)); ) {
    if (Date.now() - start > usable.within) {
      const names = missing.map(({ name }) => name).join(', ')
      throw new Error(
        `Temporal cannot use the search attributes ${names} ${usable.within / 1_000} s after their registration.`,
      )
    }
    await new Promise(resolve => setTimeout(resolve, usable.every))
  }
}

/**
 * True when Temporal lists the attributes and accepts a query with them. Its frontend rejects queries and flows with new ones
 * until it has read the namespace again, some seconds after the list has them.
 */
async function areUsable(connection: NativeConnection, namespace: string): Promise<boolean> {
  const { missing } = await compare(connection, namespace)
  if (missing.length > 0) return false
  const conditions = Object.values(searchAttributes).map(({ name }) => `${name} IS NULL`)
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query: conditions.join(' AND ') })
    return true
  } catch (error) {
    if (grpcStatusOf(error) === grpcStatuses.invalidArgument) return false
    throw error
  }
}

/** Returns a reason when the namespace or one of its search attributes is missing. */
export async function findMissingAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<string | undefined> {
  try {
    const { missing } = await compare(connection, namespace)
    if (missing.length === 0) return undefined
    return `Search attributes are missing: ${missing.map(({ name }) => name).join(', ')}`
  } catch (error) {
    if (!isNotFound(error)) throw error
    return noNamespace(namespace)
  }
}

function isNotFound(error: unknown): boolean {
  return grpcStatusOf(error) === grpcStatuses.notFound
}

const noNamespace = (namespace: string) => `TEMPORAL_NAMESPACE: Temporal does not have the namespace ${namespace}`

async function compare(connection: NativeConnection, namespace: string) {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const declared = Object.values(searchAttributes)
  return {
    missing: declared.filter(({ name }) => customAttributes?.[name] === undefined),
    wrong: declared
      .filter(({ name, type }) => (customAttributes?.[name] ?? indexedValueTypes[type]) !== indexedValueTypes[type])
      .map(({ name, type }) => `${name} must be ${type}`),
  }
}

function missingText(namespace: string, missing: readonly { name: string; type: string }[]): string[] {
  const commands = missing.map(
    ({ name, type }) =>
      `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${type}`,
  )
  return ['Search attributes are missing. Register them first:', ...commands]
}
