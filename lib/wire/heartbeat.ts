/** The header of a run's stream with the longest time between two signs of life, in milliseconds. */
export const HEARTBEAT_HEADER = 'x-heartbeat-ms';

/** The time after which the studio's server gives a sign of life, in milliseconds. */
export const HEARTBEAT_MS = 3_000;
