/** Fields of accounts that reveal who or where a person is, in lower case: starters may use any casing (D-196). */
export const personalFields: ReadonlySet<string> = new Set([
  ...['emailaddress', 'username', 'firstname', 'lastname', 'phonenumber', 'mailcode'],
  ...['streetname', 'streetno', 'mailbox', 'city', 'countrycode'],
])

/**
 * Milliseconds after which a personal key that was never assigned to an account is forgotten (D-398). Longer than any flow waits
 * for its account.
 */
export const unassignedKeyAge = 30 * 86_400_000

/** Replaces a personal field of a history when the account is removed (D-196). */
export const removedText = '[removed]'
