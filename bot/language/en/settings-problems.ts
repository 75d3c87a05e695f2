/** English texts about settings that cannot be used. */
export const enSettingsProblems = {
  mustBeHttps: (name: string, is: string) => `${name} must be https: ${is}`,
  pagesAddress: (is: string, host: string) =>
    `GITHUB_API_URL is the address of the pages: ${is}. The API is at https://api.${host}`,
  plainAddress: 'GITHUB_URL must be an address like https://host, without a user or anything behind it.',
  plainBotApi: (is: string) =>
    `TELEGRAM_API_ROOT must be https: ${is}. Over http, everybody on the way could read the token of the bot; for a Bot API server of your own in a network that you trust, set TELEGRAM_API_ALLOW_HTTP=yes.`,
  together: (names: string) => `${names} are needed together.`,
  noPrivateKey:
    'GITHUB_APP_PRIVATE_KEY is not a private key: give the text of the .pem file that GitHub made, on one line with \\n between its lines.',
  noModelKey: (name: string) =>
    `${name} is missing (environment or .env): the model of the chat needs its key (chat.model).`,
  noVoiceKey: (name: string) =>
    `${name} is missing (environment or .env): the transcriber of voice notes needs its key (chat.voice).`,
  noHookSecret: (name: string, hook: string) =>
    `${name} is missing (environment or .env), or is no secret of 24 bytes or more in base64: arrivals.hooks.${hook} needs it. Make one with \`openssl rand -base64 32\`.`,
  previousAlone: 'GITHUB_WEBHOOK_SECRET_PREVIOUS needs GITHUB_WEBHOOK_SECRET: the one it gives way to.',
  publicAlone:
    'AGENTPR_PUBLIC_URL needs GITHUB_WEBHOOK_SECRET: whoever can be reached must know who calls. Make one with `openssl rand -hex 32`.',
  noBucketName: (is: string) => `AGENTPR_BUCKET_URL must end with the name of the bucket: ${is}`,
  oddPercent: 'OTEL_EXPORTER_OTLP_HEADERS has a % that encodes nothing; write %25 for it.',
  prismaSchema: (schema: string, encoded: string) =>
    `DATABASE_URL says schema=${schema}, which Postgres does not know (Prisma does), so that tables would go elsewhere. Say ?options=-csearch_path%3D${encoded}, or give the user that search_path.`,
  holdsVariable: (name: string, is: string) =>
    `${name} holds a variable (${is}), which is not filled in here. Write the whole path.`,
  quotedPath: (name: string, is: string) =>
    `${name} begins with a quotation mark (${is}). Write the path without it.`,
  otherHome: (name: string, is: string) =>
    `${name} begins with ~ (${is}), which is your own home only. Write the whole path.`,
  roleAlone: (role: string) =>
    `The role ${role} needs a ledger that several processes can write: set DATABASE_URL to a Postgres.`,
  isUtf16: (file: string) => `${file} is written in UTF-16 (editors call it Unicode). Save it as UTF-8.`,
  isNotUtf8: (file: string) => `${file} is not written in UTF-8. Save it as UTF-8.`,
  line: (file: string, line: number, says: string) => `${file}, line ${line}: ${says}`,
  curlyQuote: (name: string, mark: string) =>
    `${name} has a curly quotation mark (${mark}). Write straight ones (") or none.`,
  hashInside: (name: string) =>
    `the # in ${name} would begin a comment. Put the value into single quotation marks: ${name}='…'.`,
  noAssignment: 'there is no NAME=value in it. Write one on each line, and # before a comment.',
  openQuote: (name: string, mark: string) =>
    `the quotation mark (${mark}) before the value of ${name} has no end. Add it, or leave it out.`,
  afterQuote: (name: string, mark: string) =>
    `something follows the quotation mark (${mark}) at the end of ${name}. Use another kind of quotation marks around a value that has them.`,
};
