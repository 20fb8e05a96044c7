import { argv } from 'node:process'
import { forgetPerson } from '#codec'

// For a service other than our own, whose RemoveAccount does not forget the keys (D-196).
try {
  const [userUid, ...others] = argv.slice(2)
  if (userUid === undefined || others.length > 0) throw new Error('Usage: npm run forget -- <userUid>')
  const count = await forgetPerson(userUid)
  console.log(`${count} ${count === 1 ? 'key' : 'keys'} of the account ${userUid} forgotten`)
} catch (error) {
  console.error(`forget: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
