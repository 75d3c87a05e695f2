/** Formats times and GraphQL ids as GitHub does. */

export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : time(ms));
export const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}:${id}`).toString('base64');

export const showLabel = (api: string, name: string): object => {
  const id = [...name].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_000_007, 7);
  const url = `${api}/labels/${encodeURIComponent(name)}`;
  return { id, node_id: nodeId('Label', id), url, name, color: '1d76db', default: false, description: null };
};
