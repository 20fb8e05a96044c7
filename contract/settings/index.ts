// Environment variables: how they are declared and read, and those that several processes share.
// The environment file of each process imports this through the contract.
export {
  drivenServiceOf,
  drivenServiceVariables,
  environmentVariable,
  signatureKey,
  taskQueueVariable,
  weakSchemeVariable,
} from './shared.ts'
export { present, readVariables, SettingsFault, type Values, type Variable } from './variable.ts'
