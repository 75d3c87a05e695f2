/** Chinese: what `agentpr doctor`, `init` and `start` find, and the remedies. Plain text, not escaped. */
import { zhComposed } from './sentences.ts';
import type { LanguageTexts } from '../en/en.ts';
import type { HostSentence } from '../en/host-checks.ts';

type Sentences = LanguageTexts['hostChecks'];
type Way = Parameters<Sentences['telegram']>[0]['way'];
type Right = Parameters<Sentences['github']>[0]['missing'][number];

const way = (to: Way): string =>
  to === null ? '' : `（${to.host}，${to.proxy === null ? '直接连接' : `经过代理 ${to.proxy}`}）`;
const says = (text: string, fix = ''): HostSentence => ({ says: text, fix });

/** Keys are GitHub's names of permissions and scopes. */
const USES: Readonly<Record<string, string>> = {
  contents: '克隆仓库，并推送改动的分支',
  pull_requests: '创建拉取请求、更新它的说明、读取评审',
  checks: '读取检查结果；给 write 才能让其他应用的检查重新运行',
  statuses: '读取旧式 CI 的结果',
  actions: '读取失败作业的日志，并让它们重新运行',
  issues: '读取任务提到的 issue 和评论',
  workflows: '推送涉及 .github/workflows 的改动，包括基准分支带来的',
  repo: '复刻、推送并创建拉取请求；公开仓库只要 public_repo 就够',
  workflow: '推送涉及 .github/workflows 的改动，包括基准分支带来的',
};
const right = ({ name, level, why }: Right): string =>
  `${name}${level === null ? '' : `: ${level}`}（${USES[name] ?? why}）`;
const PAGE = '参见 docs/github.md。';
const FINE_REACH =
  '这种令牌只能访问它所属的那一个所有者的仓库，而且读不了检查。别人的仓库需要 classic 令牌。';
const lacks = (missing: readonly Right[], more = ''): string =>
  missing.length === 0 ? `${more}${PAGE}` : `缺少：${missing.map(right).join('；')}。${more}${PAGE}`;

const AGAIN = '请再运行一次 `agentpr service install`。';
const PARTIES = { model: '模型提供方', traces: '接收 trace 的服务' } as const;
const NO_ANSWER = '15 秒内没有回应';
const tried = (install: string): string => `如果它表现异常，请安装试用过的版本：\`${install}\`。`;

