import { zhComposed } from './sentences.ts';
import type { LanguageTexts } from '../en/en.ts';
import { issueLocation } from '../../../orchestrator/model/validation-issue.ts';
import { sayRecord } from '../../text/catalogue.ts';

const CLASSIC = 'https://github.com/settings/tokens/new?scopes=repo,workflow&description=AgentPR';

/** Sentences of the schemas of the settings, which are written in English. */
const SCHEMA_SENTENCES: Readonly<Record<string, string>> = {
  'must be a port number': '必须是端口号',
  'numeric Telegram ids, separated by commas': '必须是 Telegram 的数字 id，用逗号分隔',
  'must be an address like postgres://user:password@host:5432/agentpr':
    '必须是像 postgres://user:password@host:5432/agentpr 这样的地址',
  'must be like https://host/bucket': '必须像 https://host/bucket 这样',
  'must be an address like http://127.0.0.1:4318': '必须是像 http://127.0.0.1:4318 这样的地址',
  'must be like name=value,name=value': '必须像 name=value,name=value 这样',
  'write yes, or leave it empty': '请写 yes，或留空',
  'must be an https address': '必须是 https 地址',
  'must be https': '必须是 https',
  'write owner/name': '请写成 owner/name',
  'the name of an environment variable, not the secret itself': '必须是环境变量的名称，而不是密钥本身',
  'the name of an environment variable, not the key itself': '必须是环境变量的名称，而不是密钥本身',
  'choose a name of your own': '请自己起一个名称',
  'a model may not see that': '模型不能看到它',
  'GitHub takes a comma for the end of a label; name one label, without commas and line ends':
    'GitHub 把逗号当作标签的结束；请只写一个标签，不要逗号和换行',
  'git takes no name that is empty or punctuation alone; write one like Ana Example':
    'git 不接受空的或只有标点的名字；请写成像 Ana Example 这样',
  'a public name is no number and begins not with approver-; write one like Ana Example':
    '公开名字不能是数字，也不能以 approver- 开头；请写成像 Ana Example 这样',
  'a name has no <, no >, no line end and nothing unseen; write one like Ana Example':
    '名字里不能有 <、>、换行和看不见的字符；请写成像 Ana Example 这样',
};

const schemaSentence = (says: string): string =>
  SCHEMA_SENTENCES[says] ??
  says.replace(
    /^must have at least (\d+) characters; make one with (.+)$/,
    '至少要有 $1 个字符；可以用 $2 生成',
  );

