/** How long a test waits for a condition (milliseconds): a busy machine takes its time, and a hang is still told. */
export const patient = { timeout: 60_000, interval: 20 };
