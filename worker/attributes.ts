import type { NativeConnection } from '@temporalio/worker'
import { searchAttributes } from '#contract/terms'

/** Temporal's numbers for the types that we use (temporal.api.enums.v1.IndexedValueType). */
const numbers = { Keyword: 2, Bool: 5, KeywordList: 7 } as const satisfies Record<
  (typeof searchAttributes)[keyof typeof searchAttributes]['type'],
  number
>

/** How long Temporal may take to make a new attribute usable, in milliseconds. */
const settling = { within: 30_000, every: 100 }

/**
 * Makes sure that every search attribute is there with its type: a single one that is missing stops every flow.
 * Registering one that exists with another type answers OK and changes nothing, hence the comparison.
 * @param register whether missing ones may be registered; in production somebody does that on purpose
 */
export async function ensureAttributes(
  connection: NativeConnection,
  namespace: string,
  { register }: { register: boolean },
): Promise<void> {
  let { missing, wrong } = await compare(connection, namespace)
  if (wrong.length > 0)
    throw new Error(`Search attributes of another type in namespace ${namespace}: ${wrong.join(', ')}`)
  if (missing.length === 0) return
  if (!register) throw new Error(missingText(namespace, missing))
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, numbers[type]])),
  })
  for (const start = Date.now(); missing.length > 0; { missing, wrong } = await compare(connection, namespace)) {
    if (Date.now() - start > settling.within) throw new Error(missingText(namespace, missing))
    await new Promise(resolve => setTimeout(resolve, settling.every))
  }
}

async function compare(connection: NativeConnection, namespace: string) {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const wanted = Object.values(searchAttributes)
  return {
    missing: wanted.filter(({ name }) => customAttributes?.[name] === undefined),
    wrong: wanted
      .filter(({ name, type }) => (customAttributes?.[name] ?? numbers[type]) !== numbers[type])
      .map(({ name, type }) => `${name} has to be ${type}`),
  }
}

function missingText(namespace: string, missing: readonly { name: string; type: string }[]): string {
  const commands = missing.map(
    ({ name, type }) =>
      `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${type}`,
  )
  return ['Search attributes are missing; register them first:', ...commands].join('\n')
}
