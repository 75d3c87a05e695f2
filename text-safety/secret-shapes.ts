/** Patterns of tokens and keys: linear time, one line each; they stop changes and hide secrets. Those of vendors stand in secret-shapes.json. */
import { z } from 'zod';
import { SecretName, secretNameOf } from '#model/change';
import rows from './secret-shapes.json' with { type: 'json' };

/** The `sure` pattern stops a change. A wider `seen` hides more and asks a person. */
type SecretShape = { sure: RegExp; what: SecretName; seen: RegExp };
const SecretRow = z.strictObject({
  noun: SecretName.shape.noun,
  of: SecretName.shape.of.optional(),
  sure: z.string(),
  seen: z.string().optional(),
  about: z.string().optional(),
});
export const SECRET_SHAPES: readonly SecretShape[] = z
  .array(SecretRow)
  .parse(rows)
  .map(({ noun, of, sure, seen = sure }) => ({
    sure: new RegExp(sure),
    what: secretNameOf(noun, of),
    seen: new RegExp(seen),
  }));

/** PEM header with the rest of its line; SSH2 has four dashes and blanks. */
export const KEY_BEGINS =
  /(?:-----BEGIN ?|---- BEGIN )(?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:(?:\\{1,4}[nr]|[ \t"',])*[A-Za-z0-9+/=]{16,})*(?:(?:\\{1,4}[nr]|[ \t])*[A-Za-z0-9+/=]{1,15}(?=\\|[ \t]*-----END))?(?:(?:\\{1,4}[nr]|[ \t])*-----END [A-Z ]{1,40}-----)?/g;

/** Key bytes, perhaps as a string; one character of a diff may precede them. */
export const KEY_BYTES =
  /^(?<before>[-+ ]?[ \t]*(?:(?:\/\/|[#*>|])[ \t]*)?["'`]?)(?<bytes>(?:[A-Za-z0-9+/]{40,}|(?=[^\n]{0,64}\d)(?=[^\n]{0,64}[a-z])(?=[^\n]{0,64}[A-Z])[A-Za-z0-9+/]{16,})={0,2}|[A-Za-z0-9+/]{2,}={1,2})(?:\\{1,4}[nr]){0,2}["'`]?[ \t]*[,;+.\\]?[ \t]*\r?$/;

/** Headers between the first line of a key and its bytes. */
export const KEY_HEADER = /^[-+ ]?[ \t]*(?:[A-Z][A-Za-z0-9-]{1,30}: [^\n]{0,120})?\r?$/;

export const NAMED_SECRET = secretNameOf('named_secret');
/** Too uncertain to stop a change: hidden, and left to a person. `keep` stays visible. */
export const LIKELY_SECRET_SHAPES: readonly (readonly [RegExp, SecretName])[] = [
  [
    /\beyJ(?:(?!-eyJ)[A-Za-z0-9_-]){8,512}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
    secretNameOf('signed_token'),
  ],
  [
    /(?<keep>:\/\/)(?![${<%*[]|[^\s:/@]{0,64}:(?:\$|\{|%[({sd]|\*|x{3}))(?:[^\s/@<>"'`:]{0,256}:[^\s/<>"'`]{1,256}|(?=[^@\s]{0,256}\d)[A-Za-z0-9_-]{16,256}):?(?=@[^\s@])/gi,
    secretNameOf('address_password'),
  ],
  [
    /(?<keep>\b(?:bearer|basic)[ \t]{1,9})(?=[^\s]{0,256}[\d=])[A-Za-z0-9._~+/=-]{12,}/gi,
    secretNameOf('header_credential'),
  ],
  [
    /(?<keep>(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|api[_-]?key|(?:access|auth|private|secret|encryption|signing|master|client|deploy|(?:pre)?-?shared)[_-]?key)[\w-]{0,64}["'`]?[ \t]{0,20}(?:=>|[:=]{1,3})[ \t]{0,20}["'`]?)(?=[^\s"'`<>&\d]{0,64}\d)(?=[^\s"'`<>&A-Za-z]{0,64}[A-Za-z])[A-Za-z0-9+/_.=~!%^*-]{12,}/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>(?:passw(?:or)?d|passphrase|secret|api[_-]?key)[\w-]{0,32}["'`]?[ \t]{0,20}(?:=>|[:=]{1,3})[ \t]{0,20}["'`])(?=[^"'`\s]{0,64}[^A-Za-z_."'`\s-])[^"'`\s<>${}()[\]]{8,256}(?=["'`])/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>(?:passw(?:or)?[dt]|passphrase|pwd|kennwort|contrase[ñn]a|senha|密码|口令|密钥|令牌)[\w.-]{0,32}["'`]?[ \t]{0,9}(?:：|[:=]{1,3})[ \t]{0,9}["'`]?)(?=[^\s"'`]{0,64}\d)(?=[^\s"'`]{0,64}[A-Za-z])[^\s"'`<>${}()[\],;]{6,256}/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>:_(?:auth(?:Token)?|password)[ \t]{0,3}=[ \t]{0,3}["']?|^[-+ ]?_auth(?:Token)?[ \t]{0,3}=[ \t]{0,3}["']?)(?![$<{])[A-Za-z0-9+/=_-]{8,}/gm,
    secretNameOf('registry_credential'),
  ],
  [
    /(?<keep>proxy[ \t]{0,3}[=:][ \t]{0,3}["']?)[^\s:/@"']{1,64}:(?![$<{*])[^\s/"']{1,256}(?=@[^\s@])/gi,
    secretNameOf('address_password'),
  ],
  [
    /(?<keep>\bmachine[ \t]{1,9}\S{1,256}[ \t]{1,9}login[ \t]{1,9}\S{1,256}[ \t]{1,9}password[ \t]{1,9})\S{1,256}/g,
    secretNameOf('password', '.netrc'),
  ],
  [
    /(?<keep>\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ \t=]{0,3}["']?[^\s:"'$]{1,64}:)(?![$<{*])[^\s"']{4,256}/g,
    secretNameOf('password', 'curl'),
  ],
  // Name and value apart: `<add key="Password" value="…">`, `{"name": "TOKEN", "value": "…"}`.
  [
    /(?<keep>(?:passw(?:or)?d|secret|token|api[_-]?key)[\w.-]{0,32}["'][ \t]{0,3},?[ \t]{0,9}["']?value["']?[ \t]{0,3}[:=][ \t]{0,3}["'])(?=[^"'\s]{0,64}\d)[^"'\s<>${}]{6,256}(?=["'])/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>\bauthorization["'`]?[ \t]{0,9}(?:=>|[:=,])[ \t]{0,9}["'`]?(?:[A-Za-z-]{3,20}[ \t]{1,3})?)(?=[^\s"'`]{0,256}\d)[A-Za-z0-9._~+/=-]{12,}/gi,
    secretNameOf('header_credential'),
  ],
  [
    /(?<keep>\b(?:set-)?cookie["'`]?[ \t]{0,3}[:=][ \t]{0,3}["'`]?[\w.-]{1,64}=)(?=[^\s;"'`]{0,256}\d)[^\s;"'`<>${}]{16,}/gi,
    secretNameOf('header_credential'),
  ],
  [
    /(?<keep>^[-+ ]?[ \t]{0,9}password[ \t]{1,9})(?=\S{0,64}\d)[^\s:="'`<>${}()]{6,256}(?=[ \t]*\r?$)/gim,
    secretNameOf('password', '.netrc'),
  ],
  // JSON Web Keys (RFC 7517) and registry credentials.
  [/(?<keep>"[dk]"[ \t]{0,3}:[ \t]{0,3}")[A-Za-z0-9_-]{40,}(?=")/g, secretNameOf('private_key')],
  [
    /(?<keep>"auth"[ \t]{0,3}:[ \t]{0,3}")[A-Za-z0-9+/]{12,}={0,2}(?=")/g,
    secretNameOf('registry_credential'),
  ],
  [/(?<keep>[?&]sig=)[A-Za-z0-9%+/=]{43,}/g, secretNameOf('signed_address')],
];
