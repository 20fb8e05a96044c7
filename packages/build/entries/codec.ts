// The entry `codec`: the data converter of programs that start flows whose histories are encrypted.
export { readDataConverter } from '#platform/codec'
