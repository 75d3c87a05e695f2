/** Validates a delivery's headers before its body is read. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseSignatureHeader } from './verify-signature.ts';
import { MB } from '#model/values';

export type HttpRefusal = { status: number; error: string };
export type DeliveryHead = {
  event: string;
  /** X-GitHub-Delivery; a redelivery has the same id. */
  delivery: string;
  signature: Uint8Array;
  /** JSON in the form field `payload`, the default of GitHub's settings page. */
  form: boolean;
  /** Bytes; null when absent. */
  length: number | null;
};

/** GitHub, "Webhook events and payloads": maximum size (bytes). */
export const MAX_DELIVERY_BYTES = 25 * MB;

const createRefusal = (status: number, error: string): HttpRefusal => ({ status, error });

export const readDeliveryHead = (headers: IncomingHttpHeaders): DeliveryHead | HttpRefusal => {
  const signature = parseSignatureHeader(headers['x-hub-signature-256']);
  if (!signature)
    return createRefusal(
      401,
      'The header X-Hub-Signature-256 is missing or malformed: set the secret on GitHub.',
    );
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  if (length !== null && !(length <= MAX_DELIVERY_BYTES))
    return createRefusal(413, 'The body is larger than the 25 MB that GitHub sends at most.');
  const event = headers['x-github-event'];
  if (typeof event !== 'string' || !/^[a-z][a-z0-9_]{0,63}$/.test(event))
    return createRefusal(400, 'The header X-GitHub-Event is missing or is not the name of an event.');
  const delivery = headers['x-github-delivery'];
  if (typeof delivery !== 'string' || !/^[A-Za-z0-9-]{1,64}$/.test(delivery))
    return createRefusal(400, 'The header X-GitHub-Delivery is missing or is not a GUID.');
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity')
    return createRefusal(415, 'The body must not be encoded: GitHub signs what it sends.');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && type !== 'application/x-www-form-urlencoded')
    return createRefusal(
      415,
      'The content type must be application/json or application/x-www-form-urlencoded.',
    );
  return { event, delivery, signature, form: type !== 'application/json', length };
};
