/** The private key of a GitHub App. */
import { createPrivateKey, type KeyObject } from 'node:crypto';

/** Environment variables may hold newlines as backslash and n. */
export const parsePrivateKey = (text: string): KeyObject => createPrivateKey(text.replaceAll('\\n', '\n'));
