import { misuse } from '../command/failure.ts'
import type { Verb, VerbAction } from '../command/verb.ts'
import { findCandidates } from './candidates.ts'

/** Prints the script that a shell loads. */
export const completion: VerbAction = {
  async run({ values: [name], output }) {
    const shell = shells.find(each => each === name)
    if (shell === undefined) throw misuse(`shell: must be one of ${shells.join(', ')}, got "${name}".`)
    const script = scripts[shell]
    output.result({ shell, script }, () => script.trimEnd().split('\n'))
  },
}

/** The shells with completion. */
export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]

const ending = '2>/dev/null'

/** The script that a shell loads. It asks the command itself, so that it never lags behind the table of verbs. */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of lockerflow for bash: source <(lockerflow completion bash)
_lockerflow() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" ${ending}))
}
complete -o default -F _lockerflow lockerflow
`,
  zsh: `#compdef lockerflow
# Completion of lockerflow for zsh: source <(lockerflow completion zsh)
_lockerflow() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" ${ending})}")
  found=("\${(@)found:#}")
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _lockerflow lockerflow
`,
  fish: `# Completion of lockerflow for fish: lockerflow completion fish | source
function __lockerflow_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    $before[1] complete -- $before[2..-1] "$current" ${ending}
end
complete -c lockerflow -a '(__lockerflow_complete)'
`,
}

/** Prints the candidates for the last word, a line each. The scripts call it. */
export function completeWith(verbs: readonly Verb[]): VerbAction {
  return {
    async run({ values, output }) {
      const words = values.filter(value => value !== undefined)
      const found = await findCandidates(verbs, words)
      output.result(found, () => found)
    },
  }
}
