/** A webhook's delivery as the local GitHub remembers it. */

export type Delivery = {
  id: number;
  /** X-GitHub-Delivery: copies and redeliveries share it. */
  guid: string;
  hookId: number;
  event: string;
  action: string | null;
  /** `owner/name`; null for the ping of an App's hook. */
  repo: string | null;
  /** Epoch ms. */
  at: number;
  /** When it left (epoch ms); null while it is held, and when it was lost. */
  leftAt: number | null;
  /** `dropped`: lost on the way, by the weather; `failed`: no answer came, `error` says why. */
  state: 'held' | 'under way' | 'answered' | 'dropped' | 'failed';
  /** Of the answer; null while and when there is none. */
  status: number | null;
  error: string | null;
  /** How long the answer took. */
  ms: number | null;
  redelivered: boolean;
  request: { headers: Record<string, string>; body: string };
  response: { headers: Record<string, string>; body: string } | null;
};
