import { delimiter, dirname } from 'node:path'

/** The workflow of GitHub that runs a release. */
export interface Workflow {
  /** The address of its repository; undefined elsewhere. */
  readonly repository: string | undefined
  /** npm can sign a provenance with its identity. */
  readonly hasIdentity: boolean
}

export function readWorkflow(source: NodeJS.ProcessEnv = process.env): Workflow {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, ACTIONS_ID_TOKEN_REQUEST_URL: identity } = source
  return { repository: server && name ? `${server}/${name}` : undefined, hasIdentity: Boolean(identity) }
}

/** The environment without the variables of `npm run`, and with this Node first: npm and the installed commands run on it. */
export function readEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env)
  const own = variables.filter(([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS|LOCKERFLOW|TEMPORAL)/.test(name))
  return { ...Object.fromEntries(own), PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
}
