/** Names of kinds of secrets, which the catalogues translate. */
import { z } from 'zod';

const SECRET_NOUNS = [
  'access_key',
  'access_token',
  'address_password',
  'api_key',
  'bot_token',
  'client_secret',
  'header_credential',
  'key',
  'named_secret',
  'password',
  'private_key',
  'refresh_token',
  'registry_credential',
  'registry_token',
  'secret_key',
  'signed_address',
  'signed_token',
  'storage_key',
  'token',
  'webhook',
  'webhook_secret',
] as const;

/** The field `of` names its product or tool; empty for none. */
export const SecretName = z.object({ noun: z.enum(SECRET_NOUNS), of: z.string() });
export type SecretName = z.infer<typeof SecretName>;

export const secretNameOf = (noun: SecretName['noun'], of = ''): SecretName => ({ noun, of });
