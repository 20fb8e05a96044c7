export { findings } from './findings.ts'
export { form } from './form.ts'
