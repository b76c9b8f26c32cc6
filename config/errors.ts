/** Thrown for configuration that prevents the server from starting. The message has one line per error and its fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
