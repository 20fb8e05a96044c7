/** An e-mail address that cannot exist, for the histories, which are public. */
export const unusedAddress = 'account@nobody.example'
