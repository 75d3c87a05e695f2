/** Adds the system's and the configured certificates to Node's; removes none. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';

type Environment = Readonly<Record<string, string | undefined>>;

const CERTIFICATE_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'CURL_CA_BUNDLE'];
const SYSTEM_CERTIFICATE_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g;

export type NamedCertificates = { variable: string; place: string };

export const readCertificateVariables = (env: Environment): NamedCertificates[] => [
  ...CERTIFICATE_VARIABLES.flatMap((variable) => {
    const place = env[variable]?.trim();
    return place ? [{ variable, place }] : [];
  }),
  ...(env.SSL_CERT_DIR ?? '')
    .split(':')
    .filter((place) => place !== '')
    .map((place) => ({ variable: 'SSL_CERT_DIR', place })),
];

const withoutBlanks = (pem: string): string => pem.replace(/\s+/g, '');
const certificatesIn = (text: string): string[] => text.match(CERTIFICATE) ?? [];

const textAt = ({ variable, place }: NamedCertificates): string => {
  try {
    if (!statSync(place).isDirectory()) return readFileSync(place, 'utf8');
    return readdirSync(place)
      .filter((name) => /\.(pem|crt|cer|\d+)$/.test(name))
      .map((name) => {
        try {
          return readFileSync(path.join(place, name), 'utf8');
        } catch {
          // OpenSSL skips dangling links too.
          return '';
        }
      })
      .join('\n');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(
      `${variable} names ${place}, which cannot be read (${code}). Let it name a file of certificates in PEM form, or unset it.`,
      { cause: error },
    );
  }
};

const systemText = (): string => {
  for (const file of SYSTEM_CERTIFICATE_FILES)
    try {
      return readFileSync(file, 'utf8');
    } catch {
      // Distributions keep the file in different places.
    }
  return '';
};

const certificatesNamed = (named: NamedCertificates): string[] => {
  const found = certificatesIn(textAt(named));
  if (found.length > 0 || named.variable === 'SSL_CERT_DIR') return found;
  throw new Error(
    `${named.variable} names ${named.place}, which holds no certificate in PEM form ("-----BEGIN CERTIFICATE-----"). Convert one in DER form with: openssl x509 -inform der -in <file> -out <file>.pem`,
  );
};

const excludeKnown = (found: readonly string[], known: readonly string[]): string[] => {
  const all = new Set(known.map(withoutBlanks));
  return [...new Map(found.map((pem) => [withoutBlanks(pem), pem])).entries()]
    .filter(([plain]) => !all.has(plain))
    .map(([, pem]) => pem);
};

export const readAdditionalCertificates = (named: readonly NamedCertificates[]): string[] =>
  excludeKnown([...certificatesIn(systemText()), ...named.flatMap(certificatesNamed)], rootCertificates);

/** Returns null if git needs no more than the system's list, which it reads itself. */
export const findGitCertificates = (named: readonly NamedCertificates[]): string | null => {
  const system = certificatesIn(systemText());
  const more = excludeKnown(named.flatMap(certificatesNamed), system);
  return more.length === 0 ? null : `${[...system, ...more].join('\n')}\n`;
};
