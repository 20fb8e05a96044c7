/** The task queue that flows run on unless a setting says otherwise. */
export const taskQueue = 'lockerflow'
