/** A key of WebAuthn in software: ES256, as a phone has one, and whatever an attacker makes of it. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** CBOR (RFC 8949) of the few things that WebAuthn needs. */
const head = (major: number, n: number): Buffer =>
  n < 24
    ? Buffer.from([(major << 5) | n])
    : n < 256
      ? Buffer.from([(major << 5) | 24, n])
      : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
type Encodable = number | string | Buffer | ReadonlyMap<number | string, Encodable>;
const encode = (value: Encodable): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, of]) => [encode(key), encode(of)]),
  ]);
};

const UP = 1;
const UV = 4;
const AT = 64;

export type SoftKey = ReturnType<typeof createSoftKey>;
export type SignWish = { challenge: string; rpId: string; origin: string; verified?: boolean; type?: string };

export const createSoftKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const cose = encode(
    new Map<number, Encodable>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
  let count = 0;
  const clientDataOf = (type: string, challenge: string, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticator = (rpId: string, flags: number, more: Buffer = Buffer.alloc(0)): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE((count += 1));
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, more]);
  };
  return {
    credential: id.toString('base64url'),
    publicKey: cose.toString('base64url'),
    /** What a browser answers to options of a registration. */
    register: (
      { challenge, rp }: { challenge: string; rp: { id: string } },
      origin: string,
      { verified = true, format = 'none' } = {},
    ) => {
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const authData = authenticator(rp.id, UP | AT | (verified ? UV : 0), attested);
      const attestation = encode(
        new Map<string, Encodable>([
          ['fmt', format],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return {
        id: id.toString('base64url'),
        clientData: clientDataOf('webauthn.create', challenge, origin).toString('base64url'),
        attestation: attestation.toString('base64url'),
      };
    },
    sign: ({ challenge, rpId, origin, verified = true, type = 'webauthn.get' }: SignWish) => {
      const authenticatorData = authenticator(rpId, UP | (verified ? UV : 0));
      const clientData = clientDataOf(type, challenge, origin);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      return {
        authenticatorData: authenticatorData.toString('base64url'),
        clientData: clientData.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };
};
