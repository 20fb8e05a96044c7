import { randomUUID } from 'node:crypto'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { msToTs } from '@temporalio/common'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { searchAttributes } from '#flows'
import { ensureSearchAttributes } from '#worker'
import { eventually } from '../support/eventually.ts'
import { type GrpcFaults, startGrpcRelay } from '../support/servers/grpcRelay.ts'
import { installTestRuntime } from '../support/world/runtime.ts'

/** Temporal's number for an attribute of the type Text. */
const textType = 1

/** Statuses of gRPC. */
const [invalidArgument, permissionDenied] = [3, 7]

const names = Object.values(searchAttributes).map(({ name }) => name)
let worker: NativeConnection
let operator: Connection
let namespace: string

beforeAll(async () => {
  installTestRuntime()
  const { address } = inject('temporal')
  worker = await NativeConnection.connect({ address })
  operator = await Connection.connect({ address })
})

afterAll(async () => {
  await Promise.all([worker.close(), operator.close()])
})

// A namespace for each test: what is registered in one is not in another.
beforeEach(async () => {
  namespace = `attributes-${randomUUID()}`
  await operator.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1d') })
  // The server's parts hear of it one after the other.
  await eventually(async () => {
    try {
      return (await registered()) !== undefined
    } catch (error) {
      if (isGrpcServiceError(error)) return undefined
      throw error
    }
  })
})

async function registered(): Promise<Record<string, unknown>> {
  const { customAttributes } = await operator.operatorService.listSearchAttributes({ namespace })
  return customAttributes ?? {}
}

const isCount = (method: string) => method === 'CountWorkflowExecutions'

/** A worker's connection over a relay on which calls fail with the gRPC status that `refuse` returns. */
async function connectOver(refuse: NonNullable<GrpcFaults['refuse']>) {
  const relay = await startGrpcRelay(inject('temporal').address, { refuse })
  const connection = await NativeConnection.connect({ address: relay.address })
  onTestFinished(async () => {
    await connection.close()
    await relay.stop()
  })
  return { relay, connection }
}

test('a namespace that Temporal does not have is an error with its setting and the command that creates it', async () => {
  await expect(ensureSearchAttributes(worker, 'nowhere', { register: true })).rejects.toThrow(
    /^TEMPORAL_NAMESPACE: Temporal does not have the namespace nowhere\. .*create --namespace nowhere\.$/,
  )
})

test('in production, missing attributes are an error with the commands that register them', async () => {
  const refused = await ensureSearchAttributes(worker, namespace, { register: false }).catch(error => error)
  expect(refused).toBeInstanceOf(Error)
  const [first, ...commands] = refused.message.split('\n')
  expect(first).toMatch(/missing/)
  expect(commands).toEqual(
    Object.values(searchAttributes).map(
      ({ name, type }) =>
        `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${type}`,
    ),
  )
  expect(Object.keys(await registered())).not.toEqual(expect.arrayContaining(names.slice(0, 1)))
})

test('in staging, missing attributes are registered, and a production worker finds them', async () => {
  await ensureSearchAttributes(worker, namespace, { register: true })
  expect(Object.keys(await registered())).toEqual(expect.arrayContaining(names))
  await ensureSearchAttributes(worker, namespace, { register: false })
})

test('in staging, a worker waits until Temporal accepts a query with the registered attributes', async () => {
  let refused = 0
  const { relay, connection } = await connectOver(method =>
    isCount(method) && ++refused < 3 ? invalidArgument : undefined,
  )
  await ensureSearchAttributes(connection, namespace, { register: true })
  expect(refused).toBe(3)
  expect(relay.passed.filter(isCount)).toHaveLength(1)
})

test('in staging, another failure of that query ends the start', async () => {
  const { connection } = await connectOver(method => (isCount(method) ? permissionDenied : undefined))
  const ensured = ensureSearchAttributes(connection, namespace, { register: true })
  await expect(ensured).rejects.toMatchObject({ code: permissionDenied })
})

test('in staging, only missing attributes are registered', async () => {
  const { name } = searchAttributes.caseNo
  const keyword = 2
  await operator.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keyword } })
  await eventually(async () => (await registered())[name] !== undefined)
  const refused = await ensureSearchAttributes(worker, namespace, { register: false }).catch(error => error)
  expect(refused.message).not.toContain(`--name ${name} `)
  expect(refused.message.split('\n')).toHaveLength(names.length)
  await ensureSearchAttributes(worker, namespace, { register: true })
})

test.each([true, false])(
  'an attribute of another type is an error, with and without registration: %s',
  async register => {
    const { name } = searchAttributes.user
    await operator.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: textType } })
    await eventually(async () => (await registered())[name] !== undefined)
    await expect(ensureSearchAttributes(worker, namespace, { register })).rejects.toThrow(
      `Search attributes of namespace ${namespace} have another type: ${name} must be Keyword.`,
    )
  },
)
