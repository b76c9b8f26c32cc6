/** Thrown for configuration that cannot be used, such as invalid variables. The message has one line per error and its fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
