import { createCommandLine } from '../commandLine.ts'

const usage = [
  'npm run topology -- preview <file> [--retire]',
  'npm run topology -- apply <file> [--retire]',
  'each with [--json]',
].join('\n')

const { parse, usageError } = createCommandLine(usage, {
  retire: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
})

export interface TopologyArguments {
  readonly act: 'preview' | 'apply'
  readonly file: string
  /** Retires what the file does not declare. */
  readonly retire: boolean
  readonly json: boolean
}

/**
 * Reads the command line.
 * @throws Error that names the argument, with the usage
 */
export function readArguments(args: readonly string[]): TopologyArguments {
  const { values, positionals } = parse(args)
  const [act, file, ...others] = positionals
  if (act !== 'preview' && act !== 'apply') throw usageError('verb: must be preview or apply.')
  if (file === undefined) throw usageError('file: must be given.')
  if (others.length > 0) throw usageError(`file: must be one argument, and "${others[0]}" is another.`)
  return { act, file, retire: values.retire, json: values.json }
}
