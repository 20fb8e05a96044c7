import type { Connection } from '@temporalio/client'
import { readTemporalTarget } from '#client/connection'
import { SettingsError } from '#platform/settings'
import { ReportedFailure } from '../command/failure.ts'
import type { Output, Style } from '../command/output.ts'
import type { VerbAction } from '../command/verb.ts'
import { readTarget } from '../sandbox/target.ts'
import { connectTemporal } from '../temporalConnection.ts'
import {
  answerTimeout,
  type Diagnosis,
  type Finding,
  type Installation,
  reasonOf,
  type State,
  unknown,
} from './examination.ts'
import { examineOwnFlows, examinePausedFlows } from './flows.ts'
import { examineNode, examinePorts } from './machine.ts'
import { examineCallbacks, examineClocks, examineSchema, examineService, examineSignIn } from './service.ts'
import { examineSettings } from './settings.ts'
import {
  examineAttributes,
  examineDeployment,
  examineNamespace,
  examinePollers,
  examineTemporal,
  examineVersion,
} from './temporal.ts'

/** The checks in their order, by the name of the part. */
const checks: Readonly<Record<string, (installation: Installation) => Promise<Finding>>> = {
  Node: examineNode,
  settings: examineSettings,
  ports: examinePorts,
  Temporal: examineTemporal,
  "Temporal's version": examineVersion,
  namespace: examineNamespace,
  'search attributes': examineAttributes,
  service: examineService,
  schema: examineSchema,
  'sign-in': examineSignIn,
  clocks: examineClocks,
  'callback address': examineCallbacks,
  workers: examinePollers,
  deployment: examineDeployment,
  'your flows': examineOwnFlows,
  'paused flows': examinePausedFlows,
}

const styles: Readonly<Record<State, Style>> = { ok: 'green', wrong: 'red', unknown: 'yellow' }

/** Checks every part that the flows need. The exit code is 1 if one is wrong. */
export const doctor: VerbAction = {
  async run({ environment, output }) {
    const { connection, unreachable, ...settings } = await connect(environment)
    const installation = { environment, connection, unreachable, api: readTarget(environment), ...settings }
    const width = Math.max(...Object.keys(checks).map(part => part.length))
    let isSound = true
    try {
      for (const [part, examine] of Object.entries(checks)) {
        const diagnosis = { part, ...(await examine(installation).catch(toFinding)) }
        isSound &&= diagnosis.state !== 'wrong'
        output.item(diagnosis, () => describe(diagnosis, width, output))
      }
    } finally {
      await connection?.close()
    }
    if (!isSound) throw new ReportedFailure()
  },
}

/** The part of the settings names them. @throws the error, if it is not about settings */
function toFinding(error: unknown): Finding {
  if (error instanceof SettingsError) return unknown('its settings are wrong')
  throw error
}

async function connect(
  environment: NodeJS.ProcessEnv,
): Promise<Pick<Installation, 'target' | 'connection' | 'unreachable'>> {
  const target = readTemporalTarget(environment)
  let connection: Connection | undefined
  let unreachable: string | undefined
  try {
    connection = await connectTemporal({ ...target.temporal, ...{ connectTimeout: answerTimeout } })
  } catch (error) {
    unreachable = reasonOf(error)
  }
  return { target, connection, unreachable }
}

function describe({ part, state, found, remedy }: Diagnosis, width: number, output: Output): string[] {
  const line = `${output.style(styles[state], state.padEnd(7))}  ${part.padEnd(width)}  ${found}`
  return remedy === undefined ? [line] : [line, `${' '.repeat(width + 11)}${remedy}`]
}
