import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type OperationName, operations } from '#contract'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { upload } from '../../support/service/uploads.ts'

/** An operation of the served document: its examples, and the targets of its links. */
interface Documented {
  readonly request: Record<string, unknown>
  readonly response: Record<string, unknown>
  readonly links: readonly Link[]
}

interface Link {
  readonly operationId: string
  readonly 'x-request-body': Readonly<Record<string, string>>
}

/** A call that was made, and what came back. */
interface Made extends Documented {
  readonly answer: object
}

let service: TestService
let documented: ReadonlyMap<string, Documented> | undefined

beforeEach(async () => {
  service = await startTestService()
  // The document is the same for every service, and takes longer to read than an example to send.
  documented ??= readExamples((await service.send('/openapi.json')).body)
})

afterEach(() => service.stop())

const account: OperationName[] = ['CreateAccount']
const issue: OperationName[] = [...account, 'CreateLocalShipmentAsIssue']
const stock: OperationName[] = [
  ...account,
  'CreateLocalShipmentAsStock',
  // The codes of the stock shipment are those of its listing.
  'GetShipments',
  'SimulateLockerAccess',
]

/** The steps that must precede an example; none by default. */
const before: Partial<Record<OperationName, OperationName[]>> = {
  CreateLocalShipment: account,
  CreateLocalShipmentAsIssue: account,
  CreateLocalShipmentAsIssueAndSwapIntake: account,
  CreateLocalShipmentAsIntake: account,
  CreateLocalShipmentAsIntakeAndCircularStock: account,
  CreateCollectOnlyShipment: account,
  CreateCollectOnlyShipmentAsCollectByUser: account,
  CreateLocalShipmentAsStockAfterSwapIntake: [...account, 'CreateLocalShipmentAsIntake'],
  CreateLocalShipmentAsIssueFromStock: stock,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: stock,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: stock,
  SetShipmentDetails: issue,
  AddShipmentObject: issue,
  RemoveShipmentObject: [...issue, 'AddShipmentObject'],
  SetShipmentReceiver: stock,
  CancelShipment: issue,
  UnlockShipmentLocker: [...issue, 'GetShipmentAccessCode'],
  GetShipmentAccessCode: issue,
  GetShipments: issue,
  GetLocalShipments: issue,
  GetCollectOnlyShipments: [...account, 'CreateCollectOnlyShipment'],
  SimulateLockerAccess: [...issue, 'GetShipments'],
  GetAccount: account,
  GetAccountMutationConfig: [...account, 'SetAccountMutationConfig'],
  SetAccountDetails: account,
  SetAccountPickUpPoint: account,
  SetAccountMutationConfig: account,
  RemoveAccount: account,
  GetAccountSuggestions: [...account, 'UploadAccountSuggestions'],
}

describe('the request example of the document', () => {
  test.each(Object.keys(operations) as OperationName[])('of %s returns the example response', async name => {
    const calls: Made[] = []
    for (const step of [...(before[name] ?? []), name]) {
      const example = examplesOf(step)
      const answer = await sent(step, requestOf(step, example, calls))
      expect(answer).toMatchObject({ success: true })
      expect(shapeOf(answer)).toEqual(shapeOf(example.response))
      calls.push({ ...example, answer })
    }
  })
})

/** An example with the identifiers that the links of earlier calls lead to, and the codes that those calls told. */
function requestOf(name: OperationName, { request }: Documented, calls: readonly Made[]): Record<string, unknown> {
  const codes = new Map<unknown, unknown>()
  const filled = structuredClone(request)
  for (const { links, response, answer } of calls) {
    learnCodes(codes, response, answer)
    for (const { operationId, 'x-request-body': body } of links) {
      if (operationId !== name) continue
      for (const [field, expression] of Object.entries(body)) {
        // If two links lead here, use the one whose own example is meant.
        if (request[field] === pointedAt(expression, response)) filled[field] = pointedAt(expression, answer)
      }
    }
  }
  return Object.fromEntries(Object.entries(filled).map(([field, value]) => [field, codes.get(value) ?? value]))
}

/** Resolves an expression of the form `$response.body#/a/0`. */
function pointedAt(expression: string, body: object): unknown {
  const [, ...steps] = expression.split('/')
  return steps.reduce<unknown>((value, step) => Object(value)[step], body)
}

async function sent(name: OperationName, request: Record<string, unknown>): Promise<object> {
  if (name !== 'UploadAccountSuggestions') return (await service.call(name, request)).body
  const { data, file } = z.object({ data: z.object({}).loose(), file: z.string() }).parse(request)
  return (await upload(service, 'people.csv', file, { data: JSON.stringify(data) })).body
}

function examplesOf(name: OperationName): Documented {
  const found = documented?.get(name)
  if (found === undefined) throw new Error(`the document has no examples of ${name}`)
  return found
}

const media = z.record(z.string(), z.object({ examples: z.record(z.string(), z.object({ value: z.unknown() })) }))
const link = z.object({ operationId: z.string(), 'x-request-body': z.record(z.string(), z.string()) })
const post = z.object({
  operationId: z.string(),
  requestBody: z.object({ content: media }),
  responses: z.object({ 200: z.object({ content: media, links: z.record(z.string(), link).default({}) }) }),
})

function readExamples(document: object): Map<string, Documented> {
  const { paths } = z.object({ paths: z.record(z.string(), z.object({ post: z.unknown() }).partial()) }).parse(document)
  const operations = Object.entries(paths).filter(([path]) => path.startsWith('/v1/'))
  return new Map(
    operations.map(([, item]) => {
      const { operationId, requestBody, responses } = post.parse(item.post)
      const [request] = Object.values(requestBody.content)
      const [response] = Object.values(responses[200].content)
      return [
        operationId,
        {
          request: Object(request?.examples.request?.value),
          response: Object(response?.examples.success?.value),
          links: Object.values(responses[200].links),
        },
      ]
    }),
  )
}

/** Names what a response tells where its example tells something else; identifiers go by links alone. */
function learnCodes(codes: Map<unknown, unknown>, example: unknown, answer: unknown): void {
  for (const [key, value] of Object.entries(Object(example))) {
    const told = Object(answer)[key]
    if (typeof value === 'object') learnCodes(codes, value, told)
    else if (/Code$/.test(key) && typeof told === 'string') codes.set(value, told)
  }
}

/** The very same fields, down to those of each item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  // A field that is set in one example can be null in another.
  if (value === null || typeof value !== 'object') return 'a value'
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
}
