/** The header of a run's stream with the longest time between two signs of life, in milliseconds. */
export const HEARTBEAT_HEADER = 'x-heartbeat-ms';

/** The interval at which the studio's server sends a sign of life in a run's stream, in milliseconds. */
export const HEARTBEAT_MS = 3_000;
