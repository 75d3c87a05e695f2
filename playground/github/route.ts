/** Types of a REST route's input and answer. */
import type { Identity } from './state.ts';

export type RouteCall = {
  at: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  identity: Identity | null;
  authorization: string | undefined;
};
export type RouteAnswer = {
  status: number;
  value: unknown;
  headers?: Record<string, string>;
};
export type Route = (call: RouteCall) => Promise<RouteAnswer> | RouteAnswer;

export const ok = (value: unknown): RouteAnswer => ({ status: 200, value });

/** Epoch ms, without fractions of a second as on GitHub. */
export const sinceOf = ({ query }: RouteCall): number =>
  Math.floor((Date.parse(query.get('since') ?? '') || 0) / 1000) * 1000;
