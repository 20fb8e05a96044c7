/** The variables that a child process of a test gets from this one. All others would be settings of its program. */
export const childEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].map(name => [name, process.env[name] ?? '']),
)
