/** Chinese: what failed in particular, as the words in brackets behind the sentence of its class. */
import type { HostRefusal } from '../../../orchestrator/model/host-refusal.ts';
import type { BucketRefusal, FailureDetail } from '../../../orchestrator/model/failure-detail.ts';
import { zhHostRefusal, zhWayRefusal } from './host-refusals.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

type Said = { says?: string };

const said = ({ says }: Said): string => (says === undefined ? '' : `。对方说：${says}`);
const because = ({ says }: Said): string => (says === undefined ? '' : `：${says}`);
const program = ({ program: name }: { program?: string }): string =>
  name === undefined ? '代理' : `程序 ${name} `;
const count = (n: number): string => Math.round(n).toLocaleString('en');

const BUCKET: Record<BucketRefusal, string> = {
  unreached: '无法连接',
  other_region: '位于另一个区域',
  request_refused: '没有接受请求：请检查区域设置',
  key_refused: '拒绝了密钥，或该密钥没有这项权限',
  missing: '不存在',
  failed: '出错',
  open_to_all: '任何人都可以列出其内容：请取消这项权限',
  broke_off: '传输中断，或返回的内容比存入的多',
  other_bytes: '返回的字节与存入的不同',
};
const noPush = (repo: string): string => `我们的凭据不能推送到 ${repo}`;
const PARTY = { chat: ' Telegram ', bucket: '存储桶' } as const;
const onWay = (party: keyof typeof PARTY, refusal: HostRefusal): string =>
  `无法连接${PARTY[party].trimEnd()}：${zhWayRefusal(refusal, PARTY[party])}`;

