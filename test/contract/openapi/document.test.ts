import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  defaultUidSignatureScheme,
  examples,
  introspectionPath,
  type Operation,
  type OperationName,
  openApiDocument,
  operations,
  readRequest,
  tokenPath,
} from '#contract'
import { errors } from '#contract/terms'
import { bodyOf, placesIn, put, sane } from '../../support/service/validRequest.ts'

interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content: { readonly 'application/json': { readonly examples: Readonly<Record<string, unknown>> } }
  readonly links?: Readonly<Record<string, Link>>
}

interface Link {
  readonly operationId: OperationName
  readonly 'x-request-body': Readonly<Record<string, string>>
}

interface Post {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly $ref: string }[]
  readonly requestBody?: {
    readonly content: {
      readonly 'application/x-www-form-urlencoded': { readonly schema: { readonly $ref: string } }
    }
  }
  readonly responses: Readonly<Record<string, Answer>>
}

const names = Object.keys(operations) as OperationName[]
const options = { baseUrl: 'http://127.0.0.1', version: '1.2.3', uidSignatureScheme: defaultUidSignatureScheme }
const document = openApiDocument({ ...options, names })
const paths = document.paths as Record<string, { readonly post: Post }>
const components = document.components as {
  readonly responses: Record<string, Answer>
  readonly schemas: Record<string, Parameters<typeof z.fromJSONSchema>[0]>
}

function postOf(name: OperationName): Post {
  const item = paths[operations[name].path]
  if (item === undefined) throw new Error(`${name} is not in the document`)
  return item.post
}

const schemaNames = Object.keys(components.schemas)

test('the schemas are named components, for generated clients', () => {
  expect(schemaNames).toEqual(expect.arrayContaining(['ShipmentItem', 'Dimension', 'PickUpPoint', 'TokenResponse']))
  for (const name of names) expect(schemaNames).toEqual(expect.arrayContaining([`${name}Request`, `${name}Success`]))
  expect(JSON.stringify(document)).not.toContain('$defs')
})

test('an optional text is one schema, which accepts the empty text as the service does', () => {
  // zod resolves references to `$defs` only.
  const { schemas } = JSON.parse(JSON.stringify(components).replaceAll('#/components/schemas/', '#/$defs/'))
  const texts = Object.values<Operation>(operations).flatMap(operation =>
    placesIn(operation).map(place => ({ operation, place })),
  )
  const rejected = texts.filter(({ operation, place }) => {
    const body = put(bodyOf(operation, sane), place, '')
    const documented = z.fromJSONSchema({ $ref: `#/$defs/${operation.name}Request`, $defs: schemas })
    return readRequest(operation, body).ok && !documented.safeParse(body).success
  })
  expect(rejected.map(({ operation, place }) => [operation.name, ...place].join('.'))).toEqual([])
  expect(JSON.stringify(document)).not.toContain('"const":""')
})

test('the documented key of callbacks has a length if it is not empty', () => {
  const schema = z.fromJSONSchema(components.schemas.ConfigureCallbackRequest ?? false)
  const accepts = (authKey: string) => schema.safeParse({ url: null, authType: 'None', authKey }).success
  expect(['', 'a'.repeat(15), 'a'.repeat(16), 'a'.repeat(200), 'a'.repeat(201)].map(accepts)).toEqual([
    true,
    false,
    true,
    true,
    false,
  ])
})

test('the patterns are regular expressions of other languages too', () => {
  const patterns = JSON.stringify(document).match(/(?<="pattern":")(?:[^"\\\\]|\\\\.)*/g) ?? []
  expect(patterns.length).toBeGreaterThan(100)
  for (const pattern of new Set(patterns)) expect(pattern).not.toMatch(/\\\\(0|ud[89a-f])/i)
})

const linksOf = (name: OperationName) => Object.entries(postOf(name).responses[200]?.links ?? {})

test('the document has every operation that is served and no other', () => {
  const served: OperationName[] = ['GetShipments', 'CreateAccount']
  const { paths } = openApiDocument({ ...options, names: served })
  const listed = Object.keys(paths as object).filter(path => path.startsWith('/v1/'))
  expect(listed).toEqual(served.map(name => operations[name].path))
})

test('no link leads to an operation that is not served', () => {
  const served = names.filter(name => name !== 'CancelShipment')
  expect(JSON.stringify(openApiDocument({ ...options, names }))).toContain('"operationId":"CancelShipment"')
  expect(JSON.stringify(openApiDocument({ ...options, names: served }))).not.toContain('CancelShipment')
})

test('the document names its version, its server and its token endpoint', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.2.3' },
    servers: [{ url: 'http://127.0.0.1' }],
    components: {
      securitySchemes: { client: { flows: { clientCredentials: { tokenUrl: 'http://127.0.0.1/connect/token' } } } },
    },
  })
})

