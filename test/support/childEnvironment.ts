/** A service that serves each request, however slow the machine is: a loaded one rejects requests by default. */
export const serviceWithoutLimits: Readonly<Record<string, string>> = {
  LOCKERFLOW_SHED_LOAD: 'false',
  LOCKERFLOW_STATEMENT_TIMEOUT: '120000',
}

/** The variables that a child process of a test gets from this one. All others would be settings of its program. */
export const childEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].map(name => [name, process.env[name] ?? '']),
)
