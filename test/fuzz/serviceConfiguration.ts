import { join } from 'node:path'
import type { z } from 'zod'
import { accessScope, type Operation, operations, tokenPath } from '#contract'
import { casesEach } from './schemathesis.ts'
import type { World } from './world.ts'

const hooks = join(import.meta.dirname, 'hooks.py')

/** Number of walks along the links. */
const scenarios = 200

/**
 * Checks that are off for an operation, because one of our rules contradicts them. All other checks are on. They are
 * explained in CONTRIBUTING.md.
 */
function unfit(operation: Operation): Record<string, boolean> {
  return {
    // A missing identifier or part is refused with status 200 and its own code.
    negative_data_rejection: operation.missingFieldErrors !== undefined || operation.upload === true,
    // The schema describes rules across fields, and long lists, only in prose. Violations are InvalidRequest.
    positive_data_acceptance: saysMoreThanItsSchema(operation.request) || operation.upload === true,
  }
}

/** True if a request has rules that JSON Schema cannot express. */
function saysMoreThanItsSchema(schema: z.core.$ZodType): boolean {
  const def = (schema as z.core.$ZodTypes)._zod.def
  if (def.checks?.some(check => check._zod.def.check === 'custom')) return true
  switch (def.type) {
    case 'object':
      return Object.values(def.shape).some(saysMoreThanItsSchema)
    case 'array':
      return saysMoreThanItsSchema(def.element)
    case 'union':
      return def.options.some(saysMoreThanItsSchema)
    case 'optional':
    case 'nullable':
    case 'default':
      return saysMoreThanItsSchema(def.innerType)
    default:
      return false
  }
}

/** Probability of a value from the dictionary; the others are any value that fits the schema. */
const usual = 0.8

/** The fields that use each dictionary. */
const fields = {
  pickUpPoints: ['PupUid', 'pupUid', 'pickUpPointUid', 'bookedPupUid'],
  lockers: ['lockerName'],
  pins: ['pinCode'],
  users: ['userUid', 'ToUserUid', 'FromUserUid', 'toUserUid'],
  shipments: ['shipmentUid', 'SwapsShipmentUid'],
  stock: ['PriorShipmentUid'],
  receiverless: [],
  intakes: [],
  objects: ['shipmentObjectUid'],
  holder: [],
  emails: ['emailAddress'],
  sizes: ['Dimension.width', 'Dimension.height', 'Dimension.length'],
} as const

/** The configuration of Schemathesis as TOML. Lists and texts are JSON, which TOML accepts. */
export function configuration(world: World): string {
  const dictionaries: Record<keyof typeof fields, readonly (string | number)[]> = {
    pickUpPoints: world.pupUids,
    lockers: world.lockerNames,
    users: world.userUids,
    shipments: world.shipmentUids,
    stock: world.stockUids,
    receiverless: world.receiverlessUids,
    intakes: world.intakeUids,
    objects: world.shipmentObjectUids,
    holder: [world.holderUid],
    // So many that most are free: schemathesis generates few others, and the first account has each of them.
    emails: Array.from({ length: 1_000 }, (_, number) => `robin-${number}@acme.example`),
    sizes: [10, 20, 30, 40],
    pins: world.pinCodes,
  }
  return `
hooks = ${JSON.stringify(hooks)}
# A busy machine is no finding.
suppress-health-check = ["too_slow"]

[generation]
max-examples = ${casesEach}
database = "none"

[cache]
enabled = false

[warnings]
fail-on = ["missing_auth", "unsupported_regex"]

[auth.dynamic.openapi.client]
path = ${JSON.stringify(tokenPath)}
payload = { grant_type = "client_credentials", client_id = "acme", client_secret = "acme-secret", scope = ${JSON.stringify(accessScope)} }
payload_content_type = "application/x-www-form-urlencoded"
extract_selector = "/access_token"

[phases.stateful]
max-steps = 8
generation.mode = "positive"
generation.max-examples = ${scenarios}

[dictionaries]
${Object.entries(dictionaries)
  .map(([name, values]) => `${name} = { values = ${JSON.stringify(values)} }`)
  .join('\n')}

[parameters]
${Object.entries(fields)
  .flatMap(([name, of]) => of.map(field => `"body.${field}" = { dictionary = "${name}", probability = ${usual} }`))
  .join('\n')}

[checks]
# 409, 413 and 422 concern the idempotency key and the size, not the fields.
positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 409, 413, 422, 429]

# All objects belong to one shipment.
[[operations]]
include-operation-id = "RemoveShipmentObject"
parameters."body.shipmentUid" = { dictionary = "holder", probability = ${usual} }

# Only stock has no receiver yet.
[[operations]]
include-operation-id = "SetShipmentReceiver"
parameters."body.shipmentUid" = { dictionary = "receiverless", probability = ${usual} }

[[operations]]
include-operation-id = "CreateLocalShipmentAsStockAfterSwapIntake"
parameters."body.PriorShipmentUid" = { dictionary = "intakes", probability = ${usual} }

# Any text may be a token, which is then inactive.
[[operations]]
include-operation-id = "Introspect"
checks.negative_data_rejection.enabled = false

# Fields that must occur together: few generated cases have all or none of them.
[[operations]]
include-operation-id = "SetAccountDetails"
generation.max-examples = ${8 * casesEach}

${Object.values<Operation>(operations).flatMap(exception).join('\n')}
`
}

function exception(operation: Operation): string[] {
  const checks = Object.entries(unfit(operation)).filter(([, isUnfit]) => isUnfit)
  if (checks.length === 0) return []
  return [
    '[[operations]]',
    `include-operation-id = ${JSON.stringify(operation.name)}`,
    ...checks.map(([check]) => `checks.${check}.enabled = false`),
  ]
}
