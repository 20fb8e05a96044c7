import { findUnknownNames, isGiven, isProduction, loadTogether, type Problem, SettingsError } from '#platform/settings'
import { readTelemetry } from '#platform/telemetry'
import { misuse, ReportedFailure } from '../command/failure.ts'
import { textsOf } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'
import { findSamePorts } from './samePorts.ts'

/** Reads all settings of all processes without starting anything. */
export const check: VerbAction = {
  async run(call) {
    const { environment, output } = call
    const chosen = textsOf(call, 'process').map(requireProcess)
    const processes = chosen.length > 0 ? chosen : findProcesses(environment)
    const unknown = findUnknownNames(environment).map(name => ({
      process: undefined,
      ...name,
      example: undefined,
    }))
    const findings: readonly Finding[] = [...(await findProblems(processes, environment)), ...unknown]
    output.result({ processes, findings }, () => [
      ...findings.map(
        ({ process: name, setting, problem, example }) =>
          `${output.style('red', 'wrong')}  ${name === undefined ? '' : `${name}  `}${setting}: ${toSentence(problem)}${example === undefined ? '' : ` Example: ${setting}=${example}`}`,
      ),
      `${processes.join(', ')}: ${findings.length === 0 ? 'all settings are valid' : `${findings.length} wrong`}`,
    ])
    if (findings.length > 0) throw new ReportedFailure()
  },
}

function toSentence(problem: string): string {
  return /[.?]$/.test(problem) ? problem : `${problem}.`
}

/** A setting that is missing or wrong. */
interface Finding {
  /** Undefined for a variable that no process reads. */
  readonly process: CheckedProcess | undefined
  readonly setting: string
  /** The rule that the value breaks. */
  readonly problem: string
  readonly example: string | undefined
}

/** Reads all settings of a process without starting it. */
type Reader = (source: NodeJS.ProcessEnv) => Promise<unknown>

/** A key that takes the place of the one that a gateway in staging would store. */
const placeholder = { current: 'not-stored-and-never-used-by-a-check', previous: undefined }

/** The processes that a check reads. Each loads its own packages. */
const readers = {
  service: async source => {
    const { readSettings } = await import('#service/settings')
    return withTelemetry('service', source, () => readSettings(source))
  },
  gateway: async source => {
    const { loadSettings } = await import('#gateway/settings')
    const given = isGiven(source, 'LOCKERFLOW_CALLBACK_KEY') || isProduction(source) ? {} : { keys: placeholder }
    return withTelemetry('gateway', source, () => loadSettings(given, source))
  },
  worker: async source => {
    const { loadSettings } = await import('#worker/settings')
    return withTelemetry('worker', source, () => loadSettings({}, source))
  },
  codec: async source => (await import('#gateway/codecServer/settings')).readSettings(source),
} as const satisfies Record<string, Reader>

/** The name of a process. */
export type CheckedProcess = keyof typeof readers

const checkedProcesses = Object.keys(readers) as readonly CheckedProcess[]

/**
 * The processes that need settings of their own. A machine without these settings does not run them. Their ports are also
 * settings of `lockerflow dev`.
 */
const optional: Readonly<Partial<Record<CheckedProcess, RegExp>>> = {
  codec: /^LOCKERFLOW_CODEC_(?!KEYS|PORT$)/,
}

function requireProcess(name: string): CheckedProcess {
  const found = checkedProcesses.find(each => each === name)
  if (found === undefined) throw misuse(`--process: must be one of ${checkedProcesses.join(', ')}, got "${name}".`)
  return found
}

/** The processes that an environment has settings for. */
export function findProcesses(source: NodeJS.ProcessEnv): readonly CheckedProcess[] {
  const names = Object.keys(source).filter(name => source[name])
  return checkedProcesses.filter(process => {
    const pattern = optional[process]
    return pattern === undefined || names.some(name => pattern.test(name))
  })
}

/** Reads the settings of processes, and returns everything that is wrong. */
export async function findProblems(
  processes: readonly CheckedProcess[],
  source: NodeJS.ProcessEnv,
): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for (const process of processes) {
    try {
      await readers[process](source)
    } catch (error) {
      found.push(...toFindings(process, error))
    }
  }
  found.push(...(await findSamePorts(processes, source)))
  return found
}

/** As the process itself reads them: its own settings and its telemetry together. */
function withTelemetry(name: string, source: NodeJS.ProcessEnv, settings: () => unknown): Promise<unknown> {
  return loadTogether({ settings, telemetry: () => readTelemetry(name, source) })
}

/** @throws the error, if it is not about settings */
function toFindings(process: CheckedProcess, error: unknown): readonly Finding[] {
  if (!(error instanceof SettingsError)) throw error
  return error.problems.map(({ name, wrong, example }: Problem) => ({
    process,
    setting: name,
    problem: wrong,
    example,
  }))
}
