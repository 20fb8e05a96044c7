import {
  findUnknownNames,
  isGiven,
  isProduction,
  loadTogether,
  type Problem,
  SettingsError,
  type Source,
} from '#platform/settings'
import { readTelemetry } from '#platform/telemetry'
import { type Finding as Diagnosis, type Installation, ok, wrong } from './examination.ts'
import { findSamePorts } from './samePorts.ts'

/** The settings of all processes of this environment are right, and none is misspelled. */
export async function examineSettings({ environment }: Pick<Installation, 'environment'>): Promise<Diagnosis> {
  const processes = findProcesses(environment)
  const problems = [
    ...(await findProblems(processes, environment)).map(({ process, setting, problem, example }) => {
      const sentence = /[.?]$/.test(problem) ? problem : `${problem}.`
      return `${process} ${setting}: ${sentence}${example === undefined ? '' : ` Example: ${setting}=${example}`}`
    }),
    ...findUnknownNames(environment).map(({ setting, problem }) => `${setting}: ${problem}`),
  ]
  if (problems.length === 0) return ok(`valid for ${processes.join(', ')}`)
  return wrong(problems.join(' '), 'Correct these variables.')
}

/** A setting that is missing or wrong. */
interface Finding {
  readonly process: CheckedProcess
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

/** Settings of one process only. In production, a machine without them does not run it. */
const ownNames: Readonly<Partial<Record<CheckedProcess, RegExp>>> = {
  service: /^LOCKERFLOW_(DATABASE|STORE_KEYS|TOPOLOGY|SERVICE_(?!PROFILE))/,
  gateway: /^LOCKERFLOW_(GATEWAY|CALLBACK_KEY|FLOW_API)/,
  // Its port and its keys are settings of others, too.
  codec: /^LOCKERFLOW_CODEC_(?!KEYS|PORT$)/,
}

/** The processes that an environment has settings for; in staging service, gateway and worker in any case. */
export function findProcesses(source: Source): readonly CheckedProcess[] {
  const names = Object.keys(source).filter(name => source[name])
  return checkedProcesses.filter(process => {
    const pattern = ownNames[process]
    const isUsual = process !== 'codec' && !isProduction(source)
    return isUsual || pattern === undefined || names.some(name => pattern.test(name))
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
