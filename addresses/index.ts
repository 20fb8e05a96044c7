// Which addresses we dial because somebody else named them: receivers of callbacks, files to be fetched.
// Service and activities import this; it knows nothing of either.
export { checkedLookup } from './checkedLookup.ts'
export { mayDial } from './ranges.ts'
export { formFault, urlFault } from './url.ts'