export const hostChecks: Sentences = {
  node: (f) =>
    says(
      `${f.version}${f.isOwn ? `，AgentPR 自带${f.onPath === null ? '' : `（PATH 上的 ${f.onPath} 没有使用）`}` : ''}，libuv ${f.uv}`,
    ),
  env_file: (f) =>
    f.isPrivate
      ? says(`只有所有者可以读取（权限 ${f.mode}）`)
      : says(`这台机器上的其他账户可以读到里面的密钥（权限 ${f.mode}）`, '请运行：chmod 600 .env'),
  git_version: (f) => says(f.version),
  git_unfit: (f) =>
    says(
      `${f.version === '' ? '没有找到 git' : `${f.version} 太旧了`}（在 ${f.path}）。`,
      `请在那里安装 git ${f.oldest} 或更新的版本。`,
    ),
  sandbox_untried: (f) => says(f.cause, '先解决这个问题，才能试沙箱。'),
  sandbox: (f) =>
    says(
      `${f.level} 在这里可以使用${f.weaknesses.length > 0 ? `（${f.weaknesses.join(' ')}）` : ''}`,
      '请安装 bubblewrap（`apt-get install bubblewrap`），或设置 AGENTPR_SANDBOX=auto 接受较弱的沙箱。',
    ),
  settings_complete: () => says('完整'),
  settings_wrong: (f) => says(f.cause, f.step ?? '参见 .env.example，或运行 `npx agentpr init`。'),
  data_unwritable: (f) => says(f.cause, `请让 ${f.dir} 可写，或设置 AGENTPR_DATA_DIR。`),
  data: (f) => says(`${f.dir}，剩余 ${f.free} GiB`, '请腾出一些磁盘空间。'),
  mirrors: (f) =>
    says(
      `${f.count} 个仓库，${f.limit} MB 中用了 ${f.mb} MB`,
      '请结束占用大仓库的任务，或调高 mirrors.diskMb。',
    ),
  ledger_whole: () => says('完好'),
  ledger_absent: () => says('还没有创建'),
  ledger_broken: (f) => says(f.cause, '请从备份恢复数据目录，或把 AGENTPR_DATA_DIR 设为另一个目录。'),
  postgres: (f) => says(`Postgres ${f.version}${f.isMade ? '' : '，还没有创建'}`),
  postgres_broken: (f) => says(f.cause, '参见 docs/postgres.md；账本在哪里由 DATABASE_URL 决定。'),
  telegram: (f) => says(`已登录为 @${f.name}${way(f.way)}`),
  telegram_away: (f) => says(f.cause, '问题在这台主机的网络，不在令牌：请检查 HTTPS_PROXY 和 DNS。'),
  telegram_unknown: () =>
    says(
      'Telegram 不认识 TELEGRAM_BOT_TOKEN 里的令牌',
      '请从 @BotFather 重新复制 (/token)，然后运行 `npx agentpr init`。',
    ),
  telegram_refused: (f) => says(f.cause, 'Telegram 拒绝了；它认识这个令牌。请稍后再试。'),
  slack: (f) => says(`已作为 @${f.name} 登录 ${f.team}${way(f.way)}；Socket Mode 已开启`),
  slack_scopes: (f) =>
    says(
      `已登录为 @${f.name}，但缺少权限范围 ${f.scopes}`,
      '请在应用的 “OAuth & Permissions” 里加上，然后重新安装应用 (docs/slack.md)。',
    ),
  slack_broken: (f) => says(f.cause, `请检查 ${f.token}；每个令牌从哪里来，参见 docs/slack.md。`),
  signing: (f) => says(`提交用 ${f.key} 签名`),
  signing_broken: (f) => says(f.cause, PAGE),
  webhooks: (f) =>
    says(
      f.to === null
        ? '没有设置 GITHUB_WEBHOOK_SECRET：由我们定期询问 GitHub，而不是由它发送'
        : `已设置 GITHUB_WEBHOOK_SECRET；GitHub 发送到 ${f.to}`,
    ),
  bucket: (f) => says(`${f.url}：写入、读取并删除了一个对象${way(f.way)}`),
  outside_failure: (f) =>
    says(zhComposed.knowsFailure(f.detail) ? zhComposed.failedInDetail(f.detail) : f.text),
  bucket_broken: (f) => says(f.cause, '它的密钥必须能写入、读取和删除对象，而其他人什么都不能做。'),
  backup: (f) => says(`${f.file}（${f.at}）：已恢复并重放，${f.runs} 个任务的 ${f.events} 个事件`),
  backup_wrong: (f) => says(f.cause, '参见 docs/audit.md，并再做一次备份。'),
  backup_unreadable: (f) => says(f.cause, '请试另一个备份，并用 `agentpr backup` 做一个新的。'),

  network_broken: (f) => says(f.cause, '参见 docs/configuration.md 的 “Behind a company proxy”。'),
  proxy: (f) =>
    says(
      `经过 ${f.proxies} 出去；直接连接：${['本机', ...f.direct].join('、')}`,
      `NO_PROXY：没有主机与 ${f.unreadable.join('、')} 相符。请写名称、地址，或像 10.0.0.0/8 这样的网段。`,
    ),
  party_answers: (f) => says(`${PARTIES[f.party]}有回应${way(f.way) || `（${f.host}）`}`),
  party_silent: (f) =>
    says(`${PARTIES[f.party]}（${f.host}）没有回应：${f.cause}`, '请检查它的地址，以及这台主机的网络。'),
  git_reaches: (f) => says(`能到达 ${f.url}${way(f.way)}`),
  git_away: (f) => says(f.cause, 'git 必须像 API 一样能到达代码托管平台：请检查 HTTPS_PROXY 和证书。'),

  github: (f) =>
    says(`已登录为 ${f.login}，权限范围：${f.scopes.join(', ') || '无'}${way(f.way)}`, lacks(f.missing)),
  github_fine: (f) =>
    says(
      `已用细粒度令牌 (fine-grained) 登录为 ${f.login}；在 ${f.repo} 上可以：${f.has.join(', ') || '什么都不行'}${way(f.way)}`,
      lacks(f.missing, FINE_REACH),
    ),
  github_fine_nowhere: (f) =>
    says(`已用细粒度令牌 (fine-grained) 登录为 ${f.login}，但它访问不了任何仓库`, `${FINE_REACH}${PAGE}`),
  github_unknown: () =>
    says('GitHub 不认识 GITHUB_TOKEN 里的令牌', '请新建一个，然后运行 `npx agentpr init`。'),
  github_away: (f) =>
    says(f.cause, '问题在到 GitHub 的路上，不在令牌：请检查 GITHUB_API_URL、HTTPS_PROXY 和 DNS。'),
  github_refused: (f) => says(f.cause, '请检查 GITHUB_TOKEN 和 GITHUB_API_URL。'),
  app: (f) =>
    says(
      `${f.login} 已安装在 ${f.owner} 上${f.missing.length === 0 ? '，权限齐全' : ''}${way(f.way)}`,
      lacks(f.missing),
    ),
  app_nowhere: (f) =>
    says(`${f.login ?? '该应用'}没有安装在任何地方`, '请在它的设置里把它安装到一个账户上。'),
  app_suspended: (f) =>
    says(`${f.login} 安装在 ${f.owner} 上，但被暂停了${way(f.way)}`, `${f.owner} 可以在设置里解除暂停。`),
  app_refused: (f) => says(f.cause, '请检查 GITHUB_APP_ID、GITHUB_APP_PRIVATE_KEY 和 GITHUB_API_URL。'),
  labels: (f) => says(`${f.repositories} 个仓库的 issue 可以加标签`),
  labels_missing: (f) =>
    says(
      f.missing
        .map(({ repo, label }) =>
          label === null ? `没有找到 ${repo}，或者我们看不到它` : `${repo} 没有标签 ${label}`,
        )
        .join('\n'),
      '请在那里创建标签，或在 arrivals.issues 里写另一个仓库或标签。',
    ),

  engine_version: (f) => says(f.version),
  engine_untried: (f) => says(`${f.version}；没有试用过：按它的文档实现`, '请留意它最初的几个任务。'),
  engine_no_version: (f) =>
    says(`它没有说自己的版本（“${f.said}”）；试用过的是 ${f.known}`, tried(f.install)),
  engine_other_version: (f) =>
    says(`${f.version} 比试用过的 ${f.known} ${f.isOlder ? '旧' : '新'}`, tried(f.install)),
  engine_fails: (f) =>
    says(`\`${f.program} --version\` 失败了：${f.cause ?? NO_ANSWER}`, `请重新安装：\`${f.install}\`。`),
  engine_absent: (f) =>
    says(
      `没有找到程序 ${f.program}`,
      `请安装它（\`${f.install}\`），或在 agentpr.config.json 的 "engines" 里写明它在哪里。`,
    ),
  engine_key: (f) => says(`已设置 ${f.names.join('、')}`),
  engine_signed_in: (f) => says(`已通过 ${f.file} 登录`),
  engine_own_model: () => says('无，使用自己的模型'),
  engine_no_key: (f) => says('没有设置密钥', `请设置 ${f.names.join(' 或 ')}，或自己的模型的地址。`),
  engine_signed_out: (f) =>
    says(`既没有密钥，也没有 ${f.file}`, `请登录（\`${f.signIn}\`），或设置 ${f.names.join(' 或 ')}。`),
  engine_boxed: (f) => says(`能在沙箱里启动（${f.level}）`),
  engine_not_boxed: (f) =>
    says(
      `在沙箱里无法启动：${f.cause ?? NO_ANSWER}`,
      '请把它安装在主目录之外，或在 agentpr.config.json 的 "readable" 里加上它的目录。',
    ),
  engine_no_box: (f) => says(f.cause, '请先解决沙箱的问题。'),
  engine_own: (f) => says(`AgentPR 自带，使用 ${f.model}`),
  engine_no_model: (f) =>
    says(
      '没有指定模型',
      `请在 agentpr.config.json 里设置 "engines": {"${f.name}": {"args": ["-m", "<model>"]}}，或设置 OPENAI_MODEL 或 ANTHROPIC_MODEL。`,
    ),
  engine_ready: (f) => says(`引擎 ${f.engine} 就绪`),
  engine_unchosen: () =>
    says(
      '还没有选择引擎；在那之前每个任务自带引擎',
      '让 agentpr init 找出这台机器上的代理，或在 .env 里设置 AGENTPR_ENGINE（codex、claude、opencode 等）；也可以在 agentpr.config.json 里用 "script" 指定一条命令。',
    ),
  chat_connected: (f) => says(`@${f.name} 已连接`),
  other_chat_connected: (f) => says(`${f.service}：@${f.name} 已连接`),
  forge_connected: (f) => says(`${f.forge} 账号 ${f.account}`),
  script: (f) => says(`script 引擎的命令：${f.command}`),
  prices: (f) => says(`models.dev ${f.asOf} 的价目表${f.own === 0 ? '' : `，您自己的 ${f.own} 个价格优先`}`),
  cost_unknown: (f) =>
    says(
      `bounds.maxCostUsd 是 ${f.limit}，但不知道 ${f.model} 的价格：除非提供方公布价格，否则它的任务会立刻停下`,
      `请在 agentpr.config.json 里设置 "gateway": {"prices": {"${f.model}": {"input": …, "output": …}}}（每百万 token 的美元价），或在 "args" 里换一个模型，或去掉 bounds.maxCostUsd。`,
    ),
  cost_untold: (f) =>
    says(
      `bounds.maxCostUsd 是 ${f.limit}，但 ${f.engine} 登录使用时不报告费用：这个上限不起作用`,
      '请设置 bounds.maxTokens，或改用密钥而不是登录。',
    ),

  unit: (f) => says(f.file),
  unit_absent: (f) => says(`没有 ${f.file}`, '请运行 `agentpr service install`。'),
  unit_foreign: (f) => says(`${f.file} 不是 agentpr 写的`, '请用 --name 换一个名称。'),
  unit_program_gone: (f) => says(`它启动 ${f.program}，但那里已经没有了`, AGAIN),
  unit_problems: (f) => says(f.problems, AGAIN),
  unit_edited: (f) => says(`${f.file} 写好之后被改过`, `${AGAIN}drop-in 会保留。`),
  unit_older: (f) => says(`${f.file} 由 agentpr ${f.by} 写成，现在是 ${f.now}`, AGAIN),
  unit_enabled: (f) => says(f.said, AGAIN),
  unit_active: (f) => says(f.said, `原因见 \`${f.log}\`。`),
  systemd_absent: () => says('这台机器没有运行它', '其他办法见 docs/run-it-for-a-year.md。'),
  health_elsewhere: (f) => says('没有询问', `请在它的设置所在的 ${f.directory} 里运行。`),
  health_any_port: () => says('没有询问：它的端口是任意空闲端口', '设置 AGENTPR_HTTP_PORT 就会询问。'),
  health: (f) => says(`${f.address} 说它已就绪`),
  health_bad: (f) => says(`${f.address} 回答 ${f.status}：${f.said}`, '参见 docs/run-it-for-a-year.md。'),
  health_silent: (f) =>
    says(`${f.address} 没有回应（${f.cause}）`, '请看它的日志：`journalctl -u agentpr`。'),
};
