/** The header of a run's stream that says how often it gives a sign of life at least, in milliseconds. */
export const HEARTBEAT_HEADER = 'x-heartbeat-ms';

/** How often the studio's server gives one, in milliseconds. */
export const HEARTBEAT_MS = 3_000;
