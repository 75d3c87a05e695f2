/**
 * Whose certificates are trusted: Node's own list, what the system trusts besides, and the files
 * that the environment names. They are added up, so that no variable takes trust away by accident.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';

type Environment = Readonly<Record<string, string | undefined>>;

const CERTIFICATE_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'CURL_CA_BUNDLE'];
/** Where distributions keep the list of the system; the first that is there counts. */
const SYSTEM_CERTIFICATE_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g;

export type NamedCertificates = { variable: string; place: string };

/** Files and directories of certificates that the environment names. */
export const namedCertificates = (env: Environment): NamedCertificates[] => [
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
          // Links of a directory of certificates often lead nowhere; OpenSSL passes over them too.
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
      // Another distribution keeps it elsewhere.
    }
  return '';
};

/** Throws a sentence where a variable names no certificates. */
const certificatesNamed = (named: NamedCertificates): string[] => {
  const found = certificatesIn(textAt(named));
  if (found.length > 0 || named.variable === 'SSL_CERT_DIR') return found;
  throw new Error(
    `${named.variable} names ${named.place}, which holds no certificate in PEM form ("-----BEGIN CERTIFICATE-----"). Convert one in DER form with: openssl x509 -inform der -in <file> -out <file>.pem`,
  );
};

const without = (found: readonly string[], known: readonly string[]): string[] => {
  const all = new Set(known.map(withoutBlanks));
  return [...new Map(found.map((pem) => [withoutBlanks(pem), pem])).entries()]
    .filter(([plain]) => !all.has(plain))
    .map(([, pem]) => pem);
};

/** What is trusted beside Node's own list. Throws a sentence. */
export const additionalCertificates = (named: readonly NamedCertificates[]): string[] =>
  without([...certificatesIn(systemText()), ...named.flatMap(certificatesNamed)], rootCertificates);

/**
 * For git, which reads the system's list by itself; null while nothing else is trusted. Throws a
 * sentence.
 */
export const gitCertificates = (named: readonly NamedCertificates[]): string | null => {
  const system = certificatesIn(systemText());
  const more = without(named.flatMap(certificatesNamed), system);
  return more.length === 0 ? null : `${[...system, ...more].join('\n')}\n`;
};
