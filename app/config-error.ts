/**
 * A configuration that cannot be used; the message names the variable or key and says what it
 * should be.
 */
export class ConfigError extends Error {}
