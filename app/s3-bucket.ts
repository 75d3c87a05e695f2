/** Stores objects in an S3-compatible bucket, so that runs can move to another process (L7). */
import { AwsClient } from 'aws4fetch';
import { failureDetail, type BucketRefusal, type FailureDetail } from '#model/failure';
import { MB, SECOND } from '#model/values';
import { enTexts } from '#language';
import { OutsideFailure } from '#ports/forge';
import type { ObjectBucket } from '#ports/records';
import type { SystemClock } from '#ports/processes';
import { networkFaultOf, networkWords } from '#network-faults';

export type BucketSettings = { url: string; keyId: string; secret: string; region: string };

const OBJECT_TIMEOUT_MS = 30 * SECOND;
const BUCKET_RETRY_MS = 30 * SECOND;
const MAX_OBJECT_BYTES = MB;

const REFUSAL_BY_STATUS: Partial<Record<number, BucketRefusal>> = {
  301: 'other_region',
  400: 'request_refused',
  401: 'key_refused',
  403: 'key_refused',
  404: 'missing',
};

export const createBucket = (
  { url, keyId, secret, region }: BucketSettings,
  clock: SystemClock,
): ObjectBucket & { check(): Promise<void> } => {
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    region,
    service: 's3',
    retries: 0,
  });
  const bucketFailure = (says: string, detail: FailureDetail): OutsideFailure => {
    const at = clock.now() + BUCKET_RETRY_MS;
    return new OutsideFailure('bucket_unavailable', says, { retryAt: at, detail: failureDetail(detail) });
  };
  const refusalFailure = (why: BucketRefusal, status: number | null = null): OutsideFailure =>
    bucketFailure(`The bucket ${enTexts.bucketRefusals[why]}${status === null ? '' : ` (${status})`}`, {
      kind: 'bucket_refused',
      why,
      status,
    });
  /** Security: redirects are not followed, because the request is signed. */
  const sendRequest = async (
    send: (init: RequestInit) => Promise<Response>,
    init: RequestInit,
  ): Promise<Response> => {
    try {
      return await send({ ...init, redirect: 'manual', signal: AbortSignal.timeout(OBJECT_TIMEOUT_MS) });
    } catch (error) {
      const fault = networkFaultOf(error);
      if (fault === null) throw refusalFailure('unreached');
      const says = `The bucket could not be reached. ${networkWords('the bucket', fault)}`;
      throw bucketFailure(says, { ...fault, party: 'bucket' });
    }
  };
  const objectUrl = (name: string): string => `${url}/${name.split('/').map(encodeURIComponent).join('/')}`;
  const requestObject = async (method: string, name: string, body?: string): Promise<Response> => {
    const response = await sendRequest(
      (init) => client.fetch(objectUrl(name), init),
      body === undefined ? { method } : { method, body },
    );
    if (response.ok || (response.status === 404 && method !== 'PUT')) return response;
    await response.body?.cancel();
    throw refusalFailure(REFUSAL_BY_STATUS[response.status] ?? 'failed', response.status);
  };

  let closed: Promise<void> | null = null;
  /** Security: the bucket must not be public, because it contains agents' sessions. */
  const mustBeClosed = async (): Promise<void> => {
    const { origin, pathname } = new URL(url);
    const [, name = ''] = pathname.split('/');
    const response = await sendRequest((init) => fetch(`${origin}/${name}?list-type=2&max-keys=1`, init), {});
    await response.body?.cancel();
    // guard: L7-bucket-closed
    if (response.ok) throw refusalFailure('open_to_all');
  };
  const put: ObjectBucket['put'] = async (name, content) => {
    closed ??= mustBeClosed();
    await closed.catch((error: unknown) => {
      closed = null;
      throw error;
    });
    await (await requestObject('PUT', name, content)).body?.cancel();
  };
  const get: ObjectBucket['get'] = async (name) => {
    const response = await requestObject('GET', name);
    if (response.status === 404) return null;
    return textOf(response).catch(() => {
      throw refusalFailure('broke_off');
    });
  };
  const remove: ObjectBucket['remove'] = async (name) => {
    await (await requestObject('DELETE', name)).body?.cancel();
  };

  return {
    put,
    get,
    remove,
    async check() {
      const [name, content] = [
        `agentpr-doctor-${clock.now()}`,
        `written by agentpr doctor at ${clock.now()}`,
      ];
      await put(name, content);
      const read = await get(name);
      await remove(name);
      if (read !== content) throw refusalFailure('other_bytes');
    },
  };
};

const textOf = async ({ body }: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MAX_OBJECT_BYTES) throw new Error('too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
};
