/** Nobody's address: the only one that a recorded history may have, since histories are kept and shown. */
export const nobody = 'account@nobody.example'
