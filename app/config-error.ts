/** Signals an unusable configuration; the message names the setting and the valid values. */
export class ConfigError extends Error {}
