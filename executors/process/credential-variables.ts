/** Finds credentials in settings of the operator's environment, which no run may see. */
import { findSecrets } from '#text-safety';
import { trimEndCharacters } from '#model/values';

/** G5: variables that only the orchestrator may know. */
const OWN_VARIABLE = /^(?:GITHUB|GH|TELEGRAM|SLACK|AGENTPR|DATABASE|OTEL)_/;
export const isOwnVariable = (name: string): boolean => OWN_VARIABLE.test(name);

const ELEMENTS = /[\s,|;]+/;

const CREDENTIAL_NAME =
  /(?:^|[^a-z0-9])(?:[a-z0-9]+[-_.]?)?(?:auth(?:[-_]?token|orization)?|pass(?:w(?:or)?d|phrase)?|pwd|token|secret|api[-_]?key|access[-_]?key|credentials?|signature|sig|jwt|key|user(?:name)?|uid|login)["']?\s*[=:]\s*["']?[^\s"'&;,/]/i;
const NAMED_WHOLE =
  /(?:^|[^a-z0-9])(?:pat|sas|otp|pin|sid|code|p|pw|u|usr|st|hmac|bearer|cookie|session(?:[-_]?id)?|ticket|assertion)["']?\s*[=:]\s*["']?[^\s"'&;,/]/i;
const HEADER = /\b(?:bearer|basic|token)\s+[A-Za-z0-9._~+/=-]{4,}/i;
/** Random letters and digits as long as a token, but no UUID and no version. */
const OPAQUE = /^(?=[^/]*\d)(?=[^/]*[a-z])[a-z0-9_~-]{16,}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LOCALE = /^[a-z]{1,8}(?:_[a-z]{2,4})?(?:\.[a-z0-9-]+)?@[a-z]+$/i;

/** A `name:password` pair in base64, as in a header. */
const isPair = (text: string): boolean =>
  text.length >= 8 &&
  /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) &&
  /^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(Buffer.from(text, 'base64').toString('latin1'));
const isOpaque = (text: string): boolean =>
  (OPAQUE.test(trimEndCharacters(text, '=')) && !UUID.test(text)) || isPair(text);

/** An `@` after host and port belongs to a path (`/@scope/`, `pkg@1.2`). */
const inAddress = (element: string): boolean => {
  const [, web, rest] = /^[^/?#]*?([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(element) ?? [];
  if (rest === undefined) {
    if (/^[/\\]{2}[^/\\]*@/.test(element)) return true;
    return element.includes('@') && !/^[./~]/.test(element) && !LOCALE.test(element);
  }
  const end = /[/?#\\]/.exec(rest)?.index ?? rest.length;
  const [host, behind] = [rest.slice(0, end), rest.slice(end)];
  if (host.includes('@') || /:[^/@]+@/.test(behind)) return true;
  if (behind.includes('@') && /:(?!\d*$)/.test(host.replace(/^\[[^\]]*\]/, ''))) return true;
  if (behind.includes('://')) return inAddress(behind.slice(1));
  if (web === 'file') return false;
  const [, path = '', more = ''] = /^([^?#]*)(.*)$/s.exec(behind) ?? [];
  return path.split('/').some(isOpaque) || hasSecretSegment(path) || more.split(/[?&#=]/).some(isOpaque);
};

/** Segments after such a word (`/auth/01234567-…/`) count as credentials. */
const hasSecretSegment = (path: string): boolean =>
  /\/(?:auth|tokens?|secrets?|keys?|t|k)\/(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9_~-]{20,})(?:\/|$)/i.test(
    path,
  );

const decodePercents = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** Escapes can be nested. */
const decodingsOf = (value: string): string[] => {
  const found = [value];
  for (
    let next = decodePercents(value);
    next !== found.at(-1) && found.length < 4;
    next = decodePercents(next)
  )
    found.push(next);
  return found;
};

/** False alarms are fine, because a miss leaks a key. */
export const hasCredential = (value: string): boolean =>
  decodingsOf(value).some(
    (text) =>
      CREDENTIAL_NAME.test(text) ||
      NAMED_WHOLE.test(text) ||
      HEADER.test(text) ||
      findSecrets(text).length > 0 ||
      [...text.split(ELEMENTS), ...text.split(/\s+/)].some(inAddress),
  );
