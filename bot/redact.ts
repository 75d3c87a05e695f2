/**
 * C5: hides what looks like a secret in everything that is shown. A false alarm costs a word; a miss costs a key. Strangers
 * choose the text: every repetition that may start anywhere is bounded, so that the cost grows with the length alone.
 */
import { hideSecrets } from '../orchestrator/core/govern/secrets.ts';

const HIDDEN = '[secret]';

/** `https://user:password@host` keeps its host. */
const IN_URL = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@<>"']+@/gi;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}/gi;
/** `API_KEY = "…"`: only values that mix letters and digits, so that code which passes a token around stays readable. */
const ASSIGNED =
  /((?:passw(?:or)?d|secret|token|api[_-]?key|access[_-]?key)[\w-]{0,64}["']?\s{0,20}[:=]\s{0,20}["']?)(?=[^\s"'<>&]{0,256}\d)(?=[^\s"'<>&]{0,256}[A-Za-z])[A-Za-z0-9+/_.=-]{12,}/gi;

export const redact = (text: string): string =>
  hideSecrets(text, HIDDEN)
    .replace(IN_URL, `$1${HIDDEN}@`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(ASSIGNED, `$1${HIDDEN}`);
