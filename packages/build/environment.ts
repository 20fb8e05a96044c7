import { delimiter, dirname } from 'node:path'

/** The workflow of GitHub that runs a release. */
export interface Workflow {
  /** The address of its repository; undefined elsewhere. */
  readonly repository: string | undefined
  /** The branch or tag of its run, such as `refs/heads/main`; undefined elsewhere. */
  readonly ref: string | undefined
  /** The file that takes the outputs of a job. */
  readonly output: string | undefined
}

export function readWorkflow(source: NodeJS.ProcessEnv = process.env): Workflow {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_REF: ref, GITHUB_OUTPUT: output } = source
  return { repository: server && name ? `${server}/${name}` : undefined, ref, output }
}

/** The environment without the variables of `npm run`, and with this Node first: npm and the installed commands run on it. */
export function readEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env)
  const own = variables.filter(([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS|LOCKERFLOW|TEMPORAL)/.test(name))
  return { ...Object.fromEntries(own), PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
}
