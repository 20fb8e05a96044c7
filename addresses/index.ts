// Guards against server-side request forgery: URLs from user input, for callbacks, notifications and file downloads.
// Imported by the service, the activities and the worker.
export { checkedLookup, isAllowedAddress, validateUrl, validateUrlSyntax } from './addresses.ts'
