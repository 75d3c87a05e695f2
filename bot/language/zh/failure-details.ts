/** Chinese: what failed in particular, as the words in brackets behind the sentence of its class. */
import type { FailureDetail } from '../../../orchestrator/core/failure-detail.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

type Said = { says?: string };

const said = ({ says }: Said): string => (says === undefined ? '' : `。对方说：${says}`);
const because = ({ says }: Said): string => (says === undefined ? '' : `：${says}`);
const program = ({ program: name }: { program?: string }): string =>
  name === undefined ? '代理' : `程序 ${name} `;
const count = (n: number): string => Math.round(n).toLocaleString('en');

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
  host_failed: (d) => `代码托管平台出错 (${d.status})${because(d)}`,
  host_refused: (d) => `代码托管平台拒绝了请求 (${d.status})${because(d)}`,
  host_not_found: (d) => `代码托管平台找不到它，或不让我们看到它${because(d)}`,
  host_credential_refused: (d) =>
    `代码托管平台拒绝了我们的凭据${because(d)}；请检查 GITHUB_TOKEN 或 GitHub 应用的密钥`,
  host_answer_unreadable: () => '代码托管平台的回答不是它的 API 的格式',
};

export const describeFailureInChinese = (detail: FailureDetail): string => sayRecord(sentences, detail);
