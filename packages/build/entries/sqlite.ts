// An older Node lacks the module, and would fail before the check of its version.
export const { DatabaseSync, StatementSync } =
  process.getBuiltinModule?.('node:sqlite') ?? ({} as Partial<typeof import('node:sqlite')>)
