/** Reads the requested host name from a TLS client's first message. Pure. */

export type ClientHello =
  | { kind: 'more' }
  | { kind: 'name'; name: string }
  | { kind: 'refused'; why: 'not_tls' | 'no_name' | 'hidden_name' };

export const MAX_CLIENT_HELLO_BYTES = 16_384;
const SERVER_NAME = 0;
const ENCRYPTED_HELLO = 0xfe0d;

const refuseHello = (why: 'not_tls' | 'no_name' | 'hidden_name'): ClientHello => ({ kind: 'refused', why });

/** The handshake message can span several records. */
const readHandshake = (bytes: Buffer): Buffer | ClientHello => {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const sum = Buffer.concat(parts);
    if (sum.length >= 4 && sum.length >= 4 + sum.readUIntBE(1, 3))
      return sum.subarray(0, 4 + sum.readUIntBE(1, 3));
    if (at > 0 && bytes.length > MAX_CLIENT_HELLO_BYTES) return refuseHello('not_tls');
    if (bytes.length > at && bytes[at] !== 0x16) return refuseHello('not_tls');
    if (bytes.length < at + 5) return { kind: 'more' };
    const size = bytes.readUInt16BE(at + 3);
    if (bytes[at + 1] !== 3 || size === 0 || size > MAX_CLIENT_HELLO_BYTES) return refuseHello('not_tls');
    if (bytes.length < at + 5 + size)
      return bytes.length > MAX_CLIENT_HELLO_BYTES ? refuseHello('not_tls') : { kind: 'more' };
    parts.push(bytes.subarray(at + 5, at + 5 + size));
    at += 5 + size;
  }
};

const nameOf = (extension: Buffer): string | null => {
  const size = extension.readUInt16BE(3);
  if (extension[2] !== 0 || extension.length !== 5 + size || extension.readUInt16BE(0) !== 3 + size)
    return null;
  return extension.subarray(5).toString('latin1').toLowerCase();
};

export const parseClientHello = (bytes: Buffer): ClientHello => {
  const found = readHandshake(bytes);
  if (!Buffer.isBuffer(found)) return found;
  try {
    if (found[0] !== 1) return refuseHello('not_tls');
    let at = 4 + 2 + 32;
    at += 1 + found.readUInt8(at);
    at += 2 + found.readUInt16BE(at);
    at += 1 + found.readUInt8(at);
    const end = at + 2 + found.readUInt16BE(at);
    at += 2;
    let name: string | null = null;
    while (at < end) {
      const [type, size] = [found.readUInt16BE(at), found.readUInt16BE(at + 2)];
      const content = found.subarray(at + 4, at + 4 + size);
      if (content.length !== size) return refuseHello('not_tls');
      if (type === ENCRYPTED_HELLO) return refuseHello('hidden_name');
      if (type === SERVER_NAME) {
        if (name !== null) return refuseHello('no_name');
        name = nameOf(content);
        if (name === null) return refuseHello('no_name');
      }
      at += 4 + size;
    }
    return name === null ? refuseHello('no_name') : { kind: 'name', name };
  } catch {
    return refuseHello('not_tls');
  }
};
