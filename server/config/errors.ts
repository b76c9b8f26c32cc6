/** Thrown for configuration that stops the start; the message has one line for each fault, with what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
