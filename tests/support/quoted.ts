/** A path as one word of a shell, whatever its folders are called. */
export const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;
