/** A receiver of OpenTelemetry traces over OTLP/HTTP, with the protocol's own definitions. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import wire from 'otlp-wire/build/src/generated/root.js';

/** The package has no types for these. */
type Decoded = {
  resourceSpans: {
    resource?: { attributes: Pair[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: Uint8Array;
        spanId: Uint8Array;
        parentSpanId: Uint8Array | null;
        startTimeUnixNano: unknown;
        endTimeUnixNano: unknown;
        status?: { code: number };
        attributes: Pair[];
      }[];
    }[];
  }[];
};
type Wire = {
  opentelemetry: {
    proto: {
      collector: { trace: { v1: { ExportTraceServiceRequest: { decode(body: Uint8Array): Decoded } } } };
    };
  };
};
const { ExportTraceServiceRequest } = (wire as unknown as Wire).opentelemetry.proto.collector.trace.v1;

export type SeenSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  fromMs: number;
  untilMs: number;
  failed: boolean;
  attributes: Record<string, string | number>;
  /** Attributes of the sending process. */
  process: Record<string, string | number>;
};

type Pair = { key: string; value: { stringValue?: string | null; intValue?: unknown } };
const record = (pairs: readonly Pair[] = []): Record<string, string | number> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? 0)]));
const hex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');
const ms = (nanos: unknown): number => Math.round(Number(String(nanos)) / 1e6);
const ERROR = 2;

export const startOtlp = async (answers: 'at once' | 'never' = 'at once') => {
  const spans: SeenSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body);
      headers.push(request.headers);
      if (answers === 'never') return;
      for (const { resource, scopeSpans } of ExportTraceServiceRequest.decode(body).resourceSpans)
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({
            name: span.name,
            traceId: hex(span.traceId),
            spanId: hex(span.spanId),
            parentSpanId: hex(span.parentSpanId),
            fromMs: ms(span.startTimeUnixNano),
            untilMs: ms(span.endTimeUnixNano),
            failed: span.status?.code === ERROR,
            attributes: record(span.attributes),
            process: record(resource?.attributes),
          });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
