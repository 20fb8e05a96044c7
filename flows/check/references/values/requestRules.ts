import type { z } from 'zod'
import { normalizeKeys } from '#contract'
import type { Source } from '#flows/declaration'
import type { FieldPath, Finding } from '../../fault.ts'
import { fromSchema } from '../../model/contractType.ts'
import { findMember, type Scope } from '../../model/scope.ts'
import { readSource } from '../../model/source.ts'
import { isConstant, type Target, toConstant } from './constants.ts'
import type { SourceContext } from './findings.ts'
import { checkSource } from './sources.ts'

/** Checks the request of an operation against its schema: each field, then the rules for fields that belong together. */
export function checkRequest(context: SourceContext, source: Source, schema: z.ZodObject, at: FieldPath): Finding[] {
  const fields = fromSchema(schema)
  const target: Target = { member: { type: { kind: 'object', fields }, optional: false, nullable: false }, schema }
  const findings = checkSource(context, source, target, at)
  return findings.length > 0 ? findings : ruleFindings(context.scope, source, schema, at)
}

/** Replaces references: a rule asks only whether a field is given, and whether it is true. */
interface StandIn {
  readonly flag: boolean
  readonly isGiven: boolean
}

const standIns: readonly StandIn[] = [
  { flag: true, isGiven: true },
  { flag: false, isGiven: true },
  { flag: true, isGiven: false },
  { flag: false, isGiven: false },
]

/** Findings at absent and literal fields that no values of the references avoid. */
function ruleFindings(scope: Scope, source: Source, schema: z.ZodObject, at: FieldPath): Finding[] {
  const read = readSource(source)
  if (read.kind !== 'object') return []
  const given = Object.entries(read.fields)
  const [first = new Map<string, string>(), ...others] = standIns.map(standIn => {
    const request = Object.fromEntries(given.flatMap(([name, below]) => toSample(scope, name, below, standIn)))
    const issues = schema.safeParse(normalizeKeys(schema, request, () => {})).error?.issues ?? []
    return new Map(issues.filter(({ code }) => code === 'custom').map(issue => [issue.path.join('.'), issue.message]))
  })
  return [...first].flatMap(([name, text]): Finding[] => {
    const [, below] = given.find(([other]) => other.toLowerCase() === name.toLowerCase()) ?? []
    if (!others.every(broken => broken.has(name))) return []
    if (below === undefined) return [{ at: [...at, name], code: 'MissingField', text: `${text}.` }]
    return isConstant(below) ? [{ at: [...at, name], code: 'SourceType', text: `${text}.` }] : []
  })
}

function toSample(scope: Scope, name: string, source: Source, { flag, isGiven }: StandIn): [string, unknown][] {
  if (isConstant(source)) return [[name, toConstant(source)]]
  const read = readSource(source)
  const member = read.kind === 'from' ? findMember(scope, read.path) : undefined
  if (member === undefined || 'unknown' in member) return [[name, 'x']]
  if (!isGiven && (member.optional || member.nullable)) return []
  return [[name, member.type.kind === 'boolean' ? flag : 'x']]
}
