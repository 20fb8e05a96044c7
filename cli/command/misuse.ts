/** A message of commander, and the same in the form of the other errors: it begins with the argument or the option. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/^missing required argument '(.+)'$/, '$1: must be given.'],
  [/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, '$1: must have a value.'],
  [/^required option '(?:-\w, )?(--[\w-]+).*' not specified$/, '$1: must be given.'],
  [/^unknown option '(.+)'$/, '$1: must be an option of this verb.'],
  [/^unknown command '(.+)'$/, 'verb: must be a verb of lockerflow, and is "$1".'],
  [
    /^too many arguments(?: for '.*')?\. Expected (\d+) arguments? but got (\d+)(?:: .*)?\.$/,
    'arguments: must be $1 at most, and are $2.',
  ],
]

/** Rewrites a message of commander. Its suggestion, on a second line, stays. */
export function rewriteMisuse(message: string): string {
  const [first = '', ...others] = message.replace(/^error: /, '').split('\n')
  const found = forms.find(([pattern]) => pattern.test(first))
  const sentence = found === undefined ? first : first.replace(...found)
  return [sentence, ...others].join(' ')
}
