import type { Output } from './output.ts'

/** An argument without a name, in the order of the command line. */
export interface VerbArgument {
  readonly name: string
  readonly summary: string
  readonly optional?: boolean
  /** Takes all further arguments. Only the last argument of a verb may. */
  readonly variadic?: boolean
}

export interface VerbOption {
  /** In the form of commander: `--json` or `--wait <event>`. */
  readonly flags: string
  readonly summary: string
  /** May be given several times. The value is then a list. */
  readonly multiple?: boolean
  readonly default?: string | boolean
  /** The verb does not run without it. */
  readonly required?: boolean
}

/** The summary of an option for the help and the reference page, which mark an option that must be given. */
export function describeOption({ summary, required = false }: VerbOption): string {
  return required ? `${summary} (required)` : summary
}

/** One verb of the command `lockerflow`, as data. Help and the reference page come from it. */
export interface Verb {
  /** All words after `lockerflow`, such as `clients add`. */
  readonly name: string
  /** The help and the reference page leave it out. */
  readonly hidden?: boolean
  /** One sentence. */
  readonly summary: string
  readonly arguments?: readonly VerbArgument[]
  readonly options?: readonly VerbOption[]
  /** A command line that works on a machine on which `lockerflow dev` runs. A test runs each. */
  readonly example: string
  /** Options that the verb does not declare are fields: they follow the arguments in the values of the call. */
  readonly fields?: boolean
  /** Every word after the verb is an argument, options too: they are another program's. */
  readonly passThrough?: boolean
  /** The verb starts a stack of its own, so it does not use the one that runs in the folder. */
  readonly ownStack?: boolean
  /** Milliseconds that the verb has to stop after a signal; nine seconds by default. */
  readonly stopTimeout?: number
  /** Loads the action, which only this verb needs. */
  readonly load: () => Promise<VerbAction>
}

export interface VerbAction {
  /** @throws CommandFailure, or any error, whose message is printed */
  readonly run: (call: VerbCall) => Promise<void>
}

/** The input of an action. */
export interface VerbCall {
  /** The arguments in order. The values of a variadic argument follow each other. */
  readonly values: readonly (string | undefined)[]
  /** By name in camel case: `--older-than` is `olderThan`. An option that is not given is absent. */
  readonly options: Readonly<Record<string, unknown>>
  readonly output: Output
  /** The environment of the process, completed by the stack of `lockerflow dev` in its folder. */
  readonly environment: NodeJS.ProcessEnv
  /**
   * Aborts on the first SIGINT, SIGTERM or SIGHUP. An action that reads it ends by itself: without a reader, a
   * signal ends the process at once.
   */
  readonly signal: AbortSignal
}
