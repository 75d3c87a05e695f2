/** Reads request bodies: JSON, forms, and multipart as Bot API clients write it. */

export type UploadedFile = { name: string; mime: string; content: Buffer };
export type Fields = { params: Record<string, unknown>; files: Record<string, UploadedFile> };

export function readFields(contentType: string, body: Buffer): Fields | null {
  if (body.length === 0) return { params: {}, files: {} };
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return { params: Object.fromEntries(new URLSearchParams(body.toString())), files: {} };
  }
  if (contentType.startsWith('multipart/form-data')) return readMultipart(contentType, body);
  const value = parseJson(body.toString());
  return isRecord(value) ? { params: value, files: {} } : null;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readMultipart(contentType: string, body: Buffer): Fields | null {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (!boundary) return null;
  const fields: Fields = { params: {}, files: {} };
  const mark = Buffer.from(`--${boundary}`);
  let start = body.indexOf(mark);
  while (start >= 0) {
    const from = start + mark.length;
    const end = body.indexOf(mark, from);
    if (end < 0) return body.subarray(from, from + 2).toString() === '--' ? fields : null;
    if (!addPart(fields, body.subarray(from + 2, end - 2))) return null;
    start = end;
  }
  return null;
}

function addPart(fields: Fields, part: Buffer): boolean {
  const split = part.indexOf('\r\n\r\n');
  if (split < 0) return false;
  const head = part.subarray(0, split).toString();
  const content = part.subarray(split + 4);
  const name = /;\s*name="?([^";\r\n]+)"?/i.exec(head)?.[1];
  if (!name) return false;
  const file = /;\s*filename="?([^";\r\n]+)"?/i.exec(head)?.[1];
  if (file === undefined) fields.params[name] = content.toString();
  else {
    const mime = /^content-type:\s*([^\r\n]+)/im.exec(head)?.[1] ?? 'application/octet-stream';
    fields.files[name] = { name: file, mime, content: Buffer.from(content) };
  }
  return true;
}
