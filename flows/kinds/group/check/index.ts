export { windowFindings as findings } from '../../../check/references/values/windows.ts'
export { form } from './form.ts'
