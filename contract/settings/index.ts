// Environment variables: their declaration, their parsing, and those that several processes share.
// Imported by the environment file of each process.
export {
  drivenServiceVariables,
  environmentVariable,
  readDrivenService,
  signatureKey,
  taskQueueVariable,
  uidSignatureVariable,
} from './shared.ts'
export { readVariables, SettingsError, type Values, type Variable, withoutEmpty } from './variable.ts'