test.each([
  [tokenPath, 'TokenRequest', { grant_type: 'client_credentials' }],
  [introspectionPath, 'IntrospectionRequest', { token: 'a' }],
])('the form of %s may have other fields, each of them once', (path, name, required) => {
  const form = paths[path]?.post.requestBody?.content['application/x-www-form-urlencoded'].schema
  expect(form).toEqual({ $ref: `#/components/schemas/${name}` })
  const schema = z.fromJSONSchema(components.schemas[name] ?? false)
  expect(schema.safeParse({ ...required, other: 'a' }).success).toBe(true)
  expect(schema.safeParse({ ...required, other: ['a', 'b'] }).success).toBe(false)
})

describe.each(names)('%s', name => {
  const operation: Operation = operations[name]
  const { responses, parameters } = postOf(name)
  const refusals = operation.errors.filter(code => errors[code].status === 200)

  test('describes each refusal in a sentence and by an example', () => {
    const { description = '', content } = responses[200] ?? {}
    for (const code of refusals) expect(description).toContain(`- \`${code}\`: ${errors[code].meaning}`)
    expect(Object.keys(content?.['application/json'].examples ?? {})).toEqual(['success', ...refusals])
  })

  test('can fail only as declared', () => {
    const creating = operation.effect === 'create' ? ['409', '422'] : []
    const unread = ['408', '417', '431', '501']
    const expected = ['200', '400', '401', '403', '413', '415', '429', '500', '503', ...unread, ...creating]
    expect(Object.keys(responses)).toEqual(expected.toSorted())
    const limited = operation.errors.includes('TooManyAttempts')
    expect(responses[429]).toEqual({ $ref: `#/components/responses/${limited ? 'TooManyRequests' : 'RateLimited'}` })
  })

  test('accepts an Idempotency-Key if and only if it creates something', () => {
    expect(parameters !== undefined).toBe(operation.effect === 'create')
  })
})

test.each(Object.entries(components.responses))('the shared response %s has headers and examples', (_, answer) => {
  const codes = Object.keys(answer.content['application/json'].examples) as (keyof typeof errors)[]
  expect(codes.length).toBeGreaterThan(0)
  const [status] = new Set(codes.map(code => errors[code].status))
  const headers = Object.keys(answer.headers ?? {})
  expect(headers).toContain('x-request-id')
  expect(headers.includes('retry-after')).toBe(status === 429 || status === 503)
  expect(headers.includes('www-authenticate')).toBe(status === 401 || status === 403)
})

describe('links', () => {
  const sources = names.filter(name => linksOf(name).length > 0)

  test('start at every operation that creates something, and where pick up points are listed', () => {
    const creating = names.filter(name => operations[name].effect === 'create')
    expect(sources.toSorted()).toEqual([...creating, 'GetPickUpPoints'].toSorted())
  })

  test.each([
    ['CreateLocalShipmentAsStock', 'CreateLocalShipmentAsIssueFromStock.PriorShipmentUid'],
    ['CreateLocalShipment', 'CreateLocalShipment.SwapsShipmentUid'],
    ['CreateLocalShipmentAsIssue', 'CancelShipment.shipmentUid'],
    ['CreateAccount', 'CreateLocalShipmentAsIssue.ToUserUid'],
    ['CreateOrGetAccount', 'SetShipmentReceiver.toUserUid'],
    ['GetPickUpPoints', 'CreateAccount.pickUpPointUid'],
  ] as const)('%s leads to %s', (source, link) => {
    expect(linksOf(source).map(([name]) => name)).toContain(link)
  })

  test('an object leads to its removal together with its shipment', () => {
    expect(linksOf('AddShipmentObject')).toEqual([
      [
        'RemoveShipmentObject.shipmentObjectUid',
        {
          operationId: 'RemoveShipmentObject',
          'x-request-body': {
            shipmentObjectUid: '$response.body#/shipmentObjectUid',
            shipmentUid: '$response.body#/shipmentUid',
          },
        },
      ],
    ])
  })

  test.each(sources)('those of %s resolve in its example, and name existing fields', name => {
    for (const [, { operationId, 'x-request-body': body }] of linksOf(name)) {
      for (const [field, expression] of Object.entries(body)) {
        expect(Object.keys(operations[operationId].request.shape)).toContain(field)
        expect(pointedAt(expression, examples[name].response)).toEqual(expect.any(String))
      }
    }
  })
})

/** Resolves an expression of the form `$response.body#/a/0`. */
function pointedAt(expression: string, body: object): unknown {
  const [start, ...steps] = expression.split('/')
  expect(start).toBe('$response.body#')
  return steps.reduce<unknown>((value, step) => Object(value)[step], body)
}
