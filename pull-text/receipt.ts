/** The receipt at the end of a pull request's body, as a line and as a hidden comment (G7). */
import { z } from 'zod';
import { OwnKeySignature } from '#model/seal';
import { codeSpan } from '#text-safety';

const MAX_OWN_KEYS = 10;
const ObjectId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const ReceiptPage = z
  .string()
  .regex(/^https:\/\/[A-Za-z0-9][A-Za-z0-9.:-]*\/[A-Za-z0-9/._-]*$/)
  .max(300);
/** Returns false for an address that no receipt may carry: an opening must not fail by it. */
export const isReceiptPage = (address: string): boolean => ReceiptPage.safeParse(address).success;

export const Receipt = z.strictObject({
  version: z.literal(1),
  run: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  policyVersion: z.string().min(1).max(120),
  /** The public names or aliases of those who approved, never a chat id. */
  approver: z
    .string()
    .min(1)
    .max(80)
    .refine((s) => !/^\W*\d{5,}\W*$/.test(s), 'an alias is a name, not a numeric id'),
  mac: z.string().regex(/^[A-Za-z0-9_-]{8,128}$/),
  /** G9: what became public, signed by a key that anybody can have. */
  signed: z
    .strictObject({
      repo: z.string().min(3).max(200),
      base: z.string().min(1).max(500),
      commit: ObjectId,
      /** Tree of the commit. With it the signature is that of a DSSE envelope; earlier receipts have none. */
      tree: ObjectId.exactOptional(),
      /** SHA-256 of the title; null when the signature covers none, as that of a later push. */
      title: Sha256.nullable(),
      /** SHA-256 of the description before the receipt. */
      body: Sha256,
      /** Time of the approval (epoch ms), which a date can hold. */
      at: z.int().min(0).max(8_640_000_000_000_000),
      key: z.string().regex(/^[0-9a-f]{16}$/),
      signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
      /** Address of the operator's page about receipts; people read it, `verify` never does. */
      page: ReceiptPage.exactOptional(),
      /** G11: what approvers signed with keys of their own, for the card of this id. */
      byKeys: z
        .strictObject({
          approval: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
          /** By person: a list would need brackets, which end links. */
          keys: z
            .record(OwnKeySignature.shape.person, OwnKeySignature.omit({ person: true }))
            .refine((keys) => Object.keys(keys).length > 0 && Object.keys(keys).length <= MAX_OWN_KEYS),
        })
        .exactOptional(),
    })
    .exactOptional(),
});
export type Receipt = z.infer<typeof Receipt>;
export type SignedReceipt = NonNullable<Receipt['signed']>;

const RECEIPT_MARKER = 'agentpr:receipt';
const FORM =
  /(?<nl>\r?\n)\k<nl><details>\k<nl><summary>AgentPR receipt<\/summary>\k<nl>\k<nl><!-- agentpr:receipt (?<json>\{[^\r\n]*\}) -->\k<nl>(?<line>[^\r\n]*)\k<nl>\k<nl><\/details>/;
const AT_THE_END = new RegExp(`${FORM.source}\\s*$`);

const ALIAS = /^approver-[0-9a-f]{8}$/;
export const aliasOf = (code: string): string => `approver-${code.slice(0, 8)}`;
/** Returns false for what would read as an alias or as a chat id. */
export const isPublicName = (name: string): boolean =>
  !/^approver-/i.test(name) && !/^\W*\d{5,}\W*$/.test(name);

const ownKeysOf = ({ signed }: Receipt): string => {
  const n = Object.keys(signed?.byKeys?.keys ?? {}).length;
  return n === 0 ? '' : ` and ${n === 1 ? 'the approver’s own key' : `${n} own keys of the approvers`}`;
};

const formatReceiptLine = (receipt: Receipt): string =>
  `AgentPR receipt: run ${codeSpan(receipt.run)}, digest ${codeSpan(receipt.digest)}, policies ${codeSpan(receipt.policyVersion)}, approved by ${ALIAS.test(receipt.approver) ? 'a person whom the operator of this AgentPR knows as ' : ''}${codeSpan(receipt.approver)}${receipt.signed ? `, signed with key ${codeSpan(receipt.signed.key)}${ownKeysOf(receipt)}` : ''}${receipt.signed?.page === undefined ? '' : `. [How to read this receipt](${receipt.signed.page})`}`;

/** Escapes whatever could end the comment or mention anybody. */
const inComment = (receipt: Receipt): string =>
  JSON.stringify(Receipt.parse(receipt)).replace(/[^ -~]|[<>@#&`[\]]|--/g, (m) =>
    [...m].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );

export const withReceipt = (body: string, receipt: Receipt): string =>
  [
    body,
    '',
    '<details>',
    '<summary>AgentPR receipt</summary>',
    '',
    `<!-- ${RECEIPT_MARKER} ${inComment(receipt)} -->`,
    formatReceiptLine(receipt),
    '',
    '</details>',
  ].join('\n');

const parseJsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const findLastReceipt = (
  body: string,
  form: RegExp = AT_THE_END,
): { receipt: Receipt; at: number } | null => {
  const match = form.exec(body);
  if (!match) return null;
  const receipt = Receipt.safeParse(parseJsonOrNull(match.groups?.json ?? ''));
  // The visible line and the hidden comment must agree.
  if (!receipt.success || formatReceiptLine(receipt.data) !== match.groups?.line?.trimEnd()) return null;
  return { receipt: receipt.data, at: match.index };
};

/** Returns null unless it is at the very end and both forms agree. */
export const readReceipt = (body: string): Receipt | null => findLastReceipt(body)?.receipt ?? null;

/** The same, wherever it stands: whose it is does not depend on what an app wrote below it. */
export const findReceipt = (body: string): Receipt | null => findLastReceipt(body, FORM)?.receipt ?? null;

export const normalizeBody = (body: string): string => body.replaceAll('\r\n', '\n').trimEnd();

export const withoutReceipt = (body: string): string => {
  const found = findLastReceipt(body);
  return found ? body.slice(0, found.at) : body;
};