export const chineseSetup: LanguageTexts['setup'] = {
  intro: [
    '现在设置 AgentPR。大约需要五分钟，要准备三样东西：',
    '  1. 一个 Telegram 机器人：给 @BotFather 发 /newbot（https://t.me/BotFather），它会回复一个令牌',
    `  2. 一个供它使用的 GitHub 账号：classic 令牌，权限范围 repo 和 workflow（${CLASSIC}）`,
    '  3. 本机上已登录的编码代理：codex、claude、opencode 或其他',
    '每个回答都会立即检查并保存到 .env；按 Ctrl-C 不会丢失：再次运行 init 即可继续。',
  ].join('\n'),
  askBot: 'Telegram 机器人的令牌（粘贴时不显示）；只用 Slack 请输入 slack，两个都用请输入 both：',
  askGitHub: 'GitHub 令牌（不显示），或输入 app 在浏览器里创建 GitHub App：',
  askBeside: '另外一个令牌，用于没有安装该 App 的仓库（回车：没有）：',
  received: (n) => `（${n} 个字符）`,
  needed: '这一项是必需的。',
  kinds: {
    bot: '这是 Telegram 机器人的令牌。这里要的是 GitHub 令牌。',
    github: '这是 GitHub 令牌。这里要的是 Telegram 机器人的令牌。',
    gitlab: '这是 GitLab 令牌。AgentPR 使用 GitHub。',
    model: '这是模型服务的密钥。它由编码代理保存，这里不需要。',
    installation: '这是安装令牌，一小时内失效。请用 classic 令牌，或输入 app。',
    name: '这是名字。@BotFather 在回复 /newbot 或 /token 时给出令牌。',
  },
  botForm: '机器人令牌由数字、冒号和字母组成，例如 123456789:AAE… 。请完整复制。',
  botUnknown: 'Telegram 不认识这个令牌。请从 @BotFather 重新复制，或用 /token 申请新的。',
  githubUnknown: 'GitHub 不认识这个令牌。可能已失效，或复制时被截断。',
  unreachable: (says) =>
    `无法连接：${says}\n令牌还没有被检查。请检查网络，然后按回车重试（或粘贴另一个令牌）：`,
  refused: (party, says) => `${party} 拒绝了：${says}`,
  telegramIs: (name) => `✔ 已连接 Telegram：@${name}`,
  githubIs: (login, scopes) => `✔ GitHub：${login}，权限范围：${scopes}`,
  lacks: (scopes) => `令牌的权限范围不够：缺少 ${scopes}。请在它的页面上添加，或另建一个。`,
  noAgent: (installs) =>
    [
      '在 PATH 里没有找到编码代理。请安装一个并登录，然后再次运行 init：',
      ...installs.map((one) => `  ${one}`),
      '没有代理也能启动 AgentPR，但只能运行你自己的命令（docs/engines.md）。',
    ].join('\n'),
  agents: '本机上的代理：',
  askAgent: (usual) => `由哪一个来做？输入编号或名字 [${usual}]：`,
  noSuchAgent: '没有这一个。',
  trying: (name) => `正在问 ${name} 一个问题，看它是否已登录并能在沙箱里启动……`,
  agentWorks: (name, seconds) => `✔ ${name} 在 ${seconds} 秒后回答了`,
  agentFails: (name, says) => `✘ ${name} 没有回答：${says}`,
  askAfterFailure: (name) => `选另一个代理，输入 r 重试，或按回车保留 ${name}：`,
  askAuthor: (usual) =>
    usual === null
      ? '以谁的名义提交？姓名 <邮箱>：'
      : `以谁的名义提交？回车使用 ${usual}，或输入 姓名 <邮箱>：`,
  authorForm: '请写成 姓名 <邮箱>，例如 Ana Lim <ana@example.org>。',
  askPublicName: '拉取请求里怎样称呼批准它们的你？输入名字，或按回车只显示代号：',
  publicNameForm: '名字最多 40 个字符，不能是数字，例如 Ana Lim。',
  askStart: (service) =>
    `现在启动 AgentPR 吗？回车：在本窗口运行${service ? ' · s：作为服务随机器启动' : ''} · n：暂不启动：`,
  sayHi: (name) => `现在在 Telegram 里给 @${name} 发一句 hi（https://t.me/${name}）。我在等……`,
  isThatYou: (name, id) => `${name}（${id}）发来了消息。是你吗？此人将可以批准一切。[y/N] `,
  notYou: '那么请用你自己的账号发送；我继续等……',
  nobodyWrote: '没有人发消息。按回车继续等，或输入你的 Telegram 数字 id：',
  idForm: 'id 是数字；多个之间用逗号分隔。',
  wrote: '全部设置已写入 .env。',
  startLater: '以后用这个命令启动：agentpr start',
  greets: (name) => `@${name} 现在在你的手机上向你问好。Ctrl-C 停止 AgentPR。`,
  slack: {
    asks: {
      SLACK_BOT_TOKEN: 'Slack 应用的 bot token（xoxb-…，不会显示；怎样取得见 docs/slack.md）：',
      SLACK_APP_TOKEN: '它的 app-level token（xapp-…，不会显示）：',
    },
    forms: {
      SLACK_BOT_TOKEN: 'Slack 的 bot token 以 xoxb- 开头，在 “Install App” 页面。请完整复制。',
      SLACK_APP_TOKEN: 'app-level token 以 xapp- 开头，在 “Basic Information” 的 “App-Level Tokens” 里。',
    },
    askMember: '你在 Slack 的 member ID（头像、Profile、三个点、Copy member ID）：',
    memberForm: 'member ID 由 U 或 W 加大写字母和数字组成，例如 U012AB3CD。',
    is: (name, team) => `✔ 已连接 Slack：${team} 的 @${name}`,
    same: (pair) => `你的两个账号算作同一个人：SLACK_SAME_PEOPLE=${pair}`,
    greets: (name) => `现在可以在 Slack 里给 @${name} 写 status。Ctrl-C 停止 AgentPR。`,
  },
  writeHi: (name) => `在手机上给 @${name} 发一句 hi。`,
  stopped: '\n已停止。目前的回答保存在 .env；再次运行 agentpr init 即可继续。',
  noAnswer: (name) => `\n没有回答 ${name}。之前的回答保存在 .env。`,
  openPage: (address, port) =>
    `在本机浏览器中打开此页面，按下按钮：\n  ${address}\n（从另一台机器，先运行：ssh -L ${port}:127.0.0.1:${port} <本机>）`,
  appMade: (slug, address) => `✔ GitHub App ${slug}。请安装到它要工作的地方：${address}/installations/new`,
  checksFailed: (failed, all) => `${all} 项检查中有 ${failed} 项未通过；上面写明了每一项该怎么办。`,
  party: {
    chat: (name) => name,
    forge: (name) => name,
    engine: (name) => `引擎 ${name}`,
  },
  unusable: (party, says) => `${party} 无法使用：${says}`,
  unreached: (party) => `连不上 ${party}。`,
  running: (address) => `AgentPR 正在运行。健康状态：${address}/healthz。按 Ctrl-C 停止。`,
  workerRuns: (place, address) =>
    `AgentPR 的这个 worker 正在运行，目录 ${place}。健康状态：${address}/healthz。按 Ctrl-C 停止。`,
  tokenUnknown: 'Telegram 不认识这个机器人的令牌。请检查 TELEGRAM_BOT_TOKEN。',
  fetchedElsewhere: '另一个程序正在接收这个机器人的消息。请先停掉它，或换一个机器人。',
  telegramRefused: (says) => `Telegram 拒绝了：${says}`,
  seeExample: '参见 .env.example，或运行 `npx agentpr init`。',
  fixFile: '请修正该文件；docs/configuration.md 列出了里面可以写什么。',
  unreadableFile: (file, says) => `无法读取 ${file}：${says}`,
  notJson: (says) => `agentpr.config.json 不是 JSON：${says}`,
  noCredential: '缺少 GITHUB_TOKEN（环境变量或 .env），也没有代替它的 GITHUB_APP_ID。',
  unknownSettings: (all, known) =>
    [
      ...all.map(
        ({ name, fromFile, meant }) =>
          `${fromFile ? '.env 里有' : ''}未知的设置 ${name}${meant === null ? '。' : `；您是不是指 ${meant}？`}`,
      ),
      `可用的设置：${known.join('、')}。`,
    ].join('\n'),
  settingsIssue: (it, file) => {
    const where = file === 'env' ? '环境变量或 .env' : 'agentpr.config.json';
    const place = issueLocation(it.path);
    const [name, end] = place === '' ? [where, '。'] : [place, `（${where}）。`];
    if (it.kind === 'unknown') return `${name}：没有 ${it.key} 这一项${end}`;
    if (it.found === null) return `缺少 ${name}${end}`;
    if (it.may.kind === 'said') return `${name} 不能用：${schemaSentence(it.may.says)}${end}`;
    return `${name} ${file === 'env' ? '' : `现在是 ${it.found}；`}${sayRecord(zhComposed.expectedValues, it.may)}${end}`;
  },
  brokenFile: (file, says) => `${file} 无法读取：${says}\n请修正或移走该文件，然后再运行。`,
};
