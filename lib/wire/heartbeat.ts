/**
 * The header of the response with a run's stream that states the longest time between two signs of life, in milliseconds.
 * The page treats a stream that is silent for much longer as broken.
 */
export const HEARTBEAT_HEADER = 'x-heartbeat-ms';

/** The interval at which the studio's server sends a sign of life in a run's stream, in milliseconds. */
export const HEARTBEAT_MS = 3_000;
