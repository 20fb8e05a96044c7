import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The command line of a command: verbs and names without a dash, and options.
 * @param usage ends every error
 */
export function createCommandLine<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
) {
  const usageError = (text: string): Error => new Error(`${text}\n${usage}`)
  return {
    usageError,
    /** @throws Error that names an unknown or incomplete option */
    parse(args: readonly string[]) {
      try {
        return parseArgs({ args: [...args], allowPositionals: true, options })
      } catch (error) {
        throw usageError(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
