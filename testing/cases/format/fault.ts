import { toPrintable } from '#contract/terms'
import { cutQuoted, type FieldPath, type Place, suggest, toPath } from '#flows/check'

/** The codes of faults in a file of cases. */
export const caseFaultCodes = {
  FileNotRead: 'The file or pattern names no file that can be read.',
  YamlSyntax: 'The file is not YAML 1.2 or JSON, or uses anchors, aliases, tags or merge keys (`<<`).',
  YamlDuplicateKey: 'A key occurs twice in one map.',
  NoCase: 'The file contains no case.',
  MissingField: 'A required field is missing.',
  UnknownField: 'The form has no such field, or a story has no such word.',
  InvalidValue: 'The form does not allow the value of a field.',
  DuplicateName: 'Two cases of a flow have the same name, or a name in `before` is a role of the flow.',
  UnknownFlow: 'No flow has this name. `--flows` names your own flows.',
  UnknownStep: 'The flow has no such step.',
  UnknownRole: 'The flow books no such role, and `before` does not name it.',
  UnknownAnswer: 'The step does not ask for this answer.',
  UnknownWork: 'No step of the flow has this operation or activity.',
  UnknownErrorCode: 'The operation has no such refusal, or the activity cannot fail with the code.',
} as const

export type CaseFaultCode = keyof typeof caseFaultCodes

/** A fault as the checks find it. */
export interface CaseFinding {
  readonly at: FieldPath
  readonly code: CaseFaultCode
  /** The sentence after the field: `must be …`, with a full stop. */
  readonly text: string
}

/** A fault of a case, with its place. */
export interface CaseFault extends Place {
  /** Empty if the case has no name. */
  readonly case: string
  /** From the root of the case: `story[2].dropOff`. */
  readonly path: string
  readonly code: CaseFaultCode
  /** A whole sentence that begins with the case and the field. */
  readonly message: string
}

/** The finding of an unknown name. @param what the known ones are, such as `a role of the flow` */
export function unknownName(
  at: FieldPath,
  code: CaseFaultCode,
  what: string,
  given: string,
  known: readonly string[],
): CaseFinding {
  const names = [...new Set(known)]
  const all = names.length > 0 && names.length <= 12 ? ` (${names.join(', ')})` : ''
  return { at, code, text: `must be ${what}${all}, got "${given}".${suggest(given, names)}` }
}

/** @param name of the case; undefined if it has none */
export function toCaseFault(name: unknown, { at, code, text }: CaseFinding, place: Place): CaseFault {
  const path = toPath(at)
  const title = typeof name === 'string' ? name : ''
  const subject = [title && `"${title}"`, path].filter(Boolean).join(' ')
  return { ...place, case: title, path, code, message: cutQuoted(`${subject || 'the file'}: ${text}`) }
}

/** One line: the place, the sentence and the code. */
export function describeCaseFault({ file, line, column, message, code }: CaseFault): string {
  const place = [file, line, column].filter(part => part !== undefined).join(':')
  return toPrintable(`${place && `${place}: `}${message} [${code}]`)
}
