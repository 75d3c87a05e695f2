/** Formats times and GraphQL ids as GitHub does. */

export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : time(ms));
export const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}:${id}`).toString('base64');
