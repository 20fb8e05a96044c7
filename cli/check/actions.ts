import { misuse, ReportedFailure } from '../command/failure.ts'
import { textsOf } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'
import { type CheckedProcess, checkedProcesses, findProblems, findProcesses } from './settings.ts'

/** Reads all settings of all processes without starting anything. */
export const check: VerbAction = {
  async run(call) {
    const { environment, output } = call
    const chosen = textsOf(call, 'process').map(requireProcess)
    const processes = chosen.length > 0 ? chosen : findProcesses(environment)
    const findings = await findProblems(processes, environment)
    output.result({ processes, findings }, () => [
      ...findings.map(
        ({ process: name, setting, problem, example }) =>
          `${output.style('red', 'wrong')}  ${name}  ${setting}: ${problem}${example === undefined ? '' : ` Example: ${setting}=${example}`}`,
      ),
      `${processes.join(', ')}: ${findings.length === 0 ? 'all settings are right' : `${findings.length} wrong`}`,
    ])
    if (findings.length > 0) throw new ReportedFailure()
  },
}

function requireProcess(name: string): CheckedProcess {
  const found = checkedProcesses.find(each => each === name)
  if (found === undefined) throw misuse(`--process: must be one of ${checkedProcesses.join(', ')}, and is "${name}".`)
  return found
}
