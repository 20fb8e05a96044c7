/** Replaces a personal field of a history when the account is removed (D-196). */
export const removedText = '[removed]'
