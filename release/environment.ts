import { delimiter, dirname } from 'node:path'

/** The environment without the variables of `npm run`, and with this Node first: npm and the installed commands run on it. */
export function readEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env)
  const own = variables.filter(([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS|LOCKERFLOW|TEMPORAL)/.test(name))
  return { ...Object.fromEntries(own), PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
}
