import type { LanguageTexts } from '../en/en.ts';

export const zhSettingsProblems: LanguageTexts['settingsProblems'] = {
  mustBeHttps: (name, is) => `${name} 必须是 https：${is}`,
  pagesAddress: (is, host) => `GITHUB_API_URL 填的是网页地址：${is}。API 的地址是 https://api.${host}`,
  plainAddress: 'GITHUB_URL 必须是像 https://host 这样的地址，不带用户名，后面也没有其他内容。',
  plainBotApi: (is) =>
    `TELEGRAM_API_ROOT 必须是 https：${is}。使用 http 时，途中任何人都能读到机器人的令牌；若是可信网络里你自己的 Bot API 服务器，请设置 TELEGRAM_API_ALLOW_HTTP=yes。`,
  together: (names) => `${names} 必须同时设置。`,
  noPrivateKey:
    'GITHUB_APP_PRIVATE_KEY 不是私钥：请填写 GitHub 生成的 .pem 文件的内容，写成一行，行与行之间用 \\n。',
  noModelKey: (name) => `缺少 ${name}（环境变量或 .env）：聊天模型需要它的密钥（chat.model）。`,
  noVoiceKey: (name) => `缺少 ${name}（环境变量或 .env）：语音转写需要它的密钥（chat.voice）。`,
  noHookSecret: (name, hook) =>
    `缺少 ${name}（环境变量或 .env），或者它不是 24 字节以上的 base64 密钥：arrivals.hooks.${hook} 需要它。可用 \`openssl rand -base64 32\` 生成。`,
  previousAlone: 'GITHUB_WEBHOOK_SECRET_PREVIOUS 需要与 GITHUB_WEBHOOK_SECRET（取代它的新密钥）一起设置。',
  publicAlone:
    'AGENTPR_PUBLIC_URL 需要 GITHUB_WEBHOOK_SECRET：能被访问到，就必须知道是谁在调用。可用 `openssl rand -hex 32` 生成。',
  noBucketName: (is) => `AGENTPR_BUCKET_URL 必须以存储桶的名称结尾：${is}`,
  oddPercent: 'OTEL_EXPORTER_OTLP_HEADERS 里有一个没有编码任何内容的 %；请写成 %25。',
  prismaSchema: (schema, encoded) =>
    `DATABASE_URL 里写了 schema=${schema}，Postgres 不认识它（Prisma 才认识），表会建到别处。请写 ?options=-csearch_path%3D${encoded}，或给该用户设置这个 search_path。`,
  holdsVariable: (name, is) => `${name} 里有变量（${is}），这里不会展开。请写完整路径。`,
  quotedPath: (name, is) => `${name} 以引号开头（${is}）。请去掉引号。`,
  otherHome: (name, is) => `${name} 以 ~ 开头（${is}），只能表示你自己的主目录。请写完整路径。`,
  roleAlone: (role) => `角色 ${role} 需要多个进程都能写的账本：请把 DATABASE_URL 设为 Postgres。`,
  isUtf16: (file) => `${file} 是 UTF-16 编码（编辑器里叫 Unicode）。请另存为 UTF-8。`,
  isNotUtf8: (file) => `${file} 不是 UTF-8 编码。请另存为 UTF-8。`,
  line: (file, line, says) => `${file} 第 ${line} 行：${says}`,
  curlyQuote: (name, mark) => `${name} 里有弯引号（${mark}）。请用直引号（"）或不用引号。`,
  hashInside: (name) => `${name} 里的 # 会变成注释的开头。请用单引号括住它的值：${name}='…'。`,
  noAssignment: '这一行没有 NAME=值。每行写一个，注释前加 #。',
  openQuote: (name, mark) => `${name} 的值前面的引号（${mark}）没有结束。请补上，或去掉它。`,
  afterQuote: (name, mark) =>
    `${name} 末尾的引号（${mark}）后面还有内容。值里含有引号时，请用另一种引号括住它。`,
};
