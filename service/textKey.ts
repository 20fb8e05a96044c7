/** Combining characters of Unicode with rules of their own in folding. */
const dotAbove = '\u0307'
const [finalSigma, sigma] = ['ς', 'σ']

const onlyAscii = /^\p{ASCII}*$/u

/**
 * Returns the form in which user names, e-mail addresses and the texts of a search are compared and stored beside the text.
 * Two texts have one key if they differ only in case or in composed and decomposed characters: `Straße` and `STRASSE`, `İpek` and
 * `ipek`. Characters that only look alike, and width variants, stay different.
 *
 * The key of a key is the key itself. A change of the form needs a migration of the stored keys, such as 0008.
 */
export function toTextKey(text: string): string {
  return onlyAscii.test(text) ? text.toLowerCase() : fold(text)
}

/**
 * Folds the case of decomposed characters, and composes them again. JavaScript has no case folding: the upper case of a character
 * turns ß into SS and ς into Σ, and the first lower case turns ẞ into ß.
 */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll(`i${dotAbove}`, 'i')
    .replaceAll(finalSigma, sigma)
    .normalize('NFC')
}