const sentences: SentenceCatalogue<FailureDetail> = {
  push_refused: ({ says }) => (says === undefined ? '对方没有说明原因' : `对方说：${says}`),
  branch_moved: (d) => `代码托管平台上的分支已不在我们上次推送的位置${said(d)}`,
  branch_name_refused: (d) => `对方不接受这个分支名${said(d)}`,
  push_credential_refused: (d) => `代码托管平台拒绝了我们用于推送的凭据${said(d)}`,
  push_forbidden: (d) => `代码托管平台不允许我们推送${said(d)}`,
  push_too_large: () => '推送的内容超过代码托管平台或其前面代理的大小上限 (413)；管理它的人可以提高上限',
  branch_differs: ({ branch, found, expected }) =>
    `${branch} ${found === null ? '不存在' : `位于 ${found}`}，应位于 ${expected}`,
  branch_missing: ({ repo, branch }) => `${repo} 没有名为 “${branch}” 的分支`,
  no_space_left: () => '',
  data_disk_full: () => '数据目录所在的磁盘已满，无法再存入新内容；已确认的内容是安全的',
  mirrors_full: ({ used, limit }) =>
    `未结束任务的仓库占用 ${count(used)} MB 磁盘，而 mirrors.diskMb 只允许 ${count(limit)} MB；请结束其中一些任务，或提高上限`,
  disk_nearly_full: ({ limit }) => `数据目录所在磁盘剩余不足 ${count(limit)} MB`,
  memory_exceeded: ({ limit }) => `内存用量超过 ${count(limit)} MB（sandboxLimits.memoryMb）`,
  memory_ran_out: ({ limit }) => `内存耗尽；一个任务最多可用 ${count(limit)} MB（sandboxLimits.memoryMb）`,
  processes_exceeded: ({ limit }) => `启动的进程和线程超过 ${count(limit)} 个（sandboxLimits.processes）`,
  processes_ran_out: ({ limit }) =>
    `无法再启动进程；一个任务最多可有 ${count(limit)} 个进程和线程（sandboxLimits.processes）`,
  disk_exceeded: ({ limit }) => `写入磁盘超过 ${count(limit)} MB（sandboxLimits.diskMb）`,
  run_disk_nearly_full: ({ limit }) => `磁盘剩余不足 ${count(limit)} MB，或可用的文件数太少`,
  engine_missing: (d) => `找不到${program(d)}${because(d)}`,
  engine_not_executable: (d) => `${program(d)}没有执行权限${because(d)}`,
  engine_not_started: (d) => `${program(d)}无法启动${because(d)}`,
  box_not_started: (d) => `沙箱无法启动${because(d)}`,
  engine_timed_out: ({ seconds }) => `${count(seconds)} 秒后达到时限 (bounds.runMs)，已停止`,
  engine_stopped: () => '已按要求停止',
  engine_too_loud: () => '输出过多，已停止；请让它少输出一些',
  engine_exited: (d) => `${d.exitCode === null ? '没有退出码' : `退出码 ${d.exitCode}`}${because(d)}`,
  engine_killed: (d) => `被${d.signal === null ? '信号' : `信号 ${d.signal} `}终止${because(d)}`,
  engine_arguments_refused: (d) => `${program(d)}不接受启动它的方式${because(d)}`,
  conversation_unknown: (d) => `${program(d)}已不认识这次对话${because(d)}`,
  permission_undecided: () => '代理请求许可，需要由人决定',
  provider_closed: () => '模型提供方暂时不接受请求',
  usage_limit_reached: () => '已达用量上限',
  model_key_missing: () =>
    '没有设置模型的密钥：请设置 OPENAI_API_KEY 或 ANTHROPIC_API_KEY，或自有模型的地址（OPENAI_BASE_URL、ANTHROPIC_BASE_URL）',
  model_unnamed: () =>
    '没有指定模型：请在 agentpr.config.json 中设置 "engines": {"builtin": {"args": ["-m", "<model>"]}}，或设置 OPENAI_MODEL 或 ANTHROPIC_MODEL',
  run_tokens_used_up: ({ limit }) => `这个任务最多可用 ${count(limit)} 个 token（maxTokens）`,
  run_cost_used_up: ({ limit }) => `这个任务的费用上限为 $${limit}（maxCostUsd）`,
  model_requests_exceeded: ({ limit }) => `代理在一轮中向模型请求了 ${count(limit)} 次（gateway.requests）`,
  model_requests_too_fast: ({ limit }) =>
    `代理在一分钟内向模型请求了 ${count(limit)} 次（gateway.perMinute）`,
  model_call_repeated: ({ limit }) => `代理连续 ${count(limit)} 次发出同样的调用（gateway.identical）`,
  price_unnamed: ({ model }) =>
    `没有人说明${model === null ? '这个模型' : `模型 ${model} `}的价格：请在 agentpr.config.json 的 "gateway.prices" 中写明，或取消费用上限（maxCostUsd）`,
  app_has_no_forks: ({ repo }) =>
    `${noPush(repo)}，而 GitHub 应用不能有复刻；请在那里安装它并给予写权限，或设置令牌`,
  fork_refused: (d) => `无法复刻 ${d.repo}${because(d)}；任务需要推送权限，或允许复刻`,
  forks_not_allowed: ({ repo }) => `${noPush(repo)}，而设置不允许复刻（forks.use）`,
  fork_of_own: ({ repo, owner }) => `${noPush(repo)}，而 ${owner} 不能复刻自己的仓库`,
  repository_forbids_forks: ({ repo, mayPush }) =>
    `${repo} 不允许复刻，而${mayPush ? '设置要求使用复刻' : noPush(repo)}`,
  fork_gone: ({ fork }) => `这个任务推送的复刻 ${fork} 已不存在；重试会新建一个并再次推送`,
  fork_unrelated: ({ repo, fork }) => `平台给出的 ${fork} 并不是 ${repo} 的复刻；请将它改名或删除，然后重试`,
  fork_stays_empty: ({ fork }) => `新的复刻 ${fork} 五分钟后仍是空的；请到代码托管平台查看，然后重试`,
  kept_by_others: () => '账本中这个任务的工作区不是 AgentPR 写入的：有别人在写数据库',
  kept_bytes_differ: () => '存储桶返回的工作区字节与存入的不同',
  kept_parts_missing: () => '这个任务的工作区缺少部分内容',
  kept_start_lost: ({ branch }) => `分支 “${branch}” 已没有这个任务开始时的提交，因此无法在别处继续`,
  bucket_refused: ({ why, status }) => `存储桶${BUCKET[why]}${status === null ? '' : ` (${status})`}`,
  chat_unreached: (d) => `无法连接 ${d.service ?? 'Telegram'}；会自动重试`,
  chat_refused: (d) => `${d.service ?? 'Telegram'} 拒绝了这条消息${because(d)}`,
  chat_token_unknown: (d) =>
    d.service === undefined
      ? 'Telegram 不认识我们的机器人令牌；请检查 TELEGRAM_BOT_TOKEN'
      : `${d.service} 不接受我们的令牌${because(d)}；请检查 SLACK_BOT_TOKEN 和 SLACK_APP_TOKEN`,
  certificate_refused: ({ party, host, code }) =>
    onWay(party, { kind: 'certificate_untrusted', code, ...(host === undefined ? {} : { host }) }),
  proxy_in_the_way: ({ party, problem, proxy }) =>
    onWay(party, { kind: problem, ...(proxy === undefined ? {} : { proxy }) }),
  revert_unmerged: ({ pull }) => `${pull} 没有合并，没有可以还原的；请取消这个任务`,
  revert_unreachable: ({ pull, branch }) =>
    `合并 ${pull} 的提交已不在 ${branch} 的历史中（历史被改写过）。请手动还原剩下的部分，或取消这个任务`,
  revert_unclear: ({ pull }) =>
    `git 无法判断分支上的哪些提交属于 ${pull}：它不是完整的合并、压缩或变基。请手动还原，或取消这个任务`,
  revert_needs_agent: ({ pull }) =>
    `${pull} 的还原有冲突或被退回，脚本无法处理。请用 /settings 设置引擎后再次撤销批次，或取消这个任务`,
  no_failed_check: () => '没有我们能重新运行的失败检查；请在 GitHub 上重新运行',
  host_failed: (d) => `代码托管平台出错 (${d.status})${because(d)}`,
  host_refused: (d) => `代码托管平台拒绝了请求 (${d.status})${because(d)}`,
  host_not_found: (d) => `代码托管平台找不到它，或不让我们看到它${because(d)}`,
  host_credential_refused: (d) =>
    `代码托管平台拒绝了我们的凭据${because(d)}；请检查 GITHUB_TOKEN 或 GitHub 应用的密钥`,
  host_answer_unreadable: () => '代码托管平台的回答不是它的 API 的格式',
};

type Refused = { says: string; refusal?: HostRefusal; detail?: FailureDetail };
/** The record of a refusal replaces the words that came with it. */
export const zhRefused = ({ says, refusal, detail }: Refused): string =>
  refusal ? zhHostRefusal(refusal) : detail ? describeFailureInChinese(detail) : says;

export const describeFailureInChinese = (detail: FailureDetail): string => sayRecord(sentences, detail);
/** The ledger may hold a detail of another version. */
export const knowsFailure = ({ kind }: { kind: string }): boolean => Object.hasOwn(sentences, kind);
