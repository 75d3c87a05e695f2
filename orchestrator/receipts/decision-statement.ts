/** A receipt as an in-toto statement in a DSSE envelope, which tools of others read and verify (G9). */
import { preAuthEncoding } from '@sigstore/core/dist/dsse.js';
import { z } from 'zod';
import { canonicalJson } from '#model/seal';
import { Receipt, type SignedReceipt } from '#pull-text';
import { leafHashOf, type Hash } from './merkle-tree.ts';

/** in-toto Attestation Framework, "Statement" v1, and DSSE v1.0.2. */
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const DECISION_TYPE = 'urn:agentpr:decision:v1';

type Claimed = Omit<Receipt, 'version' | 'signed'>;
type OfStatement = Omit<SignedReceipt, 'signature' | 'tree'> & { tree: string };

/** Earlier receipts name no tree, and sign a list of ours. */
export const hasDecisionStatement = (signed: Omit<SignedReceipt, 'signature'>): signed is OfStatement =>
  signed.tree !== undefined;

const digestOf = (sha256: string): { sha256: string } => ({ sha256 });

/** Subject: what became public. Predicate: what the person was shown, who decided, and who says so. */
const statementOf = (claimed: Claimed, signed: OfStatement): string => {
  const { title, body, page, byKeys } = signed;
  // guard: G9-statement
  return canonicalJson({
    _type: STATEMENT_TYPE,
    predicateType: DECISION_TYPE,
    subject: [{ name: signed.repo, digest: { gitCommit: signed.commit, gitTree: signed.tree } }],
    predicate: {
      run: claimed.run,
      seen: {
        card: digestOf(claimed.digest),
        policies: claimed.policyVersion,
        base: signed.base,
        title: title === null ? null : digestOf(title),
        description: digestOf(body),
      },
      decided: { by: claimed.approver, at: new Date(signed.at).toISOString(), ownKeys: byKeys ?? null },
      operator: { key: signed.key, mac: claimed.mac, page: page ?? null },
    },
  });
};

/** DSSE's pre-authentication encoding of the statement. */
export const bytesToSign = (claimed: Claimed, signed: OfStatement): Uint8Array =>
  preAuthEncoding(PAYLOAD_TYPE, Buffer.from(statementOf(claimed, signed)));

export type ReceiptEnvelope = {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
  /** G12: where the decision stands in the operator's log (c2sp.org/tlog-proof), once somebody asked. */
  inclusionProof?: string;
};

/** Null for a receipt of an earlier form, or without a signature for others. */
export const envelopeOf = (
  receipt: Receipt,
  inclusionProof: string | null = null,
): ReceiptEnvelope | null => {
  const { signed } = receipt;
  if (!signed || !hasDecisionStatement(signed)) return null;
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(statementOf(receipt, signed)).toString('base64'),
    signatures: [{ keyid: signed.key, sig: Buffer.from(signed.signature, 'base64url').toString('base64') }],
    ...(inclusionProof === null ? {} : { inclusionProof }),
  };
};

/** G12: the decision's leaf in the tree. Nobody guesses it from outside: the statement has a MAC. */
export const decisionLeafOf = ({ signed, ...claimed }: Receipt): Hash | null =>
  signed && hasDecisionStatement(signed) ? leafHashOf(Buffer.from(statementOf(claimed, signed))) : null;

const ReadEnvelope = z.object({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.string(),
  signatures: z.tuple([z.object({ keyid: z.string(), sig: z.string() })]),
  inclusionProof: z.string().max(20_000).exactOptional(),
});
const Digest = z.object({ sha256: z.string() });
const Statement = z.object({
  subject: z.tuple([
    z.object({ name: z.string(), digest: z.object({ gitCommit: z.string(), gitTree: z.string() }) }),
  ]),
  predicate: z.object({
    run: z.string(),
    seen: z.object({
      card: Digest,
      policies: z.string(),
      base: z.string(),
      title: Digest.nullable(),
      description: Digest,
    }),
    decided: z.object({ by: z.string(), at: z.iso.datetime(), ownKeys: z.unknown() }),
    operator: z.object({ key: z.string(), mac: z.string(), page: z.string().nullable() }),
  }),
});

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

export const isEnvelope = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'payloadType' in value;

const receiptIn = (
  { subject: [subject], predicate }: z.infer<typeof Statement>,
  signature: string,
): Receipt | null => {
  const { seen, decided, operator } = predicate;
  const read = Receipt.safeParse({
    version: 1,
    run: predicate.run,
    digest: seen.card.sha256,
    policyVersion: seen.policies,
    approver: decided.by,
    mac: operator.mac,
    signed: {
      repo: subject.name,
      base: seen.base,
      commit: subject.digest.gitCommit,
      tree: subject.digest.gitTree,
      title: seen.title?.sha256 ?? null,
      body: seen.description.sha256,
      at: Date.parse(decided.at),
      key: operator.key,
      signature,
      ...(operator.page !== null && { page: operator.page }),
      ...(decided.ownKeys !== null && { byKeys: decided.ownKeys }),
    },
  });
  return read.success ? read.data : null;
};

/** The receipt whose envelope this is, byte for byte, and its place in the log; null for any other. Neither is judged here. */
export const readReceiptEnvelope = (
  value: unknown,
): { receipt: Receipt; inclusionProof: string | null } | null => {
  const envelope = ReadEnvelope.safeParse(value);
  if (!envelope.success) return null;
  const { payload, signatures, inclusionProof = null } = envelope.data;
  const statement = Statement.safeParse(readJson(Buffer.from(payload, 'base64').toString()));
  if (!statement.success) return null;
  const signature = Buffer.from(signatures[0].sig, 'base64').toString('base64url');
  const receipt = receiptIn(statement.data, signature);
  const own = receipt && envelopeOf(receipt, inclusionProof);
  // guard: G9-envelope-whole
  return receipt && canonicalJson(own) === canonicalJson(value) ? { receipt, inclusionProof } : null;
};
