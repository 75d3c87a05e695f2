/** Type of a recorded webhook delivery. */

export type Delivery = {
  id: number;
  /** X-GitHub-Delivery, shared by copies and redeliveries. */
  guid: string;
  hookId: number;
  event: string;
  action: string | null;
  /** `owner/name`; null for the ping of an App's hook. */
  repo: string | null;
  at: number;
  /** Epoch ms; null if it was not sent. */
  leftAt: number | null;
  /** `dropped`: lost on purpose; `failed`: no answer, see `error`. */
  state: 'held' | 'under way' | 'answered' | 'dropped' | 'failed';
  status: number | null;
  error: string | null;
  ms: number | null;
  redelivered: boolean;
  request: { headers: Record<string, string>; body: string };
  response: { headers: Record<string, string>; body: string } | null;
};
