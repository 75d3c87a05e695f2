/** Quotes a path for a shell. */
export const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;
