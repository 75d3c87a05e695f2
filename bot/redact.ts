/**
 * C5: hides what looks like a secret in everything that is shown. A false alarm costs a word; a miss costs a key. Strangers
 * choose the text: every repetition that may start anywhere is bounded, so that the cost grows with the length alone.
 */

const HIDDEN = '[secret]';

const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bgh[pousr]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{16,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\b\d{6,12}:[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
];
/** `https://user:password@host` keeps its host. */
const IN_URL = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@<>"']+@/gi;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}/gi;
/** `API_KEY = "…"`: only values that mix letters and digits, so that code which passes a token around stays readable. */
const ASSIGNED =
  /((?:passw(?:or)?d|secret|token|api[_-]?key|access[_-]?key)[\w-]{0,64}["']?\s{0,20}[:=]\s{0,20}["']?)(?=[^\s"'<>&]{0,256}\d)(?=[^\s"'<>&]{0,256}[A-Za-z])[A-Za-z0-9+/_.=-]{12,}/gi;

export const redact = (text: string): string => {
  const shapes = SHAPES.reduce((t, shape) => t.replace(shape, HIDDEN), text);
  return shapes
    .replace(IN_URL, `$1${HIDDEN}@`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(ASSIGNED, `$1${HIDDEN}`);
};
