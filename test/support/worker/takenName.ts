/** A workflow with the name of one of lockerflow's. */
export async function sweep(): Promise<void> {}
