/** The port of the log: structured fields for machines, a constant text for people. */
export type LogPort = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, text: string) => void>;
